"""Where the demo is, and how its commands are typed there."""

import itertools
import os
import shutil
import sys
from pathlib import Path

FOLDER = "filon-demo"


def typed(command: str) -> str:
    """Return a command as it can be typed here: with its path, where the shell would not find it.

    >>> typed("filon-demo/vein/report.html")
    'filon-demo/vein/report.html'
    """
    program, space, rest = command.partition(" ")
    here = Path(sys.executable).parent / program
    if program not in ("filon", "python") or shutil.which(program) == str(here):
        return command
    if not here.exists():
        return command
    place = here.relative_to(Path.cwd()) if here.is_relative_to(Path.cwd()) else here
    return f"{place}{space}{rest}"


def activation() -> str:
    """Return how the environment of this Python is entered."""
    folder = Path(sys.executable).parent
    place = folder.relative_to(Path.cwd()) if folder.is_relative_to(Path.cwd()) else folder
    return f"{place}\\activate" if os.name == "nt" else f"source {place}/activate"


def fresh(folder: Path) -> Path:
    """Return the folder, or with a number behind its name the first that does not exist."""
    names = itertools.chain(
        [folder], (folder.with_name(f"{folder.name}-{n}") for n in itertools.count(2))
    )
    return next(name for name in names if not name.exists() and not name.is_symlink())
