"""The records that a run was given, read back from its archive: each once, by its id."""

from collections.abc import Iterator
from pathlib import Path

from filon.core import Answer, Provider
from filon.run import readonly
from filon.run.answers import Answers
from filon.run.records import Fetched

_STEPS = "SELECT * FROM steps WHERE answer IS NOT NULL ORDER BY answer"


def answers(run_path: Path, provider: Provider) -> Iterator[tuple[int, str, float, Answer]]:
    """Yield, in the order in which they came, step, query as asked, time and what it said."""
    stored = Answers(run_path)
    with readonly.reading(run_path) as ledger:
        for row in ledger.execute(_STEPS):
            response = stored.read(row, row["url"])
            yield row["step"], row["arm"], row["at_s"], provider.parse(response)


def fetched(run_path: Path, provider: Provider) -> list[Fetched]:
    """Return all records of a run; of one that came twice, the first."""
    found: dict[str, Fetched] = {}
    for step, _, at_s, answer in answers(run_path, provider):
        for record in answer.records:
            if record.id not in found:
                found[record.id] = Fetched(record, step, at_s)
    return list(found.values())
