"""Which rounds a hook has heard of: a file in the folder of a run, written when it has.

Who kills a watch between a round and its hook finds it told when the watch begins again; a hook
that failed hears of it with the next round.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from filon.run.disk import replace_text
from filon.run.history import rounds
from filon.verbs.refresh.many import targets_of
from filon.verbs.refresh.session import open_round

HEARD = "heard.json"


def over(path: Path) -> dict[str, int]:
    """Return the number of the last round that is over, by run."""
    last: dict[str, int] = {}
    for run in targets_of(path):
        cut = open_round(run)
        ended = [int(folder.name) for folder in rounds(run) if folder != cut]
        last[_name(path, run)] = max(ended, default=0)
    return last


def heard(path: Path) -> dict[str, int]:
    """Return the number of the last round that was heard of, by run."""
    try:
        told = json.loads((path / HEARD).read_text("utf-8"))
        return {str(name): int(number) for name, number in told.items()}
    except (OSError, ValueError, AttributeError, TypeError):
        return {}


def keep_heard(path: Path, numbers: Mapping[str, int]) -> None:
    """Write down which rounds were heard of."""
    replace_text(path / HEARD, json.dumps(numbers))


def begin_to_hear(path: Path) -> None:
    """Take what is there for heard, where nobody has listened before."""
    if not (path / HEARD).is_file():
        keep_heard(path, over(path))


def between(
    path: Path,
    changes: Sequence[Mapping[str, Any]],
    before: Mapping[str, int],
    now: Mapping[str, int],
) -> list[Mapping[str, Any]]:
    """Return the changes of the rounds after some and up to others."""

    def is_new(change: Mapping[str, Any]) -> bool:
        name = _name(path, Path(change["run"]))
        return before.get(name, 0) < int(change["round"]) <= now.get(name, 0)

    return [change for change in changes if is_new(change)]


def _name(path: Path, run: Path) -> str:
    return run.relative_to(path).as_posix()
