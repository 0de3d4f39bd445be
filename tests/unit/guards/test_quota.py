"""A service's rate, quota and refusals: what is asked when, and how a run ends."""

from collections.abc import Iterator

import pytest

from filon.core import Response, Step
from filon.guards.quota import BORNE, LAST_STORM, QuotaGuard
from unit.guards.inner import Listed, thawed
from unit.guards.meters import Toy

NOW_S = 1_800_000_000.0
URLS = [f"http://a.org/{n}" for n in range(60)]


def answered(step: Step, status: int = 200, at_s: float = NOW_S, **headers: object) -> Response:
    named = tuple((name.replace("_", "-"), str(value)) for name, value in headers.items())
    return Response(url=step.request.url, status=status, at_s=at_s, headers=named)


def sent(strategy: QuotaGuard) -> Step:
    step = strategy.propose()
    assert step is not None
    return step


def storm(strategy: QuotaGuard, statuses: Iterator[int], most: int = 500) -> int:
    """Answer with these statuses until the strategy has no more; return the calls made."""
    for calls in range(most):
        step = strategy.propose()
        if step is None:
            return calls
        at_s = max(NOW_S + calls, step.request.not_before_s)
        strategy.observe(step, answered(step, next(statuses), at_s))
    raise AssertionError("it does not end")


def test_calls_are_spaced_by_the_rate() -> None:
    assert sent(QuotaGuard(Listed(URLS), Toy(delay_s=2.5))).request.delay_s == 2.5


def test_the_pace_of_the_answers_counts_where_it_is_slower() -> None:
    strategy = QuotaGuard(Listed(URLS), Toy(delay_s=1.0))
    strategy.observe(step := sent(strategy), answered(step, pace=0.2))
    assert sent(strategy).request.delay_s == 1.0
    strategy.observe(step := sent(strategy), answered(step, pace=3))
    assert sent(strategy).request.delay_s == 3.0


def test_the_inner_strategy_sees_its_own_steps() -> None:
    inner = Listed(URLS[:3])
    strategy = QuotaGuard(inner, Toy(delay_s=9.0))
    storm(strategy, iter([200, 429, 200, 200]))
    assert [step for step, _ in inner.seen] == inner.proposed
    assert all(response.status == 200 for _, response in inner.seen)


def test_a_spent_quota_that_is_soon_renewed_is_waited_for() -> None:
    strategy = QuotaGuard(Listed(URLS), Toy())
    strategy.observe(step := sent(strategy), answered(step, left=0, reset=NOW_S + 900))
    waiting = sent(strategy)
    assert waiting.request.not_before_s == NOW_S + 900
    strategy.observe(waiting, answered(waiting, at_s=NOW_S + 901, left=30))
    assert sent(strategy).request.not_before_s == 0.0


def test_a_spent_quota_that_lasts_ends_the_run_and_says_until_when() -> None:
    strategy = QuotaGuard(Listed(URLS), Toy())
    strategy.observe(step := sent(strategy), answered(step, left=0, reset=NOW_S + 40_000))
    assert strategy.propose() is None
    told = strategy.summary()
    assert (told["stopped"], told["problem"]) == ("budget", "quota")
    assert told["note"] == (
        "The quota of Toy is spent; resume the run after 2027-01-15 19:06 UTC and it goes on "
        "from here."
    )


def test_a_later_sitting_goes_on() -> None:
    inner = Listed(URLS)
    strategy = QuotaGuard(inner, Toy())
    step = sent(strategy)
    strategy.observe(step, answered(step, 429, Retry_After=50_000))
    assert strategy.propose() is None
    later = QuotaGuard(Listed(URLS), Toy())
    later.restore(thawed(strategy.state()))
    again = sent(later)
    assert (again.request.url, again.request.not_before_s) == (URLS[0], 0.0)
    assert "note" not in later.summary()
    later.observe(again, answered(again, at_s=NOW_S + 50_001))
    assert sent(later).request.url == URLS[1]


def test_no_more_calls_are_in_flight_than_are_left() -> None:
    strategy = QuotaGuard(Listed(URLS), Toy())
    strategy.observe(step := sent(strategy), answered(step, left=2, reset=NOW_S + 60))
    first, second = sent(strategy), sent(strategy)
    assert strategy.propose() is None
    assert "note" not in strategy.summary()
    strategy.observe(first, answered(first, left=1, reset=NOW_S + 60))
    assert strategy.propose() is None
    strategy.observe(second, answered(second, left=0, reset=NOW_S + 60))
    assert sent(strategy).request.not_before_s == NOW_S + 60


def test_a_quota_that_no_header_tells_is_counted() -> None:
    strategy = QuotaGuard(Listed(URLS), Toy(quota=3, window_s=600.0))
    for _ in range(3):
        step = sent(strategy)
        assert step.request.not_before_s == 0.0
        strategy.observe(step, answered(step))
    assert sent(strategy).request.not_before_s == NOW_S + 600
    daily = QuotaGuard(Listed(URLS), Toy(quota=3, window_s=86_400.0))
    assert storm(daily, iter([200] * 60)) == 3
    assert daily.summary()["stopped"] == "budget"


def test_answers_at_hand_use_no_quota() -> None:
    strategy = QuotaGuard(Listed(URLS[:10]), Toy(quota=2, window_s=86_400.0))
    for _ in URLS[:10]:
        step = sent(strategy)
        strategy.observe(step, Response(url=step.request.url, status=200, sent="cached"))
    assert strategy.propose() is None
    assert "stopped" not in strategy.summary()


def test_a_storm_of_refusals_ends_after_a_few() -> None:
    inner = Listed(URLS)
    strategy = QuotaGuard(inner, Toy())
    assert storm(strategy, iter([429] * 100)) == LAST_STORM
    assert inner.seen == []
    told = strategy.summary()
    assert told["refusals"] == LAST_STORM
    assert told["stopped"] == "budget"
    assert told["note"].startswith("Toy refuses one call after the other: the service answers 429;")


def test_refusals_are_waited_out_longer_each_time() -> None:
    strategy = QuotaGuard(Listed(URLS), Toy())
    waits = []
    for _ in range(LAST_STORM - 1):
        step = sent(strategy)
        waits.append(step.request.not_before_s)
        strategy.observe(step, answered(step, 429))
    assert waits == [0.0, NOW_S + 1, NOW_S + 2, NOW_S + 4]
    asked = sent(strategy)
    assert asked.request.not_before_s == NOW_S + 8
    assert asked.request.delay_s == 8.0


def test_refusals_between_answers_do_not_burn_the_budget_either() -> None:
    urls = [f"http://a.org/{n}" for n in range(1000)]
    strategy = QuotaGuard(Listed(urls), Toy())
    turns = iter([429, 200] * 1000)
    assert storm(strategy, turns) < 2.5 * BORNE + 10
    assert strategy.summary()["refusals"] <= BORNE * 1.5


def test_a_few_refusals_are_forgiven() -> None:
    strategy = QuotaGuard(Listed(URLS), Toy())
    assert storm(strategy, iter([200, 200, 429, *[200] * 70])) == 61
    assert "stopped" not in strategy.summary()
    assert strategy.summary()["refusals"] == 1


def test_a_wrong_key_ends_the_run_with_the_first_answer() -> None:
    inner = Listed(URLS)
    strategy = QuotaGuard(inner, Toy())
    assert storm(strategy, iter([401])) == 1
    told = strategy.summary()
    assert (told["stopped"], told["problem"]) == ("early-stop", "key")
    assert told["note"] == "Toy does not accept the key: the service answers 401."
    assert inner.seen == []


@pytest.mark.parametrize("status", [401, 429])
def test_calls_in_flight_are_awaited_before_the_end(status: int) -> None:
    inner = Listed(URLS)
    strategy = QuotaGuard(inner, Toy())
    first, second = sent(strategy), sent(strategy)
    strategy.observe(first, answered(first, status, Retry_After=90_000))
    assert strategy.propose() is None
    strategy.observe(second, answered(second))
    assert [step.request.url for step, _ in inner.seen] == [URLS[1]]
    assert strategy.propose() is None
    assert strategy.summary()["problem"] in ("key", "quota")


def test_an_answer_that_was_overtaken_does_not_bring_calls_back() -> None:
    strategy = QuotaGuard(Listed(URLS), Toy())
    strategy.observe(step := sent(strategy), answered(step, left=3))
    first, second = sent(strategy), sent(strategy)
    strategy.observe(second, answered(second, left=1))
    strategy.observe(first, answered(first, left=2))
    assert [strategy.propose() is not None for _ in range(2)] == [True, False]


def test_a_state_of_before_there_was_one_guard_for_all_is_read() -> None:
    """As runs of Filon 0.1 hold it: a call is held, another in flight, the run has ended."""
    plan = QuotaGuard(Listed(URLS), Toy())
    held, flying = sent(plan), sent(plan)
    steps = plan.state()["flying"]
    old = {
        "version": 1,
        "count": {
            "began_s": NOW_S,
            "calls": 7,
            "left": 0,
            "free_s": NOW_S + 50_000,
            "pace_s": 2.0,
            "slow_s": 4.0,
            "now_s": NOW_S,
            "row": 1,
            "refusals": 3,
            "answers": 4,
        },
        "held": [steps[0][1]],
        "flying": [steps[1]],
        "ended": ["quota", "The quota of Toy is spent.", True, False],
        "inner": {"version": 1, "count": 2},
    }
    strategy = QuotaGuard(Listed(URLS), Toy())
    strategy.restore(thawed(old))
    assert strategy.summary()["note"] == "The quota of Toy is spent."
    assert strategy.summary()["refusals"] == 3
    assert strategy.propose() is None  # one is in flight
    strategy.observe(flying, answered(flying))
    assert strategy.propose() is None
    again = sent(strategy)
    assert (again.request.url, again.request.delay_s) == (held.request.url, 2.0)
    assert sent(strategy).request.url == URLS[2]
