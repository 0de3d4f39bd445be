import asyncio
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from fake_run import FakeRun
from filon.dispatch import child
from filon.dispatch.dispatcher import Dispatcher, standing_of
from filon.dispatch.hosts import Reach
from filon.run.disk import Lock
from patience import until


class Process:
    """A child that does what a test says."""

    def __init__(self, pid: int, words: Sequence[str]) -> None:
        self.pid, self.words = pid, list(words)
        self.code: int | None = None

    def poll(self) -> int | None:
        return self.code


class Home:
    """A dispatcher over processes that nobody begins."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, most: int = 2) -> None:
        self.begun: list[Process] = []
        self.told: list[int] = []
        self.alive: set[int] = set()
        monkeypatch.setattr(child, "interrupt", lambda pid, own: self.told.append(pid))
        monkeypatch.setattr(child, "is_alive", lambda pid, run: pid in self.alive)
        self.folder = folder
        self.server = Dispatcher(folder, most, self._begin)

    def _begin(self, words: Sequence[str], log: Path) -> Process:
        self.begun.append(Process(1000 + len(self.begun), words))
        return self.begun[-1]

    def again(self) -> None:
        """Kill the server, and begin another."""
        self.server = Dispatcher(self.folder, self.server.most, self._begin)
        self.server.tick()

    def add(self, name: str, *hosts: str, roams: bool = False) -> None:
        self.server.add(name, ("harvest", name), Reach(frozenset(hosts or {name}), roams))

    @property
    def words(self) -> list[list[str]]:
        return [process.words for process in self.begun]

    def ledger(self, name: str, stopped: str = "", **config: Any) -> None:
        with FakeRun(self.folder / name, **config) as run:
            run.meta(stopped=stopped)

    def finish(self, name: str, stopped: str) -> None:
        import sqlite3

        with sqlite3.connect(self.folder / name / "ledger.sqlite") as db:
            db.execute("UPDATE meta SET value = ? WHERE key = 'stopped'", (stopped,))
            db.execute("UPDATE meta SET value = '9.5' WHERE key = 'seconds'")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    return Home(tmp_path, monkeypatch)


def test_no_more_run_than_there_is_room_for(home: Home) -> None:
    for name in ("a", "b", "c"):
        home.add(name)
    assert home.words == [["harvest", "a"], ["harvest", "b"]]
    assert home.server.standing("c") == "waiting"
    home.begun[0].code = 0
    home.server.tick()
    assert home.words[2:] == [["harvest", "c"]]


def test_a_host_is_asked_by_one_run_at_a_time(home: Home) -> None:
    home.add("a", "one.test")
    home.add("b", "one.test")
    home.add("c", "two.test")
    assert home.words == [["harvest", "a"], ["harvest", "c"]]
    home.begun[0].code = 0
    home.server.tick()
    assert home.words[2:] == [["harvest", "b"]]


def test_a_harvest_waits_while_a_discovery_is_at_its_host(home: Home) -> None:
    home.add("roaming", roams=True)
    with FakeRun(home.folder / "roaming", verb="discover", url="") as run:
        run.step("https://one.test/a")
    home.add("b", "one.test")
    home.add("c", "two.test")
    assert home.words == [["harvest", "roaming"], ["harvest", "c"]]


def test_a_run_begun_in_a_shell_takes_its_place(home: Home) -> None:
    home.ledger("shell", verb="harvest", url="https://one.test/")
    lock = Lock(home.folder / "shell")
    home.add("a", "one.test")
    assert home.words == []
    assert home.server.standing("shell") == "running"
    assert not home.server.is_ours("shell")
    lock.release()
    home.server.tick()
    assert home.words == [["harvest", "a"]]


def test_pause_is_ctrl_c_and_go_on_is_resume(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home.folder)
    home.add("a")
    home.ledger("a")
    home.server.pause("a")
    assert home.told == [1000]
    assert home.server.standing("a") == "pausing"
    home.begun[0].code = 130
    home.server.tick()
    assert home.server.standing("a") == "idle"
    home.again()
    assert home.words == [["harvest", "a"]]
    home.server.go_on("a")
    assert home.words[1:] == [["resume", "a"]]


def test_more_budget_begins_a_run_anew_that_is_at_work(home: Home) -> None:
    home.add("a")
    home.ledger("a")
    home.server.go_on("a", ["resume", "a", "--budget", "900"])
    assert home.told == [1000]
    assert home.words == [["harvest", "a"]]
    home.begun[0].code = 130
    home.server.tick()
    assert home.words[1:] == [["resume", "a", "--budget", "900"]]
    home.begun[1].code = 0
    home.server.tick()
    work = home.server.queue.work("a")
    assert work
    assert (work.wanted, work.again) == ("off", ())


def test_a_run_that_was_paused_and_at_once_goes_on_does_so(home: Home) -> None:
    home.add("a")
    home.ledger("a")
    home.server.pause("a")
    home.server.go_on("a")
    home.begun[0].code = 130
    home.server.tick()
    assert len(home.begun) == 2


def test_ctrl_c_from_elsewhere_is_a_pause(home: Home) -> None:
    home.add("a")
    home.begun[0].code = 130
    home.server.tick()
    work = home.server.queue.work("a")
    assert work
    assert work.wanted == "pause"
    assert len(home.begun) == 1


def test_a_run_killed_under_the_server_waits_for_a_person(home: Home) -> None:
    home.add("a")
    home.ledger("a")
    home.begun[0].code = -signal.SIGKILL
    home.server.tick()
    work = home.server.queue.work("a")
    assert work
    assert (work.wanted, work.code) == ("off", -9)
    home.again()
    assert len(home.begun) == 1


def test_a_mistake_is_told_and_its_name_kept_until_it_is_forgotten(home: Home) -> None:
    (home.folder / "a").mkdir()
    home.add("a")
    home.server.log("a").parent.mkdir(parents=True)
    home.server.log("a").write_text("a line\nfilon: There is no such site.\n", "utf-8")
    home.begun[0].code = 2
    home.server.tick()
    work = home.server.queue.work("a")
    assert work
    assert (work.said, work.code) == ("There is no such site.", 2)
    assert (home.folder / "a").is_dir()
    home.server.forget("a")
    assert not (home.folder / "a").exists()
    assert home.server.queue.work("a") is None


def test_a_run_at_work_is_not_forgotten(home: Home) -> None:
    home.add("a")
    home.server.forget("a")
    assert home.server.queue.work("a")


# Who is killed.


def test_after_both_were_killed_the_run_goes_on(home: Home) -> None:
    home.add("a")
    home.ledger("a")
    home.again()
    assert [words[0] for words in home.words] == ["harvest", "resume"]


def test_after_both_were_killed_before_there_was_a_folder_it_begins_anew(home: Home) -> None:
    home.add("a")
    home.again()
    assert home.words == [["harvest", "a"]] * 2


def test_a_process_that_outlived_its_server_is_let_work(home: Home) -> None:
    home.add("a")
    home.alive.add(1000)
    home.again()
    assert len(home.begun) == 1
    assert home.server.standing("a") == "running"
    assert home.server.is_ours("a")
    home.server.pause("a")
    assert home.told == [1000]


def test_what_ended_without_a_server_has_ended(home: Home) -> None:
    home.add("a")
    home.ledger("a")
    home.finish("a", "exhausted")
    home.again()
    assert len(home.begun) == 1
    assert home.server.standing("a") == "idle"


def test_a_resume_that_never_got_off_is_sent_again(home: Home) -> None:
    home.ledger("a", stopped="budget")
    home.server.go_on("a", ["resume", "a", "--budget", "900"])
    home.again()
    assert home.words == [["resume", "a", "--budget", "900"]] * 2


def test_a_process_of_an_earlier_server_that_is_killed_under_this_one(home: Home) -> None:
    home.add("a")
    home.ledger("a")
    home.alive.add(1000)
    home.again()
    home.alive.clear()
    home.server.tick()
    work = home.server.queue.work("a")
    assert work
    assert work.wanted == "off"
    assert len(home.begun) == 1


def test_closing_lets_runs_save_themselves_and_the_next_server_goes_on(home: Home) -> None:
    home.add("a")
    home.ledger("a")
    home.server.close(patience_s=0)
    assert home.told == [1000]
    home.begun[0].code = 130
    home.server.close(patience_s=1)
    home.again()
    assert [words[0] for words in home.words] == ["harvest", "resume"]


def test_a_round_that_was_cut_short_goes_on_as_a_round(home: Home) -> None:
    home.ledger("a", stopped="exhausted")
    home.server.go_on("a", ["refresh", "a", "--budget", "50"])
    home.ledger("a/rounds/0001", verb="refresh")
    home.begun[0].code = -9
    home.server.tick()
    home.server.go_on("a")
    assert [words[0] for words in home.words] == ["refresh", "refresh"]


def test_two_ends_are_not_told_alike(home: Home) -> None:
    home.ledger("a", stopped="budget")
    before = standing_of(home.folder / "a")
    home.finish("a", "budget")
    assert standing_of(home.folder / "a") != before
    assert standing_of(home.folder / "nowhere") == ""


def test_of_two_servers_of_a_folder_one_begins_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(child, "is_alive", lambda pid, run: False)
    monkeypatch.setattr(child, "interrupt", lambda pid, own: None)
    first, second = Home(tmp_path, monkeypatch), Home(tmp_path, monkeypatch)

    async def both() -> None:
        (tmp_path / ".filon-serve").mkdir()
        async with first.server.at_work():
            await until(lambda: first.server._held is not None)
            async with second.server.at_work():
                await until(lambda: second.server._is_second)
                second.add("a")
                await until(lambda: len(first.begun) == 1)
                first.begun[0].code = 0
        async with second.server.at_work():
            await until(lambda: not second.server._is_second)

    asyncio.run(both())
    assert second.begun == []


def test_a_folder_that_was_not_finished_is_put_aside(home: Home) -> None:
    home.add("a")
    (home.folder / "a").mkdir()
    (home.folder / "a" / "ledger.sqlite").write_bytes(b"half of it")
    home.again()
    assert home.words == [["harvest", "a"]] * 2
    assert not (home.folder / "a").exists()
    (kept,) = (home.folder / ".filon-serve" / "unbegun").glob("a-*/ledger.sqlite")
    assert kept.read_bytes() == b"half of it"
