"""Politeness by a clock of our own: no test here waits."""

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Iterable

import pytest

from filon.core import Request, Response
from filon.web.polite import LOOK_S, MAX_LANES, Polite, host_of, retry_after_s
from filon.web.turns import Turn, Turns

A, B = "http://a.org/", "http://b.org/"


class Clock:
    """Time that passes when everybody waits for it."""

    def __init__(self) -> None:
        self.now_s = 1000.0
        self._sleepers: list[tuple[float, asyncio.Future[None]]] = []

    def __call__(self) -> float:
        return self.now_s

    async def sleep(self, seconds: float) -> None:
        waiter = asyncio.get_running_loop().create_future()
        self._sleepers.append((self.now_s + seconds, waiter))
        await waiter

    async def run(self, *jobs: Awaitable[Response]) -> list[Response]:
        tasks = [asyncio.ensure_future(job) for job in jobs]
        while not all(task.done() for task in tasks):
            for _ in range(20):
                await asyncio.sleep(0)
            self._wake_next()
        return [task.result() for task in tasks]

    def _wake_next(self) -> None:
        self._sleepers = [(at, w) for at, w in self._sleepers if not w.done()]
        if self._sleepers:
            self._sleepers.sort(key=lambda sleeper: sleeper[0])
            self.now_s, waiter = self._sleepers.pop(0)
            waiter.set_result(None)


class Echo:
    """A web that notes when requests left, and answers after `took_s` as it is told."""

    def __init__(self, clock: Clock, answers: Iterable[Response] = (), took_s: float = 0.0) -> None:
        self.clock, self.took_s = clock, took_s
        self.answers = iter(answers)
        self.left: list[tuple[str, float]] = []
        self.flying = self.most = 0
        self.requests: list[Request] = []

    async def fetch(self, request: Request) -> Response:
        self.left.append((request.url, self.clock.now_s - 1000))
        self.requests.append(request)
        self.flying += 1
        self.most = max(self.most, self.flying)
        try:
            if self.took_s:
                await self.clock.sleep(self.took_s)
        finally:
            self.flying -= 1
        return next(self.answers, Response(url=request.url, status=200, took_s=self.took_s))

    async def close(self) -> None:
        self.left.clear()


Make = Callable[..., tuple[Polite, Echo, Clock]]


@pytest.fixture
def make() -> Make:
    def build(
        answers: Iterable[Response] = (),
        took_s: float = 0.0,
        delay_s: float = 1.0,
        per_host: int = 1,
    ) -> tuple[Polite, Echo, Clock]:
        clock = Clock()
        echo = Echo(clock, answers, took_s)
        polite = Polite(echo, delay_s, per_host, clock=clock, wall=clock, sleep=clock.sleep)
        return polite, echo, clock

    return build


class Shared(Turns):
    """Turns without a file: two webs of one process stand for two processes."""

    def __init__(self) -> None:
        self.seen: dict[str, Turn] = {}
        self.held: set[str] = set()

    def take(self, host: str) -> Turn | None:
        if host in self.held:
            return None
        self.held.add(host)
        return self.seen.get(host, Turn())

    def give(self, host: str, turn: Turn) -> None:
        self.held.remove(host)
        self.seen[host] = turn

    def close(self) -> None: ...


def go(clock: Clock, polite: Polite, *requests: Request) -> list[Response]:
    return asyncio.run(clock.run(*(polite.fetch(request) for request in requests)))


def refused(status: int = 429, **headers: str) -> Response:
    pairs = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Response(url=A, status=status, headers=pairs, at_s=1000.0)


def test_requests_to_one_host_are_a_delay_apart_in_the_order_they_came(make: Make) -> None:
    polite, echo, clock = make()
    go(clock, polite, *(Request(url=f"{A}{i}") for i in range(4)))
    assert echo.left == [(f"{A}{i}", float(i)) for i in range(4)]


def test_hosts_do_not_wait_for_each_other(make: Make) -> None:
    polite, echo, clock = make()
    go(clock, polite, *(Request(url=url) for url in (A, A, B, B)))
    assert sorted(echo.left) == [(A, 0.0), (A, 1.0), (B, 0.0), (B, 1.0)]


def test_a_port_is_a_host_of_its_own(make: Make) -> None:
    polite, echo, clock = make()
    go(clock, polite, Request(url=A), Request(url="http://a.org:8080/"))
    assert [at_s for _, at_s in echo.left] == [0.0, 0.0]


def test_a_host_may_ask_for_more_but_not_for_less(make: Make) -> None:
    polite, echo, clock = make()
    delays = (0.0, 5.0, 0.2)
    go(clock, polite, *(Request(url=A, delay_s=delay_s) for delay_s in delays))
    assert [at_s for _, at_s in echo.left] == [0.0, 5.0, 6.0]


def test_one_request_at_a_time_however_slow_the_host(make: Make) -> None:
    polite, echo, clock = make(took_s=10.0)
    go(clock, polite, *(Request(url=A) for _ in range(3)))
    assert [at_s for _, at_s in echo.left] == [0.0, 10.0, 20.0]
    assert echo.most == 1


def test_several_at_a_time_are_still_a_delay_apart(make: Make) -> None:
    polite, echo, clock = make(took_s=10.0, per_host=3)
    go(clock, polite, *(Request(url=A) for _ in range(5)))
    assert [at_s for _, at_s in echo.left] == [0.0, 1.0, 2.0, 10.0, 11.0]
    assert echo.most == 3


def test_the_delay_counts_from_when_the_request_really_left(make: Make) -> None:
    # It took 3 s in all, and only the last 0.5 s of that after the connection was made.
    slow = Response(url=A, status=200, took_s=0.5)
    polite, echo, clock = make([slow], took_s=3.0)
    go(clock, polite, Request(url=A), Request(url=A))
    assert [at_s for _, at_s in echo.left] == [0.0, 3.5]


def test_retry_after_pauses_the_host_and_no_other(make: Make) -> None:
    polite, echo, clock = make([refused(retry_after="30")])
    go(clock, polite, Request(url=A))
    go(clock, polite, Request(url=A), Request(url=B))
    assert sorted(echo.left) == [(A, 0.0), (A, 30.0), (B, 0.0)]


def test_retry_after_holds_for_those_who_wait_already(make: Make) -> None:
    polite, echo, clock = make([refused(503, retry_after="30")])
    go(clock, polite, *(Request(url=A) for _ in range(3)))
    assert [at_s for _, at_s in echo.left] == [0.0, 30.0, 31.0]


def test_without_retry_after_the_pause_doubles_until_a_success(make: Make) -> None:
    answers = [refused(), refused(503), refused(), Response(url=A, status=200), refused()]
    polite, echo, clock = make(answers)
    go(clock, polite, *(Request(url=A) for _ in range(6)))
    assert [at_s for _, at_s in echo.left] == [0.0, 2.0, 6.0, 14.0, 15.0, 17.0]


def test_a_host_that_refuses_for_ever_is_asked_once_a_minute(make: Make) -> None:
    polite, echo, clock = make([refused(503)] * 50)
    go(clock, polite, *(Request(url=A) for _ in range(40)))
    times = [at_s for _, at_s in echo.left]
    assert {late - early for early, late in itertools.pairwise(times[10:])} == {60.0}


def test_a_request_does_not_leave_before_its_time_nor_hold_up_others(make: Make) -> None:
    polite, echo, clock = make()
    go(clock, polite, Request(url=A + "late", not_before_s=1005.0), Request(url=A), Request(url=A))
    assert echo.left == [(A, 0.0), (A, 1.0), (A + "late", 5.0)]


def test_nobody_waits_beyond_the_time_of_the_run_and_nothing_is_sent(make: Make) -> None:
    polite, echo, clock = make([refused(retry_after="3600")])
    go(clock, polite, Request(url=A))
    [answer] = go(clock, polite, Request(url=A, wait_s=60.0))
    assert (answer.error, clock.now_s, len(echo.left)) == ("timeout", 1000.0, 1)
    assert (answer.cut, answer.sent) == ("time", "withheld")


def test_the_time_of_an_answer_does_not_bound_the_wait_for_its_turn(make: Make) -> None:
    polite, echo, clock = make([refused(retry_after="300")])
    go(clock, polite, Request(url=A), Request(url=A, max_s=60.0))
    assert [request.max_s for request in echo.requests] == [0.0, 60.0]
    assert echo.left[1][1] == 300.0


def test_waiting_takes_from_the_time_of_the_request(make: Make) -> None:
    polite, echo, clock = make()
    go(clock, polite, Request(url=A), Request(url=A, wait_s=60.0, max_s=60.0))
    assert echo.requests[1].max_s == 59.0


def test_a_request_that_is_cancelled_leaves_its_place_to_the_next(make: Make) -> None:
    polite, echo, clock = make()

    async def scene() -> None:
        first, second, third = (
            asyncio.ensure_future(polite.fetch(Request(url=f"{A}{i}"))) for i in range(3)
        )
        await first
        second.cancel()
        await clock.run(third)

    asyncio.run(scene())
    assert echo.left == [(A + "0", 0.0), (A + "2", 1.0)]


def test_a_request_that_is_cancelled_in_flight_frees_its_slot(make: Make) -> None:
    polite, echo, clock = make(took_s=10.0)

    async def scene() -> None:
        first = asyncio.ensure_future(polite.fetch(Request(url=A)))
        for _ in range(5):
            await asyncio.sleep(0)
        first.cancel()
        await clock.run(polite.fetch(Request(url=A)))

    asyncio.run(scene())
    assert [at_s for _, at_s in echo.left] == [0.0, 1.0]


def test_hosts_that_owe_nothing_are_forgotten(make: Make) -> None:
    polite, *_ = make(delay_s=0.0)

    async def scene() -> None:
        for i in range(MAX_LANES + 5):
            await polite.fetch(Request(url=f"http://h{i}.org/"))

    asyncio.run(scene())
    assert len(polite._lanes) <= 10


def test_closing_closes_the_web_within(make: Make) -> None:
    polite, echo, clock = make()
    go(clock, polite, Request(url=A))
    asyncio.run(polite.close())
    assert echo.left == []


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("120", 120.0),
        ("0", 0.0),
        ("999999999", 3600.0),
        ("Thu, 01 Jan 1970 00:17:40 GMT", 60.0),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0.0),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 3600.0),
        ("soon", None),
        ("-5", None),
        ("", None),
        ("1.5", None),
        ("²", None),
    ],
)
def test_retry_after_is_seconds_or_a_date_and_bounded(text: str, seconds: float | None) -> None:
    assert retry_after_s(refused(retry_after=text)) == seconds


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("http://a.org", "a.org"),
        ("https://A.org/x", "a.org"),
        ("http://a.org?q=@b.org", "a.org"),
        ("http://me:x@a.org:8080/@b", "a.org:8080"),
        ("http://[::1]:80/", "[::1]"),
    ],
)
def test_the_host_of_a_url(url: str, host: str) -> None:
    assert host_of(url) == host


@pytest.mark.parametrize("per_host", [1, 3])
def test_processes_that_share_turns_keep_a_hosts_pace_together(per_host: int) -> None:
    clock, turns = Clock(), Shared()
    echo = Echo(clock, took_s=0.2)
    webs = [
        Polite(echo, 1.0, per_host, turns=turns, clock=clock, wall=clock, sleep=clock.sleep)
        for _ in range(2)
    ]
    asked = [web.fetch(Request(url=url)) for web in webs for url in (A, A, A, B)]
    asyncio.run(clock.run(*asked))
    for host, times in ((A, 6), (B, 2)):
        left = sorted(at_s for url, at_s in echo.left if url == host)
        assert len(left) == times
        assert all(late - early >= 1.0 for early, late in itertools.pairwise(left))
        assert left[-1] <= times - 1 + times * LOOK_S
    assert not turns.held


def test_one_request_at_a_time_goes_to_a_host_that_processes_share() -> None:
    clock, turns = Clock(), Shared()
    echo = Echo(clock, took_s=10.0)
    webs = [
        Polite(echo, 1.0, turns=turns, clock=clock, wall=clock, sleep=clock.sleep) for _ in range(3)
    ]
    asyncio.run(clock.run(*(web.fetch(Request(url=A)) for web in webs)))
    assert echo.most == 1


def test_a_pause_that_a_host_asks_for_holds_for_all_processes() -> None:
    clock, turns = Clock(), Shared()
    echo = Echo(clock, [refused(retry_after="30")])
    one, other = (
        Polite(echo, 1.0, turns=turns, clock=clock, wall=clock, sleep=clock.sleep) for _ in range(2)
    )
    go(clock, one, Request(url=A))
    go(clock, other, Request(url=A))
    assert echo.left == [(A, 0.0), (A, 30.0)]
