"""The catalog is made from the runs, follows them, and can be deleted at any time."""

import shutil
from pathlib import Path

import pytest

from filon.catalog.store import FILE, CatalogStore
from filon.core import MachineError, UserError
from unit.catalog.conftest import RUNS, write


def ids(catalog: CatalogStore) -> set[str]:
    return {row["id"] for row in catalog.db.execute("SELECT id FROM files")}


def test_a_file_that_two_runs_have_stands_once_with_two_sightings(catalog: CatalogStore) -> None:
    assert len(ids(catalog)) == 6
    (twice,) = catalog.db.execute(
        "SELECT file FROM sightings GROUP BY file HAVING COUNT(*) > 1"
    ).fetchall()
    assert {row["run"] for row in catalog.sightings(twice["file"])} == {"one", "two"}


def test_the_catalog_follows_the_runs(tmp_path: Path) -> None:
    write(tmp_path, "one")
    with CatalogStore(tmp_path) as catalog:
        catalog.update()
        assert len(ids(catalog)) == 5
        write(tmp_path, "two")
        catalog.update()
        assert len(ids(catalog)) == 6
        shutil.rmtree(tmp_path / "one")
        catalog.update()
        assert len(ids(catalog)) == 2
        assert catalog.db.execute("SELECT COUNT(*) FROM words").fetchone()[0] == 2


def test_what_did_not_change_is_not_taken_in_again(tmp_path: Path) -> None:
    write(tmp_path, "two")
    taken: list[Path] = []
    with CatalogStore(tmp_path) as catalog:
        catalog.update(taken.append)
        catalog.update(taken.append)
    assert taken == [tmp_path / "two"]


@pytest.mark.parametrize("damage", [b"", b"no database at all"])
def test_a_catalog_that_is_gone_or_broken_is_made_anew(tmp_path: Path, damage: bytes) -> None:
    write(tmp_path, "two")
    with CatalogStore(tmp_path) as catalog:
        catalog.update()
        before = ids(catalog)
    (tmp_path / FILE).write_bytes(damage)
    with CatalogStore(tmp_path) as catalog:
        catalog.update()
        assert ids(catalog) == before


def test_a_run_that_cannot_be_read_is_left_out_and_told(tmp_path: Path) -> None:
    write(tmp_path, "two")
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad/run.toml").write_text("")
    with CatalogStore(tmp_path) as catalog:
        (problem,) = catalog.update()
        assert problem.startswith("bad: ")
        assert len(ids(catalog)) == 2


def test_the_bytes_of_a_file_are_where_its_run_has_them(catalog: CatalogStore) -> None:
    row = catalog.db.execute("SELECT * FROM files WHERE format = 'pdf'").fetchone()
    assert catalog.path(row["file"]).read_bytes() == RUNS["one"]["e.pdf"][0]


@pytest.mark.parametrize(
    ("id", "sentence"),
    [("xyz", "is no id"), ("", "is no id"), ("f" * 64, "begins with")],
)
def test_an_id_that_is_none_is_told(catalog: CatalogStore, id: str, sentence: str) -> None:
    with pytest.raises(UserError, match=sentence):
        catalog.find(id)


def test_an_id_may_be_cut_as_long_as_it_is_clear(catalog: CatalogStore) -> None:
    for id in ids(catalog):
        assert catalog.find(id[:12])["id"] == id


def test_a_folder_that_cannot_be_written_is_one_sentence() -> None:
    if not Path("/proc").is_dir():
        pytest.skip("there is no folder here that nobody can write to")
    with pytest.raises(MachineError, match=r"catalog\.sqlite cannot be written"):
        CatalogStore(Path("/proc"))
