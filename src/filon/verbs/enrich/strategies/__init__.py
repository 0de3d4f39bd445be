"""Enrichment strategies by the name that the user gives, and the brief that they are given."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from filon.core import Provider, Record, Strategy
from filon.core.plugins import Lazy, Strategies


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
    others: the other columns, which may tell rows apart too; only `prospect` looks at them.
    calls: how many calls the budget allows in all; None: no bound.
    sample: for the strategies of the paper, which need one; `prospect` does without.
    options: a strategy's own parameters by name.
    numbers: of the rows in a larger table that these are some of; (): they are all.
    """

    columns: Mapping[str, Sequence[str]]
    provider: Provider
    matcher: Matcher
    seed: int = 0
    calls: int | None = None
    sample: Sample | None = None
    options: Mapping[str, str | float] = field(default_factory=dict)
    others: Mapping[str, Sequence[str]] = field(default_factory=dict)
    numbers: Sequence[int] = ()

    @property
    def documents(self) -> list[str]:
        """The text of each row: its columns one after the other."""
        return [" ".join(cells) for cells in zip(*self.columns.values(), strict=True)]


STRATEGIES: Lazy[Callable[[Brief], Strategy]] = Lazy(
    {
        "prospect": f"{__name__}.prospect:Prospect",
        "smartcrawl-b": f"{__name__}.smartcrawl:smartcrawl_b",
        "smartcrawl-u": f"{__name__}.smartcrawl:smartcrawl_u",
        "simple": f"{__name__}.smartcrawl:Simple",
        "bound": f"{__name__}.smartcrawl:Bound",
        "full": f"{__name__}.full:full",
        "full-adaptive": f"{__name__}.full:FullAdaptive",
        "naive": f"{__name__}.smartcrawl:Naive",
    }
)
DEFAULT = "prospect"
#: sample: how many records are drawn through the service where no sample is given.
_SAMPLE: dict[str, float | str] = {"sample": 0}
#: removal: whether the rows that a solid query missed are given up (section 4.2).
_SMART: dict[str, float | str] = {**_SAMPLE, "removal": "on"}
#: The parameters that a strategy takes, with their defaults; the others take none.
OPTIONS: Lazy[dict[str, float | str]] = Lazy(
    {
        "prospect": f"{__name__}.prospect:DEFAULTS",
        "smartcrawl-b": _SMART,
        "smartcrawl-u": _SMART,
        "simple": {"removal": "off"},
        "full": _SAMPLE,
    }
)
#: All that can be asked for: ours, those of installed packages, and any class by its path.
KNOWN: Strategies[Brief] = Strategies("enrich", STRATEGIES, OPTIONS)
build = KNOWN.build
