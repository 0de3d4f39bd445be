"""A folder of runs as somebody sees it who may not write there, or not look into all of it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

#: What the user nobody has on most systems.
NOBODY = 65534


@contextmanager
def shared_folder() -> Iterator[Path]:
    """Give a folder that all may enter, as those of pytest are not."""
    with TemporaryDirectory() as place:
        Path(place).chmod(0o755)
        yield Path(place)


@contextmanager
def with_modes(modes: dict[Path, int]) -> Iterator[None]:
    """Set permissions, and let them hold for root too, who becomes somebody else meanwhile."""
    for path, mode in modes.items():
        path.chmod(mode)
    root = os.geteuid() == 0
    try:
        if root:
            os.seteuid(NOBODY)
        yield
    finally:
        if root:
            os.seteuid(0)
        for path in modes:
            path.chmod(0o700)


def read_only(folder: Path) -> dict[Path, int]:
    """Return modes by which all of a folder can be read and nothing be written."""
    every = (folder, *folder.rglob("*"))
    return {path: 0o555 if path.is_dir() else 0o444 for path in every}
