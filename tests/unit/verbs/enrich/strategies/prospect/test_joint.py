from collections.abc import Callable

import numpy as np

from filon.verbs.enrich.strategies.lexicon import Lexicon
from filon.verbs.enrich.strategies.prospect.joint import Joint
from filon.verbs.enrich.strategies.prospect.value import Lesson, Presence, Reliability
from unit.verbs.enrich.strategies.prospect.wine import lexicon


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


def calls_alone(found: int) -> int:
    """How many rows are asked for alone, of 200 that no joint query found, if so many come."""
    words = Lexicon({"title": [f"thing{row} mark{row} note" for row in range(200)]})
    presence = Presence(words, likeness=False, removal=True)
    reliability = Reliability(words, columns=True, words=True)
    joint = Joint(words, reliability, 10, lambda _: True, alone=False)
    weights = np.full(200, 1e-4)
    joint.prepare(weights)
    calls = 0
    while (choice := joint.best(weights)) and choice.kind == "alone":
        joint.ask(choice)
        rows = list(choice.rows) if calls < found else []
        joint.learn(choice, Lesson(10, 10, "", rows, [[] for _ in rows], weakest=1.0), presence)
        calls += 1
    return calls


def test_rows_that_no_joint_query_found_are_asked_for_alone_as_long_as_that_pays() -> None:
    assert calls_alone(found=200) == 200  # each of them once
    assert 10 < calls_alone(found=0) < 60
    assert 60 < calls_alone(found=50) < 180
