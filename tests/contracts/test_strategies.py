"""What every strategy promises, checked on each that is registered."""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from contracts.elsewhere import digest, told_elsewhere
from filon.compare import oracles
from filon.core import Account, Budget, Find, Response, Step, Strategy, drive
from filon.guards.retry import RetryGuard
from filon.guards.robots import RobotsGuard
from filon.page.site import Site
from filon.page.types import Types
from filon.page.url import key
from filon.run.checkpoint import Checkpoint, dump, load
from filon.verbs.harvest.strategies import Brief, build
from toysite import HOST, ToySite


def brief(site: ToySite, seed: int = 1) -> Brief:
    return Brief(start=site.start, types=Types.parse("data"), seed=seed)


def plain(name: str) -> Callable[[ToySite], Strategy]:
    return lambda site: oracles.build(name, brief(site), site)


#: Every strategy by name, oracles too, and the two that go round another.
MAKERS: dict[str, Callable[[ToySite], Strategy]] = {
    **{name: plain(name) for name in oracles.NAMES},
    "retry(sb)": lambda site: RetryGuard(build("sb", brief(site))),
    "robots(sb)": lambda site: RobotsGuard(build("sb", brief(site)), agent="filon"),
    "retry(robots(sb))": lambda site: RetryGuard(
        RobotsGuard(build("sb", brief(site)), agent="filon")
    ),
}
every = pytest.mark.parametrize("name", MAKERS)


@dataclass
class Memory:
    """A Store that remembers."""

    steps: list[Step] = field(default_factory=list)
    finds: list[Find] = field(default_factory=list)

    def begin(self, step: Step, number: int = 0) -> int:
        self.steps.append(step)
        return len(self.steps)

    def record(
        self, number: int, step: Step, response: Response, finds: Sequence[Find], *, idle: bool
    ) -> None:
        self.finds.extend(finds)

    def checkpoint(self, strategy: Strategy) -> None:
        pass


def run(strategy: Strategy, site: ToySite, budget: str = "5000", parallel: int = 1) -> Memory:
    memory = Memory()
    account = Account(Budget.parse(budget), parallel)
    asyncio.run(drive(strategy, site, account, memory, parallel=parallel))
    return memory


@every
def test_finds_every_target_of_a_small_site(name: str) -> None:
    site = ToySite()
    found = {find.url for find in run(MAKERS[name](site), site).finds}
    assert found == set(site.targets())


@every
@pytest.mark.parametrize("parallel", [1, 8])
def test_never_proposes_a_url_twice_or_out_of_scope(name: str, parallel: int) -> None:
    site = ToySite()
    steps = run(MAKERS[name](site), site, parallel=parallel).steps
    counts = Counter((step.request.method, key(step.request.url)) for step in steps)
    assert max(counts.values()) == 1
    assert all(step.request.url in Site(HOST) for step in steps)


@every
@pytest.mark.parametrize("budget", ["1", "37", "40finds", "3kB"])
def test_never_overspends(name: str, budget: str) -> None:
    site = ToySite()
    memory = run(MAKERS[name](site), site, budget, parallel=8)
    bound = Budget.parse(budget)
    assert len(site.log) <= (bound.requests or 5000)
    assert len(memory.finds) <= (bound.finds or 5000)


def trace(strategy: Strategy, site: ToySite, width: int, most: int = 10_000) -> list[str]:
    """Drive with a fixed number of steps in flight, answered in order; return what was asked."""
    told: list[str] = []
    flying: list[Step] = []
    while len(told) < most:
        while len(flying) < width and (step := strategy.propose()):
            flying.append(step)
            told.append(repr(step))
        if not flying:
            break
        step = flying.pop(0)
        told.extend(map(repr, strategy.observe(step, site.answer(step.request))))
    return told


@every
@pytest.mark.parametrize("width", [1, 5])
@pytest.mark.parametrize("cut", [0, 1, 2, 13, 40, 90])
def test_goes_on_from_its_state_with_the_same_steps(name: str, width: int, cut: int) -> None:
    site, other_site = ToySite(), ToySite()
    strategy = MAKERS[name](site)
    flying: list[Step] = []
    for _ in range(cut):
        while len(flying) < width and (step := strategy.propose()):
            flying.append(step)
        if flying:
            step = flying.pop(0)
            strategy.observe(step, site.answer(step.request))
    other_site.clock_s = site.clock_s
    twin = MAKERS[name](other_site)
    twin.restore(load(dump(Checkpoint(state=strategy.state()))).state)
    for step in flying:
        strategy.observe(step, site.answer(step.request))
        twin.observe(replace(step), other_site.answer(step.request))
    assert trace(twin, other_site, width) == trace(strategy, site, width)
    assert twin.summary() == strategy.summary()


def told(name: str) -> str:
    """Return a digest of what a strategy asks for and of the state that it ends in."""
    site = ToySite()
    strategy = MAKERS[name](site)
    asked = "\n".join(trace(strategy, site, 3, 150)).encode()
    return digest(asked, dump(Checkpoint(state=strategy.state())))


@pytest.fixture(scope="module")
def elsewhere() -> Mapping[str, set[str]]:
    return told_elsewhere("contracts.test_strategies", list(MAKERS), 1, 77)


@every
def test_is_the_same_byte_for_byte_in_another_process(
    name: str, elsewhere: Mapping[str, set[str]]
) -> None:
    assert elsewhere[name] == {told(name)}


HTML = (("Content-Type", "text/html"),)
RESPONSES: dict[str, dict[str, Any]] = {
    "no answer": {"status": 0, "error": "timeout"},
    "refused": {"status": 0, "error": "connect"},
    "robots": {"status": 0, "error": "robots"},
    "private": {"status": 0, "error": "private"},
    "bomb": {"status": 200, "error": "bomb", "headers": HTML},
    "closed": {"status": 200, "error": "closed", "headers": HTML, "body": b"<a href=/x>"},
    "cut": {"status": 200, "cut": "type", "headers": (("Content-Type", "video/mp4"),)},
    "cut by size": {"status": 200, "cut": "size", "headers": (("Content-Type", "text/csv"),)},
    "empty": {"status": 200, "headers": HTML},
    "no type": {"status": 200, "body": b"a,b\n1,2\n"},
    "nonsense type": {"status": 200, "headers": (("Content-Type", "///;;"),), "body": b"\0\1"},
    "not utf-8": {"status": 200, "headers": HTML, "body": b"<a href='/\xff\xfe'>\x80</a>"},
    "all bad links": {"status": 200, "headers": HTML, "body": b"<a href='http://['>x</a>" * 50},
    "204": {"status": 204},
    "206": {"status": 206, "headers": (("Content-Type", "text/csv"),), "body": b"a,b"},
    "304": {"status": 304},
    "redirect nowhere": {"status": 301},
    "redirect to itself": {"status": 302, "headers": (("Location", f"{HOST}/"),)},
    "redirect to a file": {"status": 302, "headers": (("Location", "file:///etc/passwd"),)},
    "redirect to nonsense": {"status": 302, "headers": (("Location", "http://["),)},
    "429": {"status": 429, "headers": (("Retry-After", "soon"),)},
    "500": {"status": 500, "headers": HTML, "body": b"<a href=/y>oops</a>"},
    "503": {"status": 503, "headers": (("Retry-After", "1"),)},
    "999": {"status": 999},
}


@every
@pytest.mark.parametrize("vice", RESPONSES)
@pytest.mark.parametrize("place", [0, 1, 12])
def test_survives_every_kind_of_response(name: str, vice: str, place: int) -> None:
    site = ToySite(topics=2, datasets=2, news=4)
    strategy = MAKERS[name](site)
    answered = 0
    while step := strategy.propose():
        answer = site.answer(step.request)
        if answered >= place:
            fields = RESPONSES[vice]
            size = len(fields.get("body", b""))
            answer = Response(url=step.request.url, at_s=answer.at_s, size_bytes=size, **fields)
        finds = strategy.observe(step, answer)
        assert not finds or answered < place or vice == "no type"
        answered += 1
        assert answered < 500
    assert strategy.propose() is None
    strategy.summary()
