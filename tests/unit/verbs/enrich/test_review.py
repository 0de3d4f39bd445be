"""A review asks about doubtful pairs, keeps what is said, and fills the table again."""

import asyncio
import csv
import io
import json
from pathlib import Path

import pytest

from filon.core import UserError
from filon.run.folder import RunFolder
from filon.run.handle import Run
from filon.verbs.enrich.api import aenrich
from filon.verbs.enrich.records import reading_book
from filon.verbs.enrich.review import MatchReview
from filon.verbs.registry import verb_of
from searchbox import books, serving

HIDDEN = books(300)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An enrichment of rows that differ from their records in a letter or half of the words."""
    monkeypatch.setenv("FILON_CACHE", str(tmp_path / "cache.sqlite"))
    rows = [["key", "title", "author"]]
    for number, row in enumerate(HIDDEN[:40]):
        words = row["title"].split()
        title = " ".join(words[:2] if number % 2 else words) + "s" * (number % 4 == 2)
        rows.append([f"k{number}", title, row["author"] if number % 3 else "Anonymous"])
    with (tmp_path / "t.csv").open("w", newline="") as file:
        csv.writer(file).writerows(rows)

    async def enrich(source: Path) -> Run:
        return await aenrich(
            tmp_path / "t.csv",
            source=source,
            match="title,author",
            add="isbn",
            budget=80,
            strategy="simple",
            out=tmp_path / "run",
            delay=0,
        )

    with serving(HIDDEN) as box:
        asyncio.run(enrich(box.source(tmp_path))).close()
    return tmp_path / "run"


def ids(run: Path) -> list[str]:
    with (run / "enriched.csv").open(newline="") as file:
        return [row["filon_id"] for row in csv.DictReader(file)]


def test_answers_change_the_table_and_are_kept(run: Path) -> None:
    review = MatchReview(run)
    asked: dict[int, str] = {}
    while question := review.next():
        pair = question.pair
        assert set(question.sides) == {"title", "author"}
        truth = HIDDEN[pair.row]["id"]
        asked[pair.row] = pair.record.id
        review.answer(question, pair.record.id == truth)
    review.end()
    assert 0 < review.answers <= 80
    after = ids(run)
    for row, record in asked.items():
        assert (after[row] == record) == (record == HIDDEN[row]["id"])
    again = MatchReview(run)
    question = again.next()
    assert question is None or question.pair.row not in asked
    assert again.answers == 0


def test_a_question_shows_what_both_sides_are_called(run: Path) -> None:
    question = MatchReview(run).next()
    assert question is not None
    row, record = question.pair.row, question.pair.record
    lines = question.shown(1).splitlines()
    assert lines[2:4] == [f"  row {row + 1} · key k{row}", f"  record {record.id}"]


def test_a_bound_is_told_as_one(
    run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from filon.cli import run as command

    monkeypatch.setattr("sys.stdin", io.StringIO("s\n" * 3))
    assert command(["review", str(run), "--most", "2"]) == 0
    assert f"More may help: filon review {run}" in capsys.readouterr().err


def test_the_end_of_the_input_ends_a_review_and_nothing_changes(
    run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from filon.cli import run as command

    before = ids(run)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert command(["review", str(run)]) == 0
    out, err = capsys.readouterr()
    assert "Are these the same?" in err
    assert "0 answers taken" in err
    assert "rows filled" in out
    assert ids(run) == before
    assert command(["review", str(run), "--json"]) == 0
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (told["verb"], told["answers"]) == ("review", 0)
    assert told["rows"]["filled"] == sum(map(bool, before))


def test_a_run_of_another_verb_has_nothing_to_review(tmp_path: Path) -> None:
    RunFolder.create(tmp_path / "run", {"verb": "harvest", "url": "http://a.test/"}).close()
    with pytest.raises(UserError, match="nothing to review"):
        verb_of(tmp_path / "run").review(tmp_path / "run", 5)


def test_a_row_with_a_probable_record_that_is_not_sure_enough_is_ambiguous(run: Path) -> None:
    with reading_book(run) as book:
        doubtful = book.execute(
            "SELECT r.state FROM matches m JOIN rows r ON r.row = m.row"
            " WHERE m.sure = 0 AND m.score >= 0.5"
        ).fetchall()
    assert doubtful
    assert {state for (state,) in doubtful} == {"ambiguous"}


def test_the_last_answer_is_taken_back_and_asked_again(run: Path) -> None:
    review = MatchReview(run)
    asked = []
    for same in (True, None, False):
        question = review.next()
        assert question is not None
        asked.append(question)
        review.answer(question, same)
    later = MatchReview(run)
    for question in reversed(asked):
        assert later.undo()
        assert later.next() == question
    assert not later.undo()
    assert later.answers == 0


def test_pairs_stand_in_the_order_of_doubt_after_those_that_were_asked(run: Path) -> None:
    review = MatchReview(run)
    question = review.next()
    assert question is not None
    shown = question.told()
    assert review.standings(3)[0].key == shown.key
    assert shown.sides[0][:2] == ("title", question.sides["title"][0])
    review.answer(question, False)
    first, second, *_ = review.standings(10)
    assert (first.key, first.said) == (shown.key, "rejected")
    following = review.next()
    assert following is not None
    assert (second.key, second.said) == (following.told().key, "")
