"""What a user has, as records to reconcile with."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from filon.core import Record, UserError
from filon.verbs.enrich.reconciler import Reconciler, question
from filon.verbs.enrich.record_sources import naming, reconciler_of
from filon.verbs.enrich.records import Book, Fetched, write_book
from unit.catalog.conftest import write

STATES = "iso,country,capital\nML,Mali,Bamako\nMT,Malta,Valletta\nMU,Mauritius,Port Louis\n"


def best(service: Reconciler, name: str) -> str:
    return str(service.candidates(question(name))[0]["id"])


def test_the_records_of_an_enrichment(tmp_path: Path) -> None:
    titles = ["War and peace", "The idiot", "Dead souls"]
    records = [
        Record(id=f"b{n}", fields={"title": title, "year": str(1990 + n)})
        for n, title in enumerate(titles)
    ]
    meta = {"source": "box", "table": "books.csv", "name_field": "title"}
    fetched = [Fetched(record, 1, 1.0) for record in records]
    write_book(tmp_path, Book(fetched=fetched, matches=[], meta=meta))
    (tmp_path / "run.toml").write_text('verb = "enrich"\n')
    service = reconciler_of(str(tmp_path))
    assert best(service, "Dead souls") == "b2"
    assert service.title == "box, as fetched for books.csv"


def test_the_rows_of_a_table_by_their_numbers_or_a_column(tmp_path: Path) -> None:
    table = tmp_path / "states.csv"
    table.write_text(STATES)
    assert best(reconciler_of(str(table)), "malta") == "2"
    by_code = reconciler_of(str(table), id_="iso")
    assert best(by_code, "malta") == "MT"
    assert best(reconciler_of(str(table), name="capital", id_="iso"), "Port Louis") == "MU"


def test_a_table_of_a_database(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "s.db")) as db:
        db.execute("CREATE TABLE states (id TEXT, name TEXT)")
        db.executemany("INSERT INTO states VALUES (?, ?)", [("x1", "Mali"), ("x2", "Malta")])
        db.commit()
    assert best(reconciler_of(f"{tmp_path / 's.db'}:states"), "Mali") == "x1"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    for run in ("one", "two"):
        write(folder, run)
    return folder


def test_the_files_of_runs_and_of_one_run(runs: Path) -> None:
    for folder, held in ((runs, 6), (runs / "one", 5)):
        service = reconciler_of(str(folder))
        assert len(service) == held
        found = service.candidates(question("Unemployment by region"))[0]
        record = service.record(found["id"])
        assert record
        assert record.url == "http://one.test/a.csv"
        assert record.fields["licence"] == "CC BY 4.0"


def test_the_rows_of_a_file_of_a_run(runs: Path) -> None:
    files = reconciler_of(str(runs))
    id_ = best(files, "Unemployment by region")
    rows = reconciler_of(str(runs), table=id_)
    assert rows.title == "Unemployment by region"
    found = rows.record(best(rows, "Centre"))
    assert found
    assert (found.id, found.fields["Year"]) == ("5", "2022")
    with pytest.raises(UserError, match="is no id"):
        reconciler_of(str(runs), table="zzz")


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"what": "none.csv"}, "cannot be read"),
        ({"what": "states.csv", "name": "capitol"}, "did you mean capital"),
        ({"what": "states.csv", "id_": "same"}, "cannot be the id"),
        ({"what": "states.csv", "table": "abc"}, "is no folder"),
        ({"what": "head.csv"}, "no rows"),
        ({"what": "."}, "holds no run"),
        ({"what": ".", "table": "abc"}, "holds no run"),
    ],
)
def test_what_cannot_be_served_is_told_in_a_sentence(
    asked: dict[str, str], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "states.csv").write_text(STATES.replace("iso", "same").replace("MT", "ML"))
    (tmp_path / "head.csv").write_text("a,b\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError, match=sentence):
        reconciler_of(**asked)


def test_the_column_of_names_is_found() -> None:
    assert naming({"no": ["1", "2"], "book_title": ["A", "A"], "note": ["x", "y"]}) == "book_title"
    assert naming({"no": ["1", "2"], "year": ["1990", "1991"]}) == "no"
