"""What a round cost, and what has become of what was known."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from filon.run.history import CHANGED, CHANGES, FAILED, GONE, SAME, History, run_of
from filon.run.summary import Outcome, Summary, as_object, summarise
from filon.run.text import count

_WORDS = {SAME: "unchanged", GONE: "still gone", FAILED: "not answered"}
_OUTCOMES = (*CHANGES, SAME, GONE, FAILED)


@dataclass(frozen=True, slots=True)
class Refreshed(Outcome):
    """The outcome of a round.

    refreshed: the folder of the run that it is of. counts: looks at files, by their outcome.
    """

    run: Summary
    remarks: Sequence[str] = ()
    refreshed: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        run = self.run
        told = ", ".join(
            f"{count(self.counts.get(name, 0))} {_WORDS.get(name, name)}"
            for name in _OUTCOMES
            if self.counts.get(name) or name in CHANGES[:2]
        )
        return "\n".join(
            [
                f"{run.run}: {run.ending}",
                f"  files: {told}",
                f"  with {run.cost}",
                f"  what changed: filon diff {self.refreshed}",
            ]
        )

    def as_object(self) -> dict[str, object]:
        """Return the object that ends standard output under --json."""
        told = {"refreshed": self.refreshed, **self.all_counts()}
        return {**as_object(self.run, self.remarks), **told}

    def all_counts(self) -> dict[str, int]:
        """Return how many looks at files ended in each way."""
        return {name: self.counts.get(name, 0) for name in _OUTCOMES}


def outcome(folder: Path) -> Refreshed:
    """Return what a round brought."""
    run = run_of(folder)
    number = int(folder.absolute().name)
    with History(run) as history:
        counts = Counter(history.counts(number))
        same = history.same_though_changed(number)
    counts.update({SAME: same, CHANGED: -same})
    return Refreshed(summarise(folder), refreshed=str(run), counts=counts)
