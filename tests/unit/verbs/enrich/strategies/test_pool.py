"""The query pool, against a slow and plain way to make it."""

import random
from itertools import combinations

import pytest

from filon.page.words import keywords
from filon.verbs.enrich.strategies import lexicon
from filon.verbs.enrich.strategies import pool as pools
from filon.verbs.enrich.strategies.lexicon import WIDEST
from filon.verbs.enrich.strategies.pool import Pool

RESTAURANTS = ["Thai Noodle House", "Jade Noodle House", "Thai House", "Thai BBQ"]


def table(rows: int, seed: int) -> list[str]:
    chance = random.Random(seed)
    words = [f"w{number}" for number in range(30)]
    return [" ".join(chance.choices(words, k=chance.randint(0, 6))) for _ in range(rows)]


def plain_pool(documents: list[str], t: int) -> dict[frozenset[str], set[int]]:
    """Queries and their rows, by looking at every pair of everything."""
    held = [frozenset(keywords(document)) for document in documents]
    queries = {
        frozenset(some) for words in held for n in (1, 2) for some in combinations(sorted(words), n)
    }
    frequent = {query for query in queries if sum(query <= words for words in held) >= t}
    kept = frequent | {words for words in held if words}
    rows = {query: {row for row, words in enumerate(held) if query <= words} for query in kept}
    return {
        query: where
        for query, where in rows.items()
        if not any(query < other and where == rows[other] for other in rows)
    }


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("t", [1, 2, 3])
def test_holds_what_the_plain_way_finds(seed: int, t: int) -> None:
    documents = table(40, seed)
    pool = Pool.of(documents, t=t)
    found = {
        frozenset(pool.text(query).split()): set(map(int, pool.rows(query)))
        for query in range(len(pool))
        if pool.frequency[query]
    }
    assert found == plain_pool(documents, t)


@pytest.mark.parametrize("seed", range(4))
def test_frequency_rows_and_forward_lists_agree(seed: int) -> None:
    documents = table(60, seed)
    pool = Pool.of(documents)
    forward = [set(map(int, pool.forward(row))) for row in range(len(documents))]
    for query in range(len(pool)):
        rows = set(map(int, pool.rows(query)))
        assert pool.frequency[query] in (len(rows), 0)
        assert rows == {row for row, queries in enumerate(forward) if query in queries}


def test_the_running_example_of_the_paper() -> None:
    pool = Pool.of(RESTAURANTS)
    texts = [pool.text(query) for query in range(len(pool)) if pool.frequency[query]]
    # q5, q6, q7 of Example 2, "thai house" (a row of its own, held by two), and the whole rows.
    assert texts == [
        "thai",
        "house",
        "thai house",
        "noodle house",
        "thai noodle house",
        "jade noodle house",
        "thai bbq",
    ]


def test_every_row_has_a_query_of_its_own_words() -> None:
    documents = [*table(30, 9), "", "of the", "w1", "w1 w2", "w1 w2"]
    pool = Pool.of(documents)
    for row, document in enumerate(documents):
        own = int(pool.own[row])
        assert (own < 0) == (not keywords(document))
        if own >= 0:
            assert set(pool.text(own).split()) == set(keywords(document))


def test_frequency_in_other_documents_counts_those_that_hold_all_words() -> None:
    documents, others = table(30, 1), table(25, 2)
    pool = Pool.of(documents)
    counts = pool.frequency_in(others)
    held = [set(keywords(other)) for other in others]
    for query in range(len(pool)):
        words = set(pool.text(query).split())
        assert counts[query] == sum(words <= each for each in held)


def test_a_table_of_many_blocks_gives_the_same_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    documents = table(80, 3)
    whole = Pool.of(documents)
    for module in (lexicon, pools):
        monkeypatch.setattr(module, "BLOCK", 50)
    parts = Pool.of(documents)
    assert [parts.text(q) for q in range(len(parts))] == [whole.text(q) for q in range(len(whole))]
    assert parts.frequency.tolist() == whole.frequency.tolist()


def test_too_many_pairs_leave_the_most_frequent_and_raise_t() -> None:
    documents = table(200, 4)
    large, small = Pool.of(documents), Pool.of(documents, most_pairs=100)
    pairs = [query for query in range(len(small)) if len(small.word_ids(query)) == 2]
    shared = [query for query in pairs if small.frequency[query] > 1]
    assert small.t > large.t == 2
    assert 0 < len(shared) <= 100
    assert all(small.frequency[query] >= small.t for query in shared if query < small.own.min())


def test_words_beyond_the_widest_row_are_left_out() -> None:
    pool = Pool.of([" ".join(f"w{number}" for number in range(500))])
    assert len(pool.word_ids(int(pool.own[0]))) == WIDEST


def test_no_rows_make_no_queries() -> None:
    assert len(Pool.of([])) == 0
    assert len(Pool.of(["", "the"])) == 0
