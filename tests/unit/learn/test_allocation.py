"""Who gets the next request."""

from random import Random

from filon.learn.allocation import Allocation


def test_most_requests_go_to_the_arm_that_brings_most() -> None:
    allocation, chance = Allocation(seed=1), Random(1)
    rates = {"rich": 0.8, "fair": 0.4, "poor": 0.05}
    for arm in rates:
        allocation.add(arm)
    asked = dict.fromkeys(rates, 0)
    for _ in range(300):
        arm = allocation.choose(list(rates)) or "rich"
        asked[arm] += 1
        allocation.learn(arm, 1, float(chance.random() < rates[arm]))
    assert asked["rich"] > 2 * asked["fair"] > 2 * asked["poor"]


def test_an_arm_that_dries_up_gives_way_to_one_that_had_waited() -> None:
    allocation = Allocation(seed=2)
    for arm in ("first", "second"):
        allocation.add(arm)
    chosen = []
    for turn in range(400):
        arm = allocation.choose(["first", "second"]) or ""
        chosen.append(arm)
        brought = (1.0 if turn < 100 else 0.0) if arm == "first" else 0.3
        allocation.learn(arm, 1, brought)
    assert chosen[:100].count("first") > 80
    assert chosen[200:].count("second") > 150


def test_who_counts_requests_waits_for_a_good_arm_that_is_busy() -> None:
    for patient, expected in ((True, None), (False, "poor")):
        allocation = Allocation(seed=1, patient=patient)
        for arm, finds in (("rich", 1.0), ("poor", 0.0)):
            allocation.add(arm)
            for _ in range(40):
                allocation.learn(arm, 1, finds)
        assert allocation.choose(["poor"]) == expected


def test_an_arm_that_ended_is_not_chosen_until_it_wakes() -> None:
    allocation = Allocation()
    allocation.add("only")
    allocation.end("only")
    assert allocation.choose(["only"]) is None
    allocation.wake("only")
    assert allocation.choose(["only"]) == "only"


def test_discovery_is_worth_less_the_more_sites_wait_to_be_tried() -> None:
    allocation = Allocation()
    allocation.add("discover", kind="discovery")
    before = allocation.expected("discover")
    for number in range(5):
        allocation.add(f"site {number}")
    assert allocation.expected("discover") < before


def test_why_tells_what_an_arm_cost_and_brought() -> None:
    allocation = Allocation()
    allocation.add("a", promise=0.5)
    allocation.learn("a", 1, 2.0)
    told = allocation.why("a")
    assert (told["requests"], told["finds"], told["promise"]) == (1, 2.0, 0.5)
