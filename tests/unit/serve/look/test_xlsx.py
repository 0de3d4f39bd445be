"""A workbook that other programs read as it was written."""

import io
from datetime import date, datetime
from typing import Any

import openpyxl
from python_calamine import CalamineWorkbook

from filon.serve.look.xlsx import workbook


def written(names: list[str], rows: list[list[Any]], title: str = "t") -> bytes:
    return b"".join(workbook(title, names, rows, at_once=2))


def read(body: bytes) -> list[list[Any]]:
    sheet = openpyxl.load_workbook(io.BytesIO(body)).worksheets[0]
    return [list(row) for row in sheet.iter_rows(values_only=True)]


def test_cells_come_back_with_their_types() -> None:
    row = [1, 2.5, "a & <b>", True, None, date(2020, 2, 29), datetime(2021, 5, 6, 7, 8, 9)]
    names = [f"c{n}" for n in range(len(row))]
    found = read(written(names, [row] * 5))
    assert found[0] == names
    assert len(found) == 6
    assert found[1][:5] == row[:5]
    assert found[1][5] == datetime(2020, 2, 29)
    assert found[1][6] == row[6]
    cells = CalamineWorkbook.from_filelike(io.BytesIO(written(names, [row]))).get_sheet_by_index(0)
    assert cells.to_python()[1][2] == "a & <b>"


def test_no_text_is_a_formula() -> None:
    risky = ['=HYPERLINK("http://evil.test")', "+1", "-2+3", "@SUM(A1)", "\t=1"]
    sheet = openpyxl.load_workbook(io.BytesIO(written(risky, [risky]))).worksheets[0]
    for row in sheet.iter_rows():
        assert [cell.value for cell in row] == risky
        assert {cell.data_type for cell in row} <= {"s", "inlineStr"}


def test_what_a_spreadsheet_cannot_hold_is_text_or_cut() -> None:
    row = [10**17, float("nan"), "\x00a\x1f", "x" * 40_000, date(1800, 1, 1)]
    found = read(written(["a", "b", "c", "d", "e"], [row]))[1]
    assert found[:3] == ["100000000000000000", "nan", "\ufffda\ufffd"]
    assert len(found[3]) == 32_767
    assert found[4] == "1800-01-01"


def test_a_sheet_has_a_name_that_is_allowed() -> None:
    for title, name in {
        "[a]:b/c": "a  b c",
        "": "Table",
        'x"&<y': 'x"&<y',
        "z" * 50: "z" * 31,
    }.items():
        made = openpyxl.load_workbook(io.BytesIO(written(["a"], [], title)))
        assert made.sheetnames == [name]


def test_it_comes_piece_by_piece() -> None:
    made = workbook("t", ["n"], ([str(n) * 50] for n in range(20_000)), at_once=500)
    pieces = [len(piece) for piece in made if piece]
    assert len(pieces) > 4
    assert max(pieces) < sum(pieces) / 3
