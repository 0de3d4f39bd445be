"""What is packed is opened, however it is packed, and within bounds."""

import bz2
import gzip
import lzma
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from filon.profile.packed import zip_members
from filon.profile.read import profile
from unit.profile.hostile import TABLE, tarred, xlsx, zipped
from unit.profile.hostile import row as cells

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd


@pytest.mark.parametrize(
    ("name", "pack", "format"),
    [
        ("a.csv.gz", gzip.compress, "csv in gzip"),
        ("a.csv.bz2", bz2.compress, "csv in bzip2"),
        ("a.csv.xz", lzma.compress, "csv in xz"),
        ("a.csv.zst", zstd.compress, "csv in zstd"),
        ("a.tar", lambda body: tarred({"d/a.csv": body}), "tar"),
        ("a.tgz", lambda body: gzip.compress(tarred({"d/a.csv": body})), "tar in gzip"),
        ("a.zip", lambda body: zipped({"a.csv": body, ".hidden": b"x"}), "zip"),
        ("a.zip", lambda body: zipped({"b.zip": zipped({"a.csv": body})}), "zip"),
        ("a.zip", lambda body: zipped({"a.csv.gz": gzip.compress(body)}), "zip"),
    ],
)
def test_a_table_in_it_is_told(
    tmp_path: Path, name: str, pack: Callable[[bytes], bytes], format: str
) -> None:
    path = tmp_path / "stored"
    path.write_bytes(pack(TABLE))
    told = profile(path, name)
    (table,) = told.tables
    assert (told.format, told.problem, told.delimiter, told.encoding) == (format, "", ",", "ascii")
    assert (table.rows, [column.kind for column in table.columns]) == (
        3,
        ["text", "integer", "number"],
    )


def test_workbooks_in_archives_are_opened(tmp_path: Path) -> None:
    book = xlsx("".join(cells(n, {"A": f"r{n}", "B": str(n)}) for n in range(1, 5)))
    (tmp_path / "a").write_bytes(zipped({"one.xlsx": book, "two.csv": TABLE}))
    told = profile(tmp_path / "a", "a.zip")
    assert [table.name for table in told.tables] == ["one.xlsx: S", "two.csv"]
    (tmp_path / "b").write_bytes(gzip.compress(book))
    assert profile(tmp_path / "b", "one.xlsx.gz").format == "xlsx in gzip"


def test_a_workbook_is_one_whatever_it_is_called(tmp_path: Path) -> None:
    path = tmp_path / "a.xls"
    path.write_bytes(xlsx("".join(cells(n, {"A": f"r{n}", "B": str(n)}) for n in range(1, 5))))
    assert (profile(path).format, len(profile(path).tables)) == ("xlsx", 1)


def test_macros_are_told(tmp_path: Path) -> None:
    book = xlsx(cells(1, {"A": "a", "B": "b"}), **{"xl/vbaProject.bin": b"x"})
    (tmp_path / "a").write_bytes(book)
    assert profile(tmp_path / "a", "a.xlsm").detail == "It has macros, which are not run."


def test_what_is_wrong_in_one_member_leaves_the_others(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(zipped({"bad.json": b"[{", "a.csv": TABLE}))
    told = profile(tmp_path / "a", "a.zip")
    assert [table.name for table in told.tables] == ["a.csv"]
    assert told.detail.startswith("bad.json: It is no whole JSON")


def test_members_are_read_in_memory(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(zipped({"../up.csv": TABLE, "__MACOSX/._x": b"x"}))
    assert [name for name, _ in zip_members(tmp_path / "a.zip")] == ["../up.csv"]
    assert next(zip_members(tmp_path / "a.zip"))[1] == TABLE
