"""What lies on the disk, what may go, and what is forgotten for good."""

from pathlib import Path

import pytest

from filon.catalog.search import search
from filon.catalog.store import FILE, CatalogStore
from filon.catalog.upkeep import PACKED, collect, copies, disk, forget, waste
from filon.core import MachineError, UserError
from filon.profile.store import Profiles
from filon.run import readonly
from filon.run.folder import RunFolder
from filon.run.ledger import Ledger
from unit.catalog.conftest import RUNS, write


@pytest.fixture
def ended(tmp_path: Path) -> Path:
    for run in RUNS:
        write(tmp_path, run)
        ledger = Ledger.open(tmp_path / run / readonly.LEDGER)
        ledger.set_meta(stopped="done")
        ledger.close()
    return tmp_path


def file_of(catalog: CatalogStore, name: str) -> int:
    row = catalog.db.execute("SELECT file FROM sightings WHERE name = ?", (name,)).fetchone()
    return int(row["file"])


def test_a_forgotten_file_stays_forgotten(ended: Path) -> None:
    with CatalogStore(ended) as catalog:
        catalog.update()
        file = file_of(catalog, "same.csv")  # both runs have it
        paths = [copy.path for copy in copies(catalog, file)]
        assert len(paths) == 2
        forget(catalog, file)
        assert not any(path.exists() for path in paths)
        assert not search(catalog, "households").hits
        assert catalog.db.execute("SELECT COUNT(*) FROM files").fetchone()[0] == 5
    for run in RUNS:
        with Profiles(ended / run) as profiles:
            profile = profiles.get(paths[0].name)
            assert profile is None or not profile.tables
    (ended / FILE).unlink()
    with CatalogStore(ended) as anew:
        assert anew.update() == []
        assert not search(anew, "households").hits
    with readonly.reading(ended / "two") as ledger:
        finds = ledger.execute("SELECT name FROM finds").fetchall()
        assert {row["name"] for row in finds} == {"z.csv", "same.csv"}, "it was found all the same"


def test_a_file_that_a_later_run_finds_again_is_not_taken_in(ended: Path) -> None:
    with CatalogStore(ended) as catalog:
        catalog.update()
        forget(catalog, file_of(catalog, "z.csv"))
        write(ended / "later", "two")
        catalog.update()
        assert not search(catalog, "jobless").hits
        assert waste(catalog, print) == [], "a run that did not end may need it"


def test_a_run_that_did_not_end_keeps_its_files(tmp_path: Path) -> None:
    write(tmp_path, "two")
    with CatalogStore(tmp_path) as catalog:
        catalog.update()
        with pytest.raises(UserError, match="did not end"):
            forget(catalog, file_of(catalog, "z.csv"))
        assert search(catalog, "jobless").hits


def test_a_run_that_goes_on_is_left_alone(ended: Path) -> None:
    (ended / "one/spool").mkdir()
    (ended / "one/spool/1").write_bytes(b"x")
    with CatalogStore(ended) as catalog:
        catalog.update()
        busy: list[str] = []
        with RunFolder.open(ended / "one"):
            assert waste(catalog, busy.append) == []
            with pytest.raises(UserError, match="is going on"):
                forget(catalog, file_of(catalog, "a.csv"))
        assert busy == ["one"]


def test_only_what_nobody_needs_goes(ended: Path) -> None:
    needed = {path for path in ended.rglob("*") if path.is_file()}
    (ended / "one/spool").mkdir()
    left = [ended / "one/spool/1", ended / "one/files/part", ended / "two/.sites.csv.7.part"]
    orphan = readonly.stored(ended / "two", "ab" * 32)
    orphan.parent.mkdir(exist_ok=True)
    for path in (*left, orphan):
        path.write_bytes(b"12345")
    with CatalogStore(ended) as catalog:
        catalog.update()
        found = waste(catalog, print)
        assert {one.path for one in found} == {*left, orphan}
        assert all(path.exists() for path in (*left, orphan)), "looking deletes nothing"
        freed = collect(catalog, found)
        assert {why: free for why, free in freed.items() if why != PACKED} == {
            "left over from a download": 5,
            "left over from writing": 5,
            "no step or find has it": 10,
        }
        assert not any(path.exists() for path in (*left, orphan))
        assert all(path.exists() for path in needed)
        assert waste(catalog, print) == []


def test_what_a_kill_left_of_a_forgotten_file_is_collected(ended: Path) -> None:
    with CatalogStore(ended) as catalog:
        catalog.update()
        file = file_of(catalog, "z.csv")
        (copy,) = copies(catalog, file)
        body = copy.path.read_bytes()
        forget(catalog, file)
        copy.path.write_bytes(body)  # as if it had been killed before it came to this one
        (left,) = waste(catalog, print)
        assert (left.path, left.why) == (copy.path, "forgotten")


def test_a_forgotten_file_leaves_no_link_to_nothing_in_the_whole_of_its_run(ended: Path) -> None:
    whole = ended / "whole"
    (whole / readonly.PARTS).mkdir(parents=True)
    (ended / "two").rename(whole / readonly.PARTS / "two")
    (whole / readonly.CONFIG).write_text("")
    with CatalogStore(ended) as catalog:
        catalog.update()
        links = []
        for name in ("z.csv", "same.csv"):
            file = file_of(catalog, name)
            id = catalog.path(file).name
            link = readonly.stored(whole, id)
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(Path("../../sites/two/files", id[:2], id))
            links.append(link)
        forget(catalog, file_of(catalog, "z.csv"))
        assert [link.is_symlink() for link in links] == [False, True]
        assert links[1].exists()
        readonly.stored(whole / "sites/two", links[1].name).unlink()
        (left,) = waste(catalog, print)
        assert (left.path, left.why) == (links[1], "it links to a file that is gone")
        collect(catalog, [left])
        assert not links[1].is_symlink()


def test_the_disk_is_told_by_run_and_format(ended: Path) -> None:
    with CatalogStore(ended) as catalog:
        catalog.update()
        used = disk(catalog)
    assert {run.name for run in used.runs} == set(RUNS)
    for run in used.runs:
        files = [path for path in (ended / run.name).rglob("*") if path.is_file()]
        assert run.size_bytes == sum(path.stat().st_size for path in files)
    assert {(one.name, one.files) for one in used.formats} == {("csv", 5), ("pdf", 1)}
    assert used.twice_bytes == len(RUNS["two"]["same.csv"][0])
    assert used.total_bytes == sum(run.size_bytes for run in used.runs) + used.catalog_bytes


def test_bytes_that_are_gone_are_one_sentence(ended: Path) -> None:
    with CatalogStore(ended) as catalog:
        catalog.update()
        file = file_of(catalog, "z.csv")
        catalog.path(file).unlink()
        with pytest.raises(MachineError, match="are gone"):
            catalog.path(file)
