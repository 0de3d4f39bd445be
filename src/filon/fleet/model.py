"""What a store and its workers tell each other: plain values, without a connection or a folder."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from filon.core.budget import Counts

#: Ends of a site with which there is nothing wrong; all others are dead letters, with a reason.
WELL = ("exhausted", "per-site")
#: The end of a site whose workers died so often that nobody else is sent to it.
DEAD = "dead"
#: The end of a site whose pieces are not what was written.
DAMAGED = "damaged"


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """What a worker works on, one at a time.

    name: fit for a folder, no other has it. host: the domain to which its start belongs.
    address: all that the host of its start resolves to, and behind them, with spaces between,
        other addresses and domains that it was refused once; "": not known yet.
    promise: the share of its files that count, as far as is known; 0 to 1.
    """

    name: str
    url: str
    host: str
    address: str = ""
    promise: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost(Counts):
    """What a site, or all of a fleet, has cost and brought since it began."""

    cpu_s: float = 0.0
    stored_bytes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress(Cost):
    """How far a site has come.

    epoch: one more with each lease; who left a folder under the epoch before has the newest there
        is. piece, piece_epoch: of the last piece that is true; 0: there is none.
    expected: the finds of the next request.
    """

    epoch: int
    piece: int = 0
    piece_epoch: int = 0
    expected: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease(Progress):
    """A site that is a worker's own for now, and how far others came with it."""

    site: Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit(Progress):
    """What a worker says is true of a site from now on.

    All figures are of the site in all, not since the last commit: who says it twice has said it
        once. state: "" it may go on; else why it ended, and note tells the reason.
    release: the site is free for others; an end always is.
    rows: finds as in a ledger; each has its number there, "find", and is told once.
    """

    site: str
    state: str = ""
    note: str = ""
    release: bool = False
    rows: Sequence[Mapping[str, Any]] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """What a worker may spend: so many requests and bytes; None: there is no bound."""

    requests: int | None = None
    bytes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Orders:
    """What a worker hears when it tells that it lives.

    lease_s: so long its sites are its own, from the moment on at which it began to ask.
    is_lost: it was taken for dead, and its sites are others' by now: it drops them and joins again.
    over: why there is nothing left to do; "": there is.
    best: what the best site expects that is free; None: none is.
    left: of the budget, that nobody has drawn. left_finds, left_s: the same of what nobody draws.
    """

    lease_s: float = 0.0
    is_lost: bool = False
    is_paused: bool = False
    is_draining: bool = False
    over: str = ""
    best: float | None = None
    left: Grant = Grant()
    left_finds: int | None = None
    left_s: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What a worker tells of itself with each beat.

    sites, flying: that it holds, and requests that have no answer yet. can_send: it has something
    left of what it has drawn. cpu_s: since it joined.
    """

    sites: int = 0
    flying: int = 0
    cpu_s: float = 0.0
    memory_bytes: int = 0
    can_send: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing(Progress):
    """How a site stands, and what it has cost.

    owner: the worker that has it; "": nobody. state: "" it may go on.
    """

    name: str
    url: str
    host: str
    address: str
    promise: float
    state: str
    note: str
    owner: str
    losses: int
    changed_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """How a worker stands.

    drawn: of the budget, so far; used: of that, as its commits tell. quiet_s: since it was heard.
    """

    name: str
    node: str
    is_alive: bool
    is_draining: bool
    quiet_s: float
    drawn_requests: int
    drawn_bytes: int
    used_requests: int
    used_bytes: int
    finds: int
    figures: Figures = field(default_factory=Figures)


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened, for who reads along."""

    number: int = 0
    at_s: float = 0.0
    worker: str
    site: str = ""
    kind: str
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spending:
    """How the budget stands; drawn: by all workers, and not given back."""

    budget: Mapping[str, float | None]
    drawn_requests: int
    drawn_bytes: int
    workers: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview(Cost):
    """How a fleet stands.

    states: how many sites have ended, by their end; "": may go on. held: of those, at work now.
    drawn: of the budget, by all workers, and not given back; used: of that, as commits tell.
    lost: what workers had drawn that died with it: it counts as spent, since it may have been.
    """

    budget: Mapping[str, float | None]
    is_paused: bool
    elapsed_s: float
    states: Mapping[str, int]
    held: int
    begun: int
    workers: int
    drawn_requests: int
    drawn_bytes: int
    lost_requests: int
    lost_bytes: int

    @property
    def sites(self) -> int:
        """How many sites there are."""
        return sum(self.states.values())

    @property
    def dead_letters(self) -> int:
        """How many sites ended with a trouble."""
        return sum(count for state, count in self.states.items() if state not in ("", *WELL))
