"""Promise 1: kill -9 at any point, resume, and everything acknowledged is there once."""

import asyncio
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from crash.check import PARALLEL, Told, check, end, reachable, start
from crash.walk import ROOT, answer
from patience import PATIENCE_S

KILLS = 20
SIZE = 1500
#: A session gets no further, so that a busy machine cannot let one end before it is killed.
STALL = 50


def kill_and_resume(asked: Callable[[], int], *arguments: object) -> Told:
    """Kill each session after some more requests, then let the last one end."""
    chance = random.Random(2)
    for _ in range(KILLS):
        process = start(*arguments, f"stall={STALL}")
        goal = asked() + chance.randrange(1, 40)
        while asked() < goal and process.poll() is None:
            time.sleep(0.0005)
        time.sleep(chance.random() * 0.003)
        assert process.poll() is None, "the run ended before all kills were done"
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=PATIENCE_S)
        assert process.returncode == -signal.SIGKILL
    return end(start(*arguments))


def test_nothing_acknowledged_is_lost_or_doubled_by_twenty_kills(tmp_path: Path) -> None:
    run, log = tmp_path / "run", tmp_path / "log"
    log.touch()
    told = kill_and_resume(lambda: log.read_bytes().count(b"\n"), run, SIZE, log)

    truth = reachable(ROOT, SIZE)
    check(run, told, truth)
    asked = Counter(log.read_text().split())
    assert set(asked) == set(truth)
    assert KILLS <= asked.total() - len(truth) <= KILLS * PARALLEL
    # Written before it leaves: the account may count a request that a kill kept from leaving.
    assert asked.total() <= told["requests"] <= asked.total() + KILLS * PARALLEL


def test_a_server_is_asked_again_at_most_for_what_was_in_flight(tmp_path: Path) -> None:
    run = tmp_path / "run"
    with server(SIZE) as (root, log):
        told = kill_and_resume(lambda: len(log), run, SIZE, root)
    check(run, told, reachable(root, SIZE))
    asked = Counter(log)
    assert KILLS <= asked.total() - len(asked) <= KILLS * PARALLEL
    assert asked.total() <= told["requests"]


@contextmanager
def server(size: int) -> Iterator[tuple[str, list[str]]]:
    """Serve the maze on loopback from a thread, and log what was asked."""
    log: list[str] = []
    loop = asyncio.new_event_loop()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # A client that was killed may hang up before it has said what it wants.
        with closing(writer), suppress(asyncio.IncompleteReadError, ConnectionError):
            path = (await reader.readuntil(b"\r\n\r\n")).split()[1].decode()
            log.append(path)
            await asyncio.sleep(0.002)
            told = answer(int(path[1:]), size, root)
            if told.status:
                head = [f"HTTP/1.0 {told.status} X", *(f"{n}: {v}" for n, v in told.headers)]
                writer.write("\r\n".join([*head, "", ""]).encode() + told.body)

    listening = loop.run_until_complete(asyncio.start_server(serve, "127.0.0.1", 0))
    root = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        yield root, log
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        listening.close()
        loop.run_until_complete(asyncio.sleep(0.05))
        loop.close()
