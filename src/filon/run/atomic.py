"""Files that are written apart and then take their place: whole, or as they were before.

Every file of a run folder that is not appended to is written so, and so are reports and exports.
The part stands beside its goal, since only within one file system a rename is a single act; its
name has the process, so that two that write the same file do not write into each other.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filon.run.disk import writing


@contextmanager
def apart(path: Path) -> Iterator[Path]:
    """Give a place beside a path for a file or a folder, and remove what still stands there."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield part
    finally:
        if part.is_dir():
            shutil.rmtree(part, ignore_errors=True)
        else:
            part.unlink(missing_ok=True)


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a place to write a file that then takes that of path; a MachineError where it cannot.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     goal = Path(folder) / "sites.csv"
    ...     with replacing(goal) as part:
    ...         _ = part.write_text("url")
    ...         goal.exists()
    ...     goal.read_text()
    False
    'url'
    """
    with writing(path.parent, path), apart(path) as part:
        yield part
        part.replace(path)


def replace_text(path: Path, text: str, *, errors: str = "strict") -> None:
    """Write a text in UTF-8 in place of what the file held, line ends as they are."""
    with (
        replacing(path) as part,
        part.open("w", encoding="utf-8", errors=errors, newline="") as file,
    ):
        file.write(text)
