import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from filon.core import (
    Account,
    Budget,
    Find,
    MachineError,
    Reason,
    Request,
    Response,
    Spent,
    State,
    Step,
    Strategy,
    drive,
)
from filon.core.response import Sent
from filon.testing.site import ToySite
from patience import PATIENCE_S


class Counting:
    """Proposes numbered steps; remembers the order of calls."""

    def __init__(self, steps: int) -> None:
        self.left, self.calls = steps, list[str]()

    def propose(self) -> Step | None:
        if not self.left:
            self.calls.append("none")
            return None
        self.left -= 1
        self.calls.append(f"propose {self.left}")
        return Step(request=Request(url=f"http://toy.test/{self.left}"), reason=Reason(kind="link"))

    def observe(self, step: Step, response: Response) -> list[Find]:
        self.calls.append(f"observe {step.request.url[-1]}")
        return []

    def state(self) -> State:
        return {}

    def restore(self, state: State) -> None:
        pass

    def summary(self) -> dict[str, object]:
        return {}


class Log:
    """Remembers what the loop wrote down, in order."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.commits: list[int] = []

    def begin(self, step: Step, number: int = 0) -> int:
        self.lines.append(f"begin {step.request.url[-1]}")
        return number or len(self.lines)

    def record(
        self, number: int, step: Step, response: Response, finds: Sequence[Find], *, idle: bool
    ) -> None:
        self.lines.append(f"record {step.request.url[-1]}{' idle' if idle else ''}")

    def hold(self, number: int, response: Response) -> None:
        self.lines.append(f"hold {response.url[-1]}")

    def commit(self) -> None:
        self.commits.append(len(self.lines))

    def checkpoint(self, strategy: Strategy) -> None:
        pass


class Hanging:
    """Never answers."""

    async def fetch(self, request: Request) -> Response:
        await asyncio.sleep(3600)
        raise AssertionError

    async def close(self) -> None:
        pass


def test_an_answer_is_written_down_before_the_next_step_leaves() -> None:
    log = Log()
    asyncio.run(drive(Counting(3), ToySite(), Account(Budget()), log))
    assert log.lines == ["begin 2", "record 2", "begin 1", "record 1", "begin 0", "record 0"]


@pytest.mark.parametrize("parallel", [1, 4])
def test_a_request_leaves_after_all_that_was_written_down_is_committed(parallel: int) -> None:
    log, left = Log(), []

    class Web(ToySite):
        async def fetch(self, request: Request) -> Response:
            left.append((log.commits[-1:], len(log.lines)))
            return await super().fetch(request)

    asyncio.run(drive(Counting(9), Web(), Account(Budget(), 9), log, parallel=parallel))
    assert len(left) == 9
    assert all(committed == [written] for committed, written in left)
    assert log.commits[-1] == len(log.lines), "the last answer too"


def test_a_strategy_without_a_step_is_asked_again_after_the_next_answer() -> None:
    strategy, log = Counting(2), Log()
    asyncio.run(drive(strategy, ToySite(), Account(Budget(), 4), log, parallel=4))
    assert strategy.calls[:3] == ["propose 1", "propose 0", "none"]
    assert "record 1 idle" in log.lines


@pytest.mark.parametrize(("budget", "reason"), [("2", "budget"), ("9", "exhausted")])
def test_says_why_it_ended(budget: str, reason: str) -> None:
    account = Account(Budget.parse(budget))
    assert asyncio.run(drive(Counting(5), ToySite(), account, Log())) == reason


def test_steps_of_an_earlier_sitting_leave_first_under_their_number() -> None:
    again = [(7, Step(request=Request(url="http://toy.test/7")))]
    log = Log()
    asyncio.run(drive(Counting(1), ToySite(), Account(Budget()), log, again=again))
    assert log.lines == ["begin 7", "record 7", "begin 0", "record 0"]


def test_a_halt_ends_the_run_though_nothing_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("filon.core.loop.GRACE_S", 0.05)

    async def interrupted() -> str:
        halt = asyncio.Event()
        asyncio.get_running_loop().call_later(0.05, halt.set)
        return await drive(
            Counting(5), Hanging(), Account(Budget(), 3), Log(), parallel=3, halt=halt
        )

    assert asyncio.run(asyncio.wait_for(interrupted(), PATIENCE_S)) == "interrupted"


def test_an_error_of_the_store_ends_the_run_and_leaves_nothing_running() -> None:
    class Full(Log):
        def record(self, *args: object, **kwargs: object) -> None:
            raise OSError(28, "No space left on device")

    async def run() -> int:
        with pytest.raises(OSError, match="No space"):
            await drive(Counting(9), ToySite(), Account(Budget(), 4), Full(), parallel=4)
        return len(asyncio.all_tasks())

    assert asyncio.run(run()) == 1


def test_the_time_of_earlier_sittings_counts() -> None:
    account = Account(Budget(seconds=100), spent=Spent(seconds=100))
    strategy = Counting(1)
    assert asyncio.run(drive(strategy, ToySite(), account, Log())) == "budget"
    assert strategy.calls == []


class Late:
    """Answers so many requests; for the others there is no time, or not enough of it."""

    def __init__(self, answers: int, sent: Sent = "withheld") -> None:
        self.answers, self.sent = answers, sent

    async def fetch(self, request: Request) -> Response:
        self.answers -= 1
        if self.answers >= 0:
            return Response(url=request.url, status=200)
        return Response(url=request.url, cut="time", sent=self.sent, wire_bytes=7)

    async def close(self) -> None:
        pass


@pytest.mark.parametrize(("sent", "requests"), [("withheld", 2), ("yes", 3)])
def test_a_step_without_time_stays_in_flight_and_ends_the_run(sent: Sent, requests: int) -> None:
    strategy, log, account = Counting(5), Log(), Account(Budget(seconds=1000.0))
    assert asyncio.run(drive(strategy, Late(2, sent), account, log)) == "budget"
    assert log.lines[-2:] == ["begin 2", "hold 2"]
    assert "observe 2" not in strategy.calls
    assert "propose 1" not in strategy.calls, "what cannot be asked is not chosen"
    assert (account.spent.requests, account.spent.bytes) == (requests, 7)


def test_slots_without_time_do_not_end_a_run_while_others_are_answered() -> None:
    class Uneven(Late):
        async def fetch(self, request: Request) -> Response:
            await asyncio.sleep(0)
            self.answers = int(request.url[-1]) % 2
            return await super().fetch(request)

    strategy, log = Counting(8), Log()
    account = Account(Budget(seconds=1000.0), 2)
    assert asyncio.run(drive(strategy, Uneven(0), account, log, parallel=2)) == "budget"
    assert [line for line in log.lines if "record" in line] == [f"record {n}" for n in (7, 5, 3, 1)]


def test_the_time_of_a_request_itself_is_an_answer() -> None:
    class Short(Counting):
        def propose(self) -> Step | None:
            step = super().propose()
            return step and replace(step, request=replace(step.request, max_s=1.0))

    strategy, account = Short(1), Account(Budget(seconds=1000.0))
    assert asyncio.run(drive(strategy, Late(0, "yes"), account, Log())) == "exhausted"
    assert "observe 0" in strategy.calls


class Failing(Counting):
    """Fails on what it is answered."""

    def observe(self, step: Step, response: Response) -> list[Find]:
        raise LookupError(response.url)


def test_a_bug_is_not_caught_where_the_strategy_cannot_be_had_anew() -> None:
    with pytest.raises(LookupError):
        asyncio.run(drive(Failing(1), ToySite(), Account(Budget(requests=5)), Log()))


def test_a_bug_is_a_failed_step_where_it_can() -> None:
    heard: list[Response] = []
    rest = Counting(1)
    ended = asyncio.run(
        drive(
            Failing(1),
            ToySite(),
            Account(Budget(requests=5)),
            Log(),
            renew=lambda: rest,
            watch=lambda step, response, finds: heard.append(response),
        )
    )
    assert ended == "exhausted"
    assert [response.error for response in heard] == ["bug", ""]
    assert (heard[0].body, heard[0].headers) == (b"", ())
    assert "LookupError at core/test_loop.py:" in heard[0].detail
    assert rest.calls == ["propose 0", "observe 0", "none"]


@pytest.mark.parametrize("problem", [MachineError("full"), MemoryError(), OSError(24, "files")])
def test_what_is_the_machines_fault_is_no_bug(problem: Exception) -> None:
    class Full(Counting):
        def observe(self, step: Step, response: Response) -> list[Find]:
            raise problem

    with pytest.raises(type(problem)):
        asyncio.run(
            drive(Full(1), ToySite(), Account(Budget(requests=5)), Log(), renew=lambda: Counting(0))
        )
