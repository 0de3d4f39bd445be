"""Versions of files: the newest is found and handed on, and says what was before it."""

import json
from pathlib import Path
from typing import Any

import pytest

from filon.catalog.handon.dataset import Collection
from filon.catalog.handon.dcat import write_dcat
from filon.catalog.handon.frictionless import write_frictionless
from filon.catalog.search import search
from filon.catalog.store import CatalogStore
from filon.core import Find, Request, Response, Step
from filon.run.folder import RunFolder
from unit.catalog.conftest import table

OLD, NEW, OTHER = table("Jobs"), table("Jobs", values=3), table("Homes", values=9)
Answer = tuple[str, int, bytes]
DAY_S = 86_400.0


def write(path: Path, day: int, *answers: Answer) -> None:
    """Write a run: by name, status and body of each answer; a file where there is a body."""
    with RunFolder.create(path, {}) as store:
        for name, status, body in answers:
            url = f"http://one.test/{name}"
            step = Step(request=Request(url=url))
            response = Response(
                url=url, status=status, body=body, size_bytes=len(body), at_s=day * DAY_S
            )
            finds = [Find(kind="file", url=url, name=name)] if body else []
            store.record(store.begin(step), step, response, finds, idle=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A run with two rounds: a file changed in the first, another was gone in the second."""
    write(tmp_path / "run", 1, ("jobs.csv", 200, OLD), ("homes.csv", 200, OTHER))
    write(tmp_path / "run/rounds/0001", 2, ("jobs.csv", 200, NEW), ("homes.csv", 304, b""))
    write(tmp_path / "run/rounds/0002", 3, ("jobs.csv", 304, b""), ("homes.csv", 404, b""))
    return tmp_path


def row(catalog: CatalogStore, run: str, name: str) -> Any:
    return catalog.db.execute(
        "SELECT f.* FROM files f JOIN sightings s USING (file) WHERE s.run = ? AND s.name = ?",
        (run, name),
    ).fetchone()


def test_the_newest_is_found_and_the_older_says_so(folder: Path) -> None:
    with CatalogStore(folder) as catalog:
        assert catalog.update() == []
        old, new = row(catalog, "run", "jobs.csv"), row(catalog, "run/rounds/0001", "jobs.csv")
        assert (old["newer"], new["newer"]) == (new["id"], "")
        assert [hit.id for hit in search(catalog, "jobs").hits] == [new["id"]]


def test_what_is_gone_is_kept_and_says_since_when(folder: Path) -> None:
    with CatalogStore(folder) as catalog:
        catalog.update()
        gone = row(catalog, "run", "homes.csv")
        assert gone["gone"] == "1970-01-04"
        assert [hit.id for hit in search(catalog, "homes").hits] == [gone["id"]]
        assert catalog.path(gone["file"]).read_bytes() == OTHER


def test_what_is_there_again_is_not_gone(folder: Path) -> None:
    write(folder / "run/rounds/0003", 4, ("homes.csv", 200, OTHER), ("jobs.csv", 200, OLD))
    with CatalogStore(folder) as catalog:
        catalog.update()
        assert row(catalog, "run", "homes.csv")["gone"] == ""
        assert row(catalog, "run", "jobs.csv")["newer"] == ""
        assert row(catalog, "run/rounds/0001", "jobs.csv")["newer"] != ""


def test_exports_have_the_newest_with_its_version_and_dates(folder: Path) -> None:
    with CatalogStore(folder) as catalog:
        catalog.update()
        collection = Collection(catalog, "run")
        write_frictionless(collection, folder / "package")
        write_dcat(collection, folder / "catalog.jsonld")
        old = row(catalog, "run", "jobs.csv")["id"]
    package = json.loads((folder / "package/datapackage.json").read_text())
    files = {one["sources"][0]["path"]: one for one in package["resources"]}
    jobs, homes = files["http://one.test/jobs.csv"], files["http://one.test/homes.csv"]
    assert (jobs["version"], jobs["previousVersions"]) == ("2", [f"sha256:{old}"])
    assert ("version" in homes, homes["vanished"]) == (False, "1970-01-04")
    told = json.loads((folder / "catalog.jsonld").read_text())["dcat:dataset"]
    versions = {one["dcat:landingPage"]["@id"]: one.get("dcat:version") for one in told}
    assert versions == {"http://one.test/jobs.csv": "2", "http://one.test/homes.csv": None}
    (newer,) = [one for one in told if "dcat:version" in one]
    assert newer["dcat:previousVersion"][0]["dct:identifier"] == old
