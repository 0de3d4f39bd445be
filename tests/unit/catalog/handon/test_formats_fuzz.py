"""Whatever pages say, and however addresses look: what is handed on can be read."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pyoxigraph as ox
from hypothesis import given
from hypothesis import strategies as st

from filon.catalog.handon.dataset import Collection
from filon.catalog.handon.dcat import write_dcat
from filon.catalog.handon.frictionless import write_frictionless
from filon.catalog.handon.rocrate import write_rocrate
from filon.catalog.handon.schema_org import write_schema_org
from filon.catalog.store import CatalogStore
from filon.profile.shape import Column, Profile, Table
from filon.run.schema import CONTEXT
from fuzzing import examples

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
ODD = st.sampled_from(
    ["", "=1+1", "</script>", "\x00", "\u202e", "a\r\nb", "2020-13-45", "http://"]
)
WORDS = st.one_of(TEXT, ODD)
ADDRESS = st.one_of(
    st.builds(lambda path: f"http://a.test/{path}", TEXT),
    st.sampled_from(
        ["http://a.test/?q={x}|y^`z", "http://[::1]/a b", "ftp://x/", "", "http://ü.de"]
    ),
    WORDS,
)
FIND = st.fixed_dictionaries(
    {
        "url": ADDRESS,
        "parent": ADDRESS,
        "name": WORDS,
        "at_s": st.floats(0, 4e9),
        **dict.fromkeys(CONTEXT, WORDS),
    }
)
COLUMN = st.builds(
    Column,
    name=WORDS,
    label=WORDS,
    unit=WORDS,
    kind=st.sampled_from(["text", "integer", "date", "empty"]),
    least=WORDS,
    most=WORDS,
    examples=st.tuples(WORDS),
)
YEAR = st.sampled_from(["", "2019", "2020"])
TABLE = st.builds(
    Table,
    name=WORDS,
    columns=st.lists(COLUMN, max_size=3).map(tuple),
    since=YEAR,
    until=YEAR,
    places=st.lists(WORDS, max_size=2).map(tuple),
)
FILE = st.builds(
    Profile,
    format=st.sampled_from(["csv", "csv in gzip", "", "zip", "fixed width", "something new"]),
    problem=st.sampled_from(["", "damaged", "no table"]),
    tables=st.lists(TABLE, max_size=2).map(tuple),
)


@contextmanager
def collected(files: list[tuple[dict[str, object], Profile]]) -> Iterator[tuple[Collection, Path]]:
    with TemporaryDirectory() as name, CatalogStore(Path(name), passing=True) as catalog:
        for number, (find, profile) in enumerate(files):
            catalog.add("run", find, replace(profile, sha256=f"{number:064x}"))
        yield Collection(catalog, "all"), Path(name)


@examples(25)
@given(st.lists(st.tuples(FIND, FILE), min_size=1, max_size=4))
def test_descriptions_are_read_by_an_rdf_library(
    files: list[tuple[dict[str, object], Profile]],
) -> None:
    with collected(files) as (collection, folder):
        for number, write in enumerate((write_dcat, write_schema_org)):
            out = folder / str(number)
            write(collection, out)
            text = out.read_text("utf-8")
            assert "<" not in text
            quads = list(ox.parse(text, ox.RdfFormat.JSON_LD))
            name = "http://www.w3.org/ns/dcat#" if number == 0 else "https://schema.org/"
            listed = [quad.object for quad in quads if quad.predicate.value == f"{name}dataset"]
            kind = ox.NamedNode(f"{name}Dataset")
            typed = [quad.subject for quad in quads if quad.object == kind]
            assert len(set(listed)) == len(list(collection.datasets()))
            assert set(listed) <= set(typed)  # a version that was there before is typed, too
            titles = [quad for quad in quads if quad.predicate.value.endswith(("title", "/name"))]
            assert all(quad.object.value for quad in titles if isinstance(quad.object, ox.Literal))


@examples(25)
@given(st.lists(st.tuples(FIND, FILE), min_size=1, max_size=4))
def test_packages_name_each_resource_once(
    files: list[tuple[dict[str, object], Profile]],
) -> None:
    with collected(files) as (collection, folder):
        write_frictionless(collection, folder / "package")
        package = json.loads((folder / "package/datapackage.json").read_text("utf-8"))
        names = [each["name"] for each in package["resources"]]
        assert len(names) == len(set(names))
        write_rocrate(collection, folder / "crate")
        crate = json.loads((folder / "crate/ro-crate-metadata.json").read_text("utf-8"))
        ids = [each["@id"] for each in crate["@graph"]]
        assert len(ids) == len(set(ids))
