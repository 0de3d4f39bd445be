"""Questions on suspicion are few, and fewer where they do not pay."""

from filon.verbs.follow.strategies.listings import Probes


def known_until_asked(probes: Probes, domain: str) -> int:
    for known in range(1, 10_000):
        if "void" in probes.due(domain):
            return known
    return 10_000


def test_a_domain_of_which_little_is_known_is_not_asked() -> None:
    probes = Probes()
    assert not any(probes.due("a.example") for _ in range(39))


def test_each_domain_is_asked_once_of_each_kind() -> None:
    probes = Probes()
    asked = [kind for _ in range(5_000) for kind in probes.due("a.example")]
    assert sorted(asked) == ["sitemap", "void"]


def test_questions_that_do_not_pay_become_rare() -> None:
    probes = Probes()
    first = known_until_asked(probes, "a.example")
    for _ in range(50):
        probes.note("void", paid=False)
    assert known_until_asked(probes, "b.example") > 3 * first


def test_questions_that_pay_become_frequent() -> None:
    probes = Probes()
    first = known_until_asked(probes, "a.example")
    for _ in range(50):
        probes.note("void", paid=True)
    assert known_until_asked(probes, "b.example") < first / 4
    assert probes.summary() == {"void": [50, 50]}


def test_on_a_web_without_catalogues_little_is_wasted() -> None:
    probes, asked = Probes(), 0
    for number in range(25_000):
        for kind in probes.due(f"host{number % 400}.example", ("void",)):
            probes.note(kind, paid=False)
            asked += 1
    assert asked < 25_000 / 500


def test_it_goes_on_from_its_state() -> None:
    probes, other = Probes(), Probes()
    for _ in range(39):
        probes.due("a.example")
    probes.note("sitemap", paid=False)
    other.restore(probes.state())
    assert other.due("a.example") == probes.due("a.example") == ["void"]
