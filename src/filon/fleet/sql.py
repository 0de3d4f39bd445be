"""A store in SQL: the same statements for SQLite and PostgreSQL, which differ in a few words.

Rows that a worker tells together travel as one parameter, which is JSON, in one statement. No
transaction is longer than a few statements: one that stays open lets the tables decay.
"""

import asyncio
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict
from itertools import islice
from typing import Any

from filon.core import Budget, UserError
from filon.fleet import schema
from filon.fleet.database import Ask, packed
from filon.fleet.leasing import Leasing
from filon.fleet.migration import migrate
from filon.fleet.model import WELL, Commit, Event, Grant, Site
from filon.fleet.queries import NO_FLEET
from filon.fleet.search_words import search_words

#: Sites that are added in one statement.
BATCH = 5000

_SITE = {**dict.fromkeys(("name", "url", "host", "address"), "TEXT"), "promise": "DOUBLE PRECISION"}
_SAID = {
    "site": "TEXT",
    **dict.fromkeys(
        ("epoch", "piece", "piece_epoch", "requests", "bytes", "finds", "stored_bytes"), "BIGINT"
    ),
    **dict.fromkeys(("cpu_s", "expected"), "DOUBLE PRECISION"),
    **dict.fromkeys(("state", "note"), "TEXT"),
    "release": "INTEGER",
}


class SqlStore(Leasing):
    """A store on a database; see `filon.fleet.store.Store` for what each method promises."""

    @property
    def statements(self) -> int:
        """How many statements were sent."""
        return self.db.statements

    async def close(self) -> None:
        """Let go of the database."""
        await self.db.close()

    # The fleet.

    async def migrate(self) -> int:
        """Bring the tables to what this version knows."""
        return await migrate(self.db)

    async def create(self, settings: Mapping[str, Any], budget: Budget) -> bool:
        """Begin a fleet, or give one that is there another budget."""
        await self.migrate()
        bounds = (budget.requests, budget.bytes, budget.finds, budget.seconds)
        made = await self.db.ask(
            "INSERT INTO fleet (one, settings, budget_requests, budget_bytes, budget_finds,"
            " budget_seconds, at_s) VALUES (1, $1, $2, $3, $4, $5, moment_s())"
            " ON CONFLICT (one) DO NOTHING RETURNING one",
            json.dumps(dict(settings)),
            *bounds,
        )
        if not made:
            await self.db.ask(
                "UPDATE fleet SET budget_requests = $1, budget_bytes = $2, budget_finds = $3,"
                " budget_seconds = $4",
                *bounds,
            )
        return bool(made)

    async def add(self, sites: Iterable[Site]) -> int:
        """Add sites that are not there by their names."""
        names = ", ".join(_SITE)
        source = self.db.rows("$1", **_SITE)
        query = (
            f"INSERT INTO sites ({names}, expected, changed_s)"
            f" SELECT {names}, promise, moment_s() FROM {source} AS r WHERE true"
            " ON CONFLICT (name) DO NOTHING RETURNING 1 AS one"
        )
        waiting, added = iter(sites), 0
        while batch := list(islice(waiting, BATCH)):
            added += len(await self.db.ask(query, packed(map(asdict, batch))))
        return added

    async def pause(self, is_paused: bool) -> None:
        """Give out no more leases and grants, or go on."""
        await self.db.ask("UPDATE fleet SET is_paused = $1", int(is_paused))

    async def drain(self, worker: str) -> None:
        """Let a worker give its sites back and leave."""
        rows = await self.db.ask(
            "UPDATE workers SET is_draining = 1 WHERE name = $1 AND is_gone = 0 RETURNING name",
            worker,
        )
        if not rows:
            raise UserError(f"There is no worker {worker!r} at work: see `filon fleet status`.")

    async def retry(self, names: Collection[str] | None = None) -> int:
        """Let sites go on that ended with a trouble."""
        chosen = self.db.rows("$1", name="TEXT")
        which = "" if names is None else f" AND name IN (SELECT name FROM {chosen} AS r)"
        ended = ", ".join(f"'{state}'" for state in ("", *WELL))
        rows = await self.db.ask(
            "UPDATE sites SET state = '', note = '', losses = 0, expected = promise,"
            f" changed_s = moment_s() WHERE state NOT IN ({ended}){which} RETURNING name",
            *([] if names is None else [packed({"name": name} for name in names)]),
        )
        return len(rows)

    # Work and what it costs.

    async def commit(
        self, worker: str, commits: Sequence[Commit], events: Sequence[Event] = ()
    ) -> set[str]:
        """Make true what a worker says; return the sites of which it was heard."""
        async with self._turns.setdefault(worker, asyncio.Lock()):
            return await self.db.together(lambda ask: self._commit(ask, worker, commits, events))

    async def _commit(
        self, ask: Ask, worker: str, commits: Sequence[Commit], events: Sequence[Event]
    ) -> set[str]:
        source = self.db.rows("$2", **_SAID)
        same = ("piece", "piece_epoch", "requests", "bytes", "finds", "stored_bytes", "cpu_s")
        changes = ", ".join(f"{name} = r.{name}" for name in (*same, "expected", "state", "note"))
        gains = ", ".join(
            f"new_{name} ="
            f" CASE WHEN r.{name} > sites.{name} THEN r.{name} - sites.{name} ELSE 0 END"
            for name in ("requests", "bytes", "finds")
        )
        heard = await ask(
            f"UPDATE sites SET {changes}, {gains}, losses = 0, changed_s = moment_s(),"
            " owner = CASE WHEN r.release = 1 OR r.state <> '' THEN '' ELSE owner END"
            f" FROM {source} AS r"
            " WHERE sites.name = r.site AND sites.owner = $1 AND sites.epoch = r.epoch"
            " RETURNING sites.name, sites.owner, new_requests, new_bytes, new_finds",
            *(worker, packed(_said(commit) for commit in commits)),
        )
        names = {row["name"] for row in heard}
        rows = [
            {
                **{name: row.get(name) for name in schema.ALL},
                "site": commit.site,
                "words": search_words(row),
            }
            for commit in commits
            if commit.site in names
            for row in commit.rows
        ]
        if rows:
            await self._add_finds(ask, rows)
        if any(not row["owner"] for row in heard):
            await self._let_go(ask, worker)
        await self._tell(ask, events)
        gained = [sum(row[name] for row in heard) for name in ("new_requests", "new_bytes")]
        if heard:
            await ask(
                "UPDATE workers SET used_requests = used_requests + $2, used_bytes = used_bytes"
                " + $3, finds = finds + $4 WHERE name = $1",
                *(worker, *gained, sum(row["new_finds"] for row in heard)),
            )
        return names

    async def _add_finds(self, ask: Ask, rows: Sequence[Mapping[str, Any]]) -> None:
        columns = {"site": "TEXT", **schema.ALL}
        names, source = ", ".join(columns), self.db.rows("$1", **columns)
        await ask(
            f"INSERT INTO finds ({names}) SELECT {names} FROM {source} AS r WHERE true"
            " ON CONFLICT (site, find) DO NOTHING",
            packed(rows),
        )

    # The budget.

    async def draw(self, worker: str, requests: int, bytes: int = 0) -> Grant:
        """Take up to so much of the budget."""
        async with self._turns.setdefault(worker, asyncio.Lock()):
            before = self._drawn.get(worker, (0, 0))
            level = await self.db.together(
                lambda ask: self._draw(ask, worker, before, (requests, bytes))
            )
            self._drawn[worker] = level
        return Grant(requests=level[0] - before[0], bytes=level[1] - before[1])

    async def _draw(
        self, ask: Ask, worker: str, before: tuple[int, int], wanted: tuple[int, int]
    ) -> tuple[int, int]:
        # Whoever draws waits here for who draws now: what is left is counted after that.
        fleets = await ask(
            "UPDATE fleet SET elapsed_s = elapsed_s + moment_s() - at_s, at_s = moment_s()"
            " RETURNING budget_requests, budget_bytes, budget_finds, budget_seconds, elapsed_s,"
            " is_paused"
        )
        if not fleets:
            raise UserError(NO_FLEET)
        (fleet,) = fleets
        (drawn,) = await ask(
            "SELECT coalesce(sum(CASE WHEN name = $1 THEN 0 ELSE drawn_requests END), 0)"
            " AS requests, coalesce(sum(CASE WHEN name = $1 THEN 0 ELSE drawn_bytes END), 0)"
            " AS bytes, coalesce(sum(finds), 0) AS finds FROM workers",
            worker,
        )
        is_over = (
            fleet["is_paused"]
            or _is_spent(fleet["budget_finds"], drawn["finds"])
            or _is_spent(fleet["budget_seconds"], fleet["elapsed_s"])
        )
        level = (
            _level(fleet["budget_requests"], int(drawn["requests"]), before[0], wanted[0]),
            _level(fleet["budget_bytes"], int(drawn["bytes"]), before[1], wanted[1]),
        )
        both = zip(level, before, wanted, strict=True)
        if is_over or any(new == old and more > 0 for new, old, more in both):
            return before  # of no use: a request needs some of either
        changed = await ask(
            "UPDATE workers SET drawn_requests = $3, drawn_bytes = $4, can_send = 1"
            " WHERE name = $1 AND term = $2 AND is_gone = 0 RETURNING name",
            *(worker, self._terms.get(worker, 0), *level),
        )
        return level if changed else before

    async def give_back(self, worker: str, requests: int, bytes: int = 0) -> None:
        """Return what was drawn and has not been spent."""
        async with self._turns.setdefault(worker, asyncio.Lock()):
            before = self._drawn.get(worker, (0, 0))
            level = max(0, before[0] - max(0, requests)), max(0, before[1] - max(0, bytes))
            await self.db.ask(
                "UPDATE workers SET drawn_requests = $3, drawn_bytes = $4,"
                f" lost_requests = {_lost('requests', '$3')}, lost_bytes = {_lost('bytes', '$4')}"
                " WHERE name = $1 AND term = $2",
                *(worker, self._terms.get(worker, 0), *level),
            )
            self._drawn[worker] = level


def _said(commit: Commit) -> dict[str, Any]:
    return {name: getattr(commit, name) for name in _SAID} | {"release": int(commit.release)}


def _lost(what: str, level: str) -> str:
    """Return what earlier lives of a worker have lost: no more than it has drawn and not used."""
    rest = f"{level} - used_{what}"
    least = f"CASE WHEN {rest} < 0 THEN 0 ELSE {rest} END"
    return f"CASE WHEN lost_{what} > {rest} THEN {least} ELSE lost_{what} END"


def _is_spent(bound: float | None, spent: float) -> bool:
    return bound is not None and spent >= bound


def _level(bound: int | None, others: int, own: int, wanted: int) -> int:
    """Return what a worker has drawn in all when it draws so much more, as far as there is."""
    most = own + max(0, wanted) if bound is None else min(own + max(0, wanted), bound - others)
    return max(own, most)
