import math
from collections.abc import Callable

import numpy as np
import pytest

from filon.verbs.enrich.strategies.lexicon import Floats, Lexicon
from filon.verbs.enrich.strategies.prospect.conjunctive import Page, Pages, still
from filon.verbs.enrich.strategies.prospect.joint import Joint
from filon.verbs.enrich.strategies.prospect.shared import (
    Pairs,
    Seen,
    Shared,
    Sizes,
    features,
    share_shown,
)
from filon.verbs.enrich.strategies.prospect.value import Lesson, Presence, Reliability, RowValues

TITLES = ["red wine bar", "red wine house", "red wine shop", "blue noodle bar", "blue noodle inn"]
CODES = ["a1", "b2", "c3", "d4", "e5"]


AT_LEAST = Seen(math.log(11.0), math.inf, math.log(11.0))


def lexicon() -> Lexicon:
    return Lexicon({"title": TITLES, "code": CODES})


def ids(words: Lexicon, text: str) -> tuple[int, ...]:
    return tuple(sorted(words.id[word] for word in text.split()))


def line(rows: float) -> Floats:
    one = np.ones(1)
    lines = features(rows * one, 0.1 * one, 2 * one, 0 * one, 0 * one, np.zeros((1, 1)))
    only: Floats = lines[0]
    return only


def test_a_lexicon_knows_columns_neighbours_and_rows() -> None:
    words = lexicon()
    assert words.trait[words.id["red"]] == 0
    assert words.trait[words.id["b2"]] == 3
    red, wine, bar = (np.array([words.id[word]]) for word in ("red", "wine", "bar"))
    assert words.beside(red, wine).tolist() == words.beside(wine, red).tolist() == [3]
    assert words.beside(red, bar).tolist() == [0]
    assert words.holding(ids(words, "blue noodle")).tolist() == [3, 4]


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
    dice = np.random.default_rng(3)
    titles = [" ".join(f"w{n}" for n in dice.zipf(1.3, 6) % 60) for _ in range(300)]
    words = Lexicon({"title": titles})
    pairs, weights = Pairs(words), dice.random(300)
    reliable = np.log(dice.uniform(0.2, 0.97, len(words.words)))
    logs, shared = dice.uniform(0.0, 7.0, len(pairs)), Shared(pairs, 10)
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


def test_rows_of_a_call_in_flight_are_worth_less_until_it_is_answered() -> None:
    row_values, nobody = RowValues(np.ones(3)), np.zeros(3, dtype=bool)
    row_values.update(row_values.hold(7, np.array([1]), 0.75), np.ones(3), nobody)
    row_values.update(row_values.hold(8, np.array([1, 2]), 0.5), np.ones(3), nobody)
    assert row_values.weights.tolist() == [1, 0.125, 0.5]
    row_values.update(row_values.release(7), np.ones(3), nobody)
    assert row_values.weights.tolist() == [1, 0.5, 0.5]
    row_values.update(row_values.release(8), np.ones(3), nobody)
    assert row_values.weights.tolist() == [1, 1, 1]


def test_the_next_page_is_worth_its_part_of_the_rows_left() -> None:
    pages = Pages(10)
    pages.put((1, 2), Page("2", 10, 50.0, np.array([0, 1])))
    pages.put((3,), Page("2", 10, 30.0, np.array([2, 3])))
    query, page, value = pages.best(np.ones(4), lambda _: 0.9)
    assert query == (3,)
    assert page is not None
    assert value == 2 * 0.5 * still(0.9, 10, 30.0)
    pages.close((3,))
    assert pages.best(np.ones(4), lambda _: 0.9)[0] == (1, 2)


def test_a_joint_query_takes_rare_words_of_the_likeliest_rows_within_the_limit() -> None:
    words = lexicon()
    reliability = Reliability(words, columns=True, words=True)
    joint = Joint(words, reliability, 2, lambda text: len(text.split()) <= 8, alone=False)
    choice = joint.best(np.array([1.0, 0.1, 1.0, 0.1, 0.1]))
    assert choice is not None
    assert set(choice.rows) <= {0, 2}
    assert len(choice.words) <= 8


def asked_for_after(came: int, expected: float) -> int:
    """How many rows a joint query has, after one of ten rows on whose full page so many came."""
    words = Lexicon({"title": [f"{a}{b} {b}{a} {a}x{b}" for a in "abcdefgh" for b in "mnopqrst"]})
    reliability = Reliability(words, columns=True, words=True)
    presence = Presence(words, likeness=False, removal=True)
    joint = Joint(words, reliability, 10, lambda _: True, alone=False)
    weights = np.ones(64)
    joint.prepare(weights)
    for _ in range(4):
        choice = joint.best(weights)
        assert choice is not None
        joint.ask(choice)
        rows = list(choice.rows[:came])
        lesson = Lesson(100, 10, "", rows, [[] for _ in rows], weakest=1000.0)
        joint.learn(choice._replace(expected=expected), lesson, presence)
        weights[list(choice.rows)] = 0.0
    choice = joint.best(np.ones(64))
    assert choice is not None
    return len(choice.rows)


def test_a_joint_query_shrinks_where_strangers_crowd_the_page_and_not_where_rows_are_absent() -> (
    None
):
    assert asked_for_after(came=1, expected=9.0) < 6
    assert asked_for_after(came=1, expected=1.0) > 9


def test_a_joint_query_falls_to_few_rows_where_few_words_are_taken() -> None:
    titles = [f"word{row} thing{row} name{row} mark{row} sign{row} note{row}" for row in range(300)]
    words = Lexicon({"title": titles})
    reliability = Reliability(words, columns=True, words=True)
    rows = {}

    def within(limit: int) -> Callable[[str], bool]:
        return lambda text: len(text.split()) <= limit

    for limit in (10, 50, 1000):
        joint = Joint(words, reliability, 20, within(limit), alone=False)
        choice = joint.best(np.ones(300))
        assert choice is not None
        assert len(choice.words) <= limit
        rows[limit] = len(choice.rows)
    assert rows[10] == 2
    assert 8 <= rows[50] <= 12
    assert rows[1000] >= 20
