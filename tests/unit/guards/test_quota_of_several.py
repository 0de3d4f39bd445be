"""Several services, each with its own rate, quota and key: one that is spent leaves the others."""

import random
from collections import Counter, deque
from collections.abc import Callable

import pytest

from filon.core import Response, Step, Strategy
from filon.guards.host_backoff import HostBackoff
from filon.guards.quota import MAX_WAIT_S, MOST_HELD, STORM, QuotaGuard
from filon.guards.retry import RetryGuard
from unit.guards.inner import Listed, thawed
from unit.guards.meters import Toy

NOW_S = 1_800_000_000.0
A, B = "https://a.test", "https://b.test"
MIXED = [f"{at}/{n}" for n in range(40) for at in (A, B, "https://page.test")]


class Elsewhere(Listed):
    """Can ask another service whatever is refused."""

    def elsewhere(self, step: Step) -> bool:
        return True


def answered(step: Step, status: int = 200, at_s: float = NOW_S, **headers: object) -> Response:
    named = tuple((name.replace("_", "-"), str(value)) for name, value in headers.items())
    return Response(url=step.request.url, status=status, at_s=at_s, headers=named)


def sent(strategy: QuotaGuard) -> Step:
    step = strategy.propose()
    assert step is not None
    return step


def host(step: Step) -> str:
    return step.request.url.split("/")[2]


class Services:
    """Servers that count, and would say so if a call too many came."""

    def __init__(self, allowed: dict[str, int], *, tells: bool) -> None:
        self._left = dict(allowed)
        self._tells = tells
        self.calls: Counter[str] = Counter()

    def reply(self, step: Step, at_s: float) -> Response:
        name = host(step)
        self.calls[name] += 1
        if name not in self._left:
            return answered(step, at_s=at_s)
        self._left[name] -= 1
        assert self._left[name] >= 0, f"a call too many for {name}"
        if not self._tells:
            return answered(step, at_s=at_s)
        return answered(step, at_s=at_s, left=self._left[name], reset=NOW_S + 90_000)


def drive(strategy: QuotaGuard, services: Services, parallel: int, chance: random.Random) -> None:
    """Keep so many in flight, and let answers come in any order."""
    flying: deque[Step] = deque()
    for tick in range(1_000):
        while len(flying) < parallel and (step := strategy.propose()):
            flying.append(step)
        if not flying:
            return
        flying.rotate(chance.randrange(len(flying)))
        step = flying.popleft()
        strategy.observe(step, services.reply(step, NOW_S + tick / 10))
    raise AssertionError("it does not end")


@pytest.mark.parametrize("parallel", [1, 4, 16])
@pytest.mark.parametrize("tells", [True, False])
def test_no_quota_is_overrun_and_the_others_go_on(parallel: int, tells: bool) -> None:
    services = Services({"a.test": 7, "b.test": 25}, tells=tells)
    inner = Elsewhere(MIXED)
    meters = {
        A: Toy(name="A", quota=0 if tells else 7, window_s=86_400.0),
        B: Toy(name="B", quota=0 if tells else 25, window_s=86_400.0),
    }
    strategy = QuotaGuard(inner, meters)
    drive(strategy, services, parallel, random.Random(parallel))
    assert services.calls == {"a.test": 7, "b.test": 25, "page.test": 40}
    assert len(inner.seen) == len(MIXED)
    told = strategy.summary()["services"]
    assert told["A"] == {"calls": 7, "not sent": 33, "problem": "quota"}
    assert Counter(response.status for _, response in inner.seen) == {200: 72, 429: 48}


@pytest.mark.parametrize("parallel", [1, 4, 16])
@pytest.mark.parametrize("tells", [True, False])
def test_calls_that_nobody_else_takes_are_kept_and_made_in_later_sessions(
    parallel: int, tells: bool
) -> None:
    inner, chance = Listed(MIXED), random.Random(parallel)
    quota = 0 if tells else 7
    strategy = QuotaGuard(inner, {A: Toy(name="A", quota=quota, window_s=86_400.0)})
    sessions = 0
    while True:
        services = Services({"a.test": 7}, tells=tells)
        drive(strategy, services, parallel, chance)
        sessions += 1
        told = strategy.summary()
        if not told.get("stopped"):
            break
        assert (told["stopped"], told["problem"], services.calls["a.test"]) == (
            "budget",
            "quota",
            7,
        )
        assert told["note"].startswith("The quota of A is spent; resume the run after 2027-01-")
        state = thawed(strategy.state())
        strategy = QuotaGuard(inner, {A: Toy(name="A", quota=quota, window_s=86_400.0)})
        strategy.restore(state)
    assert sessions == 6
    assert {response.status for _, response in inner.seen} == {200}
    assert len(inner.seen) == len(MIXED)


def test_a_service_that_still_refuses_in_a_later_session_is_asked_once() -> None:
    strategy = QuotaGuard(Listed([f"{A}/{n}" for n in range(9)]), {A: Toy()})
    for _ in range(3):
        step = sent(strategy)
        assert strategy.propose() is None
        strategy.observe(step, answered(step, 429, Retry_After=7200))
        assert strategy.propose() is None
        assert strategy.summary()["stopped"] == "budget"
    strategy.observe(step := sent(strategy), answered(step))
    assert [strategy.propose() is None for _ in range(9)] == [False] * 8 + [True]
    assert "stopped" not in strategy.summary()


def test_no_more_calls_are_kept_than_some() -> None:
    inner = Listed([f"{A}/{n}" for n in range(2 * MOST_HELD)])
    strategy = QuotaGuard(inner, {A: Toy(quota=1, window_s=86_400.0)})
    strategy.observe(step := sent(strategy), answered(step))
    assert strategy.propose() is None
    assert len(strategy.state()["held"]) == MOST_HELD


def test_what_is_not_sent_is_not_spent() -> None:
    inner = Elsewhere([f"{A}/{n}" for n in range(3)])
    strategy = QuotaGuard(inner, {A: Toy(quota=1, window_s=86_400.0)})
    strategy.observe(step := sent(strategy), answered(step))
    assert strategy.propose() is None
    assert [response.sent for _, response in inner.seen] == ["yes", "withheld", "withheld"]


def test_a_call_waits_where_there_are_some_again_within_a_minute() -> None:
    strategy = QuotaGuard(Listed(MIXED), {A: Toy()})
    strategy.observe(step := sent(strategy), answered(step, left=0, reset=NOW_S + 2))
    steps = [sent(strategy) for _ in range(3)]
    assert [host(step) for step in steps] == ["b.test", "page.test", "a.test"]
    assert steps[2].request.not_before_s == NOW_S + 2
    # Until it is known how many there are now, no other call follows it.
    assert {host(sent(strategy)) for _ in range(6)} == {"b.test", "page.test"}
    strategy.observe(steps[2], answered(steps[2], at_s=NOW_S + 3, left=5))
    assert host(sent(strategy)) == "a.test"


def test_a_refused_call_is_made_again_and_the_inner_strategy_does_not_see_it() -> None:
    inner = Listed([f"{A}/0"])
    strategy = QuotaGuard(inner, {A: Toy()})
    strategy.observe(step := sent(strategy), answered(step, 429, Retry_After=5))
    assert not inner.seen
    again = sent(strategy)
    assert (again.request.url, again.request.not_before_s) == (f"{A}/0", NOW_S + 5)
    strategy.observe(again, answered(again, at_s=NOW_S + 6))
    assert [response.status for _, response in inner.seen] == [200]


def test_a_service_that_refuses_one_call_after_the_other_is_left_alone() -> None:
    inner = Elsewhere([f"{A}/{n}" for n in range(50)])
    strategy = QuotaGuard(inner, {A: Toy()})
    calls = 0
    while step := strategy.propose():
        calls += 1
        at_s = max(NOW_S, step.request.not_before_s)
        strategy.observe(step, answered(step, 429, at_s))
    assert calls == STORM
    assert len(inner.seen) == 50


def test_a_long_wait_is_not_waited_for() -> None:
    inner = Elsewhere([f"{A}/{n}" for n in range(2)])
    strategy = QuotaGuard(inner, {A: Toy()})
    step = sent(strategy)
    strategy.observe(step, answered(step, 429, Retry_After=int(MAX_WAIT_S) + 1))
    assert strategy.propose() is None
    assert [response.status for _, response in inner.seen] == [429, 429]


def test_after_a_refused_key_a_service_is_asked_no_more() -> None:
    inner = Listed(MIXED)
    strategy = QuotaGuard(inner, {A: Toy(name="A"), B: Toy(name="B")})
    calls: Counter[str] = Counter()
    while step := strategy.propose():
        calls[host(step)] += 1
        strategy.observe(step, answered(step, 401 if host(step) == "a.test" else 200))
    assert calls == {"a.test": 1, "b.test": 40, "page.test": 40}
    assert strategy.summary()["services"]["A"]["problem"] == "key"
    assert strategy.summary()["inner"] == "listed"


def test_calls_are_spaced_by_the_rate_of_their_own_service() -> None:
    strategy = QuotaGuard(Listed(MIXED), {A: Toy(delay_s=2.0), B: Toy(delay_s=0.5)})
    assert [sent(strategy).request.delay_s for _ in range(3)] == [2.0, 0.5, 0.0]


def test_until_the_first_answer_a_service_is_asked_one_thing_only() -> None:
    strategy = QuotaGuard(Listed(MIXED), {A: Toy()})
    steps = [sent(strategy) for _ in range(9)]
    assert Counter(map(host, steps))["a.test"] == 1
    strategy.observe(steps[0], answered(steps[0], left=2))
    assert [host(sent(strategy)) for _ in range(2)] == ["a.test", "a.test"]


def test_a_day_later_there_are_calls_again() -> None:
    strategy = QuotaGuard(Listed(MIXED), {A: Toy(quota=1, window_s=86_400.0)})
    strategy.observe(step := sent(strategy), answered(step))
    page = sent(strategy)
    strategy.observe(page, answered(page, at_s=NOW_S + 90_000))
    assert "a.test" in {host(sent(strategy)) for _ in range(3)}


def test_an_answer_that_was_overtaken_does_not_bring_calls_back() -> None:
    strategy = QuotaGuard(Listed([f"{A}/{n}" for n in range(20)]), {A: Toy()})
    strategy.observe(step := sent(strategy), answered(step, left=5))
    flying = [sent(strategy) for _ in range(3)]
    strategy.observe(flying[2], answered(flying[2], left=2))
    strategy.observe(flying[0], answered(flying[0], left=4))
    strategy.observe(flying[1], answered(flying[1], left=3))
    assert [strategy.propose() is not None for _ in range(4)] == [True, True, False, False]


@pytest.mark.parametrize("after", [0, 3, 9, 20])
def test_it_goes_on_from_its_state(after: int) -> None:
    def made() -> QuotaGuard:
        meters = {A: Toy(quota=7, window_s=86_400.0), B: Toy(delay_s=1.0)}
        return QuotaGuard(Listed(MIXED), meters)

    first = made()
    flying = []
    for number in range(after):
        flying.append(sent(first))
        if number % 2:
            step = flying.pop(0)
            status = 429 if number % 5 == 0 else 200
            first.observe(step, answered(step, status, Retry_After=3))
    second = made()
    second.restore(thawed(first.state()))
    for step in flying:
        assert first.observe(step, answered(step)) == second.observe(step, answered(step))
    assert [first.propose() for _ in range(30)] == [second.propose() for _ in range(30)]


def test_only_steps_of_the_kinds_that_are_calls_are_counted() -> None:
    """A wiki has its API and its pages at one place; a page that refuses closes no API."""
    strategy = QuotaGuard(Listed(MIXED), {A: Toy(name="A", quota=3)}, kinds=["search"])
    calls: Counter[str] = Counter()
    while step := strategy.propose():
        calls[host(step)] += 1
        strategy.observe(step, answered(step, 401))
    assert calls["a.test"] == 40
    assert strategy.summary()["services"]["A"] == {"calls": 0, "not sent": 0, "problem": ""}


def test_a_refusal_that_is_not_waited_for_is_final_for_all_within() -> None:
    inner = Elsewhere([f"{A}/1"])
    strategy = QuotaGuard(inner, {A: Toy(name="A")})
    step = sent(strategy)
    strategy.observe(step, answered(step, 429, Retry_After=7200))
    (response,) = (response for _, response in inner.seen)
    assert (response.status, response.sent, response.final) == (429, "yes", True)


@pytest.mark.parametrize("inside", [HostBackoff, RetryGuard])
def test_nobody_within_asks_again_after_such_a_refusal(
    inside: Callable[[Strategy], Strategy],
) -> None:
    inner = Elsewhere([f"{A}/1", f"{A}/2"])
    strategy = QuotaGuard(inside(inner), {A: Toy(name="A")})
    step = sent(strategy)
    strategy.observe(step, answered(step, 429, Retry_After=7200))
    assert strategy.propose() is None
    told = [(response.status, response.sent) for _, response in inner.seen]
    assert told == [(429, "yes"), (429, "withheld")]


def test_a_state_of_before_there_was_one_guard_for_all_is_read() -> None:
    made = QuotaGuard(Listed(MIXED), {A: Toy(), B: Toy()})
    first = sent(made)
    state = thawed(made.state())
    new = {"slow_s", "answers"}
    counts = {
        name: {key: value for key, value in count.items() if key not in new}
        for name, count in state["counts"].items()
    }
    old = {key: state[key] for key in ("now_s", "held", "flying", "inner")}
    later = QuotaGuard(Listed(MIXED), {A: Toy(), B: Toy()})
    later.restore({**old, "version": 1, "counts": counts})
    assert later.observe(first, answered(first)) == made.observe(first, answered(first))
    assert [later.propose() for _ in range(9)] == [made.propose() for _ in range(9)]
