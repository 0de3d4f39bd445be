"""The seam to what is true of a fleet: sites, leases, the budget and finds.

Order and truth are the store's own. A site belongs to one worker at a time, under an epoch that
grows with each lease; what is said under another epoch, or by another worker, is not heard. A
worker is alive while it beats; the sites of one that has not for `lease_s` seconds, by the clock of
who asks for sites and looks on, are free. A host, and an address that serves many hosts, is asked
for one site at a time: others of the same place wait until that site is given back.

What is drawn of the budget counts as spent until it is given back. So a worker that dies takes
what it had drawn with it, and nothing is ever spent twice.
"""

from collections.abc import AsyncIterator, Collection, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Protocol

from filon.core import Budget, UserError
from filon.fleet.model import (
    Commit,
    Event,
    Figures,
    Grant,
    Lease,
    Member,
    Orders,
    Overview,
    Site,
    Spending,
    Standing,
)

#: The beginnings of addresses that name a PostgreSQL.
POSTGRES = ("postgresql://", "postgres://")
#: A worker that was not heard for so long is taken for dead.
LEASE_S = 60.0
#: So long a server is waited for that was there before; a restart takes seconds, a move minutes.
PATIENCE_S = 600.0


class Store(Protocol):
    """Holds what is true of a fleet; every method may be called again after a failure."""

    @property
    def statements(self) -> int:
        """How many statements were sent, those that begin and end a transaction among them."""

    async def close(self) -> None:
        """Let go of it."""

    # The fleet.

    async def create(self, settings: Mapping[str, Any], budget: Budget) -> bool:
        """Begin a fleet; False: there is one, which now has this budget, and its own settings."""

    async def settings(self) -> dict[str, Any]:
        """Return what the fleet was begun with; a UserError where there is none."""

    async def migrate(self) -> int:
        """Bring the tables to what this version knows; return how many steps that took."""

    async def add(self, sites: Iterable[Site]) -> int:
        """Add sites that are not there by their names; return how many were new."""

    async def pause(self, is_paused: bool) -> None:
        """Give out no more leases and grants, or go on."""

    async def drain(self, worker: str) -> None:
        """Let a worker finish what it has in flight, give its sites back and leave."""

    async def retry(self, names: Collection[str] | None = None) -> int:
        """Let sites go on that ended with a trouble; None: all of them. Return how many."""

    # Workers.

    async def join(self, worker: str, node: str = "") -> Orders:
        """Take a worker in; of one that is known, this is a new life."""

    async def beat(self, worker: str, figures: Figures | None = None) -> Orders:
        """Hear that a worker lives."""

    async def leave(self, worker: str) -> None:
        """Let a worker go: its sites are free, and what it has drawn beyond its use stays spent."""

    async def lease(self, worker: str, most: int, held: Collection[str] = ()) -> list[Lease]:
        """Give a worker sites: first those of its own that it does not hold, then the best.

        held: what it has. Of its own are those of an earlier life, and those of an answer to this
        question that never came.
        """

    async def place(self, worker: str, addresses: Mapping[str, str]) -> set[str]:
        """Hear what the hosts of leased sites resolve to, by site; return the sites it keeps.

        The others are given back, and wait: their address is asked for another site now. On
        loopback an address has its port, since there each is a machine of its own.
        """

    async def hold(self, worker: str, site: str, places: Collection[str]) -> bool:
        """Take more hosts and addresses for a leased site; False: another site has one of them.

        Then it is to be given back: from now on it is leased only together with all of them, and
        waits for the one that is taken.
        """

    async def commit(
        self, worker: str, commits: Sequence[Commit], events: Sequence[Event] = ()
    ) -> set[str]:
        """Make true what a worker says; return the sites of which it was heard.

        Of all others another worker, or nobody, has the lease: it must drop them.
        """

    async def draw(self, worker: str, requests: int, bytes: int = 0) -> Grant:
        """Take up to so much of the budget; nothing where it is spent or the fleet pauses."""

    async def give_back(self, worker: str, requests: int, bytes: int = 0) -> None:
        """Return what was drawn and has not been spent."""

    async def tell(self, events: Sequence[Event]) -> None:
        """Write down what has happened."""

    # Looking.

    async def spending(self) -> Spending:
        """Return how the budget stands, which is cheap."""

    async def overview(self) -> Overview:
        """Return how all stands; it reads all sites."""

    async def sites(
        self, *, state: str | None = None, name: str = "", limit: int = 1000
    ) -> list[Standing]:
        """Return sites, in the order of their names: of a state, from a name on."""

    async def costliest(self, limit: int = 1000) -> list[Standing]:
        """Return the sites that have cost most requests, these first."""

    async def dead_letters(self, limit: int = 1000) -> list[Standing]:
        """Return the sites that ended with a trouble, the last first."""

    async def workers(self) -> list[Member]:
        """Return all workers that ever joined."""

    async def events(self, after: int = 0, *, site: str = "", limit: int = 1000) -> list[Event]:
        """Return what happened after an event, in order; after: -1 for the last ones."""

    async def finds(
        self, site: str = "", after: int = 0, limit: int | None = None
    ) -> list[dict[str, Any]]:
        """Return the finds of a site, or of all, in the order in which they were told.

        after: the number of one, behind which it goes on.
        """

    async def search(self, words: str, limit: int = 20, site: str = "") -> list[dict[str, Any]]:
        """Return the finds that have all the words or forms of them, the best first."""


async def open_store(
    address: str, *, lease_s: float = LEASE_S, patience_s: float = PATIENCE_S
) -> Store:
    """Return the store at an address: postgresql://…, or the path of a SQLite file.

    lease_s: a worker of this process that was not heard for so long is taken for dead.
    patience_s: so long a server is waited for that was there and does not answer.
    """
    from filon.fleet.sql import SqlStore

    if address.startswith(POSTGRES):
        from filon.fleet.postgres import Postgres

        database = await Postgres(address, patience_s=patience_s).open()
        return SqlStore(database, lease_s=lease_s)
    if "://" in address:
        raise UserError(
            f"The store {address!r} is not known: name a file, or postgresql://HOST/DATABASE."
        )
    from filon.fleet.sqlite import Sqlite

    return SqlStore(Sqlite(Path(address)), lease_s=lease_s)


@asynccontextmanager
async def opened(
    address: str, *, lease_s: float = LEASE_S, patience_s: float = PATIENCE_S
) -> AsyncIterator[Store]:
    """Have a store for a while."""
    store = await open_store(address, lease_s=lease_s, patience_s=patience_s)
    try:
        yield store
    finally:
        await store.close()
