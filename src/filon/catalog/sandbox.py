"""Queries of people, and tables put together, in a process of their own with bounds on all.

What comes out is a table as Parquet, which pages and downloads read as they read those of files.
The process has the catalog and its tables; DuckDB in it has no way to files and the network. It
ends where a query takes too long, and when nobody has asked for a while.
"""

import asyncio
import hashlib
import json
import os
import sys
import tempfile
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass
from importlib.abc import MetaPathFinder
from pathlib import Path
from typing import Any, TypeVar

from filon.catalog.address import find_table, named_in_sql
from filon.catalog.open_catalog import OpenCatalog
from filon.catalog.store import FILE, CatalogStore
from filon.catalog.views import View, Views, tables_in
from filon.core import FilonError, UserError
from filon.core.extras import extra
from filon.profile.process import Process
from filon.profile.source import UnreadableError

R = TypeVar("R")

#: The longest that a query may take, and what it may have of the memory.
SECONDS = 15.0
MEMORY_BYTES = 192 << 20
#: Of the process as a whole: libraries and Arrow take their part, mostly of addresses.
_PROCESS_BYTES = 4 << 30
#: Rows of an answer; a query that brings more is told so.
MOST_ROWS = 1_000_000
#: Answers that are kept, and what they may take on the disk.
_KEPT, _KEPT_BYTES = 40, 2 << 30
#: A longer query does not fit into an address.
LONGEST = 4000
_IDLE_S = 120.0
#: Tables of the catalog that most questions are about: they are read before the first comes.
_FIRST = ("files", "sightings")
#: Questions that wait for each other; one more is refused.
_WAITING = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A table that was made.

    asked: the query, or how tables were put together. is_whole: there were no more rows.
    notes: sentences about it.
    """

    key: str
    asked: str | View
    path: Path
    rows: int
    is_whole: bool
    seconds: float
    notes: Sequence[str] = ()


class Sandbox:
    """Makes tables of the catalog of a folder."""

    def __init__(self, folder: Path, seconds: float = SECONDS) -> None:
        self._folder, self._seconds = folder, seconds
        self._process = Process(jobs, _PROCESS_BYTES)
        self._lock = threading.Lock()
        self._asker = ThreadPoolExecutor(1, thread_name_prefix="asker")
        self._waiting = 0
        self._answers: tempfile.TemporaryDirectory[str] | None = None
        self._made: OrderedDict[str, Made] = OrderedDict()
        self._used_s = 0.0
        self._idle: threading.Timer | None = None
        self._warming: threading.Thread | None = None

    def sql(self, query: str, stamp: tuple[int, ...]) -> Made:
        """Return the answer to a query; a UserError with a sentence where it has none.

        stamp: by which it is known that the catalog has changed.
        """
        if len(query) > LONGEST:
            raise UserError(f"The query is too long: at most {LONGEST:,} letters.")
        return self._make("sql", query, stamp)

    async def beside(self, function: Callable[[], R]) -> R:
        """Return what a function makes here, without holding up pages that ask for nothing of it.

        One after another; a UserError where too many wait.
        """
        if self._waiting >= _WAITING:
            raise UserError("Too many questions are being asked: ask again in a moment.")
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._asker, function)
        finally:
            self._waiting -= 1

    def warm(self) -> None:
        """Begin the process before a question comes: it takes a second or two."""
        if not self._process.pid and not self._lock.locked():
            self._warming = threading.Thread(target=self._warm, daemon=True, name="warm")
            self._warming.start()

    def _warm(self) -> None:
        with self._lock, suppress(UnreadableError):
            self._process.ask(self._seconds, "load", self._folder)
            self._rest()

    def wait(self) -> None:
        """Wait until its process has begun."""
        if self._warming:
            self._warming.join()

    @property
    def pid(self) -> int:
        """The number of its process; 0 where none runs."""
        return self._process.pid

    def combine(self, view: View, stamp: tuple[int, ...]) -> Made:
        """Return tables below each other, or side by side."""
        return self._make("combine", view, stamp)

    def made(self, key: str) -> Made:
        """Return what was made before."""
        if key not in self._made:
            raise UserError("This answer is not kept any more: ask again.")
        self._made.move_to_end(key)
        return self._made[key]

    def _make(self, job: str, asked: str | View, stamp: tuple[int, ...]) -> Made:
        said = json.dumps([job, _plain(asked), stamp])
        key = hashlib.sha256(said.encode()).hexdigest()[:32]
        with self._lock:
            if key not in self._made:
                self._made[key] = self._ask(job, asked, key)
                self._forget()
            self._made.move_to_end(key)
            return self._made[key]

    def _ask(self, job: str, asked: str | View, key: str) -> Made:
        if self._answers is None:  # not before a question: a server that is killed leaves it
            self._answers = tempfile.TemporaryDirectory(
                prefix="filon-answers-", ignore_cleanup_errors=True
            )
        path = Path(self._answers.name) / f"{key}.parquet"
        began_s = time.monotonic()
        try:
            told = self._process.ask(self._seconds, job, self._folder, _plain(asked), path)
        except UnreadableError as error:
            path.unlink(missing_ok=True)
            raise _stopped(error) from error
        finally:
            self._rest()
        if "error" in told:
            path.unlink(missing_ok=True)
            raise UserError(told["error"])
        took_s = time.monotonic() - began_s
        return Made(key=key, asked=asked, path=path, seconds=took_s, **told)

    def _forget(self) -> None:
        """Delete the answers that were looked at least recently, where they are too many."""
        sizes = {key: made.path.stat().st_size for key, made in self._made.items()}
        while len(self._made) > 1 and (
            len(self._made) > _KEPT or sum(sizes.values()) > _KEPT_BYTES
        ):
            key, made = self._made.popitem(last=False)
            made.path.unlink(missing_ok=True)
            del sizes[key]

    def _rest(self) -> None:
        """End the process when nobody asks for a while: it takes memory."""
        if self._idle:
            self._idle.cancel()
        self._idle = threading.Timer(_IDLE_S, self._end)
        self._idle.daemon = True
        self._idle.start()

    def _end(self) -> None:
        with self._lock:
            self._process.close()

    def close(self) -> None:
        """End it, with all answers."""
        if self._idle:
            self._idle.cancel()
        self._process.cut_short()
        self._asker.shutdown(cancel_futures=True)
        self._end()
        if self._answers:
            self._answers.cleanup()


def _stopped(error: UnreadableError) -> UserError:
    if error.problem == "too slow":
        return UserError(f"The query was stopped: it took longer than {SECONDS:.0f} seconds.")
    if error.problem in ("crashed", "too large"):
        return UserError("The query was stopped: it took all memory that it may have.")
    return UserError(str(error))


def _plain(asked: str | View) -> Any:
    """Return what was asked as plain data, for another process."""
    return asdict(asked) if isinstance(asked, View) else asked


def needed(store: CatalogStore, query: str) -> list[str]:
    """Return the ids of the files whose tables a query asks for, also through views."""
    views, found = Views(store.folder), dict[str, None]()
    for name in sorted(tables_in(query)):
        try:
            if address := named_in_sql(store, name):
                found[address.id] = None
            elif name in views:
                found |= {find_table(store, id).id: None for id in views[name].ids}
        except FilonError:
            continue  # the query says so where it needs it
    return list(found)


async def ask(sandbox: Sandbox, catalog: OpenCatalog, query: str, wait_s: float) -> Made | None:
    """Return the answer to a query; None while the files that it is about are still being read."""
    for id in await catalog.ask(lambda store: needed(store, query)):
        if await catalog.tables(id, wait_s) is None:
            return None
    return await sandbox.beside(lambda: sandbox.sql(query, catalog.stamp))


def let_go() -> None:
    """Make Arrow give back what it has let go, before it is loaded: its own allocator keeps it."""
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")


class _NoPandas(MetaPathFinder):
    """Says that pandas is not there. pyarrow loads it where it is, to know its frames.

    Nobody uses it here, and it is a quarter of the memory of the process.
    """

    @classmethod
    def find_spec(cls, fullname: str, *_: object) -> None:
        if fullname == "pandas":
            raise ModuleNotFoundError(f"{fullname} is not used here", name=fullname)


def jobs() -> dict[str, Callable[..., Any]]:
    """Return what the process can be asked for; it is the process that asks."""
    if _NoPandas not in sys.meta_path:
        sys.meta_path.insert(0, _NoPandas)
        let_go()
    return {"sql": _sql, "combine": _combine, "load": _load}


def _load(folder: Path) -> None:
    from filon.catalog.query import kept_table

    extra("tables", "SQL needs DuckDB", "duckdb", "pyarrow.parquet")
    tables_in("SELECT 1")
    if (folder / FILE).exists():
        with suppress(FilonError), CatalogStore(folder) as store:
            for name in _FIRST:
                kept_table(store, name, _places()[1])


def _sql(folder: Path, query: str, out: Path) -> dict[str, Any]:
    from filon.catalog.query import Bounds, write_answer

    beside, kept = _places()
    bounds = Bounds(most_rows=MOST_ROWS, memory_bytes=MEMORY_BYTES, folder=beside, kept=kept)
    try:
        with CatalogStore(folder) as store:
            return asdict(write_answer(store, query, out, bounds))
    except FilonError as error:
        return {"error": str(error)}


def _places() -> tuple[Path, Path]:
    """Return where a query may lay things aside, and where tables of the catalog are kept.

    Both are of the process alone. DuckDB lets a query into the first.
    """
    own = Path(tempfile.gettempdir())
    return own / "aside", own / "catalog"


def _combine(folder: Path, view: dict[str, Any], out: Path) -> dict[str, Any]:
    from filon.catalog.combine import combined
    from filon.catalog.query import write_batches

    try:
        with CatalogStore(folder) as store:
            made = combined(store, View(view["how"], tuple(view["ids"]), tuple(view["on"])))
            told = asdict(write_batches(made.table.to_reader(), out, MOST_ROWS))
    except FilonError as error:
        return {"error": str(error)}
    return {**told, "notes": list(made.notes)}
