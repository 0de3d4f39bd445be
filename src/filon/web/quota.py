"""A Web that counts the calls of services over all runs of a user: a quota is not a run's own.

It stands within the cache, so that only what leaves is counted, and in the file of the cache, so
that runs at the same time share the count. A call beyond what a service allows is not sent: it is
answered as the service would, with the time from which there are calls again.
"""

import math
import sqlite3
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from filon.core import MachineError, Request, Response, Web
from filon.page.url import origin
from filon.web.cached import shared_database

_SCHEMA = """
CREATE TABLE IF NOT EXISTS calls (
    origin TEXT NOT NULL,      -- as https://api.example.org
    at_s REAL NOT NULL         -- Unix time at which the call left
)
"""
#: No service counts longer than a month.
_KEPT_S = 32 * 86_400.0


class QuotaCount:
    """Sends no more calls to a service in its window than it allows.

    quotas: by origin, the calls in so many seconds. Other places are not counted.
    """

    def __init__(
        self,
        web: Web,
        path: Path,
        quotas: Mapping[str, tuple[int, float]],
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.web = web
        self._quotas = {origin(service): told for service, told in quotas.items()}
        self._clock = clock
        try:
            self._db = shared_database(path, _SCHEMA)
        except (OSError, sqlite3.DatabaseError) as error:
            raise MachineError(f"The calls in {path} cannot be counted: {error}.") from error

    def _wait_s(self, service: str, now_s: float) -> float:
        """Return how long a service has no call left; 0 where one may leave."""
        quota, window_s = self._quotas[service]
        row = self._db.execute(
            "SELECT at_s FROM calls WHERE origin = ? AND at_s > ? ORDER BY at_s DESC"
            " LIMIT 1 OFFSET ?",
            (service, now_s - window_s, quota - 1),
        ).fetchone()
        return max(0.0, row[0] + window_s - now_s) if row else 0.0

    async def fetch(self, request: Request) -> Response:
        """Send a request that may be sent."""
        service = origin(request.url)
        if service not in self._quotas:
            return await self.web.fetch(request)
        at_s, wait_s = self._take(service)
        if wait_s:
            return Response(
                url=request.url,
                status=429,
                headers=(("Retry-After", str(math.ceil(wait_s))),),
                detail="All calls that it allows were made, by this run or others, so it was not "
                "asked",
                at_s=self._clock(),
                sent="withheld",
            )
        response = await self.web.fetch(request)
        if response.sent == "withheld":
            self._give_back(service, at_s)
        return response

    def _take(self, service: str) -> tuple[float, float]:
        """Count a call; return when, and how long to wait where there is none: nothing counts."""
        now_s = self._clock()
        try:
            self._db.execute("BEGIN IMMEDIATE")
            wait_s = self._wait_s(service, now_s)
            if not wait_s:
                self._db.execute("DELETE FROM calls WHERE at_s <= ?", (now_s - _KEPT_S,))
                self._db.execute("INSERT INTO calls VALUES (?, ?)", (service, now_s))
            self._db.execute("COMMIT")
        except sqlite3.OperationalError as error:
            raise MachineError(f"The calls cannot be counted: {error}.") from error
        return now_s, wait_s

    def _give_back(self, service: str, at_s: float) -> None:
        """Take back a call that did not leave after all."""
        self._db.execute(
            "DELETE FROM calls WHERE rowid IN"
            " (SELECT rowid FROM calls WHERE origin = ? AND at_s = ? LIMIT 1)",
            (service, at_s),
        )

    async def close(self) -> None:
        """Close the count and the web within."""
        self._db.close()
        await self.web.close()
