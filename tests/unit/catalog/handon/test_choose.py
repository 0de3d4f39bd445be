"""Which files are handed on."""

from pathlib import Path

import pytest

import filon
from filon.catalog.handon.choose import choose, hand_on
from filon.catalog.store import CatalogStore
from filon.core import UserError


def names(catalog: CatalogStore, files: list[int]) -> list[str]:
    return sorted(catalog.sightings(file)[0]["name"] for file in files)


def test_all_are_handed_on_where_nothing_is_said(catalog: CatalogStore) -> None:
    assert len(choose(catalog, (), "", {"site": "", "format": ""})) == 8


def test_files_are_chosen_by_words_sites_formats_and_ids(catalog: CatalogStore) -> None:
    assert names(catalog, choose(catalog, (), "catle region", {})) == ["cattle 2019.csv"]
    assert names(catalog, choose(catalog, (), "", {"site": "zwei.test"})) == [
        *("nothing.csv", "prices.csv", "wide.csv")
    ]
    assert names(catalog, choose(catalog, (), "prices", {"format": "xlsx"})) == ["prices.xlsx"]
    (id,) = catalog.db.execute("SELECT id FROM files WHERE format = 'pdf'").fetchone()
    assert names(catalog, choose(catalog, [id[:8]], "", {})) == ["report.pdf"]


@pytest.mark.parametrize("words", ["nonsense", "?!", "cattle nonsense"])
def test_nothing_is_said_in_a_sentence(catalog: CatalogStore, words: str) -> None:
    with pytest.raises(UserError, match="nothing is handed on"):
        choose(catalog, (), words, {})


def test_a_list_of_the_files_is_a_table(catalog: CatalogStore, tmp_path: Path) -> None:
    out = hand_on(catalog, "csv", tmp_path / "files.csv")
    lines = out.read_text("utf-8").splitlines()
    assert lines[0].startswith("id,title,site,format,url,page,size_bytes")
    assert len(lines) == 1 + 8


def test_an_unknown_format_and_a_taken_place_are_told(
    catalog: CatalogStore, tmp_path: Path
) -> None:
    with pytest.raises(UserError, match="no export of a catalog to 'croisant'"):
        hand_on(catalog, "croisant", tmp_path / "x")
    with pytest.raises(UserError, match="is there already"):
        hand_on(catalog, "frictionless", tmp_path)


def test_a_program_hands_on_too(folder: Path, tmp_path: Path) -> None:
    catalog = filon.Catalog(folder)
    out = catalog.export("jsonl", tmp_path / "a.jsonl", search="cattle", year=2019)
    assert out.read_text("utf-8").count("\n") == 1
