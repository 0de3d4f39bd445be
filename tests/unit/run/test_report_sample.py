import html
import io
import re
import zipfile
from datetime import date, datetime
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fake_run import START, FakeRun
from filon.run.report.sample import sample_of
from fuzzing import examples
from report_page import report

DAY = datetime(2024, 1, 1, 12, 30)
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def test_days_of_a_workbook_are_days(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    for row in [["day", "time", "own", "number"], [date(2024, 1, 1), DAY, date(2024, 1, 1), 45292]]:
        sheet.append(row)
    sheet["C2"].number_format = 'dd. mmmm yyyy "text"'
    sheet["D2"].number_format = '0.00 "days"'
    book.save(tmp_path / "file")
    sample = sample_of(tmp_path / "file")
    assert sample
    assert sample.rows == [["2024-01-01", "2024-01-01 12:30:00", "2024-01-01", "45292"]]


def workbook() -> bytes:
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    for row in [["Region", "Year", "Value"], ["Bern & <b>", 2020, 1.5], ["Uri", None, "x"]]:
        sheet.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


@pytest.mark.parametrize(
    ("body", "mime", "columns", "first"),
    [
        (b"a,b\n1,2\n3,4\n", "text/csv", ["a", "b"], ["1", "2"]),
        (b"a;b\n1,5;2\n3;4\n", "text/csv", ["a", "b"], ["1,5", "2"]),
        ("Größe\tb\n1\t2\n".encode("cp1252"), "text/plain", ["Größe", "b"], ["1", "2"]),
        ("a,b\n1,2\n".encode("utf-16"), "text/csv", ["a", "b"], ["1", "2"]),
        (b"a,b\n1,2\n3,4\nSource: the office\n", "text/csv", ["a", "b"], ["1", "2"]),
        (b"Title\nOf 2026\na;b\n1;2\n3;4\n", "text/csv", ["Title", ""], ["Of 2026", ""]),
        (b"Title of it\n\na,b\n1,2\n", "text/csv", ["Title of it", ""], ["a", "b"]),
        (
            b'[{"a": 1, "b": [2]}, {"c": "x"}]',
            "application/json",
            ["a", "b", "c"],
            ["1", "[2]", ""],
        ),
        (b'{"n": 1, "rows": [[1, 2]]}', "application/json", ["1", "2"], ["1", "2"]),
        (b'{"a": 1, "b": 2}\n{"a": 3}\n', "application/x-ndjson", ["a", "b"], ["1", "2"]),
        (
            b'{"features": [{"type": "Feature", "properties": {"x": 1, "y": "z"}}]}',
            "application/geo+json",
            ["x", "y"],
            ["1", "z"],
        ),
        (workbook(), XLSX, ["Region", "Year", "Value"], ["Bern & <b>", "2020", "1.5"]),
    ],
)
def test_the_first_rows_of_a_table_are_shown(
    tmp_path: Path, body: bytes, mime: str, columns: list[str], first: list[str]
) -> None:
    (tmp_path / "file").write_bytes(body)
    sample = sample_of(tmp_path / "file")
    assert sample is not None
    assert sample.columns == columns
    assert sample.rows[0] == first
    with FakeRun(tmp_path / "run") as fake:
        fake.find(f"{START}t", body, name="table", mime=mime)
        fake.end("goal")
    page = report(tmp_path / "run")
    shown = page.source.partition('id="sample"')[2].partition("</section>")[0]
    cells = [html.unescape(cell) for cell in re.findall(r"<td>(.*?)</td>", shown)]
    assert cells[: len(first)] == first


def test_samples_are_short_and_differ(tmp_path: Path) -> None:
    wide = ",".join(f"c{n}" for n in range(500)) + "\n" + ",".join(["x" * 99] * 500) + "\n"
    with FakeRun(tmp_path / "run") as fake:
        fake.find(f"{START}wide", wide.encode(), name="wide.csv")
        for n in range(9):
            fake.find(f"{START}{n}", f"a,b\n{n},2\n".encode() * 1000, name=f"{n}.csv")
        fake.end("goal")
    page = report(tmp_path / "run")
    shown = page.source.partition('id="sample"')[2].partition("</section>")[0]
    assert shown.count("<table") == 2
    assert len(shown) < 20_000
    assert shown.count("<tr><td>") == 1 + 5
    assert "c11" in shown
    assert "c12" not in shown


def bomb(name: str, body: bytes, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as book:
        book.writestr(name, body)
    return out.getvalue()


SHEET = "xl/worksheets/sheet1.xml"
ENTITIES = (
    b'<!DOCTYPE w [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
    b"<row><c><v>&b;</v></c></row></sheetData></worksheet>"
)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"PK\x03\x04" + b"\xff" * 1000,
        bomb(SHEET, b"\0" * 50_000_000),
        bomb(SHEET, b"<row>" * 1_000_000),
        bomb(SHEET, b"<row>" * 1000, zipfile.ZIP_LZMA),
        bomb(SHEET, ENTITIES),
        bomb("a.txt", b""),
        b"[" * 200_000,
        b'[{"a": ' + b"9" * 100_000 + b', "b": 1}]',
        b'{"a":' * 100_000,
        b'"' * 200_001,
        b"\0" * 300_000,
        b"<html><script>alert(1)</script>",
        b"a,b\n" + b"x" * 400_000,
        bytes(range(256)) * 2000,
    ],
)
def test_a_hostile_file_costs_its_sample_and_no_more(tmp_path: Path, body: bytes) -> None:
    with FakeRun(tmp_path / "run") as fake:
        fake.find(f"{START}evil", body, name="evil.xlsx", mime=XLSX)
        fake.find(f"{START}good.csv", b"good,sound\n1,2\n", name="good.csv")
        fake.end("goal")
    page = report(tmp_path / "run")
    assert "script" not in page.tags[:-1]
    shown = page.source.partition('id="sample"')[2].partition("</section>")[0]
    assert "sound" in shown
    assert "hahaha" not in shown
    assert len(page.source) < 100_000


@examples(100)
@given(st.binary(max_size=400), st.sampled_from([b"", b"PK\x03\x04", b"[", b"{", b"a,b\n"]))
def test_any_bytes_can_be_looked_at(
    tmp_path_factory: pytest.TempPathFactory, body: bytes, head: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "any-bytes"
    path.write_bytes(head + body)
    sample = sample_of(path)
    assert sample is None or all(len(row) == len(sample.columns) for row in sample.rows)
