"""A file that takes its place whole, or leaves what was there."""

import errno
from pathlib import Path

import pytest

from filon.core import MachineError
from filon.run.atomic import apart, replace_text, replacing


def names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def test_what_was_there_stays_until_the_new_one_is_whole(tmp_path: Path) -> None:
    goal = tmp_path / "list.csv"
    goal.write_text("old")
    with replacing(goal) as part:
        part.write_text("new")
        assert goal.read_text() == "old"
    assert goal.read_text() == "new"
    assert names(tmp_path) == ["list.csv"]


def test_a_failure_leaves_the_old_file_and_no_part(tmp_path: Path) -> None:
    goal = tmp_path / "list.csv"
    goal.write_text("old")

    def write_half() -> None:
        with replacing(goal) as part:
            part.write_text("half")
            raise KeyError

    with pytest.raises(KeyError):
        write_half()
    assert goal.read_text() == "old"
    assert names(tmp_path) == ["list.csv"]


def test_a_goal_that_cannot_be_written_is_the_machines_fault_and_named(tmp_path: Path) -> None:
    (tmp_path / "list.csv" / "full").mkdir(parents=True)
    with pytest.raises(MachineError, match=r"list\.csv cannot be written: "):
        replace_text(tmp_path / "list.csv", "new")
    assert names(tmp_path) == ["list.csv"]


def test_a_full_disk_says_how_to_go_on(tmp_path: Path) -> None:
    with pytest.raises(MachineError, match="disk is full"), replacing(tmp_path / "list.csv"):
        raise OSError(errno.ENOSPC, "No space left on device")


def test_what_utf_8_lacks_is_replaced_only_where_asked(tmp_path: Path) -> None:
    with pytest.raises(UnicodeEncodeError):
        replace_text(tmp_path / "a.txt", "\udcff")
    assert names(tmp_path) == []
    replace_text(tmp_path / "a.txt", "\udcff\r\n", errors="replace")
    assert (tmp_path / "a.txt").read_bytes() == b"?\r\n"


def test_a_folder_written_apart_is_removed_too(tmp_path: Path) -> None:
    with apart(tmp_path / "files") as part:
        (part / "deep").mkdir(parents=True)
        (part / "deep" / "file").write_text("x")
    assert names(tmp_path) == []
