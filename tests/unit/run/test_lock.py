"""A run has one writer, on systems with `flock` and on Windows, which is played here."""

import os
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from filon.core import UserError
from filon.run import lock
from project import windows


@pytest.fixture(params=["here", "windows"])
def module(request: pytest.FixtureRequest) -> Iterator[ModuleType]:
    if request.param == "here":
        yield lock
        return
    assert lock.__file__
    with windows.folders_closed():
        yield windows.load("lock_of_windows", lock.__file__)


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
    lock.Lock(tmp_path).release()
    assert not list(tmp_path.iterdir())
