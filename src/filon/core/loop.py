"""The loop: choose the next request, look at the answer, learn, until the budget is spent.

A strategy is sans-IO, so an answer is written down together with what it brought, before any
request that follows from it leaves: what is acknowledged is never lost. One commit covers a turn.
A step for which the run's time did not suffice has no answer: it stays in flight, and leaves in a
later session.
"""

import asyncio
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from filon.core.budget import Grant, Purse
from filon.core.bug import BUG, bare, failed
from filon.core.clock import now_s
from filon.core.errors import FilonError
from filon.core.find import Find
from filon.core.request import Request
from filon.core.response import Response
from filon.core.step import Step
from filon.core.store import Store
from filon.core.strategy import Strategy
from filon.core.web import Web

Watch = Callable[[Step, Response, Sequence[Find]], None]
#: How long answers in flight may still come in after an interruption.
GRACE_S = 2.0
#: What is the user's or the machine's fault, and ends a session.
_NO_BUGS = (FilonError, OSError, MemoryError)


async def drive(
    strategy: Strategy,
    web: Web,
    account: Purse,
    store: Store,
    *,
    parallel: int = 1,
    again: Sequence[tuple[int, Step]] = (),
    halt: asyncio.Event | None = None,
    watch: Watch | None = None,
    free: Callable[[Request], bool] = lambda request: False,
    renew: Callable[[], Strategy] | None = None,
    turn: Callable[[], Coroutine[Any, Any, None]] | None = None,
) -> str:
    """Run a strategy to its end and return why it ended.

    again: numbered steps that an earlier session sent without seeing an answer.
    halt: when set, no further step is proposed and the run ends as "interrupted".
    watch: called after each answer, for the progress line.
    free: says whether a request is answered without a call. Such a one that an earlier session has
        paid for is sent again also where the budget is spent.
    renew: returns the strategy anew, brought to where the store stands. An answer that ours fails
        on is then a failed step; without it, bugs are not caught.
    turn: awaited while the account says "wait": others spend from it too. Without it, only an
        answer to a step of this run can change what the account says.
    Returns "exhausted", "budget", "goal", "interrupted", or what the strategy says: "early-stop",
    "outage".
    """
    began_s = time.monotonic() - account.spent.seconds
    halt = halt or asyncio.Event()
    halted = asyncio.ensure_future(halt.wait())
    waiting = list(reversed(again))
    flying: dict[asyncio.Future[Response], tuple[int, Step, Grant]] = {}
    idle = False  # until the next answer: an interruption in between does not undo the question
    knock: asyncio.Future[None] | None = None
    late = held = 0  # steps without time for them: in a row since the last answer, and in all
    try:
        while True:
            refusal = ""
            while len(flying) < parallel and late < parallel and not (idle or halt.is_set()):
                elapsed_s = time.monotonic() - began_s
                refusal = account.refusal(elapsed_s)
                if refusal and not (waiting and free(waiting[-1][1].request)):
                    break
                refusal = ""
                number, step = waiting.pop() if waiting else (0, strategy.propose())
                if step is None:
                    idle = True
                    break
                grant = account.grant(step.request, elapsed_s)
                number = store.begin(step, number)
                flying[asyncio.ensure_future(web.fetch(grant.request))] = number, step, grant
            knock = asyncio.ensure_future(turn()) if turn and refusal == "wait" else None
            if not (flying or knock):
                break
            store.commit()
            awaited: list[asyncio.Future[Any]] = [*flying, *filter(None, [knock])]
            done, _ = await asyncio.wait(
                awaited if halt.is_set() else [*awaited, halted],
                timeout=GRACE_S if halt.is_set() else None,
                return_when=asyncio.FIRST_COMPLETED,
            )
            if knock:
                knock.cancel()
            if halt.is_set() and not done:
                break
            for future in [future for future in flying if future in done]:
                number, step, grant = flying.pop(future)
                response = _answer(step, future, caught=renew is not None)
                if account.ran_out(grant, response):
                    account.settle(grant, response, 0, time.monotonic() - began_s)
                    store.hold(number, response)
                    late, held = late + 1, held + 1
                    continue
                response, finds = _observe(strategy, step, response, caught=renew is not None)
                account.settle(grant, response, len(finds), time.monotonic() - began_s)
                store.record(number, step, response, finds, idle=idle)
                idle, late = False, 0
                if renew and response.error == BUG:  # ours may have learnt half of the answer
                    strategy, response = renew(), bare(response)
                if watch:
                    watch(step, response, finds)
            store.checkpoint(strategy)
    finally:
        left: list[asyncio.Future[Any]] = [*flying, halted, *filter(None, [knock])]
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        store.commit()
    if halt.is_set():
        return "interrupted"
    if held:
        return "budget"
    return refusal or str(strategy.summary().get("stopped") or "exhausted")


def _answer(step: Step, future: asyncio.Future[Response], *, caught: bool) -> Response:
    """Return an answer; caught: a bug on its way is a failure of this answer alone."""
    try:
        return future.result()
    except Exception as problem:
        if not caught or isinstance(problem, _NO_BUGS):
            raise
        return failed(Response(url=step.request.url, at_s=now_s()), problem)


def _observe(
    strategy: Strategy, step: Step, response: Response, *, caught: bool
) -> tuple[Response, list[Find]]:
    """Return an answer and what it brought; caught: as above."""
    if response.error == BUG:
        return response, []
    try:
        return response, strategy.observe(step, response)
    except Exception as problem:
        if not caught or isinstance(problem, _NO_BUGS):
            raise
        return failed(response, problem), []
