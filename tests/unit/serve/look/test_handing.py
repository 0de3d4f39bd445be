"""Files handed on in formats that other tools take."""

import io
import json
import zipfile
from pathlib import Path

import pytest

from filon.catalog.store import CatalogStore
from filon.serve.look import handing
from unit.catalog.conftest import id_of
from unit.serve.visitor import Browser, visiting


def fetched(folder: Path, address: str) -> tuple[int, str, bytes]:
    async def visit(browser: Browser) -> tuple[int, str, bytes]:
        answer = await browser.get(address)
        return answer.status, answer.headers.get("Content-Disposition", ""), await answer.read()

    return visiting(visit, folder)


def test_a_file_is_handed_on_as_a_package(runs: Path, store: CatalogStore) -> None:
    id = id_of(store, "a.csv")
    status, kept, body = fetched(runs, f"/catalog/export/frictionless?id={id[:12]}")
    assert status == 200
    assert kept.startswith('attachment; filename="filon-frictionless.zip"')
    with zipfile.ZipFile(io.BytesIO(body)) as package:
        told = json.loads(package.read("datapackage.json"))
    names = [resource["name"] for resource in told["resources"]]
    assert names == [f"file-{id[:12]}", f"f_{id[:12]}"]


def test_what_a_search_finds_is_handed_on(runs: Path) -> None:
    status, kept, body = fetched(runs, "/catalog/export/dcat?q=unemployment&format=csv")
    assert status == 200
    assert 'filename="filon.jsonld"' in kept
    assert b"Unemployment by region" in body
    assert b"Households" not in body


def test_a_format_that_is_none_and_too_many_files_are_told(
    runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    status, _, body = fetched(runs, "/catalog/export/exe")
    assert status == 400
    assert b"There is no format exe" in body
    monkeypatch.setattr(handing, "MOST_FILES", 2)
    status, _, body = fetched(runs, "/catalog/export/dcat")
    assert status == 400
    assert b"at most 2 files" in body


def test_nothing_is_left_behind(runs: Path) -> None:
    fetched(runs, "/catalog/export/dcat")
    assert not list((runs / ".filon-serve").glob("export-*"))
