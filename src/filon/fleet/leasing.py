"""Who is at work, and on what: lives of workers, leases with an epoch, one worker a host."""

import asyncio
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any

from filon.fleet.database import Ask, Database, packed, plain
from filon.fleet.fence import now_s
from filon.fleet.migration import migrate
from filon.fleet.model import DEAD, Event, Figures, Grant, Lease, Orders, Site
from filon.fleet.queries import ELAPSED, Queries
from filon.fleet.store import LEASE_S

#: So often it is looked for workers that are silent, as a share of the lease.
REAPS = 0.25
#: A site with which so many workers died, one after the other, is left alone.
LOSSES = 10
#: Events that are kept, at least; so often the rest is thrown away.
EVENTS, PRUNED_EVERY = 100_000, 10_000
#: So often a worker is given others in place of sites whose address is taken, before it must ask.
ROUNDS = 3
#: That a worker lives: its life, and when the store heard it.
Sign = tuple[int, float]
_FREE = "state = '' AND owner = '' AND parked = ''"
_EVENT = dict.fromkeys(("worker", "site", "kind", "text"), "TEXT")

#: The last sign of life of each worker, and of those that are gone, who still has something.
_SIGNS = """
SELECT name, term, seen_s, is_gone FROM workers WHERE is_gone = 0
    OR EXISTS (SELECT 1 FROM sites WHERE owner = workers.name AND owner <> '')
    OR EXISTS (SELECT 1 FROM holds WHERE owner = workers.name)
"""
_FORGOTTEN = """
SELECT DISTINCT parked FROM sites WHERE parked <> ''
    AND NOT EXISTS (SELECT 1 FROM holds WHERE what = parked)
"""


class Leasing(Queries):
    """Workers come, live and go; sites are theirs meanwhile.

    clock: by which it sees how long a worker was not heard. That of the store may jump, and then
    all would be taken for dead at once.
    """

    def __init__(
        self, db: Database, *, lease_s: float = LEASE_S, clock: Callable[[], float] = now_s
    ) -> None:
        super().__init__(db)
        self._lease_s, self._clock = lease_s, clock
        self._terms: dict[str, int] = {}  # by worker of this process: its life
        self._drawn: dict[
            str, tuple[int, int]
        ] = {}  # the same: requests and bytes, of all its lives
        self._turns: dict[str, asyncio.Lock] = {}  # one change of holds at a time
        self._reaped_s = float("-inf")
        self._signs: dict[str, tuple[Sign, float]] = {}  # by worker: the last, and since when
        self._is_short = True  # the last lease found fewer sites than it was asked for
        self._told = 0

    async def join(self, worker: str, node: str = "") -> Orders:
        """Take a worker in; of one that is known, this is a new life."""
        await migrate(self.db)

        async def work(ask: Ask) -> list[dict[str, Any]]:
            await ask(  # while nobody is there, no time passes
                f"UPDATE fleet SET elapsed_s = {ELAPSED}, at_s = moment_s() WHERE NOT EXISTS"
                " (SELECT 1 FROM workers WHERE is_gone = 0 AND lease_until_s > moment_s())"
            )
            rows = await ask(
                "INSERT INTO workers (name, node, term, seen_s, lease_until_s)"
                " VALUES ($1, $2, 1, moment_s(), moment_s() + CAST($3 AS DOUBLE PRECISION))"
                " ON CONFLICT (name) DO UPDATE SET node = excluded.node, term = workers.term + 1,"
                " is_gone = 0, is_draining = 0, can_send = 0, seen_s = excluded.seen_s,"
                " lease_until_s = excluded.lease_until_s, lost_requests = CASE WHEN $4 = 1"
                " THEN workers.lost_requests ELSE workers.drawn_requests - workers.used_requests"
                " END, lost_bytes = CASE WHEN $4 = 1 THEN workers.lost_bytes"
                " ELSE workers.drawn_bytes - workers.used_bytes END"
                " RETURNING term, drawn_requests, drawn_bytes",
                *(plain(worker), plain(node), self._lease_s, int(worker in self._terms)),
            )
            await self._tell(ask, [Event(worker=worker, kind="join", text=node)])
            return rows

        (row,) = await self.db.together(work)
        self._terms[worker] = row["term"]
        self._drawn[worker] = (row["drawn_requests"], row["drawn_bytes"])
        self._turns.setdefault(worker, asyncio.Lock())
        return await self.beat(worker)

    async def beat(self, worker: str, figures: Figures | None = None) -> Orders:
        """Hear that a worker lives: one statement."""
        figures = figures or Figures()
        rows = await self.db.urgently(
            "UPDATE workers SET seen_s = moment_s(), can_send = $4, figures = $5,"
            " lease_until_s = moment_s() + CAST($3 AS DOUBLE PRECISION)"
            " WHERE name = $1 AND term = $2 AND is_gone = 0 RETURNING is_draining,"
            " (SELECT is_paused FROM fleet) AS is_paused,"
            f" (SELECT expected FROM sites WHERE {_FREE} ORDER BY expected DESC, name LIMIT 1)"
            " AS best, CASE WHEN EXISTS (SELECT 1 FROM sites WHERE owner <> '')"
            "  OR EXISTS (SELECT 1 FROM sites WHERE parked <> '') THEN 1 ELSE 0 END AS held,"
            " (SELECT CASE WHEN budget_finds <= (SELECT sum(finds) FROM workers) THEN 'goal'"
            "   WHEN budget_seconds <= elapsed_s + moment_s() - at_s THEN 'budget'"
            "   WHEN (budget_requests <= (SELECT sum(drawn_requests) FROM workers)"
            "     OR budget_bytes <= (SELECT sum(drawn_bytes) FROM workers)) AND NOT EXISTS"
            "     (SELECT 1 FROM workers w WHERE w.name <> $1 AND w.can_send = 1 AND w.is_gone = 0"
            "      AND w.lease_until_s > moment_s()) AND $4 = 0"
            "   THEN 'budget' ELSE '' END FROM fleet) AS over,"
            " (SELECT budget_requests - (SELECT sum(drawn_requests) FROM workers) FROM fleet)"
            "  AS left_requests,"
            " (SELECT budget_bytes - (SELECT sum(drawn_bytes) FROM workers) FROM fleet)"
            "  AS left_bytes,"
            " (SELECT budget_finds - (SELECT sum(finds) FROM workers) FROM fleet) AS left_finds,"
            " (SELECT budget_seconds - elapsed_s - (moment_s() - at_s) FROM fleet) AS left_s",
            *(worker, self._terms.get(worker, 0), self._lease_s, int(figures.can_send)),
            json.dumps(asdict(figures)),
        )
        if not rows:
            return Orders(is_lost=True)
        (row,) = rows
        ended = "" if row["best"] is not None or row["held"] else "exhausted"
        return Orders(
            lease_s=self._lease_s,
            is_paused=bool(row["is_paused"]),
            is_draining=bool(row["is_draining"]),
            over=row["over"] or ended,
            best=row["best"],
            left=Grant(requests=_whole(row["left_requests"]), bytes=_whole(row["left_bytes"])),
            left_finds=_whole(row["left_finds"]),
            left_s=row["left_s"],
        )

    async def leave(self, worker: str) -> None:
        """Let a worker go, and free its sites."""

        async def work(ask: Ask) -> None:
            left = await ask(
                "UPDATE workers SET is_gone = 1, can_send = 0 WHERE name = $1 AND term = $2"
                " AND is_gone = 0 RETURNING name",
                *(worker, self._terms.get(worker, 0)),
            )
            if left:
                await ask("UPDATE sites SET owner = '' WHERE owner = $1", worker)
                await self._let_go(ask, worker)
                await self._tell(ask, [Event(worker=worker, kind="leave")])

        await self.db.together(work)

    async def lease(self, worker: str, most: int, held: Collection[str] = ()) -> list[Lease]:
        """Give a worker sites: first those of its own that it does not hold, then the best."""
        if most <= 0:
            return []
        await self._reap()
        async with self._turns.setdefault(worker, asyncio.Lock()):
            given = await self._lease(self.db.ask, worker, most, held)
        self._is_short = len(given) < most
        return given

    async def _lease(self, ask: Ask, worker: str, most: int, held: Collection[str]) -> list[Lease]:
        # Not one transaction: a site of which a worker was never told is given to it again, and
        # until then nobody asks its host.
        given: list[Lease] = []
        for _ in range(ROUNDS):
            known = [*held, *(lease.site.name for lease in given)]
            rows = await self._claim(ask, worker, most - len(given), known)
            lost = await self._hold(ask, worker, rows)
            given += [_lease(row) for row in rows if row["name"] not in lost]
            if not lost:
                break
        return given

    async def _claim(
        self, ask: Ask, worker: str, most: int, held: Collection[str]
    ) -> list[dict[str, Any]]:
        """Make sites a worker's, the best first: with their hosts and addresses they may not be."""
        kept = self.db.rows("$4", name="TEXT")
        # As a figure, and one of few: who plans the query has to know that this is not much.
        few = 1 << (most - 1).bit_length()
        rows = await ask(
            "WITH may AS MATERIALIZED (SELECT 1 AS one FROM workers, fleet"
            "  WHERE workers.name = $1 AND term = $2 AND is_gone = 0 AND is_draining = 0"
            "  AND is_paused = 0),"
            " mine AS MATERIALIZED (SELECT name, expected FROM sites WHERE owner = $1"
            f"  AND owner <> '' AND name NOT IN (SELECT name FROM {kept} AS r)"
            f"  AND EXISTS (SELECT 1 FROM may) LIMIT {few} {self.db.skip}),"
            f" best AS MATERIALIZED (SELECT name, expected FROM sites WHERE {_FREE}"
            "  AND EXISTS (SELECT 1 FROM may) ORDER BY expected DESC, name"
            f"  LIMIT {few} {self.db.skip}),"
            " any_of AS (SELECT 0 AS place, name, expected FROM mine"
            "  UNION ALL SELECT 1, name, expected FROM best)"
            " UPDATE sites SET owner = $1, epoch = epoch + 1, changed_s = moment_s()"
            " FROM (SELECT name FROM any_of ORDER BY place, expected DESC, name LIMIT $3) AS chosen"
            " WHERE sites.name = chosen.name RETURNING sites.name, sites.url, sites.host,"
            " sites.address, sites.promise, sites.epoch, sites.piece, sites.piece_epoch,"
            " sites.requests, sites.bytes, sites.finds, sites.cpu_s, sites.stored_bytes,"
            " sites.expected",
            *(worker, self._terms.get(worker, 0), most, packed({"name": name} for name in held)),
        )
        return sorted(rows, key=lambda row: (-row["expected"], row["name"]))

    async def _hold(self, ask: Ask, worker: str, sites: Sequence[Mapping[str, Any]]) -> set[str]:
        """Take the hosts and addresses of sites; return the sites that it may not ask.

        They have to wait for others, or are another's by now: only for its own it takes any.
        """
        asked = {
            site["name"]: list(filter(None, (site["host"], *site["address"].split())))
            for site in sites
        }
        wanted: dict[str, str] = {}
        for name, places in asked.items():
            for place in places:
                wanted.setdefault(place, name)
        if not wanted:
            return set()
        holder = await self._take(ask, worker, wanted)
        gone = {name for name, places in asked.items() if not holder.keys() >= set(places)}
        lost = {
            name: place
            for name, places in asked.items()
            for place in places
            if name not in gone and holder[place] != name
        }
        if lost:
            names = self.db.rows("$2", name="TEXT", place="TEXT")
            await ask(
                f"UPDATE sites SET owner = '', parked = r.place FROM {names} AS r"
                " WHERE sites.name = r.name AND owner = $1",
                *(worker, packed({"name": name, "place": at} for name, at in lost.items())),
            )
            await self._let_go(ask, worker)
        return gone | set(lost)

    async def _take(self, ask: Ask, worker: str, wanted: Mapping[str, str]) -> dict[str, str]:
        """Take places for sites of a worker, where they are free; return which site has each."""
        source = self.db.rows("$2", what="TEXT", site="TEXT")
        taken = await ask(
            f"INSERT INTO holds (what, site, owner) SELECT r.what, r.site, $1 FROM {source} AS r"
            " JOIN sites ON sites.name = r.site WHERE sites.owner = $1 ORDER BY r.what"
            f" {self.db.of_sites} ON CONFLICT (what) DO UPDATE SET owner = CASE"
            " WHEN holds.site = excluded.site THEN excluded.owner ELSE holds.owner END"
            " RETURNING what, site",
            *(worker, packed({"what": place, "site": site} for place, site in wanted.items())),
        )
        return {row["what"]: row["site"] for row in taken}

    async def _let_go(self, ask: Ask, worker: str) -> None:
        """Free the hosts and addresses of sites that a worker has no more, for who waits there."""
        freed = await ask(
            "DELETE FROM holds WHERE owner = $1 AND site NOT IN"
            " (SELECT name FROM sites WHERE owner = $1 AND owner <> '') RETURNING what,"
            " CASE WHEN EXISTS (SELECT 1 FROM sites WHERE parked = what AND parked <> '')"
            " THEN 1 ELSE 0 END AS is_awaited",
            worker,
        )
        # Who comes to wait in this very moment is seen later: `_reap` looks for such.
        await self._wake(ask, [row["what"] for row in freed if row["is_awaited"]])

    async def _wake(self, ask: Ask, places: Sequence[str]) -> None:
        """Let the best of the sites be free that wait at each of some places."""
        if not places:
            return
        source = self.db.rows("$1", what="TEXT")
        await ask(
            "UPDATE sites SET parked = '' WHERE name IN (SELECT (SELECT name FROM sites s"
            " WHERE s.parked = r.what AND s.parked <> '' ORDER BY s.expected DESC, s.name LIMIT 1)"
            f" FROM {source} AS r)",
            packed({"what": place} for place in places),
        )

    async def place(self, worker: str, addresses: Mapping[str, str]) -> set[str]:
        """Hear what the hosts of leased sites resolve to; return the sites that are kept."""
        source = self.db.rows("$2", name="TEXT", address="TEXT")
        async with self._turns.setdefault(worker, asyncio.Lock()):
            sites = await self.db.ask(
                f"UPDATE sites SET address = r.address FROM {source} AS r"
                " WHERE sites.name = r.name AND sites.owner = $1"
                " RETURNING sites.name, sites.host, sites.address",
                *(worker, packed({"name": n, "address": a} for n, a in addresses.items())),
            )
            lost = await self._hold(self.db.ask, worker, sites)
        return {site["name"] for site in sites} - lost

    async def hold(self, worker: str, site: str, places: Collection[str]) -> bool:
        """Take more hosts and addresses for a leased site; False: another site has one of them."""
        async with self._turns.setdefault(worker, asyncio.Lock()):
            holder = await self._take(self.db.ask, worker, dict.fromkeys(places, site))
            if set(holder.values()) - {site}:
                # Two that each have what the other wants would meet without end, did a lease not
                # begin with all that its site was ever refused, or not at all.
                await self.db.ask(
                    "UPDATE sites SET address = trim(address || ' ' || $3)"
                    " WHERE name = $2 AND owner = $1",
                    *(worker, site, " ".join(sorted(places))),
                )
        return all(holder.get(place) == site for place in places)

    # What happens.

    async def tell(self, events: Sequence[Event]) -> None:
        """Write down what has happened."""
        await self._tell(self.db.ask, events)

    async def _tell(self, ask: Ask, events: Sequence[Event]) -> None:
        if not events:
            return
        names, source = ", ".join(_EVENT), self.db.rows("$1", **_EVENT)
        await ask(
            f"INSERT INTO events ({names}, at_s) SELECT {names}, moment_s() FROM {source} AS r",
            packed({name: getattr(event, name) for name in _EVENT} for event in events),
        )
        self._told += len(events)
        if self._told >= PRUNED_EVERY:
            self._told = 0
            await ask(
                "DELETE FROM events WHERE number < (SELECT max(number) FROM events) - $1", EVENTS
            )

    async def _reap(self) -> None:
        """Free the sites of workers that were not heard for too long."""
        if self._clock() - self._reaped_s < REAPS * self._lease_s:
            return
        rows = await self.db.ask(_SIGNS)
        silent = self._silent(rows)
        is_any = bool(silent) or any(row["is_gone"] for row in rows)
        if is_any:
            await self.db.together(lambda ask: self._reap_now(ask, silent))
        if is_any or self._is_short:
            # Also those whose turn came between two statements of others.
            left = await self.db.ask(_FORGOTTEN)
            await self._wake(self.db.ask, [row["parked"] for row in left])
        self._reaped_s = self._clock()

    def _silent(self, rows: Sequence[Mapping[str, Any]]) -> dict[str, Sign]:
        """Return the workers that gave no new sign while this process looked on for a lease."""
        now_s, before = self._clock(), self._signs
        self._signs = {}
        for row in rows:
            if not row["is_gone"]:
                sign = (row["term"], row["seen_s"])
                last, since_s = before.get(row["name"], (None, now_s))
                self._signs[row["name"]] = sign, since_s if last == sign else now_s
        return {
            name: sign
            for name, (sign, since_s) in sorted(self._signs.items())
            if now_s - since_s >= self._lease_s
        }

    async def _reap_now(self, ask: Ask, silent: Mapping[str, Sign]) -> None:
        dead = [
            row["name"]
            for name, sign in silent.items()
            for row in await ask(
                "UPDATE workers SET is_gone = 1, can_send = 0 WHERE name = $1 AND term = $2"
                " AND seen_s = $3 AND is_gone = 0 RETURNING name",
                *(name, *sign),
            )
        ]
        await ask(
            "UPDATE sites SET owner = '', losses = losses + 1, changed_s = moment_s(),"
            f" state = CASE WHEN losses + 1 >= $1 AND state = '' THEN '{DEAD}' ELSE state END,"
            " note = CASE WHEN losses + 1 >= $1 AND state = ''"
            " THEN 'its workers died, one after the other' ELSE note END"
            " WHERE name IN (SELECT sites.name FROM sites JOIN workers ON workers.name = owner"
            f" WHERE owner <> '' AND is_gone = 1 {self.db.of_sites})",
            LOSSES,
        )
        await ask(
            "DELETE FROM holds WHERE owner IN (SELECT name FROM workers WHERE is_gone = 1)"
            " AND site NOT IN (SELECT name FROM sites WHERE owner <> '')"
        )
        await self._tell(
            ask,
            [Event(worker=name, kind="lost", text="not heard of any more") for name in dead],
        )


def _lease(row: Mapping[str, Any]) -> Lease:
    site = Site(**{entry.name: row[entry.name] for entry in fields(Site)})
    rest = {entry.name: row[entry.name] for entry in fields(Lease) if entry.name != "site"}
    return Lease(site=site, **rest)


def _whole(value: Any) -> int | None:
    """Return a figure that may be a Decimal."""
    return None if value is None else int(value)
