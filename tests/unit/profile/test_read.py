"""From a file to its profile: every format, whole, broken and meant to do harm."""

import gzip
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from filon.profile.read import profile
from filon.profile.rows import tables
from filon.profile.shape import Profile
from filon.profile.source import MOST_TABLES

ROWS = [["Region", "Year", "Value"], ["North", "2019", "1.5"], ["South", "2020", "2.5"]]
CSV = "".join(f"{','.join(row)}\n" for row in ROWS).encode()
KINDS = ("text", "integer", "number")


def of(tmp_path: Path, body: bytes, name: str) -> Profile:
    path = tmp_path / name
    path.write_bytes(body)
    return profile(path, name)


def zipped(**members: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in members.items():
            archive.writestr(name, body)
    return buffer.getvalue()


def workbook() -> bytes:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Data"
    for row in [["Values by region"], [], ROWS[0], ["North", 2019, 1.5], ["South", 2020, 2.5]]:
        sheet.append(row)
    sheet.append([])
    sheet.append(["Source: the office"])
    book.create_sheet("Empty")
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def records() -> list[dict[str, object]]:
    return [{"Region": "North", "Year": 2019, "Value": 1.5}, {"Region": "South", "Value": 2.5}]


@pytest.mark.parametrize(
    ("body", "name", "format"),
    [
        (CSV, "a.csv", "csv"),
        (CSV, "a", "csv"),
        (CSV.replace(b",", b"\t"), "a.xls", "tsv"),
        (CSV.replace(b"\n", b"\r\n"), "a.csv", "csv"),
        (gzip.compress(CSV), "a.csv.gz", "csv in gzip"),
        (zipped(**{"a.csv": CSV}), "a.zip", "zip"),
    ],
)
def test_a_table_as_text(tmp_path: Path, body: bytes, name: str, format: str) -> None:
    told = of(tmp_path, body, name)
    assert (told.format, told.problem, told.encoding) == (format, "", "ascii")
    (table,) = told.tables
    assert [column.name for column in table.columns] == ROWS[0]
    assert tuple(column.kind for column in table.columns) == KINDS
    assert (table.rows, table.header_row, table.since, table.until) == (2, 1, "2019", "2020")
    assert table.places == ("North", "South")


def test_a_workbook_with_a_title_a_note_and_an_empty_sheet(tmp_path: Path) -> None:
    told = of(tmp_path, workbook(), "a.xlsx")
    (table,) = told.tables
    assert (told.format, table.name, table.header_row, table.rows) == ("xlsx", "Data", 3, 2)
    assert tuple(column.kind for column in table.columns) == KINDS


@pytest.mark.parametrize(
    ("value", "format"),
    [
        (records(), "json"),
        ({"result": {"records": records()}}, "json"),
        (
            {"type": "FeatureCollection", "features": [{"properties": r} for r in records()]},
            "geojson",
        ),
    ],
)
def test_records_in_json(tmp_path: Path, value: object, format: str) -> None:
    told = of(tmp_path, json.dumps(value).encode(), "a.json")
    (table,) = told.tables
    assert (told.format, table.rows) == (format, 2)
    assert [column.name for column in table.columns][:3] == ROWS[0]
    assert table.columns[1].missing == 1


def test_json_a_line_and_columns_of_equal_length(tmp_path: Path) -> None:
    lines = b"\n".join(json.dumps(one).encode() for one in records()) + b"\n{broken"
    told = of(tmp_path, lines, "a.ndjson")
    assert (told.format, told.tables[0].rows) == ("ndjson", 2)
    assert told.detail == "1 lines are no JSON."
    told = of(tmp_path, b'{"year": [2019, 2020], "value": [1, 2]}', "b.json")
    assert [column.kind for column in told.tables[0].columns] == ["integer", "integer"]


def test_records_in_xml(tmp_path: Path) -> None:
    rows = "".join(f"<row id='{n}'><name>x{n}</name><value>{n}</value></row>" for n in range(3))
    told = of(tmp_path, f"<?xml version='1.0'?><data><t>x</t>{rows}</data>".encode(), "a.xml")
    (table,) = told.tables
    assert [column.name for column in table.columns] == ["id", "name", "value"]
    assert (told.format, table.name, table.rows) == ("xml", "row", 3)


def test_parquet_says_its_kinds_itself(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = pyarrow.table({"code": ["1", "2"], "value": [1.0, None]})
    parquet.write_table(table, tmp_path / "a.parquet")
    told = profile(tmp_path / "a.parquet")
    assert (told.format, told.tables[0].rows) == ("parquet", 2)
    assert [column.kind for column in told.tables[0].columns] == ["text", "number"]
    assert told.tables[0].columns[1].missing == 1


@pytest.mark.parametrize("format", ["sav", "dta", "xpt"])
def test_files_of_statistics_packages(tmp_path: Path, format: str) -> None:
    pyreadstat = pytest.importorskip("pyreadstat")
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"REGION": ["North", "South"], "VALUE": [1.5, 2.5]})
    path = tmp_path / f"a.{format}"
    write = {"sav": "write_sav", "dta": "write_dta", "xpt": "write_xport"}[format]
    getattr(pyreadstat, write)(frame, str(path), column_labels=["Where it is", "How much"])
    told = profile(path)
    (table,) = told.tables
    assert (told.format, table.rows) == (format, 2)
    assert [(c.name, c.label, c.kind) for c in table.columns] == [
        ("REGION", "Where it is", "text"),
        ("VALUE", "How much", "number"),
    ]


@pytest.mark.parametrize(
    ("body", "name", "problem"),
    [
        (b"", "a.csv", "empty"),
        (b"%PDF-1.7\n...", "a.pdf", "damaged"),
        (b"<!doctype html><p>Not found", "a.csv", "no table"),
        (b"\0\1\2\3" * 100, "a.csv", "no table"),
        (b"Dear all,\nthis is a letter, you see.\n", "a.txt", "no table"),
        (b'[{"a": 1}, {"a"', "a.json", "damaged"),
        (zipped(**{"a.csv": CSV * 50})[:-30], "a.zip", "damaged"),
        (gzip.compress(CSV * 50)[:-30], "a.csv.gz", "damaged"),
        (b"PAR1" + b"\0" * 50, "a.parquet", "damaged"),
        (b"$FL2@(#)" + b"\0" * 50, "a.sav", "damaged"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "a.xls", "damaged"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_cannot_be_read_says_why(tmp_path: Path, body: bytes, name: str, problem: str) -> None:
    told = of(tmp_path, body, name)
    assert (told.problem, told.tables) == (problem, ())
    assert told.detail.endswith(".")


def _bomb_gzip() -> bytes:
    return gzip.compress(b"a,b\n" * 30_000_000)


def _bomb_zip() -> bytes:
    return zipped(**{"a.csv": b"0" * 100_000_000})


@pytest.mark.parametrize(("pack", "name"), [(_bomb_gzip, "a.csv.gz"), (_bomb_zip, "a.zip")])
def test_a_bomb_is_not_unpacked(tmp_path: Path, pack: Callable[[], bytes], name: str) -> None:
    told = of(tmp_path, pack(), name)
    assert (told.problem, told.tables) == ("bomb", ())
    assert told.detail.endswith(".")


def test_a_workbook_cut_short_is_damaged(tmp_path: Path) -> None:
    assert of(tmp_path, workbook()[:-100], "a.xlsx").problem == "damaged"


def test_entities_are_not_resolved(tmp_path: Path) -> None:
    bomb = "<!DOCTYPE d [<!ENTITY a 'ha'>" + "".join(
        f"<!ENTITY {chr(98 + n)} '{f'&{chr(97 + n)};' * 10}'>" for n in range(8)
    )
    text = f"<?xml version='1.0'?>{bomb}]><d><r><v>&i;</v></r><r><v>&i;</v></r></d>"
    told = of(tmp_path, text.encode(), "a.xml")
    assert told.problem or all(len(c.most) < 100 for t in told.tables for c in t.columns)


def test_ten_thousand_columns_are_told(tmp_path: Path) -> None:
    head = ",".join(f"c{n}" for n in range(10_000))
    told = of(tmp_path, f"{head}\n{','.join('1' * 10_000)}\n".encode(), "a.csv")
    assert len(told.tables[0].columns) == 10_000


def test_a_profile_survives_json(tmp_path: Path) -> None:
    told = of(tmp_path, CSV, "a.csv")
    assert Profile.read(json.loads(json.dumps(told.plain()))) == told


def test_the_unit_of_values_stands_in_a_column_of_its_own(tmp_path: Path) -> None:
    body = b"Year,Units,Value\n2019,tonnes,1.5\n2020,tonnes,2.5\n"
    (table,) = of(tmp_path, body, "a.csv").tables
    assert [column.unit for column in table.columns] == ["", "", "tonnes"]


@pytest.mark.parametrize(
    ("body", "name", "codec"),
    [
        (b'[{"a": 1}, {"a": 2}]', "a.json", "ascii"),
        ('[{"a": "é"}, {"a": "b"}]'.encode(), "a.json", "utf-8"),
        (
            '<?xml version="1.0" encoding="iso-8859-1"?><d><r><a>é</a></r><r/></d>'.encode(
                "cp1252"
            ),
            "a.xml",
            "cp1252",
        ),
    ],
)
def test_the_encoding_of_trees_is_told(tmp_path: Path, body: bytes, name: str, codec: str) -> None:
    told = of(tmp_path, body, name)
    assert (told.encoding, len(told.tables)) == (codec, 1)


@pytest.mark.parametrize(
    ("body", "name", "format", "rows"),
    [
        (b"a,b\n1,2\n3,4\n5,6\n\x1a", "a.csv", "csv", 3),
        (b"\xef\xbb\xbf\xef\xbb\xbf" + CSV, "a.csv", "csv", 2),
        (b'<rows><row y="1"/><row y="2"/><row y="3"/></rows>', "a.xml", "xml", 3),
        (b"<rows><r><b>1</b></r><r><b>2</b></r></rows>", "a.xml", "xml", 2),
        (b'id,text,n\n1,"never closed,5\n2,b,6\n3,c,7\n', "a.csv", "csv", 3),
    ],
)
def test_what_programs_leave_in_a_text_does_no_harm(
    tmp_path: Path, body: bytes, name: str, format: str, rows: int
) -> None:
    told = of(tmp_path, body, name)
    (table,) = told.tables
    assert (told.format, table.rows) == (format, rows)
    assert not any("\ufeff" in column.name or "," in column.name for column in table.columns)


def test_a_record_of_nothing_is_a_record(tmp_path: Path) -> None:
    nothing = {"type": "Feature", "properties": None, "geometry": None}
    features = [{"type": "Feature", "properties": {"n": n}} for n in range(3)]
    body = json.dumps({"type": "FeatureCollection", "features": [*features, nothing]}).encode()
    (path := tmp_path / "a.geojson").write_bytes(body)
    (table,) = tables(path)
    assert (table.total, len(table.rows), table.cut) == (4, 4, False)


def test_a_sum_is_no_place_and_neither_is_nothing(tmp_path: Path) -> None:
    body = CSV + b"n/a,2021,1\nTotal,2021,5\nGrand total,2021,6\n"
    (table,) = of(tmp_path, body, "a.csv").tables
    assert table.places == ("North", "South")


def test_a_row_of_units_tells_them(tmp_path: Path) -> None:
    body = "station,temp,rain\n,°C,mm\nA,12.5,3\nB,13.5,4\n".encode()
    (table,) = of(tmp_path, body, "a.csv").tables
    assert [column.unit for column in table.columns] == ["", "°C", "mm"]


def test_why_no_member_of_an_archive_can_be_read_is_what_is_wrong_with_it(tmp_path: Path) -> None:
    body = zipped(**{"a.csv": CSV})
    for _ in range(5):
        body = zipped(**{"a.zip": body})
    assert of(tmp_path, body, "a.zip").problem == "nested"


def test_sheets_that_are_not_read_are_told(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for number in range(MOST_TABLES):
        book.create_sheet(f"s{number}").append(["a", "b"])
    buffer = io.BytesIO()
    book.save(buffer)
    told = of(tmp_path, buffer.getvalue(), "a.xlsx")
    assert f"Of {MOST_TABLES + 1} sheets {MOST_TABLES} are read." in told.detail
