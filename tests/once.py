"""What is dear to make is made once in a session of tests, whichever process needs it first."""

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest


def once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """Return a folder of that name that `make` has filled; other processes wait for it.

    The folder is for all: who wants to change something in it takes a copy.
    """
    place = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        place = place.parent  # of this session, as the processes share it
    folder, done = place / f"once-{name}", place / f"once-{name}.done"
    with (place / f"once-{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            folder.mkdir()
            make(folder)
            done.touch()
    return folder
