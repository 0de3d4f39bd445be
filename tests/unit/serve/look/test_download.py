"""Tables to take home."""

import csv
import io
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest
from pyarrow import parquet

from filon.core import UserError
from filon.serve.look import xlsx
from filon.serve.look.download import check, file_name, pieces


def rows(path: Path, ending: str) -> list[list[str]]:
    body = b"".join(pieces(path, ending, "title"))
    return list(csv.reader(io.StringIO(body.decode(), newline="")))


def test_csv_has_all_rows_and_the_names_once(stored: Callable[..., Path]) -> None:
    path = stored({"n": list(range(25_000)), "t": ["a,b\n"] * 25_000})
    found = rows(path, "csv")
    assert found[0] == ["n", "t"]
    assert len(found) == 25_001
    assert found[-1] == ["24999", "a,b\n"]


def test_csv_of_no_rows_has_the_names(stored: Callable[..., Path]) -> None:
    assert rows(stored({"a": [], "b": []}), "csv") == [["a", "b"]]


def test_a_formula_in_csv_is_text_and_numbers_stay(stored: Callable[..., Path]) -> None:
    texts = ["=1+1", "@SUM(A1)", "+cmd|' /C calc'!A0", "-2+3", "+49 30 1234", "-", "a=b", "＝1"]
    found = rows(stored({"=c()": texts, "n": [-1.5] * len(texts)}), "csv")
    assert found[0] == ["'=c()", "n"]
    assert [row[0] for row in found[1:]] == [
        "'=1+1",
        "'@SUM(A1)",
        "'+cmd|' /C calc'!A0",
        "'-2+3",
        "+49 30 1234",
        "-",
        "a=b",
        "'＝1",
    ]
    assert {row[1] for row in found[1:]} == {"-1.5"}


def test_a_workbook_and_parquet_have_the_same_rows(
    stored: Callable[..., Path], tmp_path: Path
) -> None:
    path = stored({"n": [1, None], "t": ["=x", "y"]})
    book = openpyxl.load_workbook(io.BytesIO(b"".join(pieces(path, "xlsx", "title"))))
    assert list(book["title"].iter_rows(values_only=True)) == [("n", "t"), (1, "=x"), (None, "y")]
    again = tmp_path / "again.parquet"
    again.write_bytes(b"".join(pieces(path, "parquet")))
    assert parquet.read_table(again).to_pylist() == [{"n": 1, "t": "=x"}, {"n": None, "t": "y"}]


def test_what_does_not_go_into_a_sheet_is_said_before(
    stored: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = stored({"n": list(range(100))})
    check(path, "xlsx")
    monkeypatch.setattr(xlsx, "MOST_ROWS", 100)
    with pytest.raises(UserError, match="A sheet of Excel holds 99 rows"):
        check(path, "xlsx")
    check(path, "csv")
    with pytest.raises(UserError, match="no download as exe"):
        check(path, "exe")


@pytest.mark.parametrize(
    "title", ["../../etc/passwd", "a\\b", 'x"; y', "a\r\nSet-Cookie: x", "…", "CON:", ".hidden"]
)
def test_a_name_leads_nowhere(title: str) -> None:
    name = file_name(title, "csv")
    assert name.endswith(".csv")
    assert not set('/\\"\r\n:;') & set(name)
    assert not name.startswith(".")


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Doctors · doctors-2019.csv", "Doctors doctors-2019.xlsx"),
        ("DOCTORS.CSV", "DOCTORS.xlsx"),
        ("Release 1.2", "Release 1.2.xlsx"),
        (".csv", "csv.xlsx"),
    ],
)
def test_a_name_ends_as_the_download_and_not_as_the_file_did(title: str, name: str) -> None:
    assert file_name(title, "xlsx") == name
