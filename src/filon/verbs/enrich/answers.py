"""The answers that a run was given, read back from its archive."""

from collections.abc import Iterator
from pathlib import Path

from filon.core import Answer, Provider
from filon.run import readonly
from filon.run.archive import Answers

_STEPS = "SELECT * FROM steps WHERE answer IS NOT NULL ORDER BY answer"


def answers(run_path: Path, provider: Provider) -> Iterator[tuple[int, str, float, Answer]]:
    """Yield, in the order in which they came, step, query as asked, time and what it said."""
    stored = Answers(run_path)
    with readonly.reading(run_path) as ledger:
        for row in ledger.execute(_STEPS):
            response = stored.read(row, row["url"])
            yield row["step"], row["arm"], row["at_s"], provider.parse(response)
