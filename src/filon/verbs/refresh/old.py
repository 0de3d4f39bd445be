"""Old versions of files, by rule: which there are, and what becomes of their bytes.

The newest version is always kept, also of a file that has vanished. Ledgers, archives and the
history are never touched: that there was a version, when and with which hash, stays known.
"""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from filon.core import UserError
from filon.run import readonly
from filon.run.disk import Lock, append_line
from filon.run.history import History, rounds
from filon.verbs.refresh.session import open_round

#: What was deleted, a line each, in the folder of the run.
DELETED = "deleted.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Old:
    """A version that the rule does not keep. paths: where its bytes lie."""

    run: Path
    url: str
    sha256: str
    paths: tuple[Path, ...]
    size_bytes: int


def old_versions(run: Path, keep: int, older_s: float = 0.0) -> Iterator[Old]:
    """Yield the versions beyond the newest `keep` of each file that were replaced long ago.

    older_s: how long ago a version must have been replaced.
    """
    if keep < 1:
        raise UserError("The newest version is always kept: 1 is the least.")
    before_s = time.time() - older_s
    needed: set[str] = set()
    found: dict[str, str] = {}
    with History(run) as history:
        for url, held in history.contents():
            needed.update(sha256 for sha256, _ in held[-keep:])
            for (sha256, _), (_, replaced_s) in pairwise(held[: len(held) - keep + 1]):
                if replaced_s <= before_s:
                    found[sha256] = url
                else:
                    needed.add(sha256)
    for sha256, url in found.items():
        stored = [readonly.stored(folder, sha256) for folder in (run, *rounds(run))]
        paths = tuple(path for path in stored if path.is_file())
        if paths and sha256 not in needed:
            size_bytes = sum(path.stat().st_size for path in paths)
            yield Old(run=run, url=url, sha256=sha256, paths=paths, size_bytes=size_bytes)


def delete(run: Path, versions: list[Old]) -> None:
    """Delete the bytes of old versions; each is written down first."""
    if open_round(run):
        raise UserError(f"A round of {run} was cut short: filon refresh {run} first.")
    lock = Lock(run)
    try:
        for one in versions:
            told = {"url": one.url, "sha256": one.sha256, "deleted_s": time.time()}
            append_line(run / DELETED, json.dumps(told))
            for path in one.paths:
                path.unlink(missing_ok=True)
    finally:
        lock.release()
