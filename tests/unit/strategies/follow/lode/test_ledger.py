from filon.strategies.follow import Lead
from filon.strategies.follow.lode.ledger import Kinds


def lead(url: str) -> Lead:
    return Lead(uri=url, document=url)


def kinds(*names: str, chance: float = 0.5) -> Kinds:
    known = Kinds()
    for name in names:
        for number in range(3):
            known.add(name, lead(f"http://{name}/{number}"), chance)
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
    known.add("bright", lead("http://bright/1"), 0.9)
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


def test_leads_of_a_kind_go_in_the_order_they_came() -> None:
    known = kinds("a")
    assert [known.take(0).document for _ in range(3)] == [f"http://a/{n}" for n in range(3)]
