"""How many requests two runs on the same site needed for the same share of its files.

Everything is read from the runs' ledgers.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from filon.run.readonly import reading

_FINDS = """
SELECT f.url, MIN(s.answer) FROM finds f JOIN steps s ON s.step = f.step
WHERE f.kind = ? GROUP BY f.url
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """A comparison of runs.

    share: of the files that any of the runs found.
    files: how many these are.
    requests: by run, the number of answers it took; None where it never got so far.
    """

    share: float
    files: int
    requests: Mapping[str, int | None]

    def times(self, one: str, other: str) -> float:
        """Return how many times the requests of one run the other needed; 0: not known."""
        few, many = self.requests[one], self.requests[other]
        return many / few if few and many else 0.0


def tally(runs: Mapping[str, Path], share: float = 0.9, kind: str = "file") -> Tally:
    """Compare runs by the requests to a share of all files that they found together.

    kind: of the finds that count; documents with RDF are of the kind "graph".
    """
    found = {name: answers(path, kind) for name, path in runs.items()}
    files = len({url for urls in found.values() for url in urls})
    enough = math.ceil(files * share)
    return Tally(
        share=share,
        files=files,
        requests={name: _nth(sorted(urls.values()), enough) for name, urls in found.items()},
    )


def answers(run_path: Path, kind: str = "file") -> dict[str, int]:
    """Return, for each find of a kind, which answer brought it, counted from 1."""
    with reading(run_path) as ledger:
        return dict(ledger.execute(_FINDS, (kind,)).fetchall())


def _nth(ordered: list[int], number: int) -> int | None:
    return ordered[number - 1] if 0 < number <= len(ordered) else None
