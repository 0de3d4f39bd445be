"""What every strategy that follows Linked Data promises, checked on each, also on oracles."""

import asyncio
from collections.abc import Mapping

import pytest

from contracts.elsewhere import told_elsewhere
from experiments.follow.strategies import NAMES, build
from filon.core import Account, Budget, Response, Strategy, drive
from filon.core.response import ERRORS
from filon.run.checkpoint import Checkpoint, dump, load
from filon.testing.case import Memory
from filon.verbs.follow.strategies import Brief, Lead
from toyweb import GRAPHS, SEED, ToyWeb

every = pytest.mark.parametrize("name", NAMES)
TRAINING = [
    (Lead(uri=f"http://{host}.example/{n}", document="http://x.example/"), "text/plain", label)
    for n in range(5)
    for host, label in (("b", True), ("d", True), ("dead", False))
]


def strategy(name: str, web: ToyWeb, seed: int = 1) -> Strategy:
    return build(name, Brief(seeds=(SEED,), seed=seed), web, TRAINING)


def run(name: str, budget: str = "200", parallel: int = 1) -> tuple[Memory, ToyWeb]:
    web, memory = ToyWeb(), Memory()
    account = Account(Budget.parse(budget), parallel)
    asyncio.run(drive(strategy(name, web), web, account, memory, parallel=parallel))
    return memory, web


def told(name: str) -> str:
    memory, _ = run(name)
    return "\n".join(f"{step.request.method} {step.request.url}" for step in memory.steps)


@every
def test_what_it_finds_are_documents_with_rdf(name: str) -> None:
    memory, _ = run(name)
    found = [find.url for find in memory.finds]
    assert set(found) <= GRAPHS
    assert len(found) == len(set(found))
    assert "http://a.example/start" in found


@every
@pytest.mark.parametrize("parallel", [1, 4])
def test_never_asks_the_same_thing_twice_and_never_overspends(name: str, parallel: int) -> None:
    _, web = run(name, parallel=parallel)
    assert len(web.log) == len(set(web.log))
    assert len(run(name, "7", parallel)[1].log) <= 7


@pytest.fixture(scope="module")
def elsewhere() -> Mapping[str, set[str]]:
    return told_elsewhere("contracts.test_follow", list(NAMES), 99)


@every
def test_the_same_seed_gives_the_same_steps_in_another_process(
    name: str, elsewhere: Mapping[str, set[str]]
) -> None:
    assert elsewhere[name] == {told(name)}


@every
@pytest.mark.parametrize("answers", [0, 1, 3, 6, 9, 13, 18])
def test_goes_on_from_its_state_with_the_same_steps(name: str, answers: int) -> None:
    web = ToyWeb()
    first = strategy(name, web)
    for _ in range(answers):
        step = first.propose()
        if step is None:
            break
        first.observe(step, asyncio.run(web.fetch(step.request)))
    flying = first.propose()
    second = strategy(name, web, seed=5)
    second.restore(load(dump(Checkpoint(state=first.state(), flying={}))).state)
    if flying is not None:
        answer = asyncio.run(web.fetch(flying.request))
        assert first.observe(flying, answer) == second.observe(flying, answer)
    while True:
        one, other = first.propose(), second.propose()
        assert one == other
        if one is None or other is None:
            break
        answer = asyncio.run(web.fetch(one.request))
        assert first.observe(one, answer) == second.observe(other, answer)


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
        Response(
            url=url,
            status=200,
            body=b"\xff\xfe\x00garbage",
            headers=(("Content-Type", "text/turtle"),),
        ),
        Response(url=url, status=200, headers=html, cut="type"),
        Response(url=url, status=200, headers=(("Content-Type", "a" * 5000),), body=b"{" * 1000),
    ]


@every
def test_survives_every_kind_of_answer(name: str) -> None:
    kinds = len(answers("http://a.example/"))
    for kind in range(kinds):
        web = ToyWeb()
        one = strategy(name, web)
        for number in range(30):
            step = one.propose()
            if step is None:
                break
            good = number == 0
            answer = (
                asyncio.run(web.fetch(step.request)) if good else answers(step.request.url)[kind]
            )
            one.observe(step, answer)
        assert isinstance(one.summary(), dict)


@every
def test_says_why(name: str) -> None:
    memory, _ = run(name)
    assert all(step.reason.text for step in memory.steps)


@pytest.mark.parametrize("name", ["bfs", "lode"])
def test_those_with_shortcuts_find_all_and_ask_for_nothing_that_a_dump_told(name: str) -> None:
    memory, web = run(name)
    assert {find.url for find in memory.finds} == GRAPHS
    assert not [url for _, url in web.log if url.startswith("http://dump.example/id/")]


@pytest.mark.parametrize("name", ["bfs", "lode"])
def test_what_shortcuts_did_is_in_the_summary(name: str) -> None:
    web = ToyWeb()
    one = strategy(name, web)
    asyncio.run(drive(one, web, Account(Budget.parse("200"), 1), Memory()))
    told = one.summary()["shortcuts"]
    assert told["endpoints"]["http://sparql.example/q"] == {"pages": 3, "triples": 1200}
    assert told["contexts"] == {"kept": 1, "failed": 1}
    assert told["covered"] >= 1
    assert told["covered_prefixes"] == ["http://dump.example/id/"]
