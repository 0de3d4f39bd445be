from collections.abc import Sequence
from random import Random

import numpy as np
import pytest

from filon.learn.change import RATES, Rates

DAY_S = 86_400.0


def looked(
    rates: Rates, group: str, thing: str, rate: float, taus_s: list[float], chance: Random
) -> int:
    """Looks at a thing that changes so often; returns at how many it had changed."""
    changes = 0
    for tau_s in taus_s:
        changed = chance.expovariate(rate) < tau_s
        rates.note(group, thing, tau_s, changed)
        changes += changed
    return changes


@pytest.mark.parametrize("every_s", [0.2 * DAY_S, 2 * DAY_S, 40 * DAY_S, 5.0])
def test_the_rate_of_a_group_is_recovered_from_censored_looks(every_s: float) -> None:
    chance, rates = Random(2), Rates(seed=0)
    for number in range(200):
        taus_s = [chance.choice([0.3, 1.0, 3.0]) * every_s for _ in range(5)]
        looked(rates, "g", str(number), 1 / every_s, taus_s, chance)
    mean, apart = rates.rate("g")
    assert mean == pytest.approx(1 / every_s, rel=0.15)
    assert apart < mean  # things that are alike are seen to be


def test_a_look_that_is_often_too_late_does_not_hide_the_rate() -> None:
    # A daily look at what changes thrice a day finds one change at most, at 95 % of the looks.
    chance, rates = Random(3), Rates(seed=0)
    seen = [looked(rates, "g", str(n), 3 / DAY_S, [DAY_S] * 10, chance) for n in range(100)]
    counted = sum(seen) / 1_000
    assert counted < 1.0
    assert rates.rate("g")[0] * DAY_S == pytest.approx(3.0, rel=0.2)


@pytest.mark.parametrize("shape", [0.5, 2.0])
def test_what_is_borrowed_makes_estimates_of_single_things_better(shape: float) -> None:
    chance, rates, looks = Random(4), Rates(seed=0), 6
    true, alone, known, things = [], [], [], []
    for group, mean in (("fast", 0.5 / DAY_S), ("slow", 0.02 / DAY_S)):
        for number in range(300):
            rate = max(1e-12, chance.gammavariate(shape, mean / shape))
            changes = looked(rates, group, str(number), rate, [DAY_S] * looks, chance)
            true.append(1 - np.exp(-rate * DAY_S))
            # The estimator of Cho and Garcia-Molina, of a thing alone; and who knows the group.
            alone.append(1 - (looks - changes + 0.5) / (looks + 0.5))
            known.append(by_integral(shape, mean, changes, looks))
            things.append((group, str(number)))
    groups, names = zip(*things, strict=True)
    told = rates.chances(groups, names, [DAY_S] * 600)
    of_groups = rates.chances(groups, ["?"] * 600, [DAY_S] * 600)
    assert error(told, true) < 0.85 * error(alone, true)
    assert error(told, true) < 0.85 * error(of_groups, true)
    assert error(told, true) < 1.1 * error(known, true)


def by_integral(shape: float, mean: float, changes: int, looks: int) -> float:
    """The chance of a change within a day, for who knows how the rates of the group are spread."""
    grid = np.logspace(-12, -2, 2_000)
    stays = np.exp(-grid * DAY_S)
    heights = shape * np.log(grid) - grid * shape / mean
    weights = np.exp(heights - heights.max()) * (1 - stays) ** changes * stays ** (looks - changes)
    return float(weights @ (1 - stays) / weights.sum())


def error(told: Sequence[float] | np.ndarray, true: Sequence[float]) -> float:
    return float(np.mean((np.array(told) - np.array(true)) ** 2))


def test_chances_are_calibrated() -> None:
    chance, rates = Random(5), Rates(seed=0)
    drawn = [chance.gammavariate(0.7, 0.2 / 0.7) / DAY_S for _ in range(2_000)]
    for number, rate in enumerate(drawn):
        looked(rates, "g", str(number), max(rate, 1e-12), [DAY_S, 3 * DAY_S], chance)
    told = rates.chances(["g"] * 2_000, [str(n) for n in range(2_000)], [2 * DAY_S] * 2_000)
    came = np.array([chance.expovariate(max(rate, 1e-12)) < 2 * DAY_S for rate in drawn])
    for least, most in ((0.0, 0.2), (0.2, 0.5), (0.5, 1.0)):
        some = (told >= least) & (told < most)
        assert some.sum() > 50
        assert told[some].mean() == pytest.approx(came[some].mean(), abs=0.06)


def test_a_group_that_was_never_seen_is_taken_for_a_usual_one() -> None:
    chance, rates = Random(6), Rates(seed=0)
    assert rates.chance("new", "x", 30 * DAY_S) == pytest.approx(0.5, abs=0.15)
    for group in range(8):
        for number in range(30):
            looked(rates, str(group), str(number), 1 / 3_600, [1_800.0] * 3, chance)
    every_s = 1 / np.exp(rates._common[0])
    assert every_s == pytest.approx(3_600, rel=0.4)
    assert rates.chance("new", "x", 1_800.0) == pytest.approx(1 - np.exp(-0.5), abs=0.1)


def test_a_belief_in_one_thing_is_that_of_the_integral() -> None:
    # Of one thing alone, with what is believed of any: a fine sum over the same prior.
    rates = Rates(seed=0)
    prior = rates._rates_of("g")
    rates.note("g", "a", DAY_S, changed=True)
    rates.note("g", "a", 5 * DAY_S, changed=False)
    after = rates._rates_of("g")
    likelihood = -np.expm1(-RATES * DAY_S) * np.exp(-RATES * 5 * DAY_S)
    weights = after * likelihood / (after @ likelihood)
    assert rates.chance("g", "a", DAY_S) == pytest.approx(
        float(weights @ -np.expm1(-RATES * DAY_S)), rel=1e-4
    )
    assert abs(after - prior).max() > 1e-3


def test_the_date_of_the_last_change_says_more_than_that_there_was_one() -> None:
    exact, censored, chance = Rates(seed=0), Rates(seed=0), Random(7)
    rate, tau_s = 4 / DAY_S, DAY_S
    for number in range(60):
        for _ in range(8):
            age_s = chance.expovariate(rate)
            exact.note_exact("g", str(number), age_s, tau_s)
            censored.note("g", str(number), tau_s, age_s < tau_s)
    assert exact.rate("g")[0] == pytest.approx(rate, rel=0.2)
    assert abs(np.log(exact.rate("g")[0] / rate)) < abs(np.log(censored.rate("g")[0] / rate))


def test_a_date_before_the_last_look_is_no_change() -> None:
    dated, looked_at = Rates(seed=0), Rates(seed=0)
    dated.note_exact("g", "a", 9 * DAY_S, DAY_S)
    looked_at.note("g", "a", DAY_S, changed=False)
    assert dated.chance("g", "a", DAY_S) == looked_at.chance("g", "a", DAY_S)
    first = Rates(seed=0)
    first.note_exact("g", "a", 9 * DAY_S)
    assert first.summary()[0]["changes"] == 1
    assert dated.summary()[0]["changes"] == 0


def test_a_chance_grows_with_time_and_is_one_at_last() -> None:
    rates = Rates(seed=0)
    rates.note("g", "a", DAY_S, changed=True)
    taus_s = [0.0, 60.0, DAY_S, 100 * DAY_S, 1e15]
    told = rates.chances(["g"] * 5, ["a"] * 5, taus_s).tolist()
    assert told == sorted(told)
    assert told[0] == 0.0
    assert told[-1] == pytest.approx(1.0)


def test_a_group_that_is_not_known_is_often_drawn_better_than_a_poor_one() -> None:
    rates = Rates(seed=1)
    for number in range(100):
        rates.note("poor", str(number), DAY_S, changed=False)
        rates.note("fair", str(number), DAY_S, changed=number % 20 == 0)
    names = ["poor", "fair", "new"]
    draws = np.array(
        [rates.chances(names, ["x"] * 3, [DAY_S] * 3, explore=True) for _ in range(300)]
    )
    best = np.bincount(draws.argmax(axis=1), minlength=3) / 300
    assert best[0] < 0.02
    assert best[1] > 0.3
    assert best[2] > 0.1
    assert draws.std(axis=0)[1] < draws.std(axis=0)[2]


def test_all_things_of_a_group_share_a_draw() -> None:
    rates = Rates(seed=1)
    told = rates.chances(["g"] * 3, ["a", "b", "c"], [DAY_S] * 3, explore=True)
    assert len(set(told.tolist())) == 1


def test_a_batch_is_rated_as_one_by_one_and_things_are_found_again() -> None:
    chance, rates = Random(8), Rates(seed=0)
    things = [(f"g{n % 7}", f"https://a.org/{n}") for n in range(3_000)]
    for group, thing in things:
        rates.note(group, thing, DAY_S, chance.random() < 0.1)
    again = Rates(seed=5)
    again.restore(rates.state())
    asked = [*things[:: 3_000 // 40], ("g1", "never seen"), ("nowhere", "x")]
    groups, names = zip(*asked, strict=True)
    told = rates.chances(groups, names, [DAY_S] * len(asked))
    one_by_one = [rates.chance(group, name, DAY_S) for group, name in asked]
    assert told.tolist() == pytest.approx(one_by_one)
    assert told.tolist() == again.chances(groups, names, [DAY_S] * len(asked)).tolist()
    assert sum(row["things"] for row in rates.summary()) == 3_000


def test_what_is_kept_of_a_thing_is_a_few_numbers() -> None:
    rates = Rates(seed=0)
    for number in range(2_000):
        rates.note("g", f"https://a.org/{number}", DAY_S, changed=False)
        rates.note("g", f"https://a.org/{number}", DAY_S, changed=True)
    state = rates.state()
    assert state["keys"].nbytes + state["seen"].nbytes == 24 * 2_000


def test_thousands_of_changes_of_one_thing_are_survived() -> None:
    rates = Rates(seed=0)
    for _ in range(3_000):
        rates.note("g", "a", 3_600.0, changed=True)
    rates.note("g", "a", 0.0, changed=True)
    assert rates.chance("g", "a", 3_600.0) == pytest.approx(1.0, abs=0.01)
    assert np.isfinite(rates.chances(["g"], ["a"], [0.0])).all()


def test_many_looks_at_once_tell_what_each_alone_does() -> None:
    chance, one_by_one, at_once = Random(9), Rates(seed=0), Rates(seed=0)
    looks = [
        (f"g{n % 5}", f"https://a.org/{n % 400}", chance.uniform(0.5, 2.0) * DAY_S)
        for n in range(1_600)
    ]
    changed = [chance.random() < 0.05 * (1 + n % 5) for n in range(1_600)]
    for (group, thing, tau_s), is_change in zip(looks, changed, strict=True):
        one_by_one.note(group, thing, tau_s, is_change)
    half = 900  # things of the first half are met again in the second
    for part in (slice(0, half), slice(half, None)):
        groups, things, taus_s = zip(*looks[part], strict=True)
        at_once.note_many(groups, things, taus_s, changed[part])
    at_once.note_many([], [], [], [])
    names, things, taus_s = zip(*looks[:400], strict=True)
    told, same = (rates.chances(names, things, taus_s) for rates in (one_by_one, at_once))
    assert told == pytest.approx(same, rel=0.03)
    counts = [
        [(row["group"], row["things"], row["looks"], row["changes"]) for row in rates.summary()]
        for rates in (one_by_one, at_once)
    ]
    assert counts[0] == counts[1]
    again = Rates(seed=0)
    again.restore(at_once.state())
    assert again.chances(names, things, taus_s).tolist() == same.tolist()


def test_many_ages_at_once_tell_what_each_alone_does() -> None:
    chance, one_by_one, at_once = Random(9), Rates(seed=0), Rates(seed=0)
    ages = [(f"g{n % 3}", str(n), chance.expovariate(1 / (1 + n % 3)) * DAY_S) for n in range(300)]
    for group, thing, age_s in ages:
        one_by_one.note_exact(group, thing, age_s)
    at_once.note_ages(*zip(*ages, strict=True))
    names, things, _ = zip(*ages, strict=True)
    told, same = (rates.chances(names, things, [DAY_S] * 300) for rates in (one_by_one, at_once))
    assert told == pytest.approx(same, rel=0.03)
    assert [row["changes"] for row in at_once.summary()] == [100, 100, 100]


def test_a_round_of_a_hundred_thousand_things_is_one_call() -> None:
    rates, size = Rates(seed=0), 100_000
    groups = [f"g{n % 30}" for n in range(size)]
    things = [str(n) for n in range(size)]
    rates.note_many(groups, things, [7 * DAY_S + n % 5_000 for n in range(size)], [False] * size)
    assert rates.chances(groups, things, [DAY_S] * size).max() < 0.001
    assert len(rates.state()["keys"]) == size
