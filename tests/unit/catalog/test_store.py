"""The catalog is made from the runs, follows them, and can be deleted at any time."""

import json
import shutil
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from filon.catalog import intake
from filon.catalog.search import search
from filon.catalog.store import FILE, CatalogStore
from filon.core import MachineError, UserError
from filon.profile.process import Process
from filon.run.folder import RunFolder
from filon.run.listing import runs
from filon.verbs.refresh.many import targets
from nobody import read_only, shared_folder, with_modes
from unit.catalog.conftest import RUNS, record, write


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
        assert len(catalog.index) == 2
        assert [hit.url for hit in search(catalog, "jobless").hits] == ["http://two.test/z.csv"]
        assert not search(catalog, "farming").hits


def test_a_run_that_only_copies_those_within_it_is_passed_over(tmp_path: Path) -> None:
    write(tmp_path / "whole", "one")
    for name in ("run.toml", "ledger.sqlite"):
        shutil.copy(tmp_path / "whole/one" / name, tmp_path / "whole" / name)
    with CatalogStore(tmp_path) as catalog:
        assert catalog.update() == []
        runs = catalog.db.execute("SELECT DISTINCT run FROM sightings").fetchall()
        assert [row["run"] for row in runs] == ["whole/one"]
        assert (
            catalog.db.execute("SELECT COUNT(*) FROM files WHERE problem != ''").fetchone()[0] < 5
        )


def test_runs_within_folders_and_runs_are_taken_in(tmp_path: Path) -> None:
    write(tmp_path, "one")
    (tmp_path / "topic").mkdir()
    (tmp_path / "topic/run.toml").write_text("")  # of the whole, which has no ledger of its own
    write(tmp_path / "topic/sites", "two")
    with CatalogStore(tmp_path) as catalog:
        assert catalog.update() == []
        runs = {row["run"] for row in catalog.db.execute("SELECT run FROM runs")}
        assert runs == {"one", "topic/sites/two"}
        row = catalog.db.execute("SELECT * FROM files WHERE title LIKE 'Jobless%'").fetchone()
        assert catalog.path(row["file"]).is_relative_to(tmp_path / "topic/sites/two")
    with CatalogStore(tmp_path / "one") as catalog:  # a run is a folder of one run
        assert catalog.update() == []
        assert len(ids(catalog)) == 5


def test_a_whole_with_bytes_of_its_own_is_passed_over_and_a_run_around_another_is_not(
    tmp_path: Path,
) -> None:
    write(tmp_path, "one")
    write(tmp_path / "one/kept", "two")  # an ordinary run in which another was put
    write(tmp_path / "topic/sites", "two")
    for name in ("run.toml", "ledger.sqlite"):
        shutil.copy(tmp_path / "topic/sites/two" / name, tmp_path / "topic" / name)
    (tmp_path / "topic/files").mkdir()
    with CatalogStore(tmp_path) as catalog:
        assert catalog.update() == []
        runs = {row["run"] for row in catalog.db.execute("SELECT run FROM runs")}
        assert runs == {"one", "one/kept/two", "topic/sites/two"}
    with CatalogStore(tmp_path / "topic") as catalog:
        assert catalog.update() == []
        assert len(ids(catalog)) == 2


def test_what_a_run_found_since_is_added(tmp_path: Path) -> None:
    write(tmp_path, "two")
    with CatalogStore(tmp_path) as catalog:
        catalog.update()
        before = catalog.db.execute("SELECT file, id, title FROM files").fetchall()
        for number in range(20):
            with RunFolder.open(tmp_path / "two") as store:
                record(store, f"http://two.test/{number}.csv", b"a,b\n1,%d\n" % number, {})
            assert catalog.update() == []
            assert len(search(catalog, f"{number}").hits) >= 1
        assert len(ids(catalog)) == len(catalog.index) == 22
        first = catalog.db.execute("SELECT file, id, title FROM files LIMIT 2").fetchall()
        assert [tuple(row) for row in first] == [tuple(row) for row in before]


def test_two_processes_that_make_a_catalog_at_once_make_one(tmp_path: Path) -> None:
    for run in RUNS:
        write(tmp_path, run)
    makers = [
        subprocess.Popen([sys.executable, "-m", "filon", "catalog", "search", "unemployment",
                          "--in", str(tmp_path), "--json"], stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]  # fmt: skip
    answers = [json.loads(maker.communicate()[0]) for maker in makers]
    assert {maker.returncode for maker in makers} == {0}
    assert [answer["total"] for answer in answers] == [3, 3, 3]
    with CatalogStore(tmp_path) as catalog:
        assert catalog.update() == []
        assert catalog.db.execute("SELECT COUNT(*) FROM sightings").fetchone()[0] == 7


def test_a_catalog_that_may_only_be_read_is_searched_as_it_stands() -> None:
    with shared_folder() as folder:
        write(folder, "one")
        with CatalogStore(folder) as catalog:
            catalog.update()
        with with_modes(read_only(folder)), CatalogStore(folder) as catalog:
            assert catalog.update() == []
            assert [hit.url for hit in search(catalog, "farming").hits] == ["http://one.test/c.csv"]
        write(folder, "two")
        with with_modes(read_only(folder)), CatalogStore(folder) as catalog:
            assert catalog.update() == ["two: what is new in it; the catalog may only be read."]
            assert len(ids(catalog)) == 5


def test_a_folder_without_a_catalog_that_may_only_be_read_says_so() -> None:
    said = r"has no catalog\.sqlite yet, and there is no permission to write one\.$"
    with (
        shared_folder() as folder,
        with_modes(read_only(folder)),
        pytest.raises(MachineError, match=said),
    ):
        CatalogStore(folder)


def test_a_run_that_somebody_keeps_for_himself_is_passed_over() -> None:
    with shared_folder() as folder:
        for name in ("one", "two"):
            write(folder, name)
        with CatalogStore(folder) as catalog:
            catalog.update()
            with with_modes({**read_only(folder / "one"), folder / "two": 0}):
                assert [path.name for path in intake.run_folders(folder)] == ["one"]
                assert [entry.run.name for entry in runs(folder)] == ["one"]
                assert [path.name for path in targets(folder)] == ["one"]


def test_a_catalog_of_another_version_is_made_anew(tmp_path: Path) -> None:
    write(tmp_path, "two")
    with CatalogStore(tmp_path) as catalog:
        catalog.update()
        catalog.db.execute("UPDATE meta SET value = '1' WHERE key = 'version'")
        catalog.db.execute("CREATE VIRTUAL TABLE words USING fts5(title)")
    with CatalogStore(tmp_path) as catalog:
        assert not ids(catalog)
        catalog.update()
        assert len(ids(catalog)) == 2


def test_the_files_of_all_runs_are_read_in_one_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[Process] = []
    start = Process._started

    def started(process: Process) -> object:
        begun.extend([] if process.pid else [process])
        return start(process)

    monkeypatch.setattr(Process, "_started", started)
    write(tmp_path, "one")
    write(tmp_path, "two")
    with CatalogStore(tmp_path) as catalog:
        catalog.update()
        assert catalog.db.execute("SELECT count(*) FROM runs").fetchone()[0] == 2
    assert len(begun) == 1


def test_profiles_of_another_version_are_gone_also_where_runs_share_a_file(tmp_path: Path) -> None:
    write(tmp_path, "one")
    write(tmp_path, "two")
    with CatalogStore(tmp_path) as catalog:
        catalog.update()
        catalog.db.execute("UPDATE files SET encoding = 'old'")
        catalog.db.execute("UPDATE runs SET version = 1")
        assert catalog.update() == []
        rows = catalog.db.execute("SELECT count(*), sum(encoding = 'old') FROM files").fetchone()
        assert tuple(rows) == (6, 0)
        assert len(search(catalog, "households").hits) == 1


def test_what_a_new_reader_can_read_is_taken_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, "two")
    taken: list[Path] = []
    with CatalogStore(tmp_path) as catalog:
        monkeypatch.setattr(intake, "find_spec", lambda name: None)
        catalog.update(taken.append)
        monkeypatch.undo()
        catalog.update(taken.append)
        catalog.update(taken.append)
    assert [path.name for path in taken] == ["two", "two"]


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


def test_a_file_that_many_make_at_the_same_time_is_made_once(tmp_path: Path) -> None:
    together = threading.Barrier(4)

    def make(folder: Path) -> set[str]:
        together.wait()
        with CatalogStore(folder) as store:
            return set(store.table_names())

    with ThreadPoolExecutor(4) as threads:
        for number in range(40):
            folder = tmp_path / str(number)
            folder.mkdir()
            assert all(threads.map(make, [folder] * 4))
