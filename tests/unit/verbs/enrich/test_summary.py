"""What is told of an enrichment: figures, report, reasons and exports, whatever the source says."""

import csv
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from fake_run import FakeRun
from filon.core import Record, UserError
from filon.run.readonly import reading
from filon.run.report import write_report
from filon.verbs.enrich import Enrich
from filon.verbs.enrich.records import (
    CONFLICTS,
    MISSING,
    Book,
    Conflict,
    Fetched,
    Matched,
    is_filled,
    write_book,
)
from filon.verbs.enrich.summary import enriched
from filon.verbs.look import export, why

EVIL = "<script>alert(1)</script>\x1b[31m"
ADD = f"published=year,{EVIL[:8]}"
META = {
    "table": f"{EVIL}.csv",
    "enriched": "enriched.csv",
    "source": "box",
    "terms": f"For members only {EVIL}",
    "price": "0.25",
    "currency": "EUR",
    "threshold": "0.9",
    "answers": "2",
}


@pytest.fixture
def run(tmp_path: Path) -> Path:
    with FakeRun(
        tmp_path / "run", verb="enrich", url="http://box.test", strategy="simple", add=ADD
    ) as fake:
        fake.step("http://box.test/?q=red", kind="query", arm="red", why="it is worth it")
        fake.step("http://box.test/?q=blue", kind="query", arm="blue", sends=0, took_s=-1.0)
    fields = {"title": f"=1+1 {EVIL}", "year": "1999"}
    fetched = [
        Fetched(Record(id="a", url="http://box.test/a", fields=fields), 1, 1e9),
        Fetched(Record(id=EVIL, fields={"title": "Other"}), 2, 1e9),
    ]
    book = Book(
        fetched=fetched,
        matches=[
            Matched(row=0, record=0, score=0.97, evidence=f"title {EVIL}", sure=True),
            Matched(row=1, record=1, score=0.4, evidence="title 0.4", sure=False),
        ],
        conflicts=[Conflict(row=0, column="year", own="1998", found=EVIL, record=0)],
        states=["filled", "ambiguous", "absent", "not reached", "empty"],
        shown=[f"row {EVIL}", "second", "third", "fourth", ""],
        meta=META,
    )
    write_book(tmp_path / "run", book)
    return tmp_path / "run"


def test_the_figures_count_calls_money_and_rows(run: Path) -> None:
    told = enriched(run)
    assert (told.filled, told.size, told.calls, told.at_hand) == (1, 5, 1, 1)
    assert told.spent == "0.25 EUR"
    lines = str(told)
    assert "1 of 5 rows filled from box with 1 call (0.25 EUR)" in lines
    for words in ("1  ambiguous", "1  probably absent", "1  not reached", "1 answer at hand"):
        assert words in lines
    assert "1 cell of the table disagrees" in lines


def test_the_report_shows_the_rows_that_were_filled_and_links_what_was_written(run: Path) -> None:
    (run / "enriched.csv").write_text("title,published\n")
    page = write_report(run, Enrich().page).read_text("utf-8")
    section = page.partition('<section id="enriched">')[2].partition("</section>")[0]
    assert '<th scope="col">published</th>' in section
    assert "<td>1999</td>" in section
    assert 'href="http://box.test/a"' in section
    assert '<data value="0.97">0.97</data>' in section
    assert "second" not in section
    head = page.partition("</header>")[0]
    assert '<a href="enriched.csv">enriched.csv</a> · <a href="records.sqlite">' in head


def test_the_report_shows_all_of_it_and_executes_nothing(run: Path) -> None:
    page = write_report(run, Enrich().page).read_text("utf-8")
    assert page.count("<script") == 1  # ours, whose hash the page's policy names
    assert "\x1b" not in page
    for words in (
        "probably absent",
        "0.25 EUR",
        "red",
        "third",
        "1998",
        "0.9 – 1.0",
        "For members",
    ):
        assert words in page, words


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ("1", "It was taken for a, score 0.970"),
        ("row 2", "Near it, and not taken"),
        ("3", "probably absent"),
        ("a", "It fills row 1"),
        ("red", "because it is worth it"),
        ("BLUE", "at hand from an earlier run"),
        ("fourth", "Rows that say 'fourth'"),
        ("nonsense", "is no row, no record and no query"),
    ],
)
def test_a_row_a_record_and_a_query_can_be_asked_about(run: Path, asked: str, says: str) -> None:
    told = why(run, asked)
    assert says in told
    assert "\x1b" not in told


@pytest.mark.parametrize("asked", ["0", "6", "row 999", "9" * 30])
def test_a_row_that_is_not_there_is_the_users_mistake(run: Path, asked: str) -> None:
    with pytest.raises(UserError, match="the table has 5 rows, counted from 1"):
        why(run, asked)


def test_a_number_that_is_no_row_may_be_the_id_of_a_record(tmp_path: Path) -> None:
    with FakeRun(tmp_path / "run", verb="enrich", url="http://box.test", strategy="simple") as fake:
        fake.step("http://box.test/?q=red", kind="query", arm="red", why="it is worth it")
    fetched = [Fetched(Record(id="4711", fields={"title": "Red"}), 1, 1e9)]
    book = Book(
        fetched=fetched, matches=[], conflicts=[], states=["absent"], shown=["red"], meta=META
    )
    write_book(tmp_path / "run", book)
    assert "record 4711" in why(tmp_path / "run", "4711")


def test_records_and_matches_are_exported(run: Path) -> None:
    with export(run, "csv").open(newline="") as file:
        first, second = csv.DictReader(file)
    assert (first["row"], first["filon_id"], first["sure"]) == ("1", "a", "1")
    assert first["title"].startswith("'=1+1")
    assert second["sure"] == "0"
    lines = export(run, "jsonl").read_text("utf-8").splitlines()
    assert json.loads(lines[0])["fields"]["year"] == "1999"
    table = pq.read_table(export(run, "parquet"))
    assert table.column_names[:2] == ["row", "filon_score"]
    assert table["year"].to_pylist() == ["1999", None]
    with closing(sqlite3.connect(export(run, "sqlite"))) as db:
        assert db.execute("SELECT COUNT(*) FROM matches").fetchone() == (2,)
    with pytest.raises(UserError, match="no export of this run to 'files'"):
        export(run, "files")


def test_records_that_lack_the_last_answers_are_known(run: Path) -> None:
    with reading(run) as ledger:
        assert not is_filled(run, ledger), "the table is not there"
        for name in (META["enriched"], MISSING, CONFLICTS):
            (run / name).touch()
        assert is_filled(run, ledger)
    write_book(run, Book(fetched=[], matches=[], meta={**META, "answers": "1"}))
    with reading(run) as ledger:
        assert not is_filled(run, ledger)
