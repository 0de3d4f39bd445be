"""What a strategy can do besides the five methods of `Strategy`: each ability is a Protocol.

Whoever wants one asks by `able`, never by the name of an attribute. A guard hands the question on
to the strategy it stands round, so it makes no difference how deep in a stack the ability is.
"""

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar, runtime_checkable

from filon.core.strategy import Strategy, Summary

Ability = TypeVar("Ability")


@runtime_checkable
class HearsSitemaps(Protocol):
    """Wants to know which sitemaps a robots.txt names."""

    def hear_sitemaps(self, urls: list[str], at_s: float) -> None:
        """Take note of them."""


class Ranked(Protocol):
    """Something found that has a place in a list."""

    def told(self) -> dict[str, Any]:
        """Return it as plain data."""


@runtime_checkable
class Ranks(Protocol):
    """Can list all that it has found, not only the best."""

    def ranked(self, most: int = 0) -> Sequence[Ranked]:
        """Return what was found, best first; 0: all."""


@runtime_checkable
class TellsFates(Protocol):
    """Has an opinion on the rows of a table that it could not cover."""

    def fates(self) -> dict[int, str]:
        """Return by the number of a row why it is not covered: "absent" or "unreached"."""


@runtime_checkable
class TellsServices(Protocol):
    """Asks search services."""

    def services(self) -> Sequence[Summary]:
        """Return each with its "searcher", its counts, and "out": why it is asked no more."""


@runtime_checkable
class CountsTriples(Protocol):
    """Reads RDF."""

    @property
    def triples(self) -> int:
        """How many triples were read so far."""


@runtime_checkable
class Forwards(Protocol):
    """Stands round another strategy, whose abilities are its own."""

    def able(self, ability: type[Ability]) -> Ability | None:
        """Return who within has an ability; None where nobody has."""


def able(strategy: Strategy, ability: type[Ability]) -> Ability | None:
    """Return who has an ability: the strategy itself, or one that it stands round; else None."""
    if isinstance(strategy, ability):
        return strategy
    return strategy.able(ability) if isinstance(strategy, Forwards) else None
