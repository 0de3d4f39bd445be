"""What is read of a store: how all stands, what has happened and what was found."""

import json
from dataclasses import fields
from typing import Any

from filon.core import UserError
from filon.fleet.database import Database, Row
from filon.fleet.model import WELL, Cost, Event, Figures, Member, Overview, Spending, Standing
from filon.fleet.search_words import parse_words

#: What is said of a store that is empty.
NO_FLEET = "There is no fleet in this store: `filon fleet run` begins one."
_STANDING = ", ".join(entry.name for entry in fields(Standing))
_WELL = ", ".join(f"'{state}'" for state in ("", *WELL))
#: More rows than any table has: where there is no limit.
_ALL = 1 << 62
_BOUNDS = ("requests", "bytes", "seconds", "finds")
_COSTS = tuple(entry.name for entry in fields(Cost))
#: Of a fleet: how long any worker was there, up to when the last was heard.
ELAPSED = (
    "elapsed_s + coalesce((SELECT max(seen_s) - fleet.at_s FROM workers"
    " WHERE seen_s > fleet.at_s), 0)"
)


class Queries:
    """The questions to a store that change nothing."""

    def __init__(self, db: Database) -> None:
        self.db = db
        self._is_there = False  # the tables were seen

    async def settings(self) -> dict[str, Any]:
        """Return what the fleet was begun with."""
        settings: dict[str, Any] = json.loads((await self._fleet())["settings"])
        return settings

    async def _fleet(self) -> Row:
        self._is_there = self._is_there or await self.db.has_table("fleet")
        asked = f"SELECT *, {ELAPSED} AS lasted_s FROM fleet"
        rows = await self.db.ask(asked) if self._is_there else []
        if not rows:
            raise UserError(NO_FLEET)
        return rows[0]

    async def spending(self) -> Spending:
        """Return how the budget stands."""
        fleet = await self._fleet()
        (drawn,) = await self.db.ask(_DRAWN)
        return Spending(
            budget={bound: fleet[f"budget_{bound}"] for bound in _BOUNDS},
            **{name: int(drawn[name]) for name in ("drawn_requests", "drawn_bytes", "workers")},
        )

    async def overview(self) -> Overview:
        """Return how all stands."""
        fleet = await self._fleet()
        costs = ", ".join(f"coalesce(sum({name}), 0) AS {name}" for name in _COSTS)
        states = await self.db.ask(
            "SELECT state, count(*) AS sites,"
            " sum(CASE WHEN owner <> '' THEN 1 ELSE 0 END) AS held,"
            f" sum(CASE WHEN epoch > 0 THEN 1 ELSE 0 END) AS begun, {costs}"
            " FROM sites GROUP BY state ORDER BY state"
        )
        (drawn,) = await self.db.ask(_DRAWN)
        totals = {name: sum(row[name] for row in states) for name in ("held", "begun", *_COSTS)}
        # What one worker sent may be told by another, who goes on with its sites.
        for what in ("requests", "bytes"):
            untold = max(0, drawn[f"drawn_{what}"] - totals[what])
            drawn[f"lost_{what}"] = min(drawn[f"lost_{what}"], untold)
        cpu_s = totals.pop("cpu_s")
        return Overview(
            budget={bound: fleet[f"budget_{bound}"] for bound in _BOUNDS},
            is_paused=bool(fleet["is_paused"]),
            elapsed_s=fleet["lasted_s"],
            states={row["state"]: row["sites"] for row in states},
            cpu_s=float(cpu_s),
            **{name: int(value) for name, value in totals.items()},
            **{name: int(value) for name, value in drawn.items()},
        )

    async def sites(
        self, *, state: str | None = None, name: str = "", limit: int = 1000
    ) -> list[Standing]:
        """Return sites, in the order of their names."""
        which = "" if state is None else " AND state = $3"
        rows = await self.db.ask(
            f"SELECT {_STANDING} FROM sites WHERE name >= $1{which} ORDER BY name LIMIT $2",
            *(name, limit, *([] if state is None else [state])),
        )
        return [Standing(**row) for row in rows]

    async def costliest(self, limit: int = 1000) -> list[Standing]:
        """Return the sites that have cost most requests, these first."""
        rows = await self.db.ask(
            f"SELECT {_STANDING} FROM sites ORDER BY requests DESC, name LIMIT $1", limit
        )
        return [Standing(**row) for row in rows]

    async def dead_letters(self, limit: int = 1000) -> list[Standing]:
        """Return the sites that ended with a trouble, the last first."""
        rows = await self.db.ask(
            f"SELECT {_STANDING} FROM sites WHERE state NOT IN ({_WELL})"
            " ORDER BY changed_s DESC, name LIMIT $1",
            limit,
        )
        return [Standing(**row) for row in rows]

    async def workers(self) -> list[Member]:
        """Return all workers that ever joined."""
        rows = await self.db.ask(
            "SELECT name, node, is_draining, drawn_requests, drawn_bytes, used_requests,"
            " used_bytes, finds, figures, moment_s() - seen_s AS quiet_s, CASE WHEN is_gone = 0"
            " AND lease_until_s >= moment_s() THEN 1 ELSE 0 END AS is_alive"
            " FROM workers ORDER BY name"
        )
        return [_member(row) for row in rows]

    async def events(self, after: int = 0, *, site: str = "", limit: int = 1000) -> list[Event]:
        """Return what happened after an event, in order; after: -1 for the last ones."""
        which = " AND site = $3" if site else ""
        order = "number" if after >= 0 else "number DESC"
        rows = await self.db.ask(
            "SELECT number, at_s, worker, site, kind, text FROM events"
            f" WHERE number > $1{which} ORDER BY {order} LIMIT $2",
            *(after, limit, *([site] if site else [])),
        )
        return sorted((Event(**row) for row in rows), key=lambda event: event.number)

    async def finds(
        self, site: str = "", after: int = 0, limit: int | None = None
    ) -> list[dict[str, Any]]:
        """Return the finds of a site, or of all, in the order in which they were told."""
        which = " AND site = $3" if site else ""
        return await self.db.ask(
            f"SELECT * FROM finds WHERE number > $1{which} ORDER BY number LIMIT $2",
            *(after, _ALL if limit is None else limit, *([site] if site else [])),
        )

    async def search(self, words: str, limit: int = 20, site: str = "") -> list[dict[str, Any]]:
        """Return the finds that have all the words or forms of them, the best first."""
        wanted = parse_words(words)
        if not wanted:
            return []
        any_of = [self.db.has_any(f"${number}") for number in range(3, 3 + len(wanted))]
        itself = self.db.has_all(f"${3 + len(wanted)}")
        return await self.db.ask(
            f"SELECT * FROM finds WHERE {' AND '.join(any_of)} AND $2 IN ('', site)"
            f" ORDER BY CASE WHEN {itself} THEN 0 ELSE 1 END, length(words), number LIMIT $1",
            *(limit, site, *map(json.dumps, wanted)),
            json.dumps([choices[0] for choices in wanted]),
        )


_DRAWN = """
SELECT coalesce(sum(drawn_requests), 0) AS drawn_requests,
    coalesce(sum(drawn_bytes), 0) AS drawn_bytes,
    coalesce(sum(CASE WHEN is_gone = 0 AND lease_until_s >= moment_s() THEN 1 ELSE 0 END), 0)
        AS workers,
    coalesce(sum(CASE WHEN drawn_requests <= used_requests THEN 0
        WHEN is_gone = 1 OR lost_requests > drawn_requests - used_requests
        THEN drawn_requests - used_requests ELSE lost_requests END), 0) AS lost_requests,
    coalesce(sum(CASE WHEN drawn_bytes <= used_bytes THEN 0
        WHEN is_gone = 1 OR lost_bytes > drawn_bytes - used_bytes
        THEN drawn_bytes - used_bytes ELSE lost_bytes END), 0) AS lost_bytes
FROM workers
"""


def _member(row: Row) -> Member:
    flags = {name: bool(row[name]) for name in ("is_draining", "is_alive")}
    figures = Figures(**json.loads(row["figures"]))
    return Member(**{**row, **flags, "figures": figures})
