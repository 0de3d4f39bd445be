"""Budgets flow to arms that pay, and away from those that fade."""

import json
from collections import Counter
from random import Random

import pytest

from filon.learn.allocation import Allocation


def spend(
    allocation: Allocation, rates: dict[str, float], budget: int, seed: int = 1
) -> Counter[str]:
    """Ask one arm at a time, each of which brings a find with its chance; return who was asked."""
    chance, asked = Random(seed), Counter[str]()
    for left in range(budget, 0, -1):
        arm = allocation.choose(list(rates), left=left)
        assert arm is not None
        allocation.sent(arm)
        allocation.learn(arm, 1, float(chance.random() < rates[arm]))
        asked[arm] += 1
    return asked


def among(*arms: str, patient: bool = True) -> Allocation:
    allocation = Allocation(patient=patient)
    for arm in arms:
        allocation.add(arm)
    return allocation


def test_most_of_a_budget_goes_to_the_best_arm() -> None:
    rates = {"rich": 0.5, **{f"poor {number}": 0.05 for number in range(9)}}
    assert spend(among(*rates), rates, 1000)["rich"] > 600


def test_it_does_not_matter_in_what_unit_finds_are_counted() -> None:
    one, other = among("a", "b", "c"), among("a", "b", "c")
    chance = Random(3)
    for left in range(300, 0, -1):
        arm = one.choose("abc", left=left)
        assert arm is not None
        assert arm == other.choose("abc", left=left)
        found = float(chance.random() < {"a": 0.1, "b": 0.3, "c": 0.6}[arm])
        one.learn(arm, 1, found)
        other.learn(arm, 1, 0.01 * found)


def test_an_arm_that_fades_waits_and_wakes_when_the_others_fade() -> None:
    allocation = among("first", "second")
    for arm, finds in (("first", 200), ("second", 200)):
        for _ in range(finds):
            allocation.learn(arm, 1, 1.0 if arm == "first" else 0.3)
    rates = {"first": 0.0, "second": 0.3}
    faded = spend(allocation, rates, 400)
    assert faded["second"] > 250
    woken = spend(allocation, {"first": 0.1, "second": 0.0}, 600)
    assert woken["first"] > 300


def test_a_slow_start_is_given_time() -> None:
    allocation = among("quick", "slow")
    asked: Counter[str] = Counter()
    for left in range(600, 0, -1):
        arm = allocation.choose(["quick", "slow"], left=left)
        assert arm is not None
        brings = {"quick": asked["quick"] % 4 == 0, "slow": asked["slow"] > 15}
        allocation.learn(arm, 1, float(brings[arm]))
        asked[arm] += 1
    assert asked["slow"] > 400


def test_barren_requests_at_the_start_are_not_held_against_an_arm() -> None:
    """Its menus come first: what counts is what it brings after them."""
    allocation = among("at once", "after menus")
    for _ in range(15):
        allocation.learn("after menus", 1, 0.0)
    for _ in range(20):
        allocation.learn("at once", 1, 0.6)
        allocation.learn("after menus", 1, 0.8)
    assert allocation.choose(["at once", "after menus"], left=100) == "after menus"


def test_an_arm_that_is_next_to_as_good_does_not_wait_for_the_best() -> None:
    allocation = among("best", "near", "poor")
    for _ in range(40):
        allocation.learn("best", 1, 0.50)
        allocation.learn("near", 1, 0.49)
        allocation.learn("poor", 1, 0.30)
    assert allocation.choose(["near", "poor"], left=50, soon=["best"]) == "near"
    assert allocation.choose(["poor"], left=50, soon=["best", "near"]) is None


def test_what_promises_more_is_tried_first() -> None:
    allocation = Allocation()
    allocation.add("vague", promise=0.2)
    allocation.add("clear", promise=0.9)
    assert allocation.choose(["vague", "clear"], left=100) == "clear"
    allocation.add("vague", promise=1.0)
    assert allocation.choose(["vague", "clear"], left=100) == "vague"


def unequal(*, patient: bool = True) -> Allocation:
    allocation = among("rich", "poor", patient=patient)
    allocation.learn("rich", 100, 60.0)
    allocation.learn("poor", 100, 1.0)
    return allocation


def test_a_poor_arm_waits_while_the_budget_will_not_reach_it() -> None:
    allocation = unequal()
    assert allocation.choose(["poor"], left=100, soon=["rich"]) is None
    assert allocation.choose(["poor", "rich"], left=100) == "rich"
    assert allocation.choose(["poor"], left=10_000, soon=["rich"]) == "poor"
    assert allocation.choose(["poor"], soon=["rich"]) == "poor"


def test_nobody_waits_for_an_arm_that_is_not_there_soon() -> None:
    allocation = unequal()
    assert allocation.choose(["poor"], left=100) == "poor"
    allocation.end("rich")
    assert allocation.choose(["poor"], left=100, soon=["rich"]) == "poor"


def test_who_has_no_patience_takes_what_is_free() -> None:
    assert unequal(patient=False).choose(["poor"], left=100, soon=["rich"]) == "poor"


def test_all_arms_at_hand_are_never_all_refused() -> None:
    allocation, random = among(*"abcdef"), Random(5)
    for left in range(500, 0, -1):
        arm = allocation.choose("abcdef", left=left)
        assert arm is not None
        allocation.learn(arm, 1, float(random.random() < 0.2))


def test_requests_in_flight_count_as_asked() -> None:
    allocation = among("a", "b")
    chosen = []
    for _ in range(4):
        arm = allocation.choose("ab", left=100)
        assert arm is not None
        allocation.sent(arm)
        chosen.append(arm)
    assert chosen == ["a", "b", "a", "b"]


def test_not_more_arms_are_begun_than_the_budget_can_see_through() -> None:
    rates = dict.fromkeys(map(str, range(500)), 0.0)
    assert len(spend(among(*rates), rates, 400)) == pytest.approx(10, abs=2)


def test_an_ended_arm_is_left_out_until_it_is_woken() -> None:
    allocation = among("a", "b")
    allocation.end("a")
    assert allocation.choose("ab", left=10) == "b"
    assert allocation.choose("a", left=10) is None
    allocation.end("b")
    assert allocation.choose("ab", left=10) is None
    allocation.wake("a")
    assert allocation.choose("ab", left=10) == "a"


def test_strangers_are_not_chosen() -> None:
    assert among("a").choose(["nobody"], left=10) is None
    assert Allocation().choose(["nobody"], left=10) is None


def test_the_order_in_which_arms_are_handed_in_makes_no_difference() -> None:
    allocation = among(*"abcdef")
    assert allocation.choose("fedcba", left=10) == allocation.choose("abcdef", left=10) == "a"


def test_it_goes_on_from_its_state() -> None:
    rates = {"a": 0.4, "b": 0.2, "c": 0.1}
    one = among(*rates, "ended")
    one.end("ended")
    spend(one, rates, 100)
    other = Allocation()
    other.restore(one.state())
    assert other.alive() == one.alive()
    assert other.why("b", left=50) == one.why("b", left=50)
    assert spend(other, rates, 100, seed=2) == spend(one, rates, 100, seed=2)


def test_many_arms_are_kept_apart() -> None:
    names = [f"site {number}" for number in range(1000)]
    allocation = among(*names)
    for name in names:
        allocation.learn(name, 50, 25.0 if name == "site 777" else 1.0)
    assert allocation.choose(names, left=5000) == "site 777"


def test_an_answer_that_cost_nothing_is_counted_by_what_it_brought() -> None:
    allocation = among("a")
    allocation.sent("a")
    allocation.learn("a", 0, 2.0)
    told = allocation.why("a")
    assert (told["requests"], told["finds"]) == (0, 2.0)


def test_why_is_plain_and_tells_the_figures() -> None:
    allocation = among("a", "b")
    allocation.learn("a", 20, 10.0)
    allocation.learn("b", 20, 0.0)
    told = json.loads(json.dumps(allocation.why("b", left=100)))
    assert told["kind"] == "site"
    assert (told["requests"], told["finds"], told["better"]) == (20, 0.0, 1)
    assert told["expected"] < told["hoped"] < allocation.why("a", left=100)["hoped"]


def searching(*sites: str) -> Allocation:
    allocation = among(*sites)
    allocation.add("search", kind="discovery")
    return allocation


def test_without_a_site_discovery_is_asked() -> None:
    assert searching().choose(["search"], left=100) == "search"


def test_a_site_that_nobody_has_tried_comes_before_more_discovery() -> None:
    allocation = searching()
    allocation.learn("search", 10, 0.0, 1)
    allocation.add("found")
    assert allocation.choose(["search", "found"], left=100) == "found"


def test_discovery_goes_on_when_the_sites_have_faded() -> None:
    allocation = searching("first", "second")
    allocation.learn("search", 20, 0.0, 2)
    for site in ("first", "second"):
        allocation.learn(site, 30, 20.0)
    everybody = ["search", "first", "second"]
    assert allocation.choose(everybody, left=300) != "search"
    for site in ("first", "second"):
        allocation.learn(site, 200, 0.0)
    assert allocation.choose(everybody, left=2000) == "search"


def used_up(*waiting: str) -> Allocation:
    """Return one whose good sites have ended, while others wait that were found, too."""
    allocation = searching("first", "second", *waiting)
    allocation.learn("search", 40, 0.0, 2 + len(waiting))
    for site in ("first", "second"):
        allocation.learn(site, 40, 30.0)
        allocation.end(site)
    return allocation


def test_sites_that_wait_come_before_discovery_when_the_good_ones_are_used_up() -> None:
    allocation = used_up("third", "fourth")
    begun = []
    for left in (500, 499):
        begun.append(allocation.choose(allocation.alive(), left=left))
        allocation.sent(begun[-1] or "")
    assert sorted(map(str, begun)) == ["fourth", "third"]


def test_while_one_site_that_waits_is_busy_another_comes_before_discovery() -> None:
    allocation = used_up("third", "fourth")
    allocation.sent("third")
    assert allocation.choose(["search", "fourth"], left=500, soon=["third"]) == "fourth"


def test_a_site_of_little_promise_does_not_keep_discovery_from_going_on() -> None:
    allocation = used_up()
    allocation.add("poor", promise=0.05)
    assert allocation.choose(["search", "poor"], left=500) == "search"


def test_a_site_that_was_tried_for_nothing_does_not_keep_discovery_from_going_on() -> None:
    allocation = used_up("third")
    allocation.learn("third", 60, 0.0)
    assert allocation.choose(["search", "third"], left=500) == "search"


def test_discovery_that_finds_nothing_more_is_left() -> None:
    allocation = searching("good", "fair")
    allocation.learn("search", 20, 0.0, 2)
    rates = {"good": 0.5, "fair": 0.2, "search": 0.0}
    asked = spend(allocation, rates, 400)
    assert asked["search"] < 100


def test_the_more_sites_wait_the_less_another_is_worth() -> None:
    few, many = searching("a", "b"), searching("a", "b", *map(str, range(20)))
    for allocation in (few, many):
        allocation.learn("search", 20, 0.0, 4)
        allocation.learn("a", 40, 20.0)
        allocation.learn("b", 40, 2.0)
    assert many.why("search", left=500)["hoped"] < few.why("search", left=500)["hoped"]


def test_a_promise_holds_for_what_was_brought_too() -> None:
    allocation = among("a", "b")
    for site in "ab":
        allocation.learn(site, 50, 25.0)
    allocation.add("a", promise=0.2)
    assert allocation.choose("ab", left=100) == "b"
    assert allocation.expected("a") < allocation.expected("b") / 4


def test_a_new_site_is_hoped_to_be_as_usual_when_the_good_ones_have_ended() -> None:
    allocation = Allocation()
    for arm in ("good", "endless", "new"):
        allocation.add(arm)
    for _ in range(20):
        allocation.sent("good")
        allocation.learn("good", 1, 0.5)
    for _ in range(60):
        allocation.sent("endless")
        allocation.learn("endless", 1, 0.02)
    allocation.end("good")
    assert allocation.choose(["endless", "new"], left=100) == "new"
    assert allocation.why("new", left=100)["hoped"] > 5 * 0.02


def test_an_arm_that_brought_much_and_then_nothing_for_long_makes_room_at_once() -> None:
    allocation = Allocation()
    allocation.add("spent")
    allocation.add("new", promise=0.8)
    for found in [1.0] * 60 + [0.0] * 25:
        allocation.learn("spent", 1, found)
    assert allocation.choose(["spent", "new"], left=20) == "new"


def test_an_arm_that_always_brought_seldom_is_not_given_up_for_a_gap() -> None:
    allocation = Allocation()
    for arm in ("often", "seldom"):
        allocation.add(arm)
    for number in range(100):
        allocation.learn("often", 1, 0.1)
        allocation.learn("seldom", 1, float(number % 8 == 0))
    before = allocation.expected("seldom")
    for _ in range(20):
        allocation.learn("seldom", 1, 0.0)
    assert allocation.expected("seldom") > 0.7 * before


def test_much_of_what_hardly_counts_does_not_keep_others_from_being_tried() -> None:
    names = [f"new {number}" for number in range(10)]
    allocation = among("everything", *names)
    for _ in range(50):
        allocation.learn("everything", 1, 0.05, number=1)
    assert allocation.choose(["everything", *names], left=60) in names


def test_many_finds_that_hardly_count_promise_less_than_one_that_does() -> None:
    allocation = among("off", "on")
    for first in (True, *[False] * 9):
        allocation.learn("off", 1, 0.05, number=1)
        allocation.learn("on", 1, 0.5 * first, number=int(first))
    assert allocation.choose(["off", "on"], left=100) == "on"


def test_how_many_finds_there_were_makes_no_difference_where_each_counts_in_full() -> None:
    one, other = among("a", "b"), among("a", "b")
    for step in range(60):
        found = float(step % 3 == 0)
        one.learn("a", 1, found)
        other.learn("a", 1, found, number=int(found))
        assert one.why("b", left=100) == other.why("b", left=100)


def test_discovery_is_worth_ever_less_while_it_finds_nothing() -> None:
    allocation = searching("good", "fair")
    allocation.learn("search", 20, 0.0, 2)
    for site in ("good", "fair"):
        allocation.learn(site, 30, 10.0)
    hopes = []
    for _ in range(3):
        for _ in range(300):
            allocation.learn("search", 1, 0.0)
        hopes.append(allocation.why("search", left=1000)["hoped"])
    assert hopes[0] > 1.4 * hopes[1] > 1.4 * hopes[2]


def test_what_finds_count_is_said_anew_for_all_that_were_brought() -> None:
    one, other = among("a", "b"), among("a", "b")
    for step in range(30):
        one.learn("a", 1, 0.05 * (step % 2), number=step % 2)
        other.learn("a", 1, 0.5 * (step % 2), number=step % 2)
    one.weigh("a", 0.5)
    assert one.why("a", left=100) == other.why("a", left=100)
    assert one.why("b", left=100) == other.why("b", left=100)
