"""Tables in PDF are counted."""

from pathlib import Path

import pytest

from filon.profile.read import profile
from unit.profile.hostile import pdf, pdf_text

HEAD = ["Region", "2019", "2020", "Change"]
NUMBERS = [HEAD, *([f"Area {n}", f"{n},120", f"{n}.5", f"{n} %"] for n in range(1, 8))]


def counted(tmp_path: Path, content: bytes) -> int:
    (tmp_path / "a.pdf").write_bytes(pdf(content))
    told = profile(tmp_path / "a.pdf")
    assert (told.format, told.tables, bool(told.problem)) == ("pdf", (), not told.counted)
    return told.counted


def test_rows_of_numbers_under_each_other_are_a_table(tmp_path: Path) -> None:
    assert counted(tmp_path, pdf_text(NUMBERS)) == 1


def test_two_tables_on_a_page_are_two(tmp_path: Path) -> None:
    prose = pdf_text([["A line of text that tells of the table below."]] * 4, top=500)
    below = pdf_text([row[:3] for row in NUMBERS], top=400)
    assert counted(tmp_path, pdf_text(NUMBERS) + b"\n" + prose + b"\n" + below) == 2


@pytest.mark.parametrize(
    "rows",
    [
        [["Just a line of text, and one more of it, as in a letter."]] * 20,
        [["The left column of a page", "", "the right column of it"]] * 20,
        [[f"Chapter {n}", "", f"{3 * n}"] for n in range(1, 15)],
        [[f"{n}.", "an item of a list, of some length"] for n in range(1, 15)],
        [["Total", "3"], ["Other", "4"]],
    ],
    ids=["prose", "two columns", "contents", "a list", "two rows"],
)
def test_what_is_no_table_of_numbers_is_none(tmp_path: Path, rows: list[list[str]]) -> None:
    assert counted(tmp_path, pdf_text(rows)) == 0
