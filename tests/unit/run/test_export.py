import csv
import json
import os
import sqlite3
import sys
import threading
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

import pyarrow.parquet
import pytest

from fake_run import BEGAN_S, START, FakeRun, database, realistic
from filon.core import MachineError, UserError
from filon.run.export import FINDS, export, formats_for, stream
from filon.run.export.folder import LONGEST_BYTES, Tree, safe_name
from filon.run.export.rows import finds
from filon.run.text import cell
from patience import PATIENCE_S

HOSTILE = [
    "../../../etc/passwd",
    "..\\..\\boot.ini",
    "/etc/cron.d/x",
    "C:\\autoexec.bat",
    "a/../../b",
    "\x00\x1b[2J\r\n.csv",
    "con",
    "LPT1.csv",
    "nul.",
    "aux .txt",
    "\u202egpj.exe",
    ".bashrc",
    "-rf",
    "~root",
    " ",
    "",
    ".",
    "..",
    "…",
    "x" * 5000 + ".csv",
    "é" * 400 + ".xlsx",
    "name. . .",
    "a\u2028b",
    "file.csv:stream",
    "%2e%2e%2f",
]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    path = tmp_path / "site"
    with FakeRun(path) as fake:
        fake.step(START, kind="start")
        fake.find(f"{START}data/a.csv", b"1", name="a.csv")
        fake.find(f"{START}data/b?id=2", b"22", name="a.csv", parent=f"{START}list")
        fake.find(f"{START}größe.xlsx", b"333", name="größe.xlsx", mime="application/vnd.ms-excel")
        fake.end("exhausted")
    return path


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    path = tmp_path / "nothing"
    with FakeRun(path) as fake:
        fake.step(START, kind="start")
        fake.end("exhausted")
    return path


def table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_csv_has_a_row_a_find_in_the_order_they_came(run: Path, tmp_path: Path) -> None:
    rows = table(export(run, "csv", tmp_path / "out.csv"))
    assert [row["name"] for row in rows] == ["a.csv", "a.csv", "größe.xlsx"]
    assert rows[1]["parent"] == f"{START}list"
    assert [row["size_bytes"] for row in rows] == ["1", "2", "3"]
    assert rows[0]["step"] == "2"
    assert (run / rows[1]["path"]).read_bytes() == b"22"
    found_at = datetime.fromisoformat(rows[0]["found_at"])
    assert found_at == datetime.fromtimestamp(BEGAN_S + 2.4, UTC)


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "\nx", "＝1"])
def test_no_cell_of_a_csv_is_a_formula(tmp_path: Path, name: str) -> None:
    with FakeRun(tmp_path / "run") as fake:
        fake.find(f"{START}x", name=name, mime=name, parent=name)
    (row,) = table(export(tmp_path / "run", "csv", None))
    assert (row["name"], row["mime"], row["parent"]) == (f"'{name}", f"'{name}", f"'{name}")
    files = export(tmp_path / "run", "files", None)
    assert table(files / "index.csv")[0]["name"] == f"'{name}"


def test_an_ordinary_cell_stays_as_it_is() -> None:
    assert cell("2024-a=b.csv") == "2024-a=b.csv"


def test_jsonl_keeps_the_values_as_they_are(tmp_path: Path) -> None:
    with FakeRun(tmp_path / "run") as fake:
        fake.find(f"{START}x", name='=1+1"\n\u202eé')
    lines = export(tmp_path / "run", "jsonl", None).read_text("utf-8").splitlines()
    (row,) = map(json.loads, lines)
    assert row["name"] == '=1+1"\n\u202eé'
    assert row["size_bytes"] == 8


def test_parquet_holds_typed_columns(run: Path) -> None:
    read = pyarrow.parquet.read_table(export(run, "parquet", None))
    assert read.column("name").to_pylist() == ["a.csv", "a.csv", "größe.xlsx"]
    assert read.column("size_bytes").to_pylist() == [1, 2, 3]
    assert str(read.schema.field("found_at").type) == "timestamp[us, tz=UTC]"


def test_parquet_without_its_extra_is_one_sentence(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(UserError, match=r"filon\[parquet\]"):
        export(run, "parquet", None)
    assert not run.with_name("site.parquet").exists()


def test_sqlite_has_finds_and_steps_and_no_learner(run: Path) -> None:
    out = export(run, "sqlite", None)
    tables = database(out, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1")
    assert tables == [("finds",), ("steps",)]
    assert database(out, "SELECT COUNT(*) FROM steps") == [(4,)]
    ((name, path),) = database(out, "SELECT name, path FROM finds WHERE size_bytes = 3")
    assert name == "größe.xlsx"
    assert (run / path).read_bytes() == b"333"


def test_files_make_a_tree_like_the_site_with_names_numbered(run: Path) -> None:
    out = export(run, "files", None)
    assert out == run.with_name("site-files")
    home = out / "statistik.example.org"
    assert (home / "data" / "a.csv").read_bytes() == b"1"
    assert (home / "data" / "a (2).csv").read_bytes() == b"22"
    assert (home / "größe.xlsx").read_bytes() == b"333"
    paths = [row["path"] for row in table(out / "index.csv")]
    assert paths[1] == "statistik.example.org/data/a (2).csv"
    assert 'href="statistik.example.org/data/a%20%282%29.csv"' in (out / "index.html").read_text()


def test_who_edits_an_exported_file_does_not_change_the_run(run: Path) -> None:
    out = export(run, "files", None)
    (out / "statistik.example.org" / "data" / "a.csv").write_bytes(b"changed")
    kept = database(run / "ledger.sqlite", "SELECT sha256 FROM finds WHERE size_bytes = 1")[0][0]
    assert (run / "files" / kept[:2] / kept).read_bytes() == b"1"


def test_a_find_whose_file_is_missing_is_listed_without_a_path(run: Path) -> None:
    kept = database(run / "ledger.sqlite", "SELECT sha256 FROM finds WHERE size_bytes = 2")[0][0]
    (run / "files" / kept[:2] / kept).unlink()
    out = export(run, "files", None)
    assert [bool(row["path"]) for row in table(out / "index.csv")] == [True, False, True]
    assert "(not kept)" in (out / "index.html").read_text("utf-8")


def test_nothing_from_the_web_names_a_path_outside(tmp_path: Path) -> None:
    with FakeRun(tmp_path / "run") as fake:
        for number, name in enumerate(HOSTILE):
            url = f"http://evil.example{'/..' * number}/%2e%2e%2f..%5c/{number}%00/x"
            fake.find(url, f"{number}".encode(), name=name)
        fake.find("http://../../x", b"host", name="x.csv")
        fake.find("http://[bad/x", b"bad host", name="x.csv")
    out = export(tmp_path / "run", "files", tmp_path / "out")
    files = [path for path in out.rglob("*") if path.is_file()]
    assert len(files) == len(HOSTILE) + 2 + 2
    assert {p.name for p in tmp_path.iterdir()} == {"run", "out"}
    for path in out.rglob("*"):
        assert path.resolve().is_relative_to(out.resolve())
        assert path.name.isprintable()
        assert len(str(path.relative_to(out))) < 260
        assert not path.name.startswith((".", "-", "~"))


@pytest.mark.parametrize("text", HOSTILE)
def test_a_name_is_safe_on_every_file_system(text: str) -> None:
    name = safe_name(text)
    assert name
    assert name.isprintable()
    assert not set(name) & set('<>:"/\\|?*')
    assert name == name.strip(". ")
    assert len(name.encode()) <= LONGEST_BYTES + len("_.download")
    assert name.partition(".")[0].strip().lower() not in {"con", "nul", "aux", "lpt1"}


def test_a_long_name_keeps_its_ending() -> None:
    assert safe_name("é" * 400 + ".xlsx").endswith("é.xlsx")


@pytest.mark.parametrize("name", ["a.exe", "a.HTML", "a.svg", "run.desktop", "a.js"])
def test_no_exported_file_runs_at_a_double_click(name: str) -> None:
    assert safe_name(name) == f"{name}.download"


def test_names_that_differ_in_case_only_get_different_places() -> None:
    tree = Tree()
    places = [tree.place(f"{START}d/{n}", name) for n, name in enumerate(["A.csv", "a.csv"])]
    assert [place.name for place in places] == ["A.csv", "a (2).csv"]


def test_a_file_and_a_folder_of_one_name_do_not_meet() -> None:
    tree = Tree()
    assert tree.place(f"{START}data", "data").parts[1:] == ("data",)
    assert tree.place(f"{START}data/x.csv", "x.csv").parts[1:] == ("data (2)", "x.csv")


def test_no_host_takes_the_place_of_the_index() -> None:
    place = Tree().place("http://index.html/a.csv", "a.csv")
    assert place.parts[0] not in ("index.html", "index.csv")


def test_a_thousand_files_of_one_name_are_all_kept() -> None:
    tree = Tree()
    places = {tree.place(f"{START}get?id={n}", "data.csv") for n in range(1000)}
    assert len(places) == 1000
    assert PurePosixPath("statistik.example.org/data (1000).csv") in places


@pytest.mark.parametrize("to", formats_for(FINDS))
def test_what_is_there_already_is_not_overwritten(run: Path, tmp_path: Path, to: str) -> None:
    out = tmp_path / "mine"
    out.write_text("precious")
    with pytest.raises(UserError, match="is there already"):
        export(run, to, out)
    assert out.read_text() == "precious"


@pytest.mark.parametrize("to", formats_for(FINDS))
def test_an_export_leaves_nothing_else_behind(run: Path, tmp_path: Path, to: str) -> None:
    (tmp_path / "place").mkdir()
    out = export(run, to, tmp_path / "place" / "x")
    assert list((tmp_path / "place").iterdir()) == [out]


@pytest.mark.parametrize("to", formats_for({"table": finds, "files": finds}))
def test_a_run_without_finds_gives_an_empty_table(empty: Path, to: str) -> None:
    out = export(empty, to, None)
    if to == "files":
        assert table(out / "index.csv") == []
        assert "found no files" in (out / "index.html").read_text("utf-8")
    elif to == "csv":
        assert out.read_text("utf-8").startswith("url,name,mime,")
        assert table(out) == []
    elif to == "parquet":
        assert pyarrow.parquet.read_table(out).num_rows == 0
    elif to == "sqlite":
        assert database(out, "SELECT COUNT(*) FROM finds") == [(0,)]
    elif to == "json":
        assert json.loads(out.read_text("utf-8")) == []
    else:
        assert out.read_bytes() == b""


def test_an_unknown_format_names_the_known_ones(run: Path) -> None:
    with pytest.raises(UserError, match="csv, parquet, sqlite, jsonl, json, files"):
        export(run, "pdf", None)


def test_a_folder_that_is_not_a_run_is_the_users_mistake(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is not a run"):
        export(tmp_path, "csv", tmp_path / "out.csv")
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_does_not_exist_is_the_users_mistake(run: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="does not exist"):
        export(run, "csv", tmp_path / "no" / "out.csv")


def test_a_ledger_that_cannot_be_read_is_the_machines_fault(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "ledger.sqlite").write_bytes(b"no database" * 1000)
    with pytest.raises(MachineError, match="cannot be read"):
        export(tmp_path / "run", "csv", tmp_path / "out.csv")
    assert not (tmp_path / "out.csv").exists()


def test_a_full_disk_leaves_no_half_export(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("filon.run.export.folder.shutil.copyfile", full)
    with pytest.raises(MachineError, match="No space left"):
        export(run, "files", tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_a_full_disk_under_sqlite_is_the_machines_fault(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tiny = "PRAGMA max_page_count = 10;" + "CREATE TABLE filler AS SELECT zeroblob(1000000) AS x;"
    monkeypatch.setattr("filon.run.export.database._COPY", tiny)
    with pytest.raises(MachineError, match="disk is full"):
        export(run, "sqlite", tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_an_export_works_while_the_run_goes_on(run: Path, tmp_path: Path) -> None:
    writer = sqlite3.connect(run / "ledger.sqlite")
    writer.execute("PRAGMA journal_mode = WAL")
    writer.execute("BEGIN IMMEDIATE")
    writer.execute("DELETE FROM finds")
    rows = table(export(run, "csv", tmp_path / "out.csv"))
    writer.rollback()
    writer.close()
    assert len(rows) == 3


def test_a_large_run_keeps_every_find(tmp_path: Path) -> None:
    run = realistic(tmp_path / "run")
    finds = database(run / "ledger.sqlite", "SELECT COUNT(*) FROM finds")[0][0]
    out = export(run, "files", None)
    rows = table(out / "index.csv")
    assert len({row["path"] for row in rows}) == finds == len(rows) > 100
    assert all(os.path.isfile(out / row["path"]) for row in rows)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_takes_an_export(run: Path, tmp_path: Path) -> None:
    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()), daemon=True)
    reader.start()
    assert export(run, "csv", pipe) == pipe
    reader.join(PATIENCE_S)
    export(run, "csv", tmp_path / "finds.csv")
    assert read == [(tmp_path / "finds.csv").read_text()]


def test_a_folder_cannot_be_streamed(run: Path, tmp_path: Path) -> None:
    with (tmp_path / "out").open("wb") as file, pytest.raises(UserError, match="is a folder"):
        stream(run, "files", file)
    assert (tmp_path / "out").read_bytes() == b""


def test_files_that_their_links_do_not_tell_apart_are_told_apart_by_more(tmp_path: Path) -> None:
    with FakeRun(tmp_path / "site") as fake:
        for number, heading in enumerate(["Births", "Deaths", "Deaths"]):
            fake.find(f"{START}{number}.csv", b"%d" % number, name=f"{number}.csv")
            fake.ledger.execute(
                "UPDATE finds SET link_text = 'All figures', headings = ? WHERE url = ?",
                (heading, f"{START}{number}.csv"),
            )
    for out in ("first", "again"):
        folder = export(tmp_path / "site", "files", tmp_path / out) / "statistik.example.org"
        names = sorted(path.name for path in folder.iterdir())
        assert names == ["births-figures.csv", "figures-1.csv", "figures-2.csv"]
