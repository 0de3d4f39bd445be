"""What is read and not written goes on as text: as it was packed, or as CSV."""

import gzip
import json
import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.feather
import pytest

from filon.core import UserError
from filon.verbs.enrich.table import New, WhichPartError, open_copy, open_table
from unit.profile.hostile import ods

CSV = 'title;year;doi\r\n"Über; alles";2001;\r\n007;;\r\nAlone;;\r\n'
TITLES = ["Über; alles", "007", "Alone"]
LINES = (
    ("title", "year", "doi"),
    ("Nile", "2001", ""),
    ("", "", ""),
    ("007", "", ""),
    ("Alone", "", ""),
)


def zipped(path: Path, members: dict[str, str]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in members.items():
            archive.writestr(name, text.encode("cp1252"))
    return path


def make_ods(path: Path, name: str = "S") -> Path:
    cell = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'
    rows = ("".join(map(cell.format, line)) for line in LINES)
    body = ods("".join(f"<table:table-row>{row}</table:table-row>" for row in rows))
    path.write_bytes(body.replace(b'"S"', f'"{name}"'.encode()))
    return path


@pytest.mark.parametrize("ending", [".csv.gz", ".zip"])
def test_a_packed_csv_is_read_and_written_as_if_it_were_unpacked(
    ending: str, tmp_path: Path
) -> None:
    (tmp_path / "t.csv").write_bytes(CSV.encode("cp1252"))
    packed = tmp_path / f"t{ending}"
    if ending == ".zip":
        zipped(packed, {"in/t.csv": CSV, "README.txt": "It is about books.\nNo more is known.\n"})
    else:
        packed.write_bytes(gzip.compress(CSV.encode("cp1252")))
    new = New(added={"x": ["a", "b", "c"]}, filled={"year": {1: "1999"}})
    for file, out in ((tmp_path / "t.csv", "plain.csv"), (packed, "packed.csv")):
        table = open_table(file)
        assert table.read(["title"]) == {"title": TITLES}
        assert table.ending == ".csv"
        table.write(tmp_path / out, new)
    assert (tmp_path / "packed.csv").read_bytes() == (tmp_path / "plain.csv").read_bytes()
    assert open_table(packed, header=False).size == 4
    assert open_table(packed, encoding="latin-1").read(["title"]) == {"title": TITLES}


def test_a_spreadsheet_of_libreoffice_goes_on_as_csv_and_loses_no_row(tmp_path: Path) -> None:
    table = open_table(make_ods(tmp_path / "t.ods"))
    assert table.names == ("title", "year", "doi")
    assert table.read(["title"]) == {"title": ["Nile", "", "007", "Alone"]}
    table.save(tmp_path / f"input{table.ending}")
    copy = open_copy(tmp_path / "input.csv", name="S", header=True, encoding="")
    copy.write(
        tmp_path / "o.csv", New(filled={"doi": {2: "10/x"}}, added={"x": ["=1", "", "", ""]})
    )
    assert (tmp_path / "o.csv").read_text().splitlines() == [
        '"title","year","doi","x"',
        '"Nile","2001","","\'=1"',
        '"","","",""',
        '"007","","10/x",""',
        '"Alone","","",""',
    ]
    assert open_table(tmp_path / "t.ods", header=False).size == 5


def test_records_of_json_and_a_table_of_arrow_are_read(tmp_path: Path) -> None:
    records = [{"title": "Nile", "of": {"year": 2001}}, {"title": "Lena", "pages": None}]
    (tmp_path / "t.json").write_text(json.dumps(records))
    (tmp_path / "t.ndjson").write_text("\n".join(map(json.dumps, records)))
    for name in ("t.json", "t.ndjson"):
        table = open_table(tmp_path / name)
        assert table.read(["title", "of.year"]) == {
            "title": ["Nile", "Lena"],
            "of.year": ["2001", ""],
        }
    pyarrow.feather.write_feather(pa.table({"a": ["1", None]}), str(tmp_path / "t.arrow"))
    assert open_table(tmp_path / "t.arrow").read(["a"]) == {"a": ["1", ""]}


def test_of_several_tables_one_has_to_be_named(tmp_path: Path) -> None:
    path = zipped(tmp_path / "t.zip", {"a.csv": CSV, "in: b.csv": "name,k\nx,1\ny,2\n"})
    with pytest.raises(WhichPartError, match=r"several tables.* a\.csv, in: b\.csv") as raised:
        open_table(path)
    assert raised.value.parts == ("a.csv", "in: b.csv")
    assert open_table(f"{path}:in: b.csv").read(["k"]) == {"k": ["1", "2"]}
    assert open_table(path, name="a.csv").read(["title"]) == {"title": TITLES}
    with pytest.raises(UserError, match=r"no table 'c'"):
        open_table(path, name="c")


def test_what_a_format_does_not_have_cannot_be_said_of_it(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text('[{"a": 1}, {"a": 2}]')
    with pytest.raises(UserError, match="names its columns itself"):
        open_table(tmp_path / "t.json", header=False)
    with pytest.raises(UserError, match="is no text"):
        open_table(make_ods(tmp_path / "t.ods"), encoding="latin-1")


def test_text_that_looks_like_records_or_marks_stays_lines(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("<b>name</b>,k\nx,1\n")
    assert open_table(tmp_path / "t.csv").names == ("<b>name</b>", "k")
