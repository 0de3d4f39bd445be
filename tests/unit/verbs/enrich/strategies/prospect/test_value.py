import numpy as np

from filon.verbs.enrich.strategies.lexicon import Lexicon
from filon.verbs.enrich.strategies.prospect.value import (
    Presence,
    Reliability,
    RowValues,
    Trust,
)
from unit.verbs.enrich.strategies.prospect.wine import TITLES, ids, lexicon


def test_words_of_a_column_that_records_lack_become_unreliable() -> None:
    words = lexicon()
    reliability = Reliability(words, columns=True, words=True)
    rows = range(4)
    kept = [[words.id[word] for word in TITLES[row].split()] for row in rows]
    reliability.note(rows, kept, ())
    reliability.fit()
    assert reliability.of([words.id["inn"]]) > 0.85  # of a row that never matched
    assert reliability.of([words.id["e5"]]) < 0.4
    assert reliability.columns == {"title": 100, "code": 0}


def test_a_query_that_matches_nothing_is_held_against_its_words() -> None:
    words = lexicon()
    reliability = Reliability(words, columns=True, words=True)
    before = reliability.of(ids(words, "red wine"))
    reliability.blame(ids(words, "red wine"))
    reliability.fit()
    assert reliability.of(ids(words, "red wine")) < before


def test_rows_that_were_missed_and_rows_like_them_are_doubted() -> None:
    titles = [f"{brand} thing{row}" for row in range(40) for brand in ("here", "gone")]
    words = Lexicon({"title": titles})
    presence = Presence(words, likeness=True, removal=True)
    rows = np.arange(80)
    covered = (rows % 2 == 0) & (rows < 40)
    for most in (10, 20, 40):  # what was foretold of others must have come true
        presence.miss(rows[(rows % 2 == 1) & (rows < most)], 0.9)
        presence.fit(covered & (rows < most))
    untried = presence.chance[40:]
    assert presence.chance[1] < 0.1
    assert untried[::2].min() > untried[1::2].max() + 0.3


def test_a_miss_counts_for_less_where_missed_rows_come_back() -> None:
    presence = Presence(lexicon(), likeness=False, removal=True)
    presence.miss(np.array([0]), 0.9)
    strict = presence.chance[0]
    presence.weigh(1.0, 20.0)
    presence.miss(np.array([0]), 0.0)
    assert presence.chance[0] > strict


def test_without_the_removal_no_row_is_doubted() -> None:
    presence = Presence(lexicon(), likeness=True, removal=False)
    before = presence.chance.copy()
    presence.miss(np.array([0, 1]), 0.9)
    presence.fit(np.zeros(5, dtype=bool))
    assert np.allclose(presence.chance, before)


def test_likeness_that_foretells_nothing_is_not_believed() -> None:
    titles = [f"{brand} thing{row}" for row in range(40) for brand in ("here", "gone")]
    presence = Presence(Lexicon({"title": titles}), likeness=True, removal=True)
    rows = np.arange(80)
    for most in range(10, 80, 10):  # the brand that was there is missed next time
        came = rows % 2 == rows // 10 % 2
        presence.miss(rows[~came & (rows < most) & (rows >= most - 10)], 0.9)
        presence.fit(came & (rows < most))
    untried = presence.chance[70:]
    assert abs(untried[::2].mean() - untried[1::2].mean()) < 0.1


def test_words_of_other_columns_are_not_asked_for_before_the_service_shows_them() -> None:
    words = Lexicon({"title": ["red wine", "white wine"]}, {"year": ["1961", "1962"]})
    reliability = Reliability(words, columns=True, words=True)
    assert reliability.of([words.id["1961"]]) < 1e-6 < reliability.of([words.id["red"]])
    reliability.meet([words.id["1961"]])
    reliability.fit()
    assert reliability.of([words.id["1961"]]) > 0.1
    assert reliability.of([words.id["1962"]]) < 1e-6


def test_rows_of_a_call_in_flight_are_worth_less_until_it_is_answered() -> None:
    row_values, nobody = RowValues(np.ones(3)), np.zeros(3, dtype=bool)
    row_values.update(row_values.hold(7, np.array([1]), 0.75), np.ones(3), nobody)
    row_values.update(row_values.hold(8, np.array([1, 2]), 0.5), np.ones(3), nobody)
    assert row_values.weights.tolist() == [1, 0.125, 0.5]
    row_values.update(row_values.release(7), np.ones(3), nobody)
    assert row_values.weights.tolist() == [1, 0.5, 0.5]
    row_values.update(row_values.release(8), np.ones(3), nobody)
    assert row_values.weights.tolist() == [1, 1, 1]


def test_words_of_other_columns_that_keep_no_promise_are_relied_on_less() -> None:
    words = Lexicon({"title": ["red wine", "white wine"]}, {"year": ["1961", "1961"]})
    reliability = Reliability(words, columns=True, words=True)
    year, wine = words.id["1961"], words.id["wine"]
    reliability.meet([year])
    reliability.fit()
    before = reliability.of([year]), reliability.of([wine])
    assert reliability.promise([year, wine], 9.0, 0)
    reliability.fit()
    assert reliability.of([year]) < 0.2 * before[0]
    assert reliability.of([wine]) == before[1]
    assert not reliability.promise([wine], 9.0, 0)


def test_misses_by_words_of_other_columns_do_not_add_up_without_end() -> None:
    presence = Presence(lexicon(), likeness=False, removal=True)
    for _ in range(9):
        presence.shift(np.array([0]), np.log(0.5), hint=True)
        presence.shift(np.array([1]), np.log(0.5))
    assert presence.chance[0] > 0.5 > 0.01 > presence.chance[1]


def test_a_kind_of_calls_that_brings_less_than_expected_is_trusted_less() -> None:
    trust = Trust()
    for _ in range(30):
        trust.note("seen", 1.0, 0)
        trust.note("page of others", 1.0, 1)
    assert trust.of["seen"] < 0.4
    assert trust.of["page of others"] == 1.0
