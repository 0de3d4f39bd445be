"""A table comes back as it was, with what is new behind it, whatever file it is in."""

import csv
import datetime as dt
import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import duckdb
import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from filon.core import UserError
from filon.verbs.enrich.table import Distinct, New, open_table

ROWS = [("Łódź", 2001, 1.5), ("Zürich", None, -2.0), ("Århus; Aarhus", 2003, None)]
TEXTS = {
    "city": ["Łódź", "Zürich", "Århus; Aarhus"],
    "year": ["2001", "", "2003"],
    "rate": ["1.5", "-2", ""],
}
NEW = New(
    added={"country": ["PL", "", "=DK"], "filon_score": ["0.9", "", "1"]},
    filled={"year": {1: "1999"}},
)


def make_csv(folder: Path) -> Path:
    path = folder / "t.csv"
    path.write_text("city,year,rate\nŁódź,2001,1.5\nZürich,,-2\nÅrhus; Aarhus,2003,\n", "utf-8")
    return path


def make_parquet(folder: Path) -> Path:
    columns = dict(zip(("city", "year", "rate"), zip(*ROWS, strict=True), strict=True))
    pq.write_table(pa.table(columns), folder / "t.parquet", row_group_size=2)
    return folder / "t.parquet"


def make_excel(folder: Path) -> Path:
    book = openpyxl.Workbook()
    for row in [("city", "year", "rate"), *ROWS]:
        book.active.append(row)
    book.save(folder / "t.xlsx")
    return folder / "t.xlsx"


def make_sqlite(folder: Path) -> Path:
    with closing(sqlite3.connect(folder / "t.db")) as db:
        db.execute("CREATE TABLE cities (city TEXT PRIMARY KEY, year INTEGER, rate REAL)")
        db.executemany("INSERT INTO cities VALUES (?, ?, ?)", ROWS)
        db.execute("CREATE TABLE other (a)")
        db.commit()
    return Path(f"{folder / 't.db'}:cities")


def make_duckdb(folder: Path) -> Path:
    with closing(duckdb.connect(str(folder / "t.duckdb"))) as db:
        db.execute("CREATE TABLE cities (city VARCHAR, year INTEGER, rate DOUBLE)")
        db.executemany("INSERT INTO cities VALUES (?, ?, ?)", ROWS)
    return folder / "t.duckdb"


#: How a spreadsheet of LibreOffice begins.
ODS = b"PK\x03\x04".ljust(30, b"\0") + b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet"
Make = Callable[[Path], Path]
EVERY: list[Make] = [make_csv, make_parquet, make_excel, make_sqlite, make_duckdb]


@pytest.mark.parametrize("make", EVERY)
def test_a_table_is_read_as_text_and_written_back_with_what_is_new(
    make: Make, tmp_path: Path
) -> None:
    table = open_table(make(tmp_path))
    assert (table.names, table.size) == (("city", "year", "rate"), 3)
    assert table.read(table.names) == TEXTS
    out = tmp_path / f"out{table.ending}"
    assert table.write(out, NEW) == []
    again = open_table(out)
    assert again.names == ("city", "year", "rate", "country", "filon_score")
    told = again.read(again.names)
    assert told.pop("country")[:2] == ["PL", ""]
    assert told.pop("filon_score") == ["0.9", "", "1"]
    assert told == TEXTS | {"year": ["2001", "1999", "2003"]}


@pytest.mark.parametrize("make", EVERY)
def test_a_saved_copy_is_the_same_table(make: Make, tmp_path: Path) -> None:
    table = open_table(make(tmp_path))
    copy = tmp_path / f"copy{table.ending}"
    table.save(copy)
    assert open_table(copy).read(table.names) == TEXTS


def test_types_are_kept(tmp_path: Path) -> None:
    open_table(make_parquet(tmp_path)).write(tmp_path / "o.parquet", NEW)
    assert pq.read_table(tmp_path / "o.parquet")["year"].to_pylist() == [2001, 1999, 2003]
    open_table(make_sqlite(tmp_path)).write(tmp_path / "o.sqlite", NEW)
    with closing(sqlite3.connect(tmp_path / "o.sqlite")) as db:
        assert db.execute("SELECT year, country FROM cities").fetchall()[1] == (1999, None)
    open_table(make_duckdb(tmp_path)).write(tmp_path / "o.duckdb", NEW)
    with closing(duckdb.connect(str(tmp_path / "o.duckdb"))) as db:
        assert db.execute("SELECT year FROM cities").fetchall() == [(2001,), (1999,), (2003,)]
    open_table(make_excel(tmp_path)).write(tmp_path / "o.xlsx", NEW)
    sheet = openpyxl.load_workbook(tmp_path / "o.xlsx").active
    assert sheet["B2"].value == 2001
    assert (sheet["D4"].value, sheet["D4"].data_type) == ("=DK", "s")


def test_a_column_of_numbers_in_a_workbook_is_filled_with_numbers(tmp_path: Path) -> None:
    new = New(filled={"year": {1: "1999"}, "rate": {2: "n/a"}}, added={"more": ["7", "a\x01b", ""]})
    open_table(make_excel(tmp_path)).write(tmp_path / "o.xlsx", new)
    sheet = openpyxl.load_workbook(tmp_path / "o.xlsx").active
    rows = list(sheet.iter_rows(min_row=2, min_col=2, values_only=True))
    assert rows == [(2001, 1.5, "7"), (1999, -2, "a b"), (2003, "n/a", None)]


@pytest.mark.parametrize("name", ["table", "t.csv", "t.zip"])
def test_a_workbook_may_be_called_anything(name: str, tmp_path: Path) -> None:
    path = make_excel(tmp_path).rename(tmp_path / name)
    table = open_table(path)
    assert table.read(table.names) == TEXTS
    table.write(tmp_path / "o.xlsx", NEW)
    assert open_table(tmp_path / "o.xlsx").size == 3


def test_a_sheet_that_says_it_has_one_cell_is_read_whole(tmp_path: Path) -> None:
    """Some programs write the extent of a sheet wrongly."""
    path, name = tmp_path / "lying.xlsx", "xl/worksheets/sheet1.xml"
    with zipfile.ZipFile(make_excel(tmp_path)) as whole, zipfile.ZipFile(path, "w") as lying:
        for each in whole.namelist():
            held = whole.read(each)
            lying.writestr(each, held.replace(b'ref="A1:C4"', b'ref="A1"'))
            assert each != name or b'ref="A1:C4"' in held
    table = open_table(path)
    assert (table.size, table.read(table.names)) == (3, TEXTS)


def test_an_index_of_a_sqlite_table_does_not_shuffle_its_rows(tmp_path: Path) -> None:
    """A column that an index holds is read from there, if it is asked for alone."""
    with closing(sqlite3.connect(tmp_path / "t.db")) as db:
        db.execute("CREATE TABLE cities (city TEXT PRIMARY KEY, year INTEGER)")
        db.executemany("INSERT INTO cities VALUES (?, ?)", [("c", 3), ("a", 1), ("b", 2)])
        db.commit()
    table = open_table(tmp_path / "t.db")
    assert table.read(["city"]) == {"city": ["c", "a", "b"]}
    table.write(tmp_path / "o.sqlite", New(added={"new": ["C", "A", "B"]}))
    with closing(sqlite3.connect(tmp_path / "o.sqlite")) as db:
        rows = db.execute("SELECT city, year, new FROM cities").fetchall()
    assert rows == [("c", 3, "C"), ("a", 1, "A"), ("b", 2, "B")]


def test_computed_columns_of_a_sqlite_table_are_copied_as_values(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "t.db")) as db:
        db.execute("CREATE TABLE t (a TEXT, size INT GENERATED ALWAYS AS (length(a)), b TEXT)")
        db.execute("INSERT INTO t (a, b) VALUES ('four', 'x')")
        db.commit()
    open_table(tmp_path / "t.db").write(tmp_path / "o.sqlite", New(added={"new": ["y"]}))
    with closing(sqlite3.connect(tmp_path / "o.sqlite")) as db:
        assert db.execute("SELECT * FROM t").fetchall() == [("four", 4, "x", "y")]


@pytest.mark.parametrize("make", [make_parquet, make_duckdb])
def test_a_value_that_does_not_fit_the_type_is_told(make: Make, tmp_path: Path) -> None:
    table = open_table(make(tmp_path))
    (note,) = table.write(tmp_path / f"o{table.ending}", New(filled={"year": {1: "about 1900"}}))
    assert note.startswith("1 value")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_encoding_delimiter_and_line_break_stay(
    encoding: str, delimiter: str, tmp_path: Path
) -> None:
    rows = [["name", "note"], ["Käse", "a, b; c"], ["Brot", 'say "yes"'], ["Öl", "two\nlines"]]
    with (tmp_path / "t.csv").open("w", encoding=encoding, newline="") as file:
        csv.writer(file, delimiter=delimiter).writerows(rows)
    table = open_table(tmp_path / "t.csv")
    assert table.read(["note"]) == {"note": ["a, b; c", 'say "yes"', "two\nlines"]}
    table.write(tmp_path / "o.csv", New(added={"x": ["é", "", ""]}))
    raw = (tmp_path / "o.csv").read_bytes().decode(encoding)
    assert raw.startswith(f"name{delimiter}note{delimiter}x\r\nKäse{delimiter}")
    kept = list(csv.reader(raw.splitlines(keepends=True), delimiter=delimiter))
    assert [row[:2] for row in kept] == rows


def test_utf_16_keeps_the_order_of_its_bytes(tmp_path: Path) -> None:
    raw = "\ufeffname,note\nKäse,a\n".encode("utf-16-be")
    (tmp_path / "t.csv").write_bytes(raw)
    table = open_table(tmp_path / "t.csv")
    assert table.names == ("name", "note")
    table.write(tmp_path / "o.csv", New(added={"x": ["é"]}))
    after = (tmp_path / "o.csv").read_bytes()
    assert after == "\ufeffname,note,x\nKäse,a,é\n".encode("utf-16-be")


def test_utf_16_without_a_mark_is_read_as_it_is_said(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes("name\nKäse\n".encode("utf-16-le"))
    table = open_table(tmp_path / "t.csv", encoding="utf-16-le")
    assert table.read(["name"]) == {"name": ["Käse"]}
    table.write(tmp_path / "o.csv", New(added={"x": ["é"]}))
    assert (tmp_path / "o.csv").read_bytes() == "name,x\nKäse,é\n".encode("utf-16-le")


def test_letters_that_the_encoding_lacks_make_it_utf_8_and_it_is_said(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes("a;b\nKäse;1\n".encode("cp1252"))
    (note,) = open_table(tmp_path / "t.csv").write(tmp_path / "o.csv", New(added={"x": ["Łódź"]}))
    assert "UTF-8" in note
    assert (tmp_path / "o.csv").read_text("utf-8-sig") == "a;b;x\nKäse;1;Łódź\n"


def test_ragged_rows_lose_nothing(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\n1\n2,3,4\n\n5,6\n")
    table = open_table(tmp_path / "t.csv")
    assert table.names == ("a", "b", "column 3")
    assert table.size == 3
    assert table.notes == [
        "Shorter than the table's header: 1 row.",
        "Longer than the table's header: 1 row; the further cells are kept in columns "
        "without a name.",
    ]
    table.write(tmp_path / "o.csv", New(added={"x": ["p", "q", "r"]}))
    assert (tmp_path / "o.csv").read_text() == "a,b,,x\n1,,,p\n2,3,4,q\n5,6,,r\n"


def test_columns_of_the_same_name_are_told_apart_and_keep_it(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("name,name\nx,y\n")
    table = open_table(tmp_path / "t.csv")
    assert table.read(["name (2)"]) == {"name (2)": ["y"]}
    table.write(tmp_path / "o.csv", New(added={"z": [""]}))
    assert (tmp_path / "o.csv").read_text() == "name,name,z\nx,y,\n"


def test_a_table_without_a_header_gets_none(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("x,1\ny,2\n")
    table = open_table(tmp_path / "t.csv", header=False)
    assert (table.names, table.size) == (("column 1", "column 2"), 2)
    table.write(tmp_path / "o.csv", New(added={"z": ["p", "q"]}))
    assert (tmp_path / "o.csv").read_text() == "x,1,p\ny,2,q\n"


def test_one_column_with_an_empty_cell_keeps_its_row(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("name\nx\n\ny\n")
    table = open_table(tmp_path / "t.csv")
    assert (table.size, table.read(["name"])) == (3, {"name": ["x", "", "y"]})


def test_quotes_round_every_cell_stay(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text('"a","b"\n"1","2"\n')
    open_table(tmp_path / "t.csv").write(tmp_path / "o.csv", New(added={"x": ["=1"]}))
    assert (tmp_path / "o.csv").read_text() == '"a","b","x"\n"1","2","\'=1"\n'


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("t.csv", b"", "is empty"),
        ("t.csv", b"\xef\xbb\xbf", "is empty"),
        ("t.csv", b"a,b\n", "has no rows"),
        ("t.pdf", b"%PDF-1.4", "is a PDF"),
        ("t.json", b'{"a": 1}', "holds no table"),
        ("t.json", b"[not JSON", "is JSON"),
        ("t.bin", b"abc\0\1\2", "not a table"),
        ("t.xlsx", b"PK\x03\x04 broken", "not an Excel workbook"),
        ("t.zip", b"PK\x03\x04 broken", "no whole zip"),
        ("t.ods", ODS, "no whole zip"),
        ("t.gz", b"\x1f\x8b\x08 broken", "no whole gzip"),
        ("t.parquet", b"PAR1 broken", "is not whole"),
        ("t.sqlite", b"SQLite format 3\0 broken", "SQLite"),
        ("t.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "t.xls cannot be read"),
    ],
)
def test_what_is_no_table_is_told_in_a_sentence(
    name: str, content: bytes, says: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(UserError, match=says):
        open_table(tmp_path / name)


def test_a_missing_file_and_an_unknown_table_are_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"No such file"):
        open_table(tmp_path / "no.csv")
    path = str(make_sqlite(tmp_path)).removesuffix(":cities")
    with pytest.raises(UserError, match=r"several tables.* cities, other"):
        open_table(path)
    with pytest.raises(UserError, match=r"no table 'towns'"):
        open_table(f"{path}:towns")


def test_dates_and_nested_values_are_text(tmp_path: Path) -> None:
    table = pa.table({"day": [dt.date(2024, 5, 1)], "tags": [["a", "b"]]})
    pq.write_table(table, tmp_path / "t.parquet")
    told = open_table(tmp_path / "t.parquet").read(["day", "tags"])
    assert told == {"day": ["2024-05-01"], "tags": ['["a", "b"]']}


def test_rows_that_say_the_same_are_one_and_empty_ones_none() -> None:
    rows = Distinct({"a": ["x", "x ", "y", "", "x"], "b": ["1", "1", "1", " ", "2"]})
    assert rows.of.tolist() == [0, 0, 1, -1, 2]
    assert rows.columns == {"a": ["x", "y", "x"], "b": ["1", "1", "2"]}
    assert rows.rows() == [[0, 1], [2], [4]]


def test_cells_are_not_taken_for_one_by_where_they_are_cut() -> None:
    assert len(Distinct({"a": ["xy", "x"], "b": ["z", "yz"]})) == 2
