"""The hostile server against the whole tool: it ends, has all thirty files, and stays polite."""

import asyncio
import itertools
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from command import Ended, filon, finish, start_python
from filon.page import traps
from hostile import server as hostile
from hostile.site import FILES, Page, page
from hostile.vices import VICES
from patience import PATIENCE_S

HASTY = ("--stop", "never", "--delay", 0, "--json", "--out", "run")
#: These take a minute each by the defaults, or bring 265,000 dead links; test_vices.py has them.
TOO_LONG = {"drip-body", "chunk-line-endless", "links-10mb"}
#: The command, where a trap is one after a tenth of the pages.
SOONER = f"""
from filon.cli import main
from filon.page import traps
traps.MAX_PAGES, traps.ON_TRUST = {traps.MAX_PAGES // 10}, {traps.ON_TRUST // 10}
main()
"""


@contextmanager
def serving(robots: str = "polite") -> Iterator[hostile.Server]:
    """Run the server in a thread, so that it answers while the test waits for a command."""
    server, loop = hostile.Server(robots=robots, tick_s=0.1), asyncio.new_event_loop()
    ready, done = threading.Event(), asyncio.Event()

    async def serve() -> None:
        async with server:
            ready.set()
            await done.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    try:
        assert ready.wait(PATIENCE_S)
        yield server
    finally:
        loop.call_soon_threadsafe(done.set)
        thread.join()
        loop.close()


def harvest(folder: Path, server: hostile.Server, *arguments: object) -> Ended:
    url = "http://hostile.test/"
    return filon(folder, "harvest", url, "--connect-to", server.rule, *HASTY, *arguments)


def assert_no_trap_holds(ended: Ended, server: hostile.Server, most: int) -> None:
    assert ended.code == 0, ended.err
    assert ended.json["stopped"] == "exhausted"
    assert ended.json["finds"] == len(FILES)
    assert ended.json["requests"] == len(server.log) < most
    assert not [target for target in server.targets() if target.startswith("/forbidden/")]
    assert server.targets()[0] == "/robots.txt"


def test_traps_end_and_hide_no_file(tmp_path: Path) -> None:
    with serving() as server:
        ended = harvest(tmp_path, server, "--strategy", "bfs", "--parallel", 4)
    assert_no_trap_holds(ended, server, 7_000)


@pytest.mark.parametrize("strategy", ["dfs", "sb"])
def test_traps_end_by_a_lower_bound_for_other_strategies_too(tmp_path: Path, strategy: str) -> None:
    """The bound is the same for all strategies."""
    words = ("harvest", "http://hostile.test/", "--strategy", strategy, "--parallel", 4)
    with serving() as server:
        rule = ("--connect-to", server.rule)
        ended = finish(start_python(tmp_path, "-c", SOONER, *words, *rule, *HASTY))
    assert_no_trap_holds(ended, server, 1_000)


@pytest.mark.parametrize("strategy", ["bfs", "sb"])
def test_all_vices_at_once_hide_no_file(
    tmp_path: Path, strategy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    vices = [f"/vice/{name}" for name in VICES if name not in TOO_LONG]

    def start_page(target: str, robots: str) -> Page:
        links = "".join(f'<p><a href="{link}">x</a></p>' for link in [*vices, "/data/"])
        return Page(f"<html><body>{links}".encode()) if target == "/" else page(target, robots)

    monkeypatch.setattr(hostile, "page", start_page)
    with serving() as server:
        ended = harvest(
            tmp_path, server, "--strategy", strategy, "--parallel", 8, "--timeout", 10,
            "--retries", 0, "--max-size", "1MB",
        )  # fmt: skip
    assert ended.code == 0, ended.err
    assert ended.json["stopped"] == "exhausted"
    asked = server.targets()
    assert {target for target in asked if target in FILES} == set(FILES)
    assert set(vices) <= set(asked)
    assert ended.json["finds"] >= len(FILES)


def test_a_long_robots_txt_is_obeyed(tmp_path: Path) -> None:
    with serving("long") as server:
        ended = harvest(tmp_path, server, "--strategy", "bfs", "--budget", 40)
    assert ended.code == 0, ended.err
    assert len(server.log) == 40
    assert not [target for target in server.targets() if target.startswith("/forbidden/")]


def test_one_connection_carries_a_run_and_the_delay_that_robots_txt_asks_for_is_kept(
    tmp_path: Path,
) -> None:
    with serving("slow") as server:
        ended = harvest(tmp_path, server, "--strategy", "bfs", "--budget", 5)
    assert ended.code == 0, ended.err
    assert server.most_connections == 1
    times = [entry.t for entry in server.log][1:]
    assert len(times) == 4
    assert min(after - before for before, after in itertools.pairwise(times)) > 0.95
