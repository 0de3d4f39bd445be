from collections import deque

import numpy as np
import pytest

from filon.verbs.follow.strategies import Candidate
from filon.verbs.follow.strategies.kinds import TRIALS, Kinds, above, kind, rate, shape, traits


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://a.org/id/thing/Quartz", "http://a.org/id/thing/Opal"),
        ("http://a.org/page/1.html", "http://a.org/page/2.html"),
        ("http://a.org/x?id=1", "http://a.org/x?id=2"),
        ("http://a.org/2019/07/x", "http://a.org/2021/11/y"),
        ("http://a.org/obo/IAO_0000030", "http://a.org/obo/IAO_0000115"),
    ],
)
def test_what_a_host_publishes_alike_is_one_kind(one: str, other: str) -> None:
    assert kind(one) == kind(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://a.org/id/thing/Quartz", "http://b.org/id/thing/Quartz"),
        ("http://a.org/id/thing/Quartz", "http://a.org/id/place/Quartz"),
        ("http://a.org/page/1.html", "http://a.org/page/1"),
        ("http://a.org/x?id=1", "http://a.org/x?name=1"),
        ("http://a.org/x/", "http://a.org/x/y"),
        ("http://a.org/obo/IAO_0000030", "http://a.org/obo/GO_0000030"),
        ("http://a.org/v/Mineral", "http://a.org/v/hasPart"),
    ],
)
def test_what_differs_in_host_folder_or_form_does_not(one: str, other: str) -> None:
    assert kind(one) != kind(other)


def test_a_url_that_cannot_be_split_is_a_kind_of_its_own() -> None:
    assert kind("http://[bad/x") == "http://[bad/x"


def test_traits_tell_the_property_and_whether_the_host_speaks_of_itself() -> None:
    one = Candidate(
        uri="http://a.org/doc/7#it",
        document="http://a.org/doc/7",
        referrer="http://a.org/start",
        properties=("http://v.org/page",),
        roles=("object",),
    )
    found = traits(one)
    assert "host=a.org" in found
    assert "local=home" in found
    assert "property=http://v.org/page&home" in found
    assert "fragment=True" in found
    assert "word=doc" in found
    assert "prefix=a.org/doc" in found
    assert {"gram=/doc", "gram=doc/", "gram=oc/7"} <= set(found)


def candidate(url: str) -> Candidate:
    return Candidate(uri=url, document=url)


def kinds(*names: str, chance: float = 0.5) -> Kinds:
    known = Kinds()
    for name in names:
        for number in range(3):
            known.add(name, candidate(f"http://{name}/{number}"), chance)
    return known


def best(known: Kinds) -> str:
    return known.names[int(known.values().argmax())]


def test_a_kind_that_paid_goes_before_one_that_did_not() -> None:
    known = kinds("good", "bad")
    for name, hit in (("good", True), ("bad", False)):
        known.spend(name)
        known.note(name, hit=hit, gain=float(hit))
    assert best(known) == "good"


def test_what_the_model_says_counts_until_the_kind_has_answered() -> None:
    known = kinds("dull", chance=0.3)
    known.add("bright", candidate("http://bright/1"), 0.9)
    assert best(known) == "bright"
    for _ in range(8):
        known.spend("bright")
        known.note("bright", hit=False)
    assert best(known) == "dull"


def test_of_two_that_pay_alike_the_one_without_redirects_is_cheaper() -> None:
    known = kinds("straight", "roundabout")
    for name, requests in (("straight", 1), ("roundabout", 2)):
        for _ in range(10 * requests):
            known.spend(name)
        for _ in range(10):
            known.note(name, hit=True, gain=1.0)
    assert best(known) == "straight"


def test_a_kind_with_nothing_left_is_never_chosen() -> None:
    known = kinds("good", "bad")
    known.note("good", hit=True, gain=5.0)
    for _ in range(3):
        known.take(known.numbers["good"])
    assert best(known) == "bad"


def test_candidates_of_a_kind_go_in_the_order_they_came() -> None:
    known = kinds("a")
    assert [known.take(0).document for _ in range(3)] == [f"http://a/{n}" for n in range(3)]


def pool(hits: float, misses: float, waiting: int) -> float:
    return float(rate(np.array([hits]), np.array([misses]), np.array([float(waiting)]))[0])


def test_a_pool_of_one_promises_its_chance() -> None:
    assert pool(0.2, 0.8, 1) == pytest.approx(0.2)


def test_a_pool_promises_more_the_more_wait_in_it() -> None:
    promised = [pool(0.05, 0.95, waiting) for waiting in (1, 5, 50, 500, 5_000)]
    assert promised == sorted(promised)
    assert promised[-1] > 5 * promised[0]


def test_a_pool_promises_no_more_than_the_chance_after_a_find() -> None:
    for waiting in (2, 30, 10_000):
        assert 0.1 <= pool(0.1, 0.9, waiting) <= 1.1 / 2.0


def test_a_pool_promises_less_after_each_miss() -> None:
    promised = [pool(0.1, 0.9 + misses, 300) for misses in range(2 * TRIALS)]
    assert promised == sorted(promised, reverse=True)


def test_a_pool_that_is_well_known_promises_its_share() -> None:
    assert pool(60.0, 40.0, 1_000) == pytest.approx(0.6, abs=0.01)


def test_a_pool_with_nothing_in_it_promises_nothing() -> None:
    assert pool(0.5, 0.5, 0) == 0.0


def test_an_unlikely_kind_in_which_many_wait_goes_before_a_likelier_one_of_one() -> None:
    known = Kinds()
    known.add("a.org/one", candidate("http://a.org/one"), 0.4)
    for number in range(400):
        known.add("b.org/#", candidate(f"http://b.org/{number}"), 0.1)
    assert best(known) == "b.org/#"


def test_dead_names_of_another_form_do_not_keep_a_large_kind_from_being_tried() -> None:
    known = kinds("c.org/x", chance=0.5)
    known.add("a.org/obo/GO_#", candidate("http://a.org/obo/GO_1"), 0.5)
    for _ in range(200):
        known.spend("a.org/obo/GO_#")
        known.note("a.org/obo/GO_#", hit=False)
    for number in range(1_000):
        known.add("a.org/obo/IAO_#", candidate(f"http://a.org/obo/IAO_{number}"), 0.1)
    for _ in range(2):
        known.spend("c.org/x")
        known.note("c.org/x", hit=False)
    assert best(known) == "a.org/obo/IAO_#"


def neighbours(*, hit: bool) -> Kinds:
    """Return kinds of one folder that all answered alike, and one that was never tried."""
    known = kinds("a.org/id/A", "a.org/id/a", "a.org/id/#", "a.org/id/B_#", "a.org/doc/A")
    for name in known.names[:3]:
        known.note(name, hit=hit)
    known.values()
    return known


def test_a_kind_that_was_never_tried_borrows_from_those_beside_it() -> None:
    good, bad = neighbours(hit=True), neighbours(hit=False)
    assert bad.chance(3) < 0.3 < 0.7 < good.chance(3)


def test_it_borrows_less_from_those_farther_off() -> None:
    good = neighbours(hit=True)
    assert 0.5 < good.chance(4) <= good.chance(3)
    good.add("b.org/id/A", candidate("http://b.org/id/A"), 0.5)
    good.values()
    assert good.chance(5) == pytest.approx(0.5)


def test_a_kind_with_many_answers_tells_its_neighbours_no_more_than_one_with_few() -> None:
    chances = []
    for answers in (1, 100):
        known = kinds("a.org/id/A", "a.org/id/#")
        for _ in range(answers):
            known.note("a.org/id/A", hit=True)
        known.values()
        chances.append(known.chance(1))
    assert chances[0] == pytest.approx(chances[1])


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.org/x?id", ("a.org", "a.org", "a.org")),
        ("a.org/", ("a.org", "a.org", "a.org")),
        ("a.org/id/Q#", ("a.org", "a.org/id", "a.org/id")),
        ("urn:x", ("urn:x", "urn:x", "urn:x")),
    ],
)
def test_levels_above_a_kind(name: str, expected: tuple[str, str, str]) -> None:
    assert above(name) == expected


def test_a_long_name_with_numbers_is_no_code() -> None:
    assert shape("report-of-2019") == shape("minutes-of-2020") == "a#-"


def test_values_are_the_same_after_a_restore() -> None:
    known = neighbours(hit=True)
    known.note("a.org/id/#", hit=False)
    again = Kinds()
    again.restore(known.state())
    again.queues = [deque(queue) for queue in known.queues]
    for one in (known, again):
        one.note("a.org/doc/A", hit=True, gain=2.0)
        one.add("a.org/doc/#", candidate("http://a.org/doc/1"), 0.2)
    assert known.values().tolist() == again.values().tolist()
    assert known.waiting == again.waiting


def test_of_two_that_pay_alike_the_one_with_shorter_answers_is_cheaper() -> None:
    known = kinds("short", "long")
    for name, size_bytes in (("short", 1_000), ("long", 5_000_000)):
        for _ in range(20):
            known.spend(name, size_bytes)
            known.note(name, hit=True, gain=1.0)
    assert best(known) == "short"


def test_expected_finds_are_those_of_the_best_candidates() -> None:
    known = kinds("good", chance=0.5)
    known.add("bad", candidate("http://bad/1"), 0.1)
    assert known.expected_finds(2) == pytest.approx(1.0)
    assert known.expected_finds(100) == pytest.approx(1.6)
    assert Kinds().expected_finds(10) == 0.0
