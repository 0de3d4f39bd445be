"""Where a run is written: the user's folder, or a fresh one with a readable name."""

import contextlib
import itertools
import re
import shutil
from pathlib import Path

from filon.core import UserError
from filon.page.url import split

RUNS = Path("filon-runs")


def place(out: str | Path | None, url: str, name: str = "") -> Path:
    """Return the folder for a new run; it does not exist yet.

    Without `out`: filon-runs/example.org-001, or the next number that is free.
    name: what it is called after, in place of the host.
    """
    if out is None:
        return _numbered(RUNS, name or split(url).hostname or "site")
    folder = Path(out)
    if folder.exists() or folder.is_symlink():
        what = "folder" if folder.is_dir() else "file"
        ahead = f", or go on with: filon resume {folder}" if (folder / "run.toml").exists() else ""
        raise UserError(f"The {what} {folder} exists already: choose another with --out{ahead}.")
    return folder


def _numbered(parent: Path, host: str) -> Path:
    name = re.sub(r"[^a-z0-9.-]", "-", host.lower())[:80]
    folders = (parent / f"{name}-{number:03}" for number in itertools.count(1))
    return next(folder for folder in folders if not folder.exists())


def discard(folder: Path) -> None:
    """Remove a folder that this very run has made: there was nothing to be had."""
    shutil.rmtree(folder)
    if folder.parent == RUNS:
        with contextlib.suppress(OSError):  # other runs are in it
            RUNS.rmdir()
