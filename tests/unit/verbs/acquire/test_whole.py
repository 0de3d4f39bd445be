"""Who is awake, who gets a turn, and when all is over: runs on a small web of many hosts."""

import json
import os
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import filon
from filon.core import Account, Budget, Find, Reason, Request, Response, Step
from filon.run import readonly
from filon.run.folder import RunFolder
from filon.verbs.acquire import turns, whole
from filon.verbs.acquire.index import Index, Site
from filon.verbs.acquire.part import Part
from filon.verbs.harvest import Harvest, HarvestSettings
from loopback import Page, serving

SITES = 9
_CSV = {"Content-Type": "text/csv"}


def _pages(files: int, wait_s: float = 0.0) -> dict[str, Page]:
    links = "".join(f'<a href="/{n}.csv">table {n}</a> ' for n in range(files))
    site = {"/": Page(body=f"<html><body>{links}</body></html>".encode(), wait_s=wait_s)}
    for n in range(files):
        site[f"/{n}.csv"] = Page(body=f"a\n{n}\n".encode(), headers=_CSV, wait_s=wait_s)
    return site


class NoWeb:
    """A web that nobody asks."""

    async def fetch(self, request: Request) -> Response:
        raise AssertionError(request.url)

    async def close(self) -> None:
        pass


def _part(site: Site) -> Part:
    return Part(site, Path(site.name), Harvest(), HarvestSettings, {})


def _acquired(out: Path, ports: list[int], **more: Any) -> filon.Run:
    rules = [f"s{n}.test:80:127.0.0.1:{port}" for n, port in enumerate(ports)]
    how: dict[str, Any] = {"delay": 0.0, "connect_to": rules, "profile": False} | more
    return filon.acquire(sites=[f"http://s{n}.test/" for n in range(len(ports))], out=out, **how)


def test_runs_that_were_put_to_sleep_go_on_and_few_are_open_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "MOST_AWAKE", 3)
    monkeypatch.setattr(turns, "STAY", 2)
    awake: list[int] = []

    class Watched(whole.Whole):
        def _wake(self, part: Any) -> None:
            super()._wake(part)
            awake.append(sum(1 for _ in self._awake()))

    monkeypatch.setattr("filon.verbs.acquire.session.Whole", Watched)
    with serving(_pages(30)) as web:
        run = _acquired(tmp_path / "out", [web.port] * SITES)
        asked = web.counts()
    assert run.stopped == "exhausted"
    assert run.spent.finds == 30 * SITES
    assert len(awake) > SITES  # some woke more than once
    assert max(awake) == 3
    # Each site asks for each of its pages once: they share a server, and so its count.
    assert set(asked.values()) == {SITES}


def test_progress_shows_every_site_those_at_work_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    boards: list[list[str]] = []

    class Watched(whole.Whole):
        def left(self, name: str, request: Any) -> None:
            super().left(name, request)
            boards.append(self.board())

    monkeypatch.setattr("filon.verbs.acquire.session.Whole", Watched)
    with serving(_pages(2)) as web:
        _acquired(tmp_path / "out", [web.port] * 12, budget=20)
    for board in boards:
        assert {line.split(":")[0].strip() for line in board[1:]} == {
            f"s{n}.test" for n in range(12)
        }
    asked = ["0 requests" not in line for line in boards[6][1:]]
    assert asked == sorted(asked, reverse=True)


def test_what_one_site_expects_is_not_told_as_that_of_the_whole(tmp_path: Path) -> None:
    told: set[str] = set()

    def watch(step: Any, *_: object) -> None:
        told.add(step.reason.outlook)

    with serving(_pages(12)) as web:
        _acquired(tmp_path / "out", [web.port] * 3, watch=watch, parallel=1)
    assert told <= {f"3 sites, {ended} ended" for ended in range(4)}
    assert "3 sites, 0 ended" in told


def test_a_sleeping_run_holds_no_file_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "MOST_AWAKE", 2)
    monkeypatch.setattr(turns, "STAY", 1)
    most: Counter[str] = Counter()

    def watch(*_: object) -> None:
        folder = Path("/proc/self/fd")
        paths = [os.readlink(entry) for entry in folder.iterdir() if entry.is_symlink()]
        open_runs = {path.split("/sites/")[1].split("/")[0] for path in paths if "/sites/" in path}
        most["runs"] = max(most["runs"], len(open_runs))

    if not Path("/proc/self/fd").is_dir():
        pytest.skip("there is no list of open files here")
    with serving(_pages(4)) as web:
        _acquired(tmp_path / "out", [web.port] * SITES, watch=watch)
    assert most["runs"] == 2


def test_one_slow_host_holds_nobody_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "SLOW_S", 0.05)
    with serving(_pages(3, wait_s=0.6)) as slow, serving(_pages(12)) as quick:
        run = _acquired(tmp_path / "out", [slow.port, quick.port], parallel=1)
        order = sorted(
            [(at_s, "slow") for _, _, at_s in slow.log]
            + [(at_s, "quick") for _, _, at_s in quick.log]
        )
    assert run.spent.finds == 15
    assert [name for _, name in order[:8]].count("quick") >= 5


def test_the_time_of_the_whole_goes_on_over_sessions(tmp_path: Path) -> None:
    with serving(_pages(6)) as web:
        first = _acquired(tmp_path / "out", [web.port], budget=3)
        before = first.spent.seconds
        then = filon.resume(first, budget=100)
    assert then.spent.seconds >= before > 0
    with closing(sqlite3.connect(tmp_path / "out" / readonly.LEDGER)) as db:
        moments = [row[0] for row in db.execute("SELECT run_s FROM steps ORDER BY step")]
    assert moments == sorted(moments)


def test_finds_bound_the_whole(tmp_path: Path) -> None:
    with serving(_pages(20)) as web:
        run = _acquired(tmp_path / "out", [web.port] * 3, budget="7finds")
    assert (run.stopped, run.spent.finds) == ("goal", 7)


def test_bytes_bound_the_whole(tmp_path: Path) -> None:
    with serving(_pages(30)) as web:
        run = _acquired(tmp_path / "out", [web.port] * 3, budget="4kB")
    assert run.stopped == "budget"
    assert run.spent.bytes <= 4000


def test_one_after_the_other_the_same_sites_are_asked_in_the_same_order(tmp_path: Path) -> None:
    """Also while hosts rest between two requests: who is next is not for the clock to say."""
    orders = []
    for name, wait_s in (("one", 0.0), ("other", 0.1)):
        with serving(_pages(6, wait_s)) as first, serving(_pages(9)) as second:
            ports = [second.port, first.port, second.port]
            run = _acquired(tmp_path / name, ports, budget=1000, parallel=1, delay=0.1)
        with closing(sqlite3.connect(run.path / readonly.LEDGER)) as ledger:
            orders.append(ledger.execute("SELECT arm, url FROM steps ORDER BY step").fetchall())
    assert len(orders[0]) > 20
    assert orders[0] == orders[1]


@pytest.mark.parametrize(("sent", "rests"), [("yes", True), ("cached", False)])
def test_a_host_that_was_not_asked_need_not_rest(tmp_path: Path, sent: Any, rests: bool) -> None:
    with RunFolder.create(tmp_path / "out", {}), Index(tmp_path / "out") as index:
        made: dict[str, Any] = {"make": _part, "named": lambda row, promise: None, "delay_s": 60.0}
        kept = whole.Whole(tmp_path / "out", index, Account(Budget()), NoWeb(), **made)
        part = kept.add(Site(name="a.test", url="http://a.test/"))
        kept.left("a.test", Request(url="http://a.test/"))
        assert part.ready_s > 0.0
        kept.came("a.test", Response(url="http://a.test/", status=200, sent=sent))
        assert (part.ready_s > 0.0) == rests


class Knows:
    """A discovery that has found nothing, and knows what tells the topic."""

    def telling(self) -> dict[str, float]:
        return {"food": 1.0}

    def promises(self) -> dict[str, float]:
        return {}


def test_files_of_before_count_anew_when_discovery_learns_what_tells_the_topic(
    tmp_path: Path,
) -> None:
    find = Find(kind="file", url="http://a.test/food.csv", name="food.csv")
    response = Response(url="http://a.test/food.csv", status=200, sent="yes")
    with RunFolder.create(tmp_path / "out", {}), Index(tmp_path / "out") as index:
        made: dict[str, Any] = {"make": _part, "named": lambda row, promise: None}
        made |= {"topic": "hunger"}
        kept = whole.Whole(tmp_path / "out", index, Account(Budget()), NoWeb(), **made)
        site = kept.add(Site(name="a.test", url="http://a.test/"))
        searching = kept.add(Site(name="discover", kind="discovery"))
        row = {"kind": "file", "url": find.url, "name": find.name}
        site.run = SimpleNamespace(latest=lambda most: [row] * most)  # type: ignore[assignment]
        searching.job = SimpleNamespace(chosen=Knows())  # type: ignore[assignment]
        request = Request(url=find.url)
        step = Step(request=request, reason=Reason(kind="page", score=0.0))
        kept._watch(site)(step, response, [find])
        assert kept.allocation.why("a.test")["finds"] == 0.05
        kept._watch(searching)(step, response, [find])
        assert kept.allocation.why("a.test")["finds"] == 1.0
        assert json.loads(index.meta("telling") or "") == {"food": 1.0}
