"""Faults at random moments: a few a fault in every `make test`, twenty with FILON_MOMENTS=20."""

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from faults.verbs import CASES, How, see_through

#: How many moments are tried for each fault of each verb.
MOMENTS = int(os.environ.get("FILON_MOMENTS", "1"))


@cache
def undisturbed(verb: str) -> tuple[frozenset[str], int]:
    """Return what a run of a verb finds where nothing happens, and its requests."""
    case = CASES[verb]
    with TemporaryDirectory() as folder, case.web() as front:
        run = Path(folder) / "run"
        see_through(case, front, run, {})
        return frozenset(case.found(run)), front.count


def moments(*parts: str) -> Iterator[Random]:
    """Yield a generator a moment, always the same for the same fault of a verb."""
    for number in range(MOMENTS):
        yield Random(f"{'/'.join(parts)}/{number}")


def how(chance: Random, **more: object) -> How:
    """Return options of a run."""
    return {"parallel": chance.choice([1, 4]), **more}
