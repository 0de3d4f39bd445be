"""A file that takes its place whole, or leaves what was there."""

import errno
import os
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from filon.core import MachineError, UserError
from filon.run import disk
from filon.run.disk import Lock, apart, replace_text, replacing
from project import windows


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


def test_a_store_that_may_only_be_read_is_told_as_such(tmp_path: Path) -> None:
    said = "attempt to write a readonly database"
    for of_run in (disk.reading, disk.writing):
        with pytest.raises(MachineError) as failed, of_run(tmp_path):
            raise sqlite3.OperationalError(said)
        assert str(failed.value) == (
            f"The ledger of {tmp_path} cannot be written: there is no permission to write."
        )


def test_a_full_disk_names_the_file_and_takes_its_folder_for_no_run(tmp_path: Path) -> None:
    file = tmp_path / "list.csv"
    with pytest.raises(MachineError) as failed, replacing(file):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert str(failed.value) == f"The disk is full: {file} cannot be written."


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


@pytest.fixture(params=["here", "windows"])
def module(request: pytest.FixtureRequest) -> Iterator[ModuleType]:
    if request.param == "here":
        yield disk
        return
    assert disk.__file__
    with windows.folders_closed():
        yield windows.load("disk_of_windows", disk.__file__)


def next_descriptor() -> int:
    """Return the lowest number that is free: it goes up where something is left open."""
    descriptor = os.open(os.devnull, os.O_RDONLY)
    os.close(descriptor)
    return descriptor


def test_the_second_is_told_to_wait(module: ModuleType, tmp_path: Path) -> None:
    first = module.Lock(tmp_path)
    with pytest.raises(UserError, match="is in use by another process"):
        module.Lock(tmp_path)
    first.release()
    module.Lock(tmp_path).release()


def test_a_refused_lock_leaves_nothing_open(module: ModuleType, tmp_path: Path) -> None:
    first = module.Lock(tmp_path)
    before = next_descriptor()
    for _ in range(5):
        with pytest.raises(UserError):
            module.Lock(tmp_path)
    assert next_descriptor() == before
    first.release()


def test_to_release_twice_is_harmless(module: ModuleType, tmp_path: Path) -> None:
    held = module.Lock(tmp_path)
    held.release()
    other = module.Lock(tmp_path)
    held.release()
    with pytest.raises(UserError):
        module.Lock(tmp_path)
    other.release()


def test_a_folder_that_is_not_there_is_no_lock(module: ModuleType, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        module.Lock(tmp_path / "nowhere")


def test_no_file_is_left_where_a_folder_can_be_held(tmp_path: Path) -> None:
    disk.Lock(tmp_path).release()
    assert not list(tmp_path.iterdir())


def test_who_only_looks_is_waited_for(tmp_path: Path) -> None:
    looking = Lock(tmp_path)
    threading.Timer(0.05, looking.release).start()
    Lock(tmp_path, wait_s=10).release()


def test_who_works_is_not_waited_for_long(tmp_path: Path) -> None:
    working = Lock(tmp_path)
    with pytest.raises(UserError, match="in use by another process"):
        Lock(tmp_path, wait_s=0.05)
    working.release()
