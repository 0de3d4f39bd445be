"""What strategies that enrich promise besides: rows, each once, and no surprise at odd tables."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest

from contracts.cases import DRAWING, ENRICHING, GUARDS, RECHECK, enrich
from experiments.enrich import strategies as enriching
from filon.core import UserError
from filon.testing import STRATEGY, Case, enrich_case
from filon.testing.case import run
from filon.verbs.enrich.strategies import build
from toytable import ToyTable

#: Algorithm 3 gives up the rows that a full page did not show.
LEAST = {"bound": 0.2}
every = pytest.mark.parametrize("name", ENRICHING)


@every
@pytest.mark.parametrize("joins", ["and", "or"])
def test_finds_rows_each_once_and_names_them(name: str, joins: str) -> None:
    finds = run(replace(enrich(name), web=partial(ToyTable, joins=joins))).finds
    names = [find.name for find in finds]
    assert len(set(names)) == len(names)
    assert len(finds) >= LEAST.get(name, 0.5) * len(ToyTable().dataset.matchable)
    assert {find.kind for find in finds} == {"record"}
    assert all(find.url.startswith("http") and find.parent for find in finds)


@pytest.mark.parametrize("name", [name for name in ENRICHING if name != RECHECK])
def test_takes_a_table_without_rows_and_one_without_words(name: str) -> None:
    table = ToyTable()
    guard, _, inner = name.rpartition(": ")
    bare, _, drawing = inner.partition(", ")
    for cells in ([], ["", "--", "of the"], ["same", "same", "same"]):
        brief = replace(
            table.brief(), columns={"title": cells}, matcher=replace(table.dataset, gold={})
        )
        if drawing:
            brief = replace(brief, sample=None, options={"sample": 3})
        strategy = enriching.build(bare, brief, table.truth)
        strategy = GUARDS[guard](strategy) if guard else strategy
        for _ in range(20):
            if step := strategy.propose():
                strategy.observe(step, table.answer(step.request))
        strategy.summary()


@pytest.mark.parametrize("check", STRATEGY, ids=lambda check: check.__name__)
def test_a_strategy_keeps_the_contract_on_the_table_that_plugins_get(
    check: Callable[[Case], None],
) -> None:
    check(enrich_case("filon.verbs.enrich.strategies.smartcrawl:Simple"))


def test_a_strategy_that_needs_a_sample_says_so() -> None:
    table = ToyTable()
    for name in DRAWING:
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
