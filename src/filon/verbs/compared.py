"""How two versions of a find differ: tables by their rows, columns and cells; else by size."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filon.run import readonly


@dataclass(frozen=True, slots=True)
class Version:
    """One version of a find: the run folder that has it, the step that brought it, its hash."""

    folder: Path
    step: int
    sha256: str
    name: str = ""


def files(pairs: Iterable[tuple[Version, Version]]) -> Iterator[dict[str, Any]]:
    """Yield how files differ, the older one first in each pair: plain data, with a line `text`.

    They are strangers' files: a worker reads them. is_change: whether anything else is said.
    """
    from filon.profile.worker import Worker

    with Worker() as worker:
        for old, new in pairs:
            before, after = (readonly.stored(one.folder, one.sha256) for one in (old, new))
            if before.is_file() and after.is_file():
                told = worker.difference(before, after, new.name)
                yield {**told.plain(), "is_change": told.is_change}
            else:
                yield {"text": "an old version was deleted", "is_change": True}
