"""What an enrichment strategy is asked to do."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from filon.core import Provider, Record


class Matcher(Protocol):
    """Says which rows of the local table a record is about."""

    def rows(self, record: Record) -> Sequence[int]:
        """Return the rows that the record matches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """Records drawn from the hidden table, and the part of it that they are."""

    records: Sequence[Record]
    ratio: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """The table, the service, and how to go about it.

    columns: the columns that may be queried, by name; all have a value for each row.
    calls: how many calls the budget allows in all; None: no bound.
    sample: for the strategies of the paper, which need one; `prospect` does without.
    options: a strategy's own parameters by name.
    """

    columns: Mapping[str, Sequence[str]]
    provider: Provider
    matcher: Matcher
    seed: int = 0
    calls: int | None = None
    sample: Sample | None = None
    options: Mapping[str, str | float] = field(default_factory=dict)

    @property
    def documents(self) -> list[str]:
        """The text of each row: its columns one after the other."""
        return [" ".join(cells) for cells in zip(*self.columns.values(), strict=True)]
