import math

import numpy as np
import pytest

from filon.verbs.enrich.strategies.lexicon import Floats, Lexicon
from filon.verbs.enrich.strategies.prospect.shared import (
    Pairs,
    Seen,
    Shared,
    Sizes,
    features,
    share_shown,
)
from filon.verbs.enrich.strategies.prospect.value import RowValues
from unit.verbs.enrich.strategies.prospect.wine import ids, lexicon

AT_LEAST = Seen(math.log(11.0), math.inf, math.log(11.0))


def line(rows: float) -> Floats:
    one = np.ones(1)
    lines = features(rows * one, 0.1 * one, 2 * one, 0 * one, 0 * one, np.zeros((1, 1)))
    only: Floats = lines[0]
    return only


def test_a_shared_query_is_found_by_its_words_and_listed_with_its_rows() -> None:
    words = lexicon()
    pairs = Pairs(words)
    number = pairs.number(ids(words, "red wine"))
    assert {int(pairs.first[number]), int(pairs.second[number])} == set(ids(words, "red wine"))
    assert pairs.rows[number] == 3
    assert [number in pairs.forward.of(row) for row in range(5)] == [True] * 3 + [False] * 2
    assert pairs.number(ids(words, "red inn")) == -1


def test_sizes_follow_what_answers_say() -> None:
    sizes = Sizes(1)
    before = float(sizes.predict(line(3.0)[None])[0])
    for _ in range(20):
        sizes.note(line(3.0), Seen(math.log(900.0)))
    sizes.fit()
    after = float(sizes.predict(line(3.0)[None])[0])
    assert before < math.log(100) < after < math.log(1000)


def test_a_full_page_without_a_total_counts_as_more_than_it_shows() -> None:
    told, open_ended = Sizes(1), Sizes(1)
    for _ in range(20):
        told.note(line(3.0), Seen(math.log(11.0)))
        open_ended.note(line(3.0), AT_LEAST)
    told.fit()
    open_ended.fit()
    assert open_ended.predict(line(3.0)[None])[0] > told.predict(line(3.0)[None])[0] + 0.3
    assert open_ended.guess(line(3.0), AT_LEAST) > math.log(11.0)


def test_the_rows_on_a_page_say_how_large_a_part_it_is() -> None:
    sizes = Sizes(1)
    guesses = [
        sizes.guess(line(3.0), Seen(math.log(size), 0.3, math.log(11.0))) for size in (12, 60, 300)
    ]
    assert math.log(11) < guesses[0] < guesses[1] < guesses[2] < math.log(300)


def test_the_share_shown_falls_with_the_size() -> None:
    shares = share_shown(np.log(np.array([2.0, 10.0, 100.0, 1000.0])), 0.7, 10)
    assert (np.diff(shares) < 0).all()
    assert 0.95 < shares[0] <= 1
    assert shares[3] < 0.02


def test_shared_queries_are_worth_the_rows_left_under_them() -> None:
    words = lexicon()
    pairs, weights = Pairs(words), np.ones(5)
    shared, row_values, size = Shared(pairs, 10), RowValues(weights), len(pairs)
    row_values.sums = shared
    shared.recount(weights)
    shared.rate(np.zeros(len(words.words)), np.zeros(size), 0.01)
    number, value = shared.best()
    assert (number, value) == (pairs.number(ids(words, "red wine")), 3.0)
    row_values.update(np.array([0, 1]), weights, np.array([True, True, False, False, False]))
    assert shared.best() == (pairs.number(ids(words, "blue noodle")), 2.0)
    shared.close(pairs.number(ids(words, "blue noodle")))
    assert shared.best()[1] == 1.0


def test_what_rounding_leaves_of_a_query_is_not_offered() -> None:
    words = lexicon()
    pairs, weights = Pairs(words), np.full(5, 0.1)
    shared = Shared(pairs, 10)
    shared.recount(weights)
    shared.shift(np.arange(5), np.full(5, -0.1 + 1e-16))
    shared.rate(np.zeros(len(words.words)), np.zeros(len(pairs)), 0.5)
    assert shared.best() == (-1, 0.0)


def test_the_best_shared_query_is_the_one_that_rating_all_exactly_finds() -> None:
    chance = np.random.default_rng(3)
    titles = [" ".join(f"w{n}" for n in chance.zipf(1.3, 6) % 60) for _ in range(300)]
    words = Lexicon({"title": titles})
    pairs, weights = Pairs(words), chance.random(300)
    reliable = np.log(chance.uniform(0.2, 0.97, len(words.words)))
    logs, shared = chance.uniform(0.0, 7.0, len(pairs)), Shared(pairs, 10)
    shared.recount(weights)
    shared.rate(reliable, logs, 0.8)
    mass = np.zeros(len(pairs))
    for row, weight in enumerate(weights):
        mass[pairs.forward.of(row)] += weight
    both = reliable[pairs.first] + np.where(pairs.second < 0, 0.0, reliable[pairs.second])
    values = mass * np.exp(both) * share_shown(logs, 0.8, 10)
    for number in np.argsort(-values, kind="stable")[:50].tolist():
        best, value = shared.best()
        assert best == number
        assert value == pytest.approx(values[number])
        shared.close(number)
