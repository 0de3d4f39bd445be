"""Rejection sampling through a search box."""

from collections import Counter

import pytest

from filon.core import Record
from filon.verbs.enrich.strategies.coverage import Coverage
from filon.verbs.enrich.strategies.sampling import Sampler
from toytable import ToyTable


def draw(table: ToyTable, seed: int, size: int) -> Sampler:
    brief = table.brief(seed=seed)
    sampler = Sampler(brief, Coverage(brief), size)
    while step := sampler.propose():
        sampler.observe(step, table.answer(step.request))
    assert sampler.done
    return sampler


def reachable(table: ToyTable) -> list[Record]:
    """The records that some solid word of the table leads to."""
    brief = table.brief()
    words = sorted({word.lower() for text in brief.documents for word in text.split()})
    found: dict[str, Record] = {}
    for word in words:
        matches = table.hidden.matches(word)
        if len(matches) <= table.hidden.page_size:
            found |= {table.hidden.records[at].id: table.hidden.records[at] for at in matches}
    return list(found.values())


def test_every_reachable_record_is_equally_likely() -> None:
    table = ToyTable(rows=20, hidden=40, page_size=16)
    candidates = reachable(table)
    runs = 600
    counts = Counter(draw(table, seed, 1).sample().records[0].id for seed in range(runs))
    assert set(counts) <= {record.id for record in candidates}
    expected = runs / len(candidates)
    chi2 = sum((counts[record.id] - expected) ** 2 / expected for record in candidates)
    freedom = len(candidates) - 1
    # Five standard deviations of chi-squared: a sampler that favours records with many words
    # is far beyond.
    assert freedom > 30
    assert chi2 < freedom + 5 * (2 * freedom) ** 0.5


def test_the_size_of_the_hidden_table_is_estimated() -> None:
    table = ToyTable(rows=20, hidden=40, page_size=16)
    truth = len(reachable(table))
    ratios = [draw(table, seed, 15).sample().ratio for seed in range(20)]
    assert 15 / (sum(ratios) / len(ratios)) == pytest.approx(truth, rel=0.2)


def test_no_word_is_asked_twice_and_all_calls_are_steps() -> None:
    table = ToyTable(rows=20, hidden=40, page_size=16)
    brief = table.brief()
    sampler = Sampler(brief, Coverage(brief), 10)
    urls = []
    while step := sampler.propose():
        assert sampler.propose() is None  # one after the other
        urls.append(step.request.url)
        sampler.observe(step, table.answer(step.request))
    assert len(set(urls)) == len(urls) == table.hidden.calls


def test_it_ends_where_no_word_leads_anywhere() -> None:
    table = ToyTable(rows=5, hidden=300, page_size=1)
    assert draw(table, 1, 1000).sample().ratio <= 1.0
