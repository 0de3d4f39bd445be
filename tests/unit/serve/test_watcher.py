"""One watch for a home: begun when there is something to watch, and never two of them."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from filon.dispatch import child
from filon.dispatch.child import Child
from filon.serve.timetable import Entry, Timetable
from filon.serve.watcher import Watcher
from patience import PATIENCE_S, until

#: Waits as a watch does, and hears Ctrl-C also where the tests run in the background; its words
#: after the program are what a watch has.
WAITS = """
import signal, time
signal.signal(signal.SIGINT, signal.default_int_handler)
try:
    time.sleep(600)
except KeyboardInterrupt:
    raise SystemExit(130)
"""


class Beginning:
    """Begins processes that wait, and remembers them."""

    def __init__(self) -> None:
        self.begun: list[subprocess.Popen[bytes]] = []
        self.words: list[Sequence[str]] = []

    def __call__(self, arguments: Sequence[str], log: Path) -> Child:
        log.parent.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-c", WAITS, "filon", *arguments]
        self.words.append(arguments)
        self.begun.append(subprocess.Popen(command, start_new_session=True))
        return self.begun[-1]

    @property
    def alive(self) -> int:
        return sum(child.poll() is None for child in self.begun)


@pytest.fixture
def table(tmp_path: Path) -> Timetable:
    return Timetable(tmp_path)


def test_it_begins_with_the_first_entry_and_ends_with_the_last(table: Timetable) -> None:
    begin = Beginning()
    watcher = Watcher(table, begin)

    async def go() -> None:
        await watcher.tick()
        assert not watcher.running
        table.put(Entry(run="a"))
        await watcher.tick()
        await watcher.tick()
        assert begin.words == [["watch", str(table.path)]]
        os.utime(table.path, (1, 1))  # changed, whatever the clock's grain
        await watcher.tick()
        assert (len(begin.begun), begin.alive) == (2, 1)
        table.drop("a")
        await watcher.tick()
        assert not watcher.running
        assert begin.alive == 0

    asyncio.run(asyncio.wait_for(go(), PATIENCE_S))


def test_the_watch_of_a_killed_server_is_followed_by_one(table: Timetable) -> None:
    table.put(Entry(run="a"))
    begin = Beginning()
    killed = Watcher(table, begin)

    async def go() -> None:
        await killed.tick()
        # A process that has just begun has no command line to be known by for a moment.
        await until(lambda: child.is_alive(begin.begun[0].pid, table.path))
        begin_again = Beginning()
        after = Watcher(table, begin_again)
        keeping = asyncio.create_task(after.always())
        # What Ctrl-C ends here is a child of this process: somebody has to see its end.
        await until(lambda: begin.begun[0].poll() is not None)
        await until(lambda: after.running)
        assert (begin.alive, begin_again.alive) == (0, 1)
        keeping.cancel()
        await after.end()
        assert begin_again.alive == 0

    asyncio.run(asyncio.wait_for(go(), PATIENCE_S))


def test_a_watch_that_ends_by_itself_is_told(table: Timetable) -> None:
    table.put(Entry(run="a"))
    begin = Beginning()
    watcher = Watcher(table, begin)

    async def go() -> None:
        await watcher.tick()
        (table.home / ".filon-serve/watch.log").write_text("filon: The disk is full.\n")
        begin.begun[0].send_signal(signal.SIGKILL)
        begin.begun[0].wait(PATIENCE_S)
        assert not watcher.running
        assert watcher.said == "The disk is full."

    asyncio.run(asyncio.wait_for(go(), PATIENCE_S))


def test_the_secret_of_the_feed_outlives_the_server(table: Timetable) -> None:
    secret = Watcher(table).secret()
    assert len(secret) > 16
    assert Watcher(table).secret() == secret
