"""The pages' server and its runs: who is killed, and what is lost, by the sites' own logs."""

import contextlib
import os
import re
import signal
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

from command import FILON, environment
from filon.core import FilonError
from filon.dispatch.queue import Queue
from filon.run import readonly
from loopback import Loopback, portal, serving
from patience import PATIENCE_S, wait_until


class Served:
    """A server in a process of its own, and a browser that has entered."""

    def __init__(self, home: Path) -> None:
        self.process = subprocess.Popen(
            [*FILON, "serve", str(home), "--port", "0", "--no-open", "--at-once", "3"],
            cwd=home.parent,
            env=environment(),
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout
        with self.process.stdout as said:
            self.first = said.readline().split()[0]
        self.address = self.first.partition("?")[0]
        self._browser = build_opener(HTTPCookieProcessor(CookieJar()))
        self.text("", self.first)

    def text(self, path: str, address: str = "") -> str:
        with self._browser.open(address or f"{self.address}{path}", timeout=PATIENCE_S) as answer:
            return str(answer.read().decode())

    def post(self, path: str, **fields: str) -> str:
        csrf = re.search(r'name="csrf" content="(\w+)"', self.text(""))
        assert csrf
        body = urlencode({"csrf": csrf[1], **fields}).encode()
        with self._browser.open(
            Request(f"{self.address}{path}", body), timeout=PATIENCE_S
        ) as answer:
            return str(answer.url)

    def harvest(self, site: Loopback) -> str:
        """Begin a harvest by the form of the page; return its name."""
        how = {"strategy_": "bfs", "stop_": "never", "delay_": "0.02", "budget_": ""}
        place = self.post("start/begin", verb="harvest", what=site.url, url_=site.url, **how)
        return place.rpartition("/")[2]

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def end(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(PATIENCE_S)


@contextlib.contextmanager
def three_sites() -> Iterator[list[Loopback]]:
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(serving(portal(4, 8), wait_s=0.02)) for _ in range(3)]


def pid_of(home: Path, run: str) -> int:
    work = Queue(home / ".filon-serve" / "queue.sqlite").work(run)
    assert work
    return work.pid


def stopped(home: Path, run: str) -> Callable[[], str]:
    def ask() -> str:
        try:
            with readonly.reading(home / run) as ledger:
                return readonly.meta(ledger).get("stopped", "")
        except FilonError:  # it is about to begin, or to end
            return ""

    return ask


def number_of_finds(home: Path, run: str) -> int:
    with contextlib.closing(sqlite3.connect(home / run / "ledger.sqlite")) as db:
        return int(db.execute("SELECT COUNT(*) FROM finds").fetchone()[0])


def test_after_kill_9_of_the_server_all_three_go_on_and_nothing_is_asked_twice(
    tmp_path: Path,
) -> None:
    home = tmp_path / "home"
    with three_sites() as sites:
        server = Served(home)
        runs = [server.harvest(site) for site in sites]
        for site in sites:
            site.wait_for(12)
        server.kill()
        os.kill(pid_of(home, runs[0]), signal.SIGKILL)  # one run with it, the others live on
        again = Served(home)
        wait_until(lambda: all(stopped(home, run)() for run in runs))
        assert [stopped(home, run)() for run in runs] == ["exhausted"] * 3
        assert [number_of_finds(home, run) for run in runs] == [32] * 3
        for site, most in zip(sites, (1, 0, 0), strict=True):
            repeated = {what: times for what, times in site.counts().items() if times > 1}
            assert sum(times - 1 for times in repeated.values()) <= most, repeated
        wait_until(lambda: again.text("runs").count('class="state done"') == 3)
        assert again.end() == 0


def test_a_run_killed_under_the_page_is_stopped_and_goes_on_when_asked(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with serving(portal(4, 8), wait_s=0.02) as site:
        server = Served(home)
        run = server.harvest(site)
        site.wait_for(12)
        os.kill(pid_of(home, run), signal.SIGKILL)
        wait_until(lambda: "Stopped before its end" in server.text(f"runs/{run}"))
        server.post(f"runs/{run}/go")
        wait_until(lambda: bool(stopped(home, run)()))
        assert number_of_finds(home, run) == 32
        assert sum(times - 1 for times in site.counts().values()) <= 1
        assert server.end() == 0


def test_pause_go_on_and_the_end_of_the_server_lose_nothing(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with serving(portal(4, 8), wait_s=0.02) as site:
        server = Served(home)
        run = server.harvest(site)
        site.wait_for(12)
        server.post(f"runs/{run}/pause")
        wait_until(lambda: "Paused" in server.text(f"runs/{run}"))
        assert stopped(home, run)() == "interrupted"
        server.post(f"runs/{run}/go")
        site.wait_for(30)
        assert server.end() == 0
        assert stopped(home, run)() == "interrupted", "it was saved before the server went"
        again = Served(home)
        wait_until(lambda: stopped(home, run)() == "exhausted")
        assert number_of_finds(home, run) == 32
        assert max(site.counts().values()) == 1
        assert again.end() == 0
