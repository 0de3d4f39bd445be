import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from fake_run import START, FakeRun, realistic
from filon.core import MachineError, UserError
from filon.run.readonly import reading
from filon.run.summary import summarise
from nobody import shared_folder, with_modes


@pytest.fixture
def run(tmp_path: Path) -> Path:
    path = tmp_path / "run"
    with FakeRun(path) as fake:
        fake.step(START, kind="start", wire_bytes=1000)
        fake.step(f"{START}list", parent=START, arm="/html/a", sends=2, wire_bytes=500)
        fake.find(f"{START}a", b"12345", name="a.csv", parent=f"{START}list")
        fake.find(f"{START}b", b"123", name="b.csv", parent=f"{START}list")
        fake.find(f"{START}c", b"1", name="c.SAV", mime="application/octet-stream")
        fake.step(f"{START}d", parent=START, answered=False)
        told = [{"name": "/html/a", "pulls": 1, "mean": 2.0, "left": 4, "example": f"{START}e"}]
        fake.end("early-stop", {"arms": told, "skipped": {"calendar": 2, "session": 0}})
    return path


def test_files_left_are_told_only_of_a_site_that_was_seen(tmp_path: Path) -> None:
    told = {"forecast": {"mean": 0.3, "spread": 0.3, "most": 0.9}}
    for name in ("unseen", "seen"):
        with FakeRun(tmp_path / name) as fake:
            fake.step(f"{START}robots.txt", kind="robots")
            if name == "seen":
                fake.step(START, kind="start")
            fake.end("budget", told)
    unseen, seen = summarise(tmp_path / "unseen"), summarise(tmp_path / "seen")
    assert (unseen.left, unseen.left_at_most) == (None, None)
    assert (seen.left, seen.left_at_most) == ((0.3, 0.3), 0.9)


def test_too_few_pages_to_tell_what_is_left_are_told_as_that(tmp_path: Path) -> None:
    for name, left in (("early", 7), ("over", 0)):
        with FakeRun(tmp_path / name) as fake:
            fake.step(START, kind="start")
            fake.end("budget", {"forecast": None, "left": left})
    early, over = (summarise(tmp_path / name) for name in ("early", "over"))
    assert "  too early to tell how many files are left; 7 known links wait" in str(early)
    assert "too early" not in str(over)


def test_the_figures_are_those_of_the_ledger(run: Path) -> None:
    summary = summarise(run)
    assert summary.requests == 7  # one left twice, one is in flight
    assert summary.answers == 5
    assert summary.bytes == 1000 + 500 + 5 + 3 + 1
    assert (summary.finds, summary.find_bytes) == (3, 9)
    assert summary.seconds == pytest.approx(6.0)
    assert (summary.verb, summary.strategy, summary.start) == ("harvest", "sb", START)
    assert summary.stopped == "early-stop"
    assert not summary.resumable
    assert summary.per_hundred == pytest.approx(300 / 7)


def test_finds_are_counted_by_type(run: Path) -> None:
    formats = [(f.name, f.finds, f.bytes) for f in summarise(run).formats]
    assert formats == [("CSV", 2, 8), ("SPSS", 1, 1)]


def test_a_find_counts_for_the_group_of_the_page_that_led_to_it(run: Path) -> None:
    (arm,) = summarise(run).arms
    assert (arm.finds, arm.requests, arm.bytes) == (2, 2, 500)
    assert (arm.pulls, arm.mean, arm.left, arm.example) == (1, 2.0, 4, f"{START}e")


def test_what_guards_skipped_is_counted(run: Path) -> None:
    assert summarise(run).skipped == {"calendar": 2}


def test_the_text_says_what_was_found_what_paid_and_what_was_skipped(run: Path) -> None:
    told = str(summarise(run))
    assert "3 finds (9 B) with 7 requests" in told
    assert "2  CSV  8 B" in told
    assert "2  /html/a" in told
    assert "2  calendar" in told
    assert "filon resume" not in told


@pytest.mark.parametrize("stopped", ["", "interrupted"])
def test_a_run_that_has_not_ended_says_how_to_go_on(tmp_path: Path, stopped: str) -> None:
    with FakeRun(tmp_path / "run") as fake:
        fake.end(stopped)
    steps = summarise(tmp_path / "run").next_steps("files")
    assert steps[0] == f"filon resume {tmp_path / 'run'}"


def test_after_a_spent_quota_the_same_budget_goes_on(tmp_path: Path) -> None:
    with FakeRun(tmp_path / "run", budget="300") as fake:
        fake.end("budget", {"problem": "quota"})
    summary = summarise(tmp_path / "run")
    assert summary.ending == "ended: a service has no calls left for now"
    assert summary.next_steps("files")[0] == f"filon resume {tmp_path / 'run'}"


def test_what_to_type_next_follows_from_how_a_run_ended(tmp_path: Path) -> None:
    spent, whole, bare = tmp_path / "a b", tmp_path / "whole", tmp_path / "bare"
    with FakeRun(spent, budget="300req,2h") as fake:
        fake.find(f"{START}a.csv", b"1", name="a.csv")
        fake.end("budget")
    assert summarise(spent).next_steps("files") == [
        f"filon resume '{spent}' --budget 600req,4h",
        f"filon report '{spent}' --open",
        f"filon export '{spent}' --to files",
    ]
    with FakeRun(whole) as fake:
        fake.find(f"{START}a.csv", b"1", name="a.csv")
        fake.end("exhausted")
    assert summarise(whole).next_steps("csv")[-1] == f"filon export {whole} --to csv"
    with FakeRun(bare) as fake:
        fake.end("exhausted")
    assert summarise(bare).next_steps("csv") == [f"filon report {bare} --open"]


@pytest.mark.parametrize(
    "summary", ["", "no json", "[]", '{"arms": 3, "skipped": []}', '{"arms": [1, {"pulls": "x"}]}']
)
def test_a_strange_summary_is_no_reason_to_fail(tmp_path: Path, summary: str) -> None:
    with FakeRun(tmp_path / "run") as fake:
        fake.meta(summary=summary, seconds="soon")
        fake.step(START, kind="start")
    assert summarise(tmp_path / "run").requests == 1


def test_a_run_without_its_toml_is_still_told(tmp_path: Path) -> None:
    with FakeRun(tmp_path / "run") as fake:
        fake.step(f"{START}robots.txt", kind="robots")
        fake.step(START, kind="start")
    (tmp_path / "run" / "run.toml").unlink()
    assert summarise(tmp_path / "run").start == START


def test_nothing_of_a_summary_acts_on_a_terminal(tmp_path: Path) -> None:
    with FakeRun(tmp_path / "run", strategy="\x1b[1m") as fake:
        fake.find(f"{START}a", name="a.csv", mime="x/\x1b[31m", arm="\x1b[2J\u202e")
        fake.end("\x1b[5m", {"skipped": {"\x07": 3}})
    assert str(summarise(tmp_path / "run")).replace("\n", "").isprintable()


def test_a_newer_run_is_refused_in_one_sentence(tmp_path: Path) -> None:
    with FakeRun(tmp_path / "run") as fake:
        fake.meta(version="99")
    with pytest.raises(UserError, match="newer Filon"):
        summarise(tmp_path / "run")


def test_an_empty_ledger_is_the_machines_fault(tmp_path: Path) -> None:
    (tmp_path / "ledger.sqlite").write_bytes(b"")
    with pytest.raises(MachineError, match="cannot be read"):
        summarise(tmp_path)


@pytest.fixture
def logged(run: Path) -> Path:
    with closing(sqlite3.connect(run / "ledger.sqlite")) as ledger:
        ledger.execute("PRAGMA journal_mode = WAL")
    return run


def test_reading_changes_nothing_in_the_folder(logged: Path) -> None:
    before = {path: path.read_bytes() for path in logged.rglob("*") if path.is_file()}
    summarise(logged)
    assert {path: path.read_bytes() for path in logged.rglob("*") if path.is_file()} == before


def test_what_is_only_in_the_write_ahead_log_is_read(logged: Path) -> None:
    with closing(sqlite3.connect(logged / "ledger.sqlite")) as writer:
        writer.execute("UPDATE steps SET sends = 100 WHERE step = 1")
        writer.commit()
        assert summarise(logged).requests == 106


def test_all_queries_see_the_same_moment(logged: Path) -> None:
    with closing(sqlite3.connect(logged / "ledger.sqlite")) as writer:
        writer.execute("UPDATE steps SET sends = 2 WHERE step = 1")
        writer.commit()
        with reading(logged) as ledger:
            writer.execute("DELETE FROM finds")
            writer.commit()
            assert ledger.execute("SELECT COUNT(*) FROM finds").fetchone()[0] == 3


def test_a_run_that_is_taken_up_again_while_it_is_read_is_not_told_wrong(logged: Path) -> None:
    def go_on() -> None:
        with reading(logged), closing(sqlite3.connect(logged / "ledger.sqlite")) as writer:
            writer.execute("DELETE FROM finds")
            writer.commit()

    with pytest.raises(MachineError, match="try again"):
        go_on()


def test_a_run_in_a_folder_that_cannot_be_written_is_read() -> None:
    with shared_folder() as place:
        path = place / "run"
        with FakeRun(path) as fake:
            fake.ledger.execute("PRAGMA journal_mode = WAL")
            fake.step(START, kind="start")
        with with_modes({path: 0o555}):
            assert summarise(path).requests == 1
            assert sorted(p.name for p in path.iterdir()) == ["ledger.sqlite", "run.toml"]


def test_a_realistic_run_has_all_parts(tmp_path: Path) -> None:
    summary = summarise(realistic(tmp_path / "run"))
    assert summary.requests >= 600
    assert summary.finds > 100
    assert len(summary.arms) == 7
    assert summary.arms[0].finds >= summary.arms[1].finds > 0
