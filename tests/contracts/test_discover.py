"""What every strategy that discovers promises, checked on each that is registered."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from contracts.elsewhere import told_elsewhere
from filon.core import Account, Budget, Response, Strategy, UserError, drive
from filon.core.abilities import Ranks, TellsServices, able
from filon.core.response import ERRORS
from filon.run.checkpoint import Checkpoint, dump, load
from filon.testing.case import Memory
from filon.verbs.discover.strategies import OPTIONS, STRATEGIES, VARIANTS, Brief, build
from toydiscovery import OTHERS, SEARCHERS, SEEDS, TOPIC, ToyDiscovery


def modes(name: str) -> tuple[str, ...]:
    made: Any = STRATEGIES[name]
    return tuple(made.modes)


#: A strategy with each of its modes.
KINDS = [f"{name} {mode}".strip() for name in STRATEGIES for mode in modes(name) or ("",)]
every = pytest.mark.parametrize("kind", KINDS)
each = pytest.mark.parametrize("name", STRATEGIES)
#: These never ask for pages about words; the last asks no service for anything.
NO_KEYWORDS = ("bipartite", "ache")
searching = pytest.mark.parametrize("name", [one for one in STRATEGIES if one not in NO_KEYWORDS])


def strategy(kind: str, seed: int = 1) -> Strategy:
    name, _, mode = kind.partition(" ")
    options = {"mode": mode} if mode else {}
    brief = Brief(
        topic=TOPIC, seeds=SEEDS, searchers=SEARCHERS, seed=seed, others=OTHERS, options=options
    )
    return build(name, brief)


def run(kind: str, budget: str = "600", parallel: int = 1) -> tuple[Memory, ToyDiscovery]:
    web, memory = ToyDiscovery(), Memory()
    account = Account(Budget.parse(budget), parallel)
    asyncio.run(drive(strategy(kind), web, account, memory, parallel=parallel))
    return memory, web


def told(kind: str) -> str:
    return "\n".join(step.request.url for step in run(kind)[0].steps)


@every
@pytest.mark.parametrize("parallel", [1, 4])
def test_never_asks_the_same_thing_twice_and_never_overspends(kind: str, parallel: int) -> None:
    memory, web = run(kind, parallel=parallel)
    assert len(web.log) == len(set(web.log))
    found = [(find.kind, find.url) for find in memory.finds]
    assert len(found) == len(set(found))
    assert len(run(kind, "7", parallel)[1].log) == 7


@every
def test_says_why_and_what_led_there(kind: str) -> None:
    memory, _ = run(kind)
    assert all(step.reason.text for step in memory.steps)
    assert all(find.name for find in memory.finds)


@pytest.fixture(scope="module")
def elsewhere() -> Mapping[str, set[str]]:
    return told_elsewhere("contracts.test_discover", list(STRATEGIES), 99)


@each
def test_the_same_seed_gives_the_same_steps_in_another_process(
    name: str, elsewhere: Mapping[str, set[str]]
) -> None:
    assert elsewhere[name] == {told(name)}


@every
@pytest.mark.parametrize("answers", [0, 1, 5, 30, 80])
def test_goes_on_from_its_state_with_the_same_steps(kind: str, answers: int) -> None:
    web = ToyDiscovery()
    first = strategy(kind)
    for _ in range(answers):
        step = first.propose()
        if step is None:
            break
        first.observe(step, asyncio.run(web.fetch(step.request)))
    flying = first.propose()
    second = strategy(kind, seed=5)
    second.restore(load(dump(Checkpoint(state=first.state(), flying={}))).state)
    if flying is not None:
        answer = asyncio.run(web.fetch(flying.request))
        assert first.observe(flying, answer) == second.observe(flying, answer)
    for _ in range(100):
        one, other = first.propose(), second.propose()
        assert one == other
        if one is None or other is None:
            break
        answer = asyncio.run(web.fetch(one.request))
        assert first.observe(one, answer) == second.observe(other, answer)
    assert first.summary() == second.summary()


def answers(url: str) -> list[Response]:
    html = (("Content-Type", "text/html"),)
    return [
        *(Response(url=url, error=error) for error in sorted(ERRORS) if error),
        *(
            Response(url=url, status=status, headers=html, body=b"x")
            for status in (204, 404, 429, 503)
        ),
        Response(url=url, status=302, headers=(("Location", "http://[bad"),)),
        Response(url=url, status=302, headers=(("Location", "mailto:x@y"),)),
        Response(url=url, status=200, body=b"\xff\xfe\x00garbage", headers=html),
        Response(url=url, status=200, headers=html, cut="type"),
        Response(url=url, status=200, headers=(("Content-Type", "a" * 5000),), body=b"{" * 1000),
        Response(url=url, status=200, headers=html, body=b""),
    ]


@each
def test_survives_every_kind_of_answer(name: str) -> None:
    for number in range(len(answers("http://a.example/"))):
        web = ToyDiscovery()
        one = strategy(name)
        for count in range(40):
            step = one.propose()
            if step is None:
                break
            good = asyncio.run(web.fetch(step.request))
            one.observe(step, answers(step.request.url)[number] if count % 3 == 2 else good)
        assert isinstance(one.summary(), dict)


@searching
def test_a_service_that_fails_is_told_as_failing_and_the_next_is_asked(name: str) -> None:
    web, one = ToyDiscovery(), strategy(name)
    asyncio.run(drive(one, web, Account(Budget.parse("300"), 1), Memory()))
    first, second = one.summary()["searchers"]
    assert first["searcher"] == "captcha"
    assert first["out"] == "schema"
    assert first["failed: schema"] == 3
    assert second["results"] > 0
    assert not second["out"]


@searching
def test_a_spent_quota_ends_searching_and_nothing_else(name: str) -> None:
    web, one = ToyDiscovery(quota=12), strategy(name)
    asyncio.run(drive(one, web, Account(Budget.parse("300"), 1), Memory()))
    assert one.summary()["searchers"][1]["out"] == "quota"
    searches = [url for _, url in web.log if url.startswith("http://toy.example/")]
    assert len(searches) == 13
    knows_another_way = name != "seedfinder"
    assert web.log[-1][1].startswith("http://toy.example/") != knows_another_way


@each
def test_all_that_was_found_is_told_in_the_order_of_the_summary(name: str) -> None:
    web, one = ToyDiscovery(), strategy(name)
    asyncio.run(drive(one, web, Account(Budget.parse("300"), 1), Memory()))
    assert isinstance(one, Ranks)
    told = [found.told() for found in one.ranked()]
    assert told
    assert told == one.summary()["found"]


@each
def test_the_services_are_told_as_the_summary_tells_them(name: str) -> None:
    web, one = ToyDiscovery(), strategy(name)
    asyncio.run(drive(one, web, Account(Budget.parse("100"), 1), Memory()))
    asking = able(one, TellsServices)
    assert asking is not None
    assert asking.services() == one.summary()["searchers"]


@each
def test_wrong_options_are_told_in_one_sentence(name: str) -> None:
    with pytest.raises(UserError, match="no option 'colour'"):
        build(name, Brief(topic="x", options={"colour": "red"}))
    assert bool(modes(name)) == ("mode" in OPTIONS[name])
    if not modes(name):
        return
    with pytest.raises(UserError, match="no mode 'wild'"):
        build(name, Brief(topic="x", options={"mode": "wild"}))


def test_an_unknown_name_gets_a_hint() -> None:
    with pytest.raises(UserError, match="did you mean"):
        build("discoo", Brief(topic="x"))


def test_every_mode_of_the_papers_strategies_has_a_short_name() -> None:
    assert {mode: name for name in ("dsdd", "disco") for mode in modes(name)} == VARIANTS


@pytest.mark.parametrize("mode", VARIANTS)
def test_a_mode_is_a_short_name_for_its_strategy(mode: str) -> None:
    short, long = strategy(mode), strategy(f"{VARIANTS[mode]} {mode}")
    assert type(short) is type(long)
    states = [dump(Checkpoint(state=one.state(), flying={})) for one in (short, long)]
    assert states[0] == states[1]
    assert short.propose() == long.propose()
    with pytest.raises(UserError, match="leave out the mode"):
        build(mode, Brief(topic="x", options={"mode": "another"}))
