"""What today's Filon makes of the stored run folders."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from filon.core import clock
from golden.commands import end, working_in
from golden.folders import FOLDERS, headings, looks, say, steps, unpack
from golden.play import serving
from golden.trace import digest


def looked(name: str, folder: Path) -> dict[str, Any]:
    """Unpack a stored run and look at it in every way, without a request."""
    with working_in(folder):
        return looks(unpack(name, Path()))


def resumed(name: str, folder: Path) -> dict[str, Any]:
    """Unpack a stored run and go on with it to its end, on the small web."""
    with serving() as server, working_in(folder):
        run = unpack(name, Path())
        before = len(steps(run))
        here = ("--connect-to", server.connect_to, "--delay", 0)
        with _soon_after(run):
            told = end("resume", run, *here, "--budget", FOLDERS[name])
        lines = steps(run)
        return {
            "told": told,
            "lines": [before, len(lines)],
            "steps": digest(lines),
            "headings": headings(run),
            "files": sorted(path.name for path in run.iterdir()),
            "again": say("resume", run, *here, "--budget", FOLDERS[name])[0],
        }


@contextmanager
def _soon_after(run: Path) -> Iterator[None]:
    """Let it be the hour in which a run was stored: a day later robots.txt is asked for anew."""
    with closing(sqlite3.connect(run / "ledger.sqlite")) as ledger:
        (last_s,) = ledger.execute("SELECT MAX(at_s) FROM steps").fetchone()
    since_s = time.time() - last_s
    with patch.object(clock, "time", SimpleNamespace(time=lambda: time.time() - since_s)):
        yield
