"""The runs of a folder, a line each: what each is, how it stands, what it cost and brought."""

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from filon.core import FilonError, UserError
from filon.core.budget import Counts
from filon.run import readonly
from filon.run.disk import may
from filon.run.summary import ending

_FIGURES = """
SELECT COALESCE(SUM(sends), 0) AS requests, COALESCE(SUM(wire_bytes), 0) AS bytes,
       (SELECT COUNT(*) FROM finds) AS finds
FROM steps
"""


#: What changes when a run does something.
FILES = (readonly.LEDGER, f"{readonly.LEDGER}-wal", readonly.CONFIG)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry(Counts):
    """One run of a folder.

    changed_s: when it last did something, in seconds since 1970.
    problem: why it cannot be read; "" of a sound run.
    """

    run: Path
    changed_s: float
    verb: str = ""
    stopped: str = ""
    running: bool = False
    problem: str = ""

    @property
    def resumable(self) -> bool:
        """It may go on where it was left."""
        left = self.stopped in ("", "interrupted", "budget")
        return left and not self.running and not self.problem

    @property
    def ending(self) -> str:
        """How it stands, in words."""
        return self.problem or ending(self.stopped, self.running).removeprefix("ended: ")


def runs(folder: Path) -> list[Entry]:
    """Return the runs that lie in a folder, the last at work first; of a run, itself."""
    if not folder.is_dir():
        raise UserError(f"There is no folder {folder}: name one that holds runs.")
    return sorted(_entries(folder), key=lambda entry: (-entry.changed_s, entry.run))


def _entries(folder: Path) -> Iterator[Entry]:
    is_run = (folder / readonly.CONFIG).is_file()  # what is in it is a part of it
    for path in (folder,) if is_run else folder.iterdir():
        if may(path, os.X_OK) and (path / readonly.CONFIG).is_file():
            yield entry(path)


def entry(path: Path) -> Entry:
    """Return how the run in a folder stands."""
    changed_s = max(file.stat().st_mtime for name in FILES if (file := path / name).exists())
    try:
        verb = str(readonly.config(path).get("verb", ""))
        with readonly.reading(path) as ledger:
            figures, meta = dict(ledger.execute(_FIGURES).fetchone()), readonly.meta(ledger)
        figures["bytes"] += readonly.bytes_besides(meta)
        stopped = meta.get("stopped", "")
        running = not stopped and readonly.running(path)
        if not stopped and not running and (path / readonly.PARTS).is_dir():
            told = _in_parts(path)
            figures = {name: max(own, told[name]) for name, own in figures.items()}
    except FilonError as problem:
        return Entry(run=path, changed_s=changed_s, problem=str(problem))
    return Entry(
        run=path, changed_s=changed_s, verb=verb, stopped=stopped, running=running, **figures
    )


def _in_parts(path: Path) -> Counter[str]:
    """Return the figures of a run that is made of others by their own ledgers.

    After a kill its own lacks their last moments, until it is looked at or goes on.
    """
    found: Counter[str] = Counter()
    sites = readonly.parts(path)
    for part in (*sites, *(config.parent for config in path.glob(f"*/{readonly.CONFIG}"))):
        with suppress(FilonError), readonly.reading(part) as ledger:
            figures = dict(ledger.execute(_FIGURES).fetchone())
            figures["bytes"] += readonly.bytes_besides(readonly.meta(ledger))
            files = ledger.execute("SELECT COUNT(*) FROM finds WHERE kind = 'file'").fetchone()[0]
            found.update({**figures, "finds": files if part in sites else 0})
    return found
