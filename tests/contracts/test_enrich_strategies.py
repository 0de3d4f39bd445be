"""What every enrichment strategy promises, checked on each that is registered."""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from contracts.elsewhere import digest, told_elsewhere
from experiments.enrich import strategies as experiments
from filon.core import Account, Budget, Find, Response, Step, Strategy, UserError, drive
from filon.guards.retry import RetryGuard
from filon.run.checkpoint import Checkpoint, dump, load
from filon.testing.case import Memory
from filon.verbs.enrich.strategies import OPTIONS, STRATEGIES, build
from toytable import ToyTable

Maker = Callable[[ToyTable], Strategy]


def plain(name: str) -> Maker:
    return lambda table: experiments.build(name, table.brief(), table.truth)


def drawing(name: str) -> Maker:
    return lambda table: build(name, table.brief(given=False, sample=12))


#: Every strategy by name; again those that can draw their sample themselves; one with retries.
MAKERS: dict[str, Maker] = {
    **{name: plain(name) for name in experiments.NAMES},
    **{
        f"{name}, drawing": drawing(name)
        for name in STRATEGIES
        if "sample" in OPTIONS.get(name, {})
    },
    "retry(simple)": lambda table: RetryGuard(build("simple", table.brief())),
}
#: The paper makes it ask again (Algorithm 3).
REPEATING = {"bound"}
#: The same algorithm gives up the rows that a full page did not show.
LOSING = {"bound"}
every = pytest.mark.parametrize("name", MAKERS)


def run(strategy: Strategy, table: ToyTable, budget: str = "2000", parallel: int = 1) -> Memory:
    memory = Memory()
    account = Account(Budget.parse(budget), parallel)
    asyncio.run(drive(strategy, table.hidden, account, memory, parallel=parallel))
    return memory


@every
@pytest.mark.parametrize("joins", ["and", "or"])
def test_finds_rows_each_once_and_names_them(name: str, joins: str) -> None:
    table = ToyTable(joins=joins)
    finds = run(MAKERS[name](table), table).finds
    names = [find.name for find in finds]
    assert len(set(names)) == len(names)
    assert len(finds) >= (0.2 if name in LOSING else 0.5) * len(table.dataset.matchable)
    assert {find.kind for find in finds} == {"record"}
    assert all(find.url.startswith("http") and find.parent for find in finds)


@every
@pytest.mark.parametrize("parallel", [1, 8])
def test_never_makes_the_same_call_twice(name: str, parallel: int) -> None:
    table = ToyTable()
    steps = run(MAKERS[name](table), table, parallel=parallel).steps
    counts = Counter((step.request.url, step.request.body) for step in steps)
    assert len(steps) > 5
    assert name in REPEATING or max(counts.values()) == 1


@every
@pytest.mark.parametrize("budget", [1, 7, 23])
def test_never_overspends(name: str, budget: int) -> None:
    table = ToyTable()
    run(MAKERS[name](table), table, str(budget), parallel=8)
    assert 1 <= table.hidden.calls <= budget


@every
def test_says_why(name: str) -> None:
    table = ToyTable()
    for step in run(MAKERS[name](table), table, "20").steps:
        assert step.reason.kind in ("query", "retry")
        assert step.reason.text
        assert "{" not in step.reason.text


def trace(strategy: Strategy, table: ToyTable, width: int, most: int = 10_000) -> list[str]:
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
        told.extend(map(repr, strategy.observe(step, table.answer(step.request))))
    return told


@every
@pytest.mark.parametrize("width", [1, 5])
@pytest.mark.parametrize("cut", [0, 1, 13, 40])
def test_goes_on_from_its_state_with_the_same_steps(name: str, width: int, cut: int) -> None:
    table = ToyTable()
    strategy = MAKERS[name](table)
    flying: list[Step] = []
    for _ in range(cut):
        while len(flying) < width and (step := strategy.propose()):
            flying.append(step)
        if flying:
            step = flying.pop(0)
            strategy.observe(step, table.answer(step.request))
    twin = MAKERS[name](table)
    twin.restore(load(dump(Checkpoint(state=strategy.state()))).state)
    for step in flying:
        strategy.observe(step, table.answer(step.request))
        twin.observe(replace(step), table.answer(step.request))
    assert trace(twin, table, width) == trace(strategy, table, width)
    assert twin.summary() == strategy.summary()


def told(name: str) -> str:
    """Return a digest of what a strategy asks for and of the state that it ends in."""
    table = ToyTable()
    strategy = MAKERS[name](table)
    asked = "\n".join(trace(strategy, table, 3, 150)).encode()
    return digest(asked, dump(Checkpoint(state=strategy.state())))


@pytest.fixture(scope="module")
def elsewhere() -> Mapping[str, set[str]]:
    return told_elsewhere("contracts.test_enrich_strategies", list(MAKERS), 1, 77)


@every
def test_is_the_same_byte_for_byte_in_another_process(
    name: str, elsewhere: Mapping[str, set[str]]
) -> None:
    assert elsewhere[name] == {told(name)}


JSON = (("Content-Type", "application/json"),)
RESPONSES: dict[str, dict[str, Any]] = {
    "no answer": {"status": 0, "error": "timeout"},
    "refused": {"status": 0, "error": "connect"},
    "robots": {"status": 0, "error": "robots"},
    "closed": {"status": 200, "error": "closed", "headers": JSON, "body": b'{"rows": ['},
    "cut": {"status": 200, "cut": "size", "headers": JSON},
    "empty": {"status": 200, "headers": JSON},
    "garbage": {"status": 200, "headers": JSON, "body": b"\x80\xff{]"},
    "half": {"status": 200, "headers": JSON, "body": b'{"rows": [1, 2'},
    "other fields": {"status": 200, "headers": JSON, "body": b'{"hits": []}'},
    "a list": {"status": 200, "headers": JSON, "body": b"[1, 2]"},
    "null": {"status": 200, "headers": JSON, "body": b"null"},
    "no such record": {
        "status": 200,
        "headers": JSON,
        "body": b'{"rows": [999999999], "page": 1, "more": false}',
    },
    "a captcha": {"status": 200, "headers": (("Content-Type", "text/html"),), "body": b"<html>"},
    "no results": {
        "status": 200,
        "headers": JSON,
        "body": b'{"rows": [], "page": 1, "more": false, "total": 0}',
    },
    "302": {"status": 302, "headers": (("Location", "http://["),)},
    "400": {"status": 400},
    "401": {"status": 401},
    "404": {"status": 404},
    "429": {"status": 429, "headers": (("Retry-After", "soon"),)},
    "500": {"status": 500, "body": b"oops"},
    "503": {"status": 503, "headers": (("Retry-After", "1"),)},
}


@every
@pytest.mark.parametrize("vice", RESPONSES)
@pytest.mark.parametrize("place", [0, 6])
def test_survives_every_kind_of_response(name: str, vice: str, place: int) -> None:
    table = ToyTable(rows=12, hidden=30)
    strategy = MAKERS[name](table)
    answered = 0
    while step := strategy.propose():
        answer = table.answer(step.request)
        if answered >= place:
            answer = Response(url=step.request.url, at_s=1.0, **RESPONSES[vice])
        finds = strategy.observe(step, answer)
        assert not finds or answered < place
        answered += 1
        assert answered < 1500
    assert strategy.propose() is None
    strategy.summary()


@every
@pytest.mark.parametrize("status", [429, 500])
def test_asks_again_what_failed_in_passing(name: str, status: int) -> None:
    table, calm = ToyTable(), ToyTable()
    strategy = MAKERS[name](table)
    finds: list[Find] = []
    answered = 0
    while step := strategy.propose():
        answer = table.answer(step.request)
        if answered % 7 == 3:
            answer = Response(url=step.request.url, status=status, at_s=1.0)
        finds += strategy.observe(step, answer)
        answered += 1
    undisturbed = run(MAKERS[name](calm), calm).finds
    # The order differs, and with it what a solid query gives up; but nothing is lost for good.
    assert len(finds) >= 0.9 * len(undisturbed)


@every
def test_takes_a_table_without_rows_and_one_without_words(name: str) -> None:
    table = ToyTable()
    for cells in ([], ["", "--", "of the"], ["same", "same", "same"]):
        nobody = replace(table.dataset, gold={})
        brief = replace(table.brief(), columns={"title": cells}, matcher=nobody)
        if "drawing" in name:
            brief = replace(brief, sample=None, options={"sample": 3})
        bare = name.partition(",")[0].removeprefix("retry(").rstrip(")")
        strategy = experiments.build(bare, brief, table.truth)
        for _ in range(20):
            if step := strategy.propose():
                strategy.observe(step, table.answer(step.request))
        strategy.summary()


def test_a_strategy_that_needs_a_sample_says_so() -> None:
    table = ToyTable()
    for name in ("smartcrawl-b", "smartcrawl-u", "full"):
        with pytest.raises(UserError, match="sample"):
            build(name, table.brief(given=False))


def test_mistakes_in_names_and_options_are_told() -> None:
    table = ToyTable()
    with pytest.raises(UserError, match="did you mean smartcrawl-b"):
        build("smartcrawlb", table.brief())
    with pytest.raises(UserError, match="it has none"):
        build("naive", table.brief(t=3))
    with pytest.raises(UserError, match="on or off"):
        build("simple", table.brief(removal="perhaps"))
    with pytest.raises(UserError, match="whole number"):
        build("full", table.brief(given=False, sample="many"))
