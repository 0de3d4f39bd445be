import os
from pathlib import Path

import pytest

from fake_run import START, FakeRun
from filon.core import UserError
from filon.run.listing import runs
from filon.run.readonly import LEDGER


def made(path: Path, stopped: str | None) -> Path:
    with FakeRun(path) as fake:
        fake.step(START, kind="start")
        fake.find(f"{START}a.csv", b"1", name="a.csv")
        if stopped is not None:
            fake.end(stopped)
    return path


def test_each_run_is_told_with_its_figures(tmp_path: Path) -> None:
    made(tmp_path / "one", "exhausted")
    (entry,) = runs(tmp_path)
    assert (entry.run, entry.requests, entry.finds) == (tmp_path / "one", 2, 1)
    assert entry.stopped == "exhausted"
    assert entry.ending == "nothing was left to fetch"
    assert not entry.resumable


def test_a_run_is_told_itself(tmp_path: Path) -> None:
    run = made(tmp_path / "one", "exhausted")
    assert [entry.run for entry in runs(run)] == [run]


def test_what_may_go_on_is_told(tmp_path: Path) -> None:
    made(tmp_path / "cut", None)
    made(tmp_path / "spent", "budget")
    made(tmp_path / "whole", "exhausted")
    resumable = {entry.run.name: entry.resumable for entry in runs(tmp_path)}
    assert resumable == {"cut": True, "spent": True, "whole": False}


def test_the_last_at_work_comes_first(tmp_path: Path) -> None:
    for number, name in enumerate(("b", "a", "c")):
        run = made(tmp_path / name, "exhausted")
        for file in run.iterdir():
            os.utime(file, (1e9 + number, 1e9 + number))
    assert [entry.run.name for entry in runs(tmp_path)] == ["c", "a", "b"]


def test_a_damaged_run_is_one_line_among_the_others(tmp_path: Path) -> None:
    made(tmp_path / "sound", "exhausted")
    broken = made(tmp_path / "broken", "exhausted")
    (broken / LEDGER).write_bytes(b"no database" * 100)
    (tmp_path / "no run").mkdir()
    (tmp_path / "file").write_text("no run either")
    problems = {entry.run.name: bool(entry.problem) for entry in runs(tmp_path)}
    assert problems == {"sound": False, "broken": True}


def test_a_folder_that_is_not_there_is_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no folder"):
        runs(tmp_path / "nowhere")


@pytest.mark.parametrize("stopped", [None, "budget"])
def test_a_run_of_runs_that_was_killed_is_told_by_theirs(
    tmp_path: Path, stopped: str | None
) -> None:
    whole = made(tmp_path / "whole", stopped)  # its own ledger has the first of their moments
    for name in ("sites/a", "sites/b", "discover"):
        (whole / name).parent.mkdir(parents=True, exist_ok=True)
        made(whole / name, None)
    (entry,) = runs(whole)
    assert (entry.requests, entry.finds) == ((6, 2) if stopped is None else (2, 1))
