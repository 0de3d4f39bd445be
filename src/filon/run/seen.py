"""One look at a thing, before it is written down."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from filon.core import Response
from filon.page.gist import gist
from filon.run.history import FAILED, OF_VERSION, Version

#: The server says that there is nothing, or nothing any more.
NOT_THERE = (404, 410)


def page_gist(response: Response) -> str:
    """Return what a page or list says, without what moves at each look, as a short text."""
    said = gist(response.body, response.header("content-type"), url=response.url)
    return " ".join(map(str, said))


@dataclass(slots=True, kw_only=True)
class Seen:
    """One look, as the table has it.

    links: where a page leads, as far as that is known. known: what was known of it before.
    """

    url: str
    step: int
    at_s: float
    status: int
    parent: str
    kind: str = ""
    outcome: str = ""
    version: Version = field(default_factory=Version)
    weight: float = 0.0
    listed: float = 0.0
    brought: int = 0
    detail: str = ""
    links: Sequence[str] = ()
    known: Mapping[str, Any] | None = None

    def tell(self, outcome: str, **detail: str) -> "Seen":
        """Say how it ended."""
        self.outcome, self.detail = outcome, json.dumps(detail) if detail else self.detail
        return self

    def keep(self, known: Mapping[str, Any]) -> None:
        """Take over what was known: no more was told."""
        self.known = known
        self.kind, self.weight, self.listed = known["kind"], known["weight"], known["listed"]
        self.version = Version(**{name: known[name] for name in OF_VERSION})

    def give_up(self) -> None:
        """Say that it told nothing after all."""
        if self.known is not None:
            self.keep(self.known)
            self.outcome, self.detail, self.links = FAILED, "", ()

    def row(self) -> dict[str, Any]:
        """Return it by the columns of the table."""
        own = {name: getattr(self, name) for name in _OWN}
        return own | {name: getattr(self.version, name) for name in OF_VERSION}


_OWN = tuple(
    one.name for one in fields(Seen) if one.name not in ("url", "version", "links", "known")
)
