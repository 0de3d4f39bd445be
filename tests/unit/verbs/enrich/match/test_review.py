"""Asking a person, and filling the table."""

import numpy as np

from filon.verbs.enrich.match import Matches, align
from filon.verbs.enrich.match.calibrate import LEAST, choose
from filon.verbs.enrich.match.review import Review
from filon.verbs.enrich.match.scorer import start, taught
from unit.verbs.enrich.match.shelf import library, record

BOOKS = library(80)
SAID = {"title": "name", "authors": "creator", "year": "issued"}


def doubtful() -> Matches:
    """Half of the records are by somebody else, and from another year: other editions."""
    records = [
        record(BOOKS, row, **({"creator": "Nobody, N.", "issued": "1901"} if row % 2 else {}))
        for row in range(80)
    ]
    return Matches(BOOKS, records, align(BOOKS, records, SAID))


def test_no_pair_is_asked_about_twice() -> None:
    review = Review(doubtful(), most=20)
    asked = []
    while pair := review.next():
        asked.append((pair.row, pair.record.id))
        review.answer(pair, None if len(asked) % 5 == 0 else pair.row % 2 == 0)
    assert len(asked) == len(set(asked)) > 3
    assert len(review.labels) == len(asked) - len(asked) // 5


def test_answers_move_the_decision() -> None:
    matches = doubtful()
    before = sum(match.fate == "matched" for match in matches)
    review = Review(matches, most=40)
    while pair := review.next():
        review.answer(pair, True)
    assert sum(match.fate == "matched" for match in matches) >= before
    assert all(matches.rows[row].fate == "matched" for row, _ in review.labels)


def test_a_row_stays_filled_while_its_record_is_more_probable_than_not() -> None:
    """The answers are about the doubtful: many a no says little of those that were sure."""
    matches = doubtful()
    before = [match.fate for match in matches]
    review = Review(matches, most=30)
    while pair := review.next():
        review.answer(pair, False)
    denied = {row for row, _ in review.labels}
    assert denied
    left = [match for match in matches if match.row not in denied and match.score >= LEAST]
    assert all(match.fate == before[match.row] for match in left if before[match.row] == "matched")


def test_a_review_goes_on_from_its_state() -> None:
    one = Review(doubtful())
    for _ in range(4):
        pair = one.next()
        assert pair is not None
        one.answer(pair, pair.row % 2 == 0)
    other = Review(doubtful(), state=one.state())
    assert other.next() == one.next()
    assert other.labels == one.labels


def test_it_stops_when_answers_change_nothing() -> None:
    review = Review(doubtful(), most=1000)
    asked = 0
    while pair := review.next():
        review.answer(pair, pair.row % 2 == 0)
        asked += 1
    assert asked < 80


def strangers() -> Matches:
    """Records that say two words of a title amid others, and another author and year."""
    other = {"creator": "Nobody, N.", "issued": "1901"}
    records = [
        record(BOOKS, row, name=f"{' '.join(title.split()[2::2])} in plates and maps", **other)
        for row, title in enumerate(BOOKS["title"])
    ]
    return Matches(BOOKS, records, align(BOOKS, records, SAID))


def test_it_asks_as_long_as_each_yes_fills_a_row() -> None:
    matches = strangers()
    assert sum(match.fate == "matched" for match in matches) < 10
    review = Review(matches)
    asked = 0
    while pair := review.next():
        review.answer(pair, True)
        asked += 1
    assert asked > 40
    assert sum(match.fate == "matched" for match in matches) >= asked


def test_it_gives_up_where_nothing_is_the_same() -> None:
    review = Review(strangers())
    asked = 0
    while pair := review.next():
        review.answer(pair, False)
        asked += 1
    assert 0 < asked <= 20


def test_an_older_state_is_taken_up_too() -> None:
    one = Review(doubtful())
    for _ in range(4):
        pair = one.next()
        assert pair is not None
        one.answer(pair, pair.row % 2 == 0)
    state = one.state()
    del state["changes"]
    assert Review(doubtful(), state=state).state() == one.state()


def test_few_labels_hardly_move_the_scorer_and_many_do() -> None:
    scorer = start(("text", "date"), np.zeros((0, 2)))
    pair = np.array([[0.75, 1.0]])
    before = scorer.logits(pair)[0]

    def after(answers: int, lead: float = 0.0) -> float:
        said = np.repeat(pair, answers, axis=0), np.full(answers, lead), np.zeros(answers)
        return float(taught(scorer, *said).logits(pair)[0])

    assert before - 1 < after(3) < before
    assert after(60) < before - 1
    # What was thought a match for its lead says more against it.
    assert after(60, lead=3.0) < after(60) - 1


def test_the_threshold_follows_the_scores() -> None:
    sure, torn = np.full(90, 0.99), np.full(60, 0.6)
    assert choose(sure, 0.95) == LEAST
    assert choose(np.concatenate([sure, torn]), 0.95) > 0.59
    assert choose(np.concatenate([sure, torn]), 0.95) < choose(torn, 0.95)
    assert choose(np.zeros(0), 0.95) == LEAST
