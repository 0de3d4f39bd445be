"""A run that filled no row says why, in one sentence for the terminal, scripts and the report."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from fake_run import FakeRun
from filon.core import Record
from filon.run.report import write_report
from filon.verbs.enrich import Enrich
from filon.verbs.enrich.records import Book, Fetched, Matched, write_book
from filon.verbs.enrich.summary import enriched

META = {"source": "box", "aligned": '["title = name"]', "added": '["year"]', "answers": "1"}
ONE = [Fetched(Record(id="a", fields={"name": "Other", "year": "1999"}), 1, 1e9)]
NEAR = [Matched(row=0, record=0, score=0.42, evidence="title 0.42", sure=False)]


def ended(
    folder: Path,
    states: Sequence[str],
    fetched: Sequence[Fetched] = (),
    matches: Sequence[Matched] = (),
    status: int = 200,
) -> Path:
    """Return a run with one call that ended like that."""
    with FakeRun(folder / "run", verb="enrich", url="http://box.test", strategy="simple") as fake:
        fake.step("http://box.test/?q=red", kind="query", arm="red fox", status=status)
    shown = ["red fox"] * len(states)
    book = Book(fetched=fetched, matches=matches, states=states, shown=shown, meta=META)
    write_book(folder / "run", book)
    return folder / "run"


def test_a_run_that_filled_a_row_needs_no_hint(tmp_path: Path) -> None:
    sure = [Matched(row=0, record=0, score=0.99, evidence="title equal", sure=True)]
    assert enriched(ended(tmp_path, ["filled", "absent"], ONE, sure)).hint == ""


@pytest.mark.parametrize(
    ("states", "fetched", "matches", "status", "words"),
    [
        (["empty"] * 2, [], [], 200, "2 of 2 rows have no word to search by: name other columns"),
        (["empty", "empty", "not reached"], ONE, [], 200, "2 of 3 rows have no word to search by"),
        (["not reached"], [], [], 200, "box had no record at 1 call, as for 'red fox'"),
        (["not reached"], [], [], 503, "0 of 1 call to box succeeded: the report shows why"),
        (["matched"], ONE, [], 200, "for 1 row a record was found, but it has nothing for year"),
        (["not reached"], ONE, [], 200, "none is like a row (compared: title = name); say which"),
        (["not reached"], ONE, [], 200, "--match COLUMN=FIELD, as the records have name, year"),
        (["ambiguous"], ONE, NEAR, 200, "the nearest is a for row 1, score 0.42 (title 0.42)"),
    ],
)
def test_each_reason_has_its_sentence(
    tmp_path: Path,
    states: list[str],
    fetched: list[Fetched],
    matches: list[Matched],
    status: int,
    words: str,
) -> None:
    run = ended(tmp_path, states, fetched, matches, status)
    summary = enriched(run)
    assert summary.hint.startswith("No row was filled: ")
    assert words in summary.hint
    assert summary.hint in str(summary)
    assert summary.hint in summary.as_object()["notes"]  # type: ignore[operator]
    page = write_report(run, Enrich().page).read_text("utf-8")
    assert "No row was filled: " in page
