"""The estimators of Table 1 on the paper's running example, and Algorithms 1 to 3."""

from dataclasses import replace

import pytest

from experiments.enrich.datasets import Dataset
from experiments.enrich.hidden import Hidden
from experiments.enrich.ideal import Ideal
from experiments.enrich.trial import Known
from filon.core import Record
from filon.verbs.enrich.strategies import Brief, Sample
from filon.verbs.enrich.strategies.pooled import Pooled
from filon.verbs.enrich.strategies.smartcrawl import Biased, Bound, Simple, Unbiased
from toytable import ToyTable

#: Figure 1(a): d1 to d4.
LOCAL = ["Thai Noodle House", "Jade Noodle House", "Thai House", "Thai BBQ"]
#: Figure 1(c) after its text, best first; the sample of Figure 1(b) is a third of it.
HIDDEN = {
    "h3": "Thai House",
    "h9": "Steak House",
    "h1": "Thai Noodle House",
    "h4": "Thai BBQ",
    "h2": "Jade Noodle House",
    "h6": "House of Pizza",
    "h7": "Ramen House",
    "h5": "Curry Bar",
    "h8": "Sushi Place",
}
GOLD = {"h1": (0,), "h2": (1,), "h3": (2,), "h4": (3,)}
SAMPLED = ("h3", "h6", "h8")


def figure() -> tuple[Brief, Known]:
    records = [Record(id=key, fields={"name": text}) for key, text in HIDDEN.items()]
    data = Dataset(name="figure 1", columns={"name": LOCAL}, hidden=records, gold=GOLD)
    hidden = Hidden(records, page_size=2)
    sample = Sample(records=[each for each in records if each.id in SAMPLED], ratio=1 / 3)
    task = Brief(columns=data.columns, provider=hidden, matcher=data, sample=sample)
    return task, Known(hidden, data)


def brief() -> Brief:
    return figure()[0]


def benefits(strategy: Pooled) -> dict[str, float]:
    pool = strategy.pool
    return {pool.text(q): strategy.benefit(q) for q in range(len(pool)) if pool.frequency[q]}


def test_simple_takes_the_frequency_for_the_benefit() -> None:
    found = benefits(Simple(brief()))
    assert (found["house"], found["thai"], found["noodle house"]) == (3, 3, 2)


def test_ideal_knows_the_benefit() -> None:
    found = benefits(Ideal(*figure()))
    assert (found["house"], found["thai"], found["noodle house"]) == (1, 2, 2)


def test_biased_estimates_follow_table_1() -> None:
    task = brief()
    whole = Sample(records=task.provider.records, ratio=1.0)  # type: ignore[attr-defined]
    found = benefits(Biased(replace(task, sample=whole)))
    assert found["noodle house"] == 2  # solid: |q(D)|
    assert found["jade noodle house"] == 1
    assert found["house"] == pytest.approx(3 * 2 / 6)  # overflowing: |q(D)| k theta / |q(Hs)|
    third = benefits(Biased(task))
    assert third["house"] == pytest.approx(3 * 2 / 3 / 2)
    assert third["thai house"] == pytest.approx(2 * 2 / 3 / 1)


def test_a_query_that_the_sample_lacks_is_judged_by_the_table() -> None:
    small = replace(brief(), sample=Sample(records=[Record(id="h8")], ratio=1 / 9))
    strategy = Biased(small)
    alpha = (1 / 9) * 4 / 1
    found = benefits(strategy)
    # |q(D)| / alpha = 6.75 > k: overflowing, worth k alpha (section 6.2).
    assert found["house"] == pytest.approx(2 * alpha)
    # 2.25 > k for one row as well.
    assert found["thai bbq"] == pytest.approx(2 * alpha)


def test_unbiased_estimates_count_matches_with_the_sample() -> None:
    strategy = Unbiased(brief())
    found = benefits(strategy)
    assert found["house"] == pytest.approx(1 * 2 / 2)  # h3 of two sampled: 1 * k / 2
    assert found["thai house"] == pytest.approx(1 * 2 / 1)
    assert found["noodle house"] == 0
    strategy.remove([2])
    assert set(benefits(strategy).values()) <= {0.0, -1.0}


def ask(strategy: Pooled, table: ToyTable, most: int = 1000) -> list[str]:
    """Ask until nothing is left, or so often; return what was asked."""
    urls: list[str] = []
    while len(urls) < most and (step := strategy.propose()):
        strategy.observe(step, table.answer(step.request))
        urls.append(step.request.url)
    return urls


@pytest.mark.parametrize("removal", ["on", "off"])
def test_a_solid_query_gives_up_what_it_missed_where_that_is_wanted(removal: str) -> None:
    table = ToyTable(page_size=1000)
    strategy = Simple(table.brief(removal=removal))
    ask(strategy, table, 5)
    given_up = strategy.gone & ~strategy.coverage.covered
    assert given_up.any() == (removal == "on")
    assert all(row % 10 == 0 for row in given_up.nonzero()[0])


def test_bound_asks_again_after_rows_were_missed() -> None:
    table = ToyTable(page_size=1000)
    strategy = Bound(table.brief())
    urls = ask(strategy, table)
    assert len(set(urls)) < len(urls)


def test_bound_keeps_its_promise_without_a_top_k_constraint() -> None:
    """Lemma 2: at least (1 - |delta D| / b) of what the ideal covers."""
    table = ToyTable(page_size=1000)
    calls, absent = 12, 6
    covered = {}
    for strategy in (Bound(table.brief()), Ideal(table.brief(), table.truth)):
        ask(strategy, table, calls)
        covered[type(strategy)] = int(strategy.coverage.covered.sum())
    assert covered[Ideal] > 40
    assert covered[Bound] >= (1 - absent / calls) * covered[Ideal]


def test_without_the_three_factors_simple_is_ideal() -> None:
    """Lemma 1: all rows hidden, no top-k constraint, no fuzzy matches."""
    table = ToyTable(page_size=1000)
    there = [row for row in range(table.dataset.size) if row % 10]
    columns = {name: [cells[row] for row in there] for name, cells in table.dataset.columns.items()}
    gold = {f"h{row}": (at,) for at, row in enumerate(there)}
    data = replace(table.dataset, columns=columns, gold=gold)
    task = replace(table.brief(), columns=columns, matcher=data)
    simple, ideal = Simple(task), Ideal(task, Known(table.hidden, data))
    asked = ask(simple, table)
    assert len(asked) > 5
    assert asked == ask(ideal, table)
