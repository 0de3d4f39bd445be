import csv
import io
import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from filon.compare.replica import Replica
from filon.core import Request
from filon.profile.difference import Difference, TableDifference
from filon.profile.rows import Rows, tables
from filon.profile.versions import difference, table_difference
from filon.profile.worker import Worker
from fuzzing import examples

ROWS = [
    ["Region", "Year", "Value"],
    *([f"R{n % 3}", str(2020 + n // 3), f"{n * 1.37:.2f}"] for n in range(12)),
]


def written(path: Path, rows: list[list[str]]) -> Path:
    path.write_text("".join(f"{','.join(row)}\n" for row in rows), "utf-8")
    return path


def compared(tmp_path: Path, new: list[list[str]], old: list[list[str]] = ROWS) -> Difference:
    return difference(written(tmp_path / "old.csv", old), written(tmp_path / "new.csv", new))


def of_rows(rows: list[list[str]], name: str = "", cut: bool = False) -> Rows:
    names = tuple(rows[0])
    return Rows(
        name=name,
        names=names,
        labels=("",) * len(names),
        kinds=(None,) * len(names),
        header_row=1,
        rows=rows[1:],
        total=len(rows) - 1,
        cut=cut,
    )


def test_a_line_says_what_changed(tmp_path: Path) -> None:
    new = [[*row, "unit" if n == 0 else "kg"] for n, row in enumerate(ROWS)]
    new[2][2], new[5][2] = "77.7", "88.8"
    new += [["R9", "2030", "1.5", "kg"], ["R9", "2031", "2.5", "kg"]]
    told = compared(tmp_path, new)
    assert told.text() == "2 rows added, 1 column added: unit; 2 cells changed in 2 rows"
    table = told.tables[0]
    assert table.key == ("Region", "Year")
    assert [(cell.row, cell.old, cell.new) for cell in table.examples] == [
        ("R1, 2020", "1.37", "77.7"),
        ("R1, 2021", "5.48", "88.8"),
    ]
    assert table.added == ("R9, 2030, 1.5", "R9, 2031, 2.5")


@pytest.mark.parametrize(
    ("new", "text"),
    [
        ([ROWS[0], *ROWS[:0:-1]], "rows in another order"),
        ([row[::-1] for row in ROWS], "columns in another order"),
        ([["Area", "Year", "Value"], *ROWS[1:]], "1 column renamed: Region to Area"),
        ([row[:2] for row in ROWS], "1 column removed: Value"),
        (ROWS[:-1], "1 row removed"),
        ([[*row[:2], f"{row[2]}0" if n else row[2]] for n, row in enumerate(ROWS)],
         "numbers written otherwise in 12 rows"),
    ],
)  # fmt: skip
def test_each_kind_of_change_is_told_as_what_it_is(
    tmp_path: Path, new: list[list[str]], text: str
) -> None:
    told = compared(tmp_path, new)
    assert told.text() == text
    is_change = "order" not in text and "otherwise" not in text
    assert told.is_change == is_change


def test_what_holds_the_same_in_other_bytes_is_no_change(tmp_path: Path) -> None:
    old = written(tmp_path / "old.csv", ROWS)
    new = tmp_path / "new.csv"
    new.write_bytes(old.read_bytes().replace(b",", b";").replace(b"\n", b"\r\n"))
    told = difference(old, new)
    assert not told.is_change
    assert told.text() == "the same rows and columns, 178 B -> 191 B"


def test_of_what_is_no_table_the_bytes_are_told(tmp_path: Path) -> None:
    old, new = tmp_path / "old.pdf", tmp_path / "new.pdf"
    old.write_bytes(b"%PDF-1.4 " + b"." * 11_991)
    new.write_bytes(b"%PDF-1.4 " + b"." * 12_991)
    told = difference(old, new)
    assert told.text() == "content changed, 12 kB -> 13 kB"
    assert told.problem
    assert told.is_change


def test_a_table_that_is_too_long_is_counted(tmp_path: Path) -> None:
    rows = [[f"R{n}", str(n), f"{n * 1.5}"] for n in range(99)]
    told = difference(
        written(tmp_path / "old.csv", [ROWS[0], *rows]),
        written(tmp_path / "new.csv", [ROWS[0], *rows, ["R99", "2030", "1.5"]]),
        most_cells=200,
    )
    assert told.text() == "99 -> 100 rows, too many to be compared"
    assert told.is_change


def test_sheets_are_compared_by_their_names(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")

    def book(name: str, sheets: dict[str, list[list[str]]]) -> Path:
        made = openpyxl.Workbook()
        made.remove(made.active)
        for title, rows in sheets.items():
            sheet = made.create_sheet(title)
            for row in rows:
                sheet.append(row)
        made.save(tmp_path / name)
        return tmp_path / name

    other = [["Town", "People"], ["Aa", "12"], ["Bb", "7"]]
    old = book("old.xlsx", {"One": ROWS, "Two": other, "Gone": [["x", "y"], ["1", "2"]]})
    new = book("new.xlsx", {"Two": other, "One": ROWS[:-2], "Come": [["v", "w"], ["1", "2"]]})
    told = difference(old, new)
    assert told.tables_added == ("Come",)
    assert told.tables_removed == ("Gone",)
    assert [(table.name, table.rows_removed) for table in told.tables] == [("One", 2)]
    assert told.unchanged == 1
    assert told.text() == "1 table removed: Gone · 1 table added: Come · One: 2 rows removed"


def test_it_comes_back_from_json(tmp_path: Path) -> None:
    told = compared(tmp_path, [*ROWS[:5], ["R1", "2021", "77"], *ROWS[6:], ["x", "1", "2"]])
    assert told.tables[0].examples
    assert Difference.read(json.loads(json.dumps(told.plain()))) == told


def test_a_worker_compares_and_survives_what_cannot_be(tmp_path: Path) -> None:
    old, new = written(tmp_path / "a.csv", ROWS), written(tmp_path / "b.csv", ROWS[:-1])
    with Worker() as worker:
        assert worker.difference(old, new).text() == "1 row removed"
        gone = worker.difference(old, tmp_path / "gone")
        assert gone.problem == "unreadable"
        assert gone.text().startswith("content changed, 178 B -> 0 B")
        assert worker.profile(old).tables[0].rows == 12


def real(shared: Path) -> list[list[list[str]]]:
    """Tables of the recorded sites, each with its header."""
    found = []
    for name in ("armdata", "onssdg", "canadasdg", "ipho"):
        site = Replica.open(shared / f"data/harvest/replicas/{name}.sqlite")
        urls = [url for url in site.census.targets if url.endswith(".csv")]
        for url in urls[:: max(1, len(urls) // 40)]:
            body = site.answer(Request(url=url)).body.decode("utf-8", "replace")
            rows = list(csv.reader(io.StringIO(body)))
            if len(rows) > 6 and len({len(row) for row in rows}) == 1 and len(rows) < 3000:
                found.append(rows)
    return found


@pytest.fixture(scope="module")
def recorded(shared: Path) -> list[list[list[str]]]:
    found = real(shared)
    assert len(found) > 20
    return found


@examples(40)
@given(st.data())
def test_what_was_done_to_a_real_table_is_told(
    recorded: list[list[list[str]]], data: st.DataObject
) -> None:
    header, *rows = data.draw(st.sampled_from(recorded))
    rng = data.draw(st.randoms(use_true_random=False))
    width = len(header)
    gone = set(rng.sample(range(len(rows)), rng.randrange(min(4, len(rows) // 3) + 1)))
    new = [list(row) for n, row in enumerate(rows) if n not in gone]
    more = [[f"new {n} {place}" for place in range(width)] for n in range(rng.randrange(4))]
    new += more
    if shuffled := data.draw(st.booleans()):
        rng.shuffle(new)
    order = list(range(width))
    if data.draw(st.booleans()):
        rng.shuffle(order)
    told = table_difference(
        of_rows([header, *rows]),
        of_rows([[row[place] for place in order] for row in [header, *new]]),
    )
    assert (told.columns_added, told.columns_removed, told.columns_renamed) == ((), (), ())
    before, after = (Counter(map(tuple, side)) for side in (rows, new))
    assert told.rows_removed == (before - after).total() == len(gone)
    assert told.rows_added == len(more)
    assert told.rows_changed == 0
    assert ("columns" in told.reordered) == (order != sorted(order))
    assert shuffled or "rows" not in told.reordered


@examples(40)
@given(st.data())
def test_edits_of_a_real_table_are_told(
    recorded: list[list[list[str]]], data: st.DataObject
) -> None:
    header, *rows = data.draw(st.sampled_from(recorded))
    rng = data.draw(st.randoms(use_true_random=False))
    edits = set(rng.sample(range(len(rows)), min(3, len(rows) // 3)))
    new = [[*row[:-1], f"9{n}.125"] if n in edits else row for n, row in enumerate(rows)]
    told = table_difference(of_rows([header, *rows]), of_rows([header, *new]))
    if told.key:
        assert (told.rows_changed, told.cells_changed) == (len(edits), len(edits))
        assert (told.rows_added, told.rows_removed) == (0, 0)
    else:
        assert (told.rows_added, told.rows_removed) == (len(edits), len(edits))
    assert {cell.column for cell in told.examples} <= {header[-1]}


def test_most_real_tables_have_a_key(recorded: list[list[list[str]]]) -> None:
    keyed = 0
    for header, *rows in recorded:
        new = [[*rows[0][:-1], "9.125"], *rows[1:]]
        keyed += bool(table_difference(of_rows([header, *rows]), of_rows([header, *new])).key)
    assert keyed > 0.8 * len(recorded)


@examples(60)
@given(st.lists(st.lists(st.text(max_size=3), max_size=4), max_size=6), st.booleans())
def test_any_tables_can_be_compared(rows: list[list[str]], cut: bool) -> None:
    old = of_rows([["a", "b"], *rows], cut=cut)
    new = of_rows([["b", "c", "d"], *rows[::-1]])
    told = table_difference(old, new)
    assert isinstance(told, TableDifference)
    json.dumps(Difference(tables=(told,)).plain())


def test_tables_of_a_file_are_read_as_the_profile_reads_them(tmp_path: Path) -> None:
    (table,) = tables(written(tmp_path / "a.csv", ROWS))
    assert table_difference(table, table) == TableDifference(rows_before=12, rows_after=12)
