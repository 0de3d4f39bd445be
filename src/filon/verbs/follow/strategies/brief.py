"""What a strategy that follows Linked Data is asked to do."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from filon.core.forms import record
from filon.page.domain import registered_domain
from filon.page.url import host

#: The places of a triple whose URIs may be followed.
Role = Literal["subject", "object", "predicate", "type"]
ROLES: tuple[Role, ...] = get_args(Role)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """How far to go.

    within: "any", or only the "domain" or the "host" of a seed.
    prefixes: where given, only URIs that begin with one of them.
    depth: how many documents away from a seed; 0: no bound.
    """

    within: str = "any"
    prefixes: tuple[str, ...] = ()
    depth: int = 0

    def admits(self, url: str, depth: int, homes: frozenset[str]) -> bool:
        """Say whether a URL is to be followed; homes: the hosts or domains of the seeds."""
        if self.depth and depth > self.depth:
            return False
        if self.prefixes and not url.startswith(self.prefixes):
            return False
        return self.within == "any" or self.home(url) in homes

    def home(self, url: str) -> str:
        """Return what `within` compares: the host of a URL, or its registered domain."""
        return host(url) if self.within == "host" else registered_domain(host(url))


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """Where to start, what to follow, and how to go about it.

    roles: the places of a triple whose URIs are followed.
    calls: how many requests the budget allows in all; None: no bound.
    options: a strategy's own parameters by name.
    shortcuts: whether catalogues, dumps, endpoints and links in headers are used.
    stop: "auto" ends when nothing is to be expected any more, where a strategy has a rule for it.
    per_host: how many requests to one host may be on their way; 0: any number. Those beyond would
        wait for each other, and keep others from being sent.
    """

    seeds: tuple[str, ...]
    seed: int = 0
    roles: tuple[str, ...] = ROLES
    scope: Scope = field(default_factory=Scope)
    calls: int | None = None
    shortcuts: bool = True
    stop: str = "never"
    per_host: int = 0
    options: Mapping[str, str | float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A document that may be asked for, and how it was met.

    uri: as mentioned; document: without its fragment, which is what is asked for.
    referrer: the document that mentions it; "" for a seed.
    properties: that connect it there; roles: the places of triples where it stands.
    siblings: URIs that share a property and a subject or object with it, where asked for.
    count: by how many triples it is mentioned; depth: how far it is from a seed.
    hops: redirects that led here; variant: the Accept header that they were asked for with.
    """

    uri: str
    document: str
    referrer: str = ""
    properties: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    siblings: tuple[str, ...] = ()
    count: int = 1
    depth: int = 0
    hops: int = 0
    variant: str = ""


#: A candidate in a declared state.
CANDIDATE = record(Candidate)
