"""A review on a page: one question at a time, stale answers do nothing, and all can be undone."""

from pathlib import Path

import pytest

from filon.core import UserError
from filon.run.disk import Lock
from filon.serve.reviews import MOST_OPEN, Reviews, View, is_open_to_review
from filon.verbs.discover.found.verdicts import read_verdicts
from golden.folders import unpack


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return unpack("discover", tmp_path)


def asked(view: View) -> str:
    assert view.question is not None
    return view.question.key


def test_an_answer_is_kept_and_the_next_question_asked(run: Path) -> None:
    reviews = Reviews()
    first = asked(reviews.view(run))
    after = reviews.answer(run, first, "no")
    assert asked(after) != first
    assert (after.answers, after.unused) == (1, True)
    assert read_verdicts(run)[first]["said"] == "rejected"
    assert {one.key: one.said for one in after.standings}[first] == "rejected"


def test_an_answer_to_a_question_of_the_past_is_not_taken(run: Path) -> None:
    """Two tabs show the same question, and both are answered."""
    reviews = Reviews()
    first = asked(reviews.view(run))
    second = asked(reviews.answer(run, first, "yes"))
    assert asked(reviews.answer(run, first, "no")) == second
    assert read_verdicts(run)[first]["said"] == "accepted"
    assert second not in read_verdicts(run)


def test_undo_asks_again_also_in_a_server_that_began_later(run: Path) -> None:
    first = asked(Reviews().view(run))
    Reviews().answer(run, first, "yes")
    assert asked(Reviews().undo(run)) == first
    assert read_verdicts(run) == {}


def test_what_was_said_is_used_at_once_or_when_the_server_ends(run: Path) -> None:
    reviews = Reviews()
    first = asked(reviews.view(run))
    assert first in (run / "sites.json").read_text()
    reviews.answer(run, first, "no")
    listed = (run / "harvest.txt").read_text()
    assert not reviews.use(run).unused
    assert first not in (run / "harvest.txt").read_text()
    reviews.undo(run)
    reviews.close()
    assert (run / "harvest.txt").read_text() == listed


@pytest.mark.parametrize("verb", ["discover", "enrich"])
def test_answers_that_a_killed_server_did_not_use_are_told_and_used(
    verb: str, tmp_path: Path
) -> None:
    run = unpack(verb, tmp_path)
    killed = Reviews()
    assert not killed.view(run).unused
    killed.answer(run, asked(killed.view(run)), "no")
    later = Reviews()
    assert later.view(run).unused
    assert not later.use(run).unused
    assert not Reviews().view(run).unused


def test_a_run_at_work_is_not_decided_on(run: Path) -> None:
    lock = Lock(run)
    with pytest.raises(UserError, match="is at work"):
        Reviews().view(run)
    lock.release()


def test_an_answer_that_is_none_is_refused(run: Path) -> None:
    with pytest.raises(UserError, match="one of yes, no, skip"):
        Reviews().answer(run, "", "maybe")


def test_pairs_of_an_enrichment_are_decided_the_same_way(tmp_path: Path) -> None:
    run = unpack("enrich", tmp_path)
    reviews = Reviews()
    view = reviews.view(run)
    if view.question is not None:
        assert view.question.sides
    assert is_open_to_review(run)


def test_a_harvest_has_nothing_to_decide(tmp_path: Path) -> None:
    assert not is_open_to_review(unpack("harvest", tmp_path))


def test_few_reviews_are_held_open(tmp_path: Path) -> None:
    reviews = Reviews()
    runs = []
    for number in range(MOST_OPEN + 1):
        (tmp_path / str(number)).mkdir()
        runs.append(unpack("discover", tmp_path / str(number)))
    first = asked(reviews.view(runs[0]))
    reviews.answer(runs[0], first, "no")
    assert first in (runs[0] / "harvest.txt").read_text()
    for run in runs[1:]:
        reviews.view(run)
    assert first not in (runs[0] / "harvest.txt").read_text()  # it was put away, and used
    assert asked(reviews.view(runs[0])) != first
