import numpy as np

from filon.verbs.enrich.strategies.lexicon import Lexicon
from filon.verbs.enrich.strategies.prospect.value import Presence, Reliability, RowValues
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
    for _ in range(3):
        presence.miss(rows[(rows % 2 == 1) & (rows < 40)], 0.9)
        presence.fit(covered)
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
    assert (presence.chance == before).all()


def test_rows_of_a_call_in_flight_are_worth_less_until_it_is_answered() -> None:
    row_values, nobody = RowValues(np.ones(3)), np.zeros(3, dtype=bool)
    row_values.update(row_values.hold(7, np.array([1]), 0.75), np.ones(3), nobody)
    row_values.update(row_values.hold(8, np.array([1, 2]), 0.5), np.ones(3), nobody)
    assert row_values.weights.tolist() == [1, 0.125, 0.5]
    row_values.update(row_values.release(7), np.ones(3), nobody)
    assert row_values.weights.tolist() == [1, 0.5, 0.5]
    row_values.update(row_values.release(8), np.ones(3), nobody)
    assert row_values.weights.tolist() == [1, 1, 1]
