"""Webs that remember over all runs of a user, in one file: answers of services, and their calls.

Cached: the same question to a paid service is never paid for twice. It stands outside the Web that
adds the secrets, so none of them comes near the disk. An answer is on disk before it is handed on:
a process that dies right after has it at hand the next time.

QuotaCount: a quota is not a run's own. It stands within the cache, so that only what leaves is
counted, and runs at the same time share the count. A call beyond what a service allows is not sent:
it is answered as the service would, with the time from which there are calls again.
"""

import contextlib
import hashlib
import json
import math
import os
import sqlite3
import time
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from filon.core import MachineError, Request, Response, Web
from filon.page.url import origin

_ANSWERS = """
CREATE TABLE IF NOT EXISTS answers (
    request BLOB PRIMARY KEY,  -- SHA-256 of method, URL, headers and body, without secrets
    host TEXT NOT NULL,
    at_s REAL NOT NULL,        -- Unix time of the answer
    status INTEGER NOT NULL,
    headers TEXT NOT NULL,     -- JSON: pairs of name and value
    body BLOB NOT NULL         -- zlib
) WITHOUT ROWID
"""
_CALLS = """
CREATE TABLE IF NOT EXISTS calls (
    origin TEXT NOT NULL,      -- as https://api.example.org
    at_s REAL NOT NULL         -- Unix time at which the call left
)
"""
#: No service counts longer than a month.
_KEPT_S = 32 * 86_400.0
_SETTINGS = ("PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL")
#: What tells about the connection or the caller, not about the answer.
_FORGOTTEN = frozenset({"set-cookie", "set-cookie2", "authorization", "www-authenticate"})
#: Another process may be writing; its transactions are a row long.
_PATIENCE_S = 30.0
_LEVEL = 1  # search answers are read once and written once: quick beats small


def shared_database(path: Path, *statements: str) -> sqlite3.Connection:
    """Open a file that all runs of a user share, or make it, and execute what it begins with.

    Raises OSError or sqlite3.DatabaseError where it cannot be used; then nothing is left open.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    # Its owner's alone, also one of an older version; what SQLite puts beside it is as it is.
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    with contextlib.suppress(OSError):  # it is somebody else's
        path.chmod(0o600)
    database = sqlite3.connect(path, isolation_level=None, timeout=_PATIENCE_S)
    try:
        for statement in statements:
            database.execute(statement)
    except sqlite3.DatabaseError:
        database.close()
        raise
    return database


def cache_path() -> Path:
    """Return where answers are kept: FILON_CACHE, else filon/answers.sqlite in the user's cache."""
    if named := os.environ.get("FILON_CACHE"):
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "filon" / "answers.sqlite"


@dataclass(frozen=True, slots=True)
class Held:
    """How many answers a cache holds, and how large it is."""

    answers: int
    size_bytes: int
    oldest_s: float


class Cache:
    """Answers on disk, shared by all runs of a user, also at the same time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._db = shared_database(path, *_SETTINGS, _ANSWERS)
        except (OSError, sqlite3.DatabaseError) as error:
            why = getattr(error, "strerror", None) or str(error)
            raise MachineError(f"The cache {path} cannot be used: {why}.") from error

    def get(self, request: Request, since_s: float = 0.0) -> Response | None:
        """Return the answer that is held to a request; None where none is, or only an older one."""
        row = self._db.execute(
            "SELECT at_s, status, headers, body FROM answers WHERE request = ? AND at_s >= ?",
            (_key(request), since_s),
        ).fetchone()
        if row is None:
            return None
        at_s, status, headers, packed = row
        body = zlib.decompress(packed)
        return Response(
            url=request.url,
            status=status,
            headers=tuple((name, value) for name, value in json.loads(headers)),
            body=body,
            size_bytes=len(body),
            at_s=at_s,
            sent="cached",
        )

    def put(self, request: Request, response: Response) -> None:
        """Keep an answer, in place of an older one."""
        kept = [pair for pair in response.headers if pair[0].lower() not in _FORGOTTEN]
        row = (
            _key(request),
            origin(request.url).partition("://")[2],
            response.at_s,
            response.status,
            json.dumps(kept),
            zlib.compress(response.body, _LEVEL),
        )
        try:
            self._db.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?)", row)
        except sqlite3.OperationalError as error:  # a full disk: the run's own folder says so too
            raise MachineError(f"The cache {self.path} cannot be written: {error}.") from error

    def held(self) -> Held:
        """Say how much it holds."""
        number, oldest_s = self._db.execute("SELECT COUNT(*), MIN(at_s) FROM answers").fetchone()
        return Held(number, self.path.stat().st_size, oldest_s or 0.0)

    def clear(self, older_s: float = 0.0) -> int:
        """Forget the answers that are older than so many seconds; return how many they were."""
        until_s = time.time() - older_s
        number = self._db.execute("DELETE FROM answers WHERE at_s <= ?", (until_s,)).rowcount
        self._db.execute("VACUUM")
        return number

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()


class Cached:
    """Answers from a cache what was asked before, and asks the web within for the rest.

    good: says whether an answer is worth keeping; errors and cut answers never are.
    since_s: older answers are asked for again.
    """

    def __init__(
        self,
        web: Web,
        cache: Cache,
        *,
        good: Callable[[Response], bool] = lambda response: True,
        since_s: float = 0.0,
    ) -> None:
        self.web = web
        self._cache = cache
        self._good = good
        self._since_s = since_s

    def holds(self, request: Request) -> bool:
        """Say whether a request is answered without a call."""
        return not _is_fresh(request) and self._cache.get(request, self._since_s) is not None

    async def fetch(self, request: Request) -> Response:
        """Answer at once what is at hand."""
        if _is_fresh(request):
            return await self.web.fetch(request)
        if held := self._cache.get(request, self._since_s):
            return held
        response = await self.web.fetch(request)
        whole = response.ok and not response.cut and not response.spool
        if whole and request.method != "HEAD" and self._good(response):
            self._cache.put(request, response)
        return response

    async def close(self) -> None:
        """Close the cache and the web within."""
        self._cache.close()
        await self.web.close()


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
        self._quotas = {origin(service): quota for service, quota in quotas.items()}
        self._clock = clock
        try:
            self._db = shared_database(path, _CALLS)
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
        # A call from the future: the clock was set back since, and it counts as one made now.
        return max(0.0, min(row[0], now_s) + window_s - now_s) if row else 0.0

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
            self._db.execute("UPDATE calls SET at_s = ?1 WHERE at_s > ?1 + 60", (now_s,))
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


def _is_fresh(request: Request) -> bool:
    """Say whether an answer must come from the service itself, which is asked if it is there."""
    return ("Cache-Control", "no-cache") in request.headers


def _key(request: Request) -> bytes:
    parts = [request.method, request.url, sorted(request.headers), request.body.hex()]
    return hashlib.sha256(json.dumps(parts).encode()).digest()
