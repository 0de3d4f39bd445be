"""What all formats of the catalog keep to."""

import re
from pathlib import Path

import pytest

from filon.catalog.handon.choose import hand_on
from filon.catalog.store import CatalogStore
from filon.core import Request, Response, Step
from filon.run.export import EXPORTS, export, formats_for
from filon.run.export.rows import datasets
from filon.run.folder import RunFolder

FORMATS = [*formats_for({"datasets": datasets})]
_OWN = re.compile(r"[a-z0-9_=.-]+")


def contents(out: Path) -> dict[str, bytes]:
    paths = [path for path in out.rglob("*") if path.is_file()] if out.is_dir() else [out]
    return {path.relative_to(out.parent).as_posix(): path.read_bytes() for path in sorted(paths)}


# DuckDB writes the moment and an id into its files, which is no affair of ours.
@pytest.mark.parametrize("to", [to for to in FORMATS if to != "duckdb"])
def test_the_same_catalog_gives_the_same_bytes(
    catalog: CatalogStore, tmp_path: Path, to: str
) -> None:
    folders = [tmp_path / "a", tmp_path / "b"]
    for folder in folders:
        folder.mkdir()
    one, other = (contents(hand_on(catalog, to, folder / "out")) for folder in folders)
    assert one.keys() == other.keys()
    assert [name for name in one if one[name] != other[name]] == []


@pytest.mark.parametrize("to", FORMATS)
def test_no_name_of_the_web_is_part_of_a_path(
    catalog: CatalogStore, tmp_path: Path, to: str
) -> None:
    out = hand_on(catalog, to, tmp_path / "out")
    parts = {part for name in contents(out) for part in Path(name).parts}
    assert [part for part in sorted(parts) if not _OWN.fullmatch(part)] == []
    assert {path.name for path in tmp_path.iterdir()} == {"out"}


@pytest.mark.parametrize("to", FORMATS)
def test_a_run_is_handed_on_without_a_trace_in_it(folder: Path, tmp_path: Path, to: str) -> None:
    before = {path.name for path in (folder / "one").iterdir()}
    assert contents(export(folder / "one", to, tmp_path / "out"))
    assert {path.name for path in (folder / "one").iterdir()} == before | {"profiles.sqlite"}


@pytest.mark.parametrize("to", FORMATS)
def test_a_run_without_files_is_handed_on_too(tmp_path: Path, to: str) -> None:
    with RunFolder.create(tmp_path / "run", {}) as store:
        step = Step(request=Request(url="http://a.test/"))
        answer = Response(url="http://a.test/", status=404, at_s=1.6e9)
        store.record(store.begin(step), step, answer, [], idle=False)
    assert contents(export(tmp_path / "run", to, tmp_path / "out"))


def test_every_format_stands_in_the_registry() -> None:
    assert {*FORMATS} <= {*EXPORTS}
    assert "frictionless" in FORMATS
