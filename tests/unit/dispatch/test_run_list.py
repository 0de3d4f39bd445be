from pathlib import Path

import pytest

from fake_run import FakeRun
from filon.dispatch import run_list as shelves
from filon.dispatch.dispatcher import Dispatcher
from filon.dispatch.run_list import RunList
from filon.run import listing


def shelf_of(folder: Path) -> RunList:
    return RunList(Dispatcher(folder))


def test_a_run_is_read_anew_only_when_it_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []

    def entry(path: Path) -> listing.Entry:
        read.append(path.name)
        return listing.entry(path)

    monkeypatch.setattr(shelves, "entry", entry)
    run_list = shelf_of(tmp_path)
    for name in ("a", "b"):
        with FakeRun(tmp_path / name) as run:
            run.step("https://a.test/")
    for _ in range(3):
        assert len(run_list.lines()) == 2
    assert sorted(read) == ["a", "b"]
    (tmp_path / "a" / "run.toml").write_text('verb = "follow"\n', "utf-8")
    assert {line.name: line.entry.verb for line in run_list.lines()} == {
        "a": "follow",
        "b": "harvest",
    }
    assert sorted(read) == ["a", "a", "b"]


@pytest.mark.parametrize(
    ("stopped", "state", "look"),
    [
        ("", "cut", "failed"),
        ("interrupted", "paused", "waiting"),
        ("budget", "ended", "done"),
        ("outage", "ended", "done"),
    ],
)
def test_how_a_run_stands_is_a_word(stopped: str, state: str, look: str, tmp_path: Path) -> None:
    with FakeRun(tmp_path / "a") as run:
        run.meta(stopped=stopped)
    line = shelf_of(tmp_path).line("a")
    assert (line.state, line.look) == (state, look)


def test_what_a_command_said_is_told_until_it_goes_on(tmp_path: Path) -> None:
    run_list = shelf_of(tmp_path)
    queue = run_list._dispatcher.queue
    queue.add("new", ("harvest", "https://a.test/"), ("a.test",))
    queue.ended("new", "off", 2, "There is no such site.")
    (line,) = run_list.lines()
    assert (line.state, line.said, line.subject) == (
        "failed",
        "There is no such site.",
        "https://a.test/",
    )


def test_sorts(tmp_path: Path) -> None:
    for number, name in enumerate(("b", "C", "a")):
        with FakeRun(tmp_path / name) as run:
            for _ in range(number):
                run.find("https://a.test/1.csv")
    run_list = shelf_of(tmp_path)
    assert [line.name for line in run_list.shown("name").lines] == ["a", "b", "C"]
    assert [line.name for line in run_list.shown("finds").lines] == ["a", "C", "b"]
    assert run_list.shown("nonsense").sort == "changed"


def test_an_empty_folder_has_no_runs(tmp_path: Path) -> None:
    assert shelf_of(tmp_path / "nowhere").shown().number == 0
