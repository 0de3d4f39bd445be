"""What every strategy round another must keep, alone and one round the other."""

import random
from collections.abc import Callable

import pytest

from filon.core import Response, Step, Strategy
from filon.core.abilities import HearsSitemaps, Ranks, able
from filon.guards.host_backoff import HostBackoff
from filon.guards.outage import OutageGuard
from filon.guards.quota import QuotaGuard
from filon.guards.retry import RetryGuard
from filon.guards.robots import RobotsGuard
from filon.page.types import Types
from filon.verbs.harvest.portal import Enumerated
from filon.verbs.harvest.strategies.brief import Brief
from filon.verbs.harvest.strategies.site import SiteState
from unit.guards.inner import Listed, answer, run, thawed
from unit.guards.meters import Toy

BRIEF = Brief(start="http://a.org/", types=Types.parse("data"))
HOSTS = ["http://a.org", "https://a.org", "http://b.a.org"]
Wrap = Callable[[Strategy], Strategy]
GUARDS: dict[str, Wrap] = {
    "robots": lambda inner: RobotsGuard(inner, "filon"),
    "retry": lambda inner: RetryGuard(inner),
    "enumerated": lambda inner: Enumerated(inner, SiteState(BRIEF), {}, lambda page: []),
    "quota": lambda inner: QuotaGuard(inner, Toy(quota=30, window_s=500.0)),
    "quota round retry": lambda inner: QuotaGuard(RetryGuard(inner), Toy(delay_s=2.0)),
    "retry round robots": lambda inner: RetryGuard(RobotsGuard(inner, "filon")),
    "host backoff": lambda inner: HostBackoff(inner),
    "host backoff round all": lambda inner: HostBackoff(RetryGuard(RobotsGuard(inner, "filon"))),
    "outage": lambda inner: OutageGuard(inner),
    "outage round all": lambda inner: OutageGuard(RetryGuard(RobotsGuard(inner, "filon"))),
    "robots round retry": lambda inner: RobotsGuard(RetryGuard(inner), "filon"),
}


@pytest.fixture(params=GUARDS.values(), ids=list(GUARDS))
def wrap(request: pytest.FixtureRequest) -> Wrap:
    wrapper: Wrap = request.param
    return wrapper


def web(seed: int) -> tuple[list[str], dict[str, Response]]:
    """A made-up web: some hosts forbid, move or break their robots.txt, some pages fail."""
    chance = random.Random(seed)
    urls = [f"{chance.choice(HOSTS)}/{chance.choice(['', 'no/'])}{i}" for i in range(40)]
    says = {url: Response(url=url, status=chance.choice([200, 200, 404, 503])) for url in urls}
    rules = b"User-agent: *\nDisallow: /no/\nCrawl-delay: 2"
    for host in HOSTS:
        url = f"{host}/robots.txt"
        moved = (("Location", "http://c.org/r"),)
        says[url] = chance.choice(
            [
                Response(url=url, status=200, body=rules),
                Response(url=url, status=301, headers=moved),
                Response(url=url, status=503),
            ]
        )
    says["http://a.org/robots.txt"] = Response(
        url="http://a.org/robots.txt", status=200, body=rules
    )
    says["http://c.org/r"] = Response(url="http://c.org/r", status=200, body=rules)
    return urls, says


@pytest.mark.parametrize("seed", range(5))
def test_the_same_answers_give_the_same_steps(wrap: Wrap, seed: int) -> None:
    urls, says = web(seed)
    runs = [run(wrap(Listed(urls)), says, parallel=3, chance=random.Random(seed)) for _ in "12"]
    assert runs[0] == runs[1]
    assert len(runs[0]) > 5


@pytest.mark.parametrize("seed", range(5))
def test_a_state_can_be_taken_and_restored_at_any_time(wrap: Wrap, seed: int) -> None:
    urls, says = web(seed)
    whole, chance = wrap(Listed(urls)), random.Random(seed)
    flying: list[Step] = []
    checked = 0
    for _ in range(400):
        copy = wrap(Listed(urls))
        copy.restore(thawed(whole.state()))
        assert copy.state() == whole.state()
        if len(flying) < 4 and (step := whole.propose()):
            assert copy.propose() == step
            flying.append(step)
        elif flying:
            if len(flying) < 4:
                assert copy.propose() is None
            step = flying.pop(chance.randrange(len(flying)))
            response = answer(step, says, at_s=float(checked))
            assert copy.observe(step, response) == whole.observe(step, response)
        else:
            break
        assert copy.state() == whole.state()
        assert copy.summary() == whole.summary()
        checked += 1
    assert not flying
    assert checked > 10


@pytest.mark.parametrize("seed", range(5))
def test_the_inner_strategy_sees_each_of_its_steps_answered_once(wrap: Wrap, seed: int) -> None:
    urls, says = web(seed)
    inner = Listed(urls)
    run(wrap(inner), says, parallel=4, chance=random.Random(seed))
    assert len(inner.seen) == len(urls)
    assert {step for step, _ in inner.seen} == set(inner.proposed)


def test_nobody_is_asked_for_a_step_that_is_not_theirs(wrap: Wrap) -> None:
    assert run(wrap(Listed([])), {}) == []


@pytest.mark.parametrize("error", ["", "timeout", "closed", "dns", "protocol", "bomb", "headers"])
def test_every_kind_of_answer_is_survived(wrap: Wrap, error: str) -> None:
    body = b"\xff\0" * 50
    headers = (("Location", "http://["), ("Retry-After", "x"))
    urls = ["http://a.org/1", "http://a.org/2", "http://b.org/1"]
    for status in (0, 100, 204, 206, 304, 451, 599, 999):
        says = {
            url: Response(url=url, status=status, error=error, body=body, headers=headers)
            for url in [*urls, "http://a.org/robots.txt", "http://b.org/robots.txt"]
        }
        inner = Listed(urls)
        run(wrap(inner), says, parallel=2)
        assert len(inner.seen) == 3, status


class Listening(Listed):
    """Wants to know of sitemaps."""

    def __init__(self) -> None:
        super().__init__(["http://a.org/1"])
        self.heard: list[str] = []

    def hear_sitemaps(self, urls: list[str], at_s: float) -> None:
        self.heard += urls


def test_what_the_inner_strategy_can_do_is_seen_from_outside(wrap: Wrap) -> None:
    inner = Listening()
    listener = able(wrap(inner), HearsSitemaps)
    assert listener is not None
    listener.hear_sitemaps(["http://a.org/s.xml"], 1.0)
    assert inner.heard == ["http://a.org/s.xml"]


def test_what_nobody_within_can_do_is_not_pretended(wrap: Wrap) -> None:
    assert able(wrap(Listening()), Ranks) is None
    assert able(wrap(Listed([])), HearsSitemaps) is None
