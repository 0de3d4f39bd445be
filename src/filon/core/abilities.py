"""What a strategy can do besides the five methods of `Strategy`: each ability is a Protocol.

Whoever wants one asks by `able`, never by the name of an attribute. A guard hands the question on
to the strategy it stands round, so it makes no difference how deep in a stack the ability is:
`Guard` is what every guard stands on.
"""

from collections.abc import Collection, Sequence
from typing import Any, ClassVar, NamedTuple, Protocol, TypeVar, runtime_checkable

from filon.core.find import Find
from filon.core.request import Request
from filon.core.response import Response
from filon.core.state import Fields, Stateful
from filon.core.step import Step
from filon.core.strategy import State, Strategy, Summary

Ability = TypeVar("Ability")


@runtime_checkable
class HearsSitemaps(Protocol):
    """Wants to know which sitemaps a robots.txt names."""

    def hear_sitemaps(self, urls: list[str], at_s: float) -> None:
        """Take note of them."""


class Ranked(Protocol):
    """Something found that has a place in a list."""

    def row(self) -> dict[str, Any]:
        """Return it as plain data."""


@runtime_checkable
class Ranks(Protocol):
    """Can list all that it has found, not only the best."""

    def ranked(self, most: int = 0) -> Sequence[Ranked]:
        """Return what was found, best first; 0: all."""


@runtime_checkable
class TellsTopic(Protocol):
    """Has learnt which words tell its topic."""

    def telling(self) -> dict[str, float]:
        """Return words, in one of their forms, by how much each says of the topic, up to 1."""

    def promises(self) -> dict[str, float]:
        """Return by address how sure it is of what was found that it is on the topic, up to 1."""


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
class AsksElsewhere(Protocol):
    """Asks several services, and can go on where one of them refuses."""

    def elsewhere(self, step: Step) -> bool:
        """Say whether it wants to hear of a refusal: it asks another, or keeps the question."""


@runtime_checkable
class CountsTriples(Protocol):
    """Reads RDF."""

    @property
    def triples(self) -> int:
        """How many triples were read so far."""


class Reread(NamedTuple):
    """What something that was read before holds now.

    links: how many new ones it has. expected: the finds that these are expected to bring.
    """

    finds: list[Find]
    links: int = 0
    expected: float = 0.0


@runtime_checkable
class Rereads(Protocol):
    """Can be shown again what it has read before, and follows what is new there."""

    def asking(self, url: str) -> Request:
        """Return the request by which something known is asked for."""

    def set_aside(self) -> None:
        """Forget what waits: from now on only what is new is followed, and to its last link."""

    def reread(self, step: Step, response: Response) -> Reread:
        """Read an answer to a step that another proposed, to an address that is known."""


@runtime_checkable
class HearsChanges(Protocol):
    """Wants to know what a list says of addresses that were seen before."""

    def hear_changes(self, changed: Collection[str], same: Collection[str]) -> None:
        """Take note of what has changed, or may be known by what has, and of what has not."""


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


class Guard:
    """A strategy round another, which it is until it does otherwise: what it has a say in.

    Each step that the inner strategy proposes gets exactly one answer, whatever the guard sends
    for it, and its abilities (filon.core.abilities) are seen from outside.
    """

    def __init__(self, inner: Strategy) -> None:
        self.inner = inner

    def propose(self) -> Step | None:
        """Return the inner strategy's next step."""
        return self.inner.propose()

    def observe(self, step: Step, response: Response) -> list[Find]:
        """Hand the answer on."""
        return self.inner.observe(step, response)

    def state(self) -> State:
        """Return the inner strategy's state."""
        return self.inner.state()

    def restore(self, state: State) -> None:
        """Go on from there."""
        self.inner.restore(state)

    def summary(self) -> Summary:
        """Return the inner strategy's summary."""
        return self.inner.summary()

    def able(self, ability: type[Ability]) -> Ability | None:
        """Return who within has an ability; None where nobody has."""
        return able(self.inner, ability)


class TimedGuard(Stateful, Guard):
    """A guard that goes by the time, which answers tell it, and may answer a step itself."""

    STATE: ClassVar[Fields] = ("_now_s", "inner")

    def __init__(self, inner: Strategy) -> None:
        super().__init__(inner)
        self._now_s = 0.0

    def _hear_time(self, response: Response) -> None:
        self._now_s = max(self._now_s, response.at_s)

    def _withheld(self, step: Step, status: int = 0, error: str = "", detail: str = "") -> Response:
        """Return an answer for a step that is not sent; nothing is spent."""
        url, at_s = step.request.url, self._now_s
        return Response(
            url=url, status=status, error=error, detail=detail, at_s=at_s, sent="withheld"
        )
