"""A table that was filled before: what was asked is asked first, and then only what is left."""

from collections.abc import Sequence
from functools import partial

import pytest

from filon.core import Request, Step, Strategy
from filon.testing import ToyTable
from filon.testing.case import answer
from filon.verbs.enrich.strategies import build
from filon.verbs.enrich.strategies.recall import Earlier, Recall

TABLE = ToyTable.made()


def recall(name: str, asked: Sequence[Request], vain: frozenset[int] = frozenset()) -> Recall:
    earlier = Earlier([(one, "words") for one in asked], vain)
    return Recall(TABLE.brief(), partial(build, name), earlier)


def play(strategy: Strategy, most: int = 1000) -> tuple[list[Step], list[str]]:
    """Return the steps of a strategy, and the names of its finds."""
    steps, finds = list[Step](), list[str]()
    while len(steps) < most and (step := strategy.propose()):
        steps.append(step)
        finds += [find.name for find in strategy.observe(step, answer(TABLE, step.request))]
    return steps, finds


def requests(strategy: Strategy) -> list[Request]:
    return [step.request for step in play(strategy)[0]]


@pytest.mark.parametrize("name", ["simple", "prospect", "naive"])
def test_where_all_was_asked_nothing_new_is(name: str) -> None:
    asked = requests(build(name, TABLE.brief()))
    rows = len(TABLE.brief().documents)
    whole = recall(name, asked, frozenset(range(rows)))
    steps, finds = play(whole)
    assert [step.request for step in steps] == asked
    assert {step.reason.kind for step in steps} == {"recall"}
    assert len(whole.fates()) == rows - len(finds)
    assert {*whole.fates().values()} == {"absent"}


def test_rows_that_are_left_are_asked_for_and_named_by_their_numbers() -> None:
    asked = requests(build("simple", TABLE.brief()))[:4]
    strategy = recall("simple", asked)
    steps, finds = play(strategy)
    assert [step.request for step in steps[:4]] == asked
    assert all(step.reason.kind != "recall" for step in steps[4:])
    summary = strategy.summary()
    assert (summary["rows"], summary["covered"]) == (60, len(finds)) == (60, 54)
    documents = TABLE.brief().documents
    for name in finds:
        number, _, text = name.removeprefix("row ").partition(": ")
        assert documents[int(number) - 1].startswith(text)


@pytest.mark.parametrize("steps", [0, 2, 4, 9])
def test_it_goes_on_from_a_state(steps: int) -> None:
    asked = requests(build("simple", TABLE.brief()))[:4]
    first, second = recall("simple", asked), recall("simple", asked)
    play(first, steps)
    second.restore(first.state())
    assert requests(second) == requests(first)
