"""An interruption ends a run in order: answers in flight come in, and it goes on later."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from crash.walk import Turns, Walk
from filon.core import Account, Budget, Find, Request, Response, Step, drive
from filon.run.folder import RunFolder


def sit(run: RunFolder, strategy: Walk, halt_after: int, again: list[tuple[int, Step]]) -> str:
    async def go() -> str:
        halt, seen = asyncio.Event(), 0

        def watch(step: Step, response: Response, finds: Sequence[Find]) -> None:
            nonlocal seen
            seen += 1
            if seen == halt_after:
                halt.set()

        account, web = Account(Budget(), 8, run.spent), Turns(200)
        return await drive(
            strategy, web, account, run, parallel=8, again=again, halt=halt, watch=watch
        )

    return asyncio.run(go())


def test_a_halted_run_waits_for_its_answers_and_goes_on_as_if_nothing_had_been(
    tmp_path: Path,
) -> None:
    walk = Walk()
    with RunFolder.create(tmp_path / "run", {"verb": "walk"}) as run:
        stopped = sit(run, walk, 50, [])
        run.finish(stopped, walk)
        assert run.stopped == stopped == "interrupted"
        assert run.spent.requests == 57  # 50 answers, and the 7 that were in flight

    second = Walk()
    with RunFolder.open(tmp_path / "run") as run:
        assert run.rewind(second) == []
        assert second.state() == walk.state()
        assert run.stopped == ""
        run.finish(sit(run, second, 0, []), second)
        assert run.stopped == "exhausted"
        assert run.spent.requests == len(second.parents)


class Stuck(Turns):
    """Answers twenty times, then never again; halts when eight wait for it."""

    calls = 0
    halt: asyncio.Event

    async def fetch(self, request: Request) -> Response:
        self.calls += 1
        if self.calls == 20 + 8:
            self.halt.set()
        if self.calls > 20:
            await asyncio.Event().wait()
        return await super().fetch(request)


def test_what_does_not_answer_in_time_is_sent_again_by_the_next_sitting(tmp_path: Path) -> None:
    walk = Walk()
    with RunFolder.create(tmp_path / "run", {}) as run:

        async def go() -> str:
            account, web = Account(Budget(), 8), Stuck(200)
            web.halt = asyncio.Event()
            return await drive(walk, web, account, run, parallel=8, halt=web.halt)

        run.finish(asyncio.run(go()), walk)
        assert run.spent.requests == 20 + 8

    second = Walk()
    with RunFolder.open(tmp_path / "run") as run:
        again = run.rewind(second)
        assert len(again) == 8
        run.finish(sit(run, second, 0, again), second)
        assert run.spent.requests == len(second.parents) + 8
