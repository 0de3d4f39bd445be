from collections import deque
from random import Random

import pytest

from filon.verbs.follow.strategies import Candidate
from filon.verbs.follow.strategies.kinds import Kinds, kind, traits


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://a.org/id/thing/Quartz", "http://a.org/id/thing/Opal"),
        ("http://a.org/page/1.html", "http://a.org/page/2.html"),
        ("http://a.org/x?id=1", "http://a.org/x?id=2"),
        ("http://a.org/2019/07/x", "http://a.org/2021/11/y"),
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


def test_a_kind_that_is_little_known_is_sometimes_drawn_before_one_that_is_well_known() -> None:
    firsts = []
    for seed in range(40):
        known = Kinds(Random(seed))
        known.add("known", candidate("http://known/1"), 0.5)
        for number in range(100):
            known.note("known", hit=number % 2 == 0, gain=float(number % 2 == 0))
        known.add("new", candidate("http://new/1"), 0.45)
        firsts.append(best(known))
    assert {"known", "new"} == set(firsts)


def test_draws_are_the_same_after_a_restore() -> None:
    known = kinds("a", "b", "c")
    again = Kinds(Random(99))
    again.restore(known.state())
    again.queues = [deque(queue) for queue in known.queues]
    known.redraw()
    again.redraw()
    assert known.values().tolist() == again.values().tolist()


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
