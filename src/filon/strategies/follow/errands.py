"""Requests beside the URIs that are mentioned: dumps, pages of an endpoint, a context.

They go first: one of them tells more than many documents. Each has one answer.
"""

from collections import deque
from dataclasses import asdict, dataclass
from typing import Any

from filon.core import Reason, Request, Step
from filon.strategies.follow.brief import Lead
from filon.strategies.follow.rounds import unpacked

#: What an errand is for, as a clause that continues "because".
WHY = {
    "void": "its host may describe its datasets there",
    "sitemap": "a sitemap may list the documents of its host",
    "dump": "a catalogue says that a whole dataset is there",
    "endpoint": "a catalogue says that an endpoint is there",
    "sparql": "an endpoint tells a thousand triples at a time",
    "ckan": "a catalogue lists its datasets there",
    "context": "a document needs it to be understood",
}
#: Errands that wait; beyond them catalogues only repeat themselves.
MOST = 20_000


@dataclass(frozen=True, slots=True)
class Errand:
    """A request of its own kind. name: of the endpoint, catalogue or context that it is for."""

    kind: str
    lead: Lead
    name: str = ""


class Errands:
    """Errands that wait, and those on their way."""

    def __init__(self) -> None:
        self._queue: deque[Errand] = deque()
        self._flying: dict[str, Errand] = {}

    def __len__(self) -> int:
        return len(self._queue)

    def push(self, errand: Errand) -> None:
        """Add an errand, first come first served."""
        if len(self._queue) < MOST:
            self._queue.append(errand)

    def pop(self) -> Errand | None:
        """Take the next errand."""
        return self._queue.popleft() if self._queue else None

    def send(self, errand: Errand, request: Request) -> Step:
        """Return the step of an errand."""
        self._flying[_key(request)] = errand
        reason = Reason(kind=errand.kind, text=WHY[errand.kind])
        return Step(request=request, reason=reason, parent=errand.lead.referrer)

    def back(self, step: Step) -> Errand | None:
        """Return the errand that a step was sent for; None: it was no errand."""
        return self._flying.pop(_key(step.request), None)

    def state(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "queue": [asdict(one) for one in self._queue],
            "flying": [[key, asdict(one)] for key, one in self._flying.items()],
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        self._queue = deque(_restored(one) for one in state["queue"])
        self._flying = {key: _restored(one) for key, one in state["flying"]}


def _key(request: Request) -> str:
    return f"{request.method} {request.url} {request.body.decode('utf-8', 'replace')}"


def _restored(data: dict[str, Any]) -> Errand:
    return Errand(data["kind"], unpacked(data["lead"]), data["name"])
