"""The catalog of the folder that is served: open stores, tables that are being read, what is new.

Pages never wait for a stranger's file: what is new in the runs is taken in beside them, and a
table is read beside them too, once; until then a page says so.
"""

import asyncio
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from filon.catalog.cache import FOLDER, TableCache
from filon.catalog.intake import run_folders
from filon.catalog.store import FILE, CatalogStore
from filon.catalog.views import FILE as VIEWS
from filon.core import FilonError, UserError
from filon.core.background import in_thread
from filon.core.extras import extra
from filon.profile.difference import Difference
from filon.profile.parquet import Written, place

R = TypeVar("R")

#: How long a page waits for a table that is being read, before it says so and asks again by itself.
PATIENCE_S = 0.1
#: What is new in the runs is looked for no more often.
_NEW_S = 10.0
#: Things that were worked out and are kept; files that could not be read are remembered.
_KEPT = 500


class OpenCatalog:
    """What pages need of the catalog of a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.problems: Sequence[str] = ()
        self._run = self._last_run = ""
        self._free: list[CatalogStore] = []
        self._searched: list[CatalogStore] = []
        self._searching, self._finding = asyncio.Lock(), asyncio.Lock()
        self._lock = threading.Lock()
        self._reader = ThreadPoolExecutor(1, thread_name_prefix="reader")
        self._finder = ThreadPoolExecutor(1, thread_name_prefix="finder")
        self._cache = TableCache(folder / FOLDER)
        self._under_way: OrderedDict[tuple[object, ...], Future[Any]] = OrderedDict()
        self._known: OrderedDict[tuple[object, ...], object] = OrderedDict()
        self._taker: threading.Thread | None = None
        self._taken_s = -1.0 - _NEW_S

    # The store.

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing that a catalog could be made of."""
        if (self.folder / FILE).exists():
            return False
        return not self.folder.is_dir() or not any(run_folders(self.folder))

    @contextmanager
    def store(self, free: list[CatalogStore] | None = None) -> Iterator[CatalogStore]:
        """Lend a store, for one thread at a time; what it has loaded stays for the next.

        free: of which to lend one, and where it is given back.
        """
        free = self._free if free is None else free
        with self._lock:
            store = free.pop() if free else None
        store = store or CatalogStore(self.folder)
        try:
            yield store
        finally:
            with self._lock:
                free.append(store)

    async def ask(
        self, function: Callable[[CatalogStore], R], free: list[CatalogStore] | None = None
    ) -> R:
        """Return what a function finds in the store, beside the other visitors."""

        def asked() -> R:
            with self.store(free) as store:
                return function(store)

        return await in_thread(asked)

    async def search(self, function: Callable[[CatalogStore], R]) -> R:
        """Return what a function finds by words, one visitor after another.

        There is one store for it, as the words of all files take memory.
        """
        async with self._searching:
            return await self.ask(function, self._searched)

    @property
    def stamp(self) -> tuple[int, ...]:
        """By which it is known that the catalog has changed."""
        names = (FILE, f"{FILE}-wal", VIEWS)
        stats = [path.stat() for name in names if (path := self.folder / name).exists()]
        # A log without anything in it comes and goes with who reads.
        return tuple(n for s in stats if s.st_size for n in (s.st_mtime_ns, s.st_size))

    async def known(self, key: tuple[object, ...], find: Callable[[CatalogStore], R]) -> R:
        """Return what was found once, as long as the catalog is the same.

        It is found for one visitor after another: a picture of a long table takes memory.
        """
        key = (*key, await in_thread(lambda: self.stamp))
        async with self._finding:
            if key not in self._known:
                self._known[key] = await self.ask(find)
                while len(self._known) > _KEPT:
                    self._known.popitem(last=False)
            return self._known[key]  # type: ignore[return-value]  # what `find` has returned

    # What is new in the runs.

    def take_in(self, *, again: bool = False) -> None:
        """Begin to take in what is new in the runs, unless that was done just now.

        again: also then.
        """
        was_just_now = time.monotonic() - self._taken_s < _NEW_S and not again
        if self.is_taking_in or was_just_now or self.is_empty:
            return
        if self._taker is None:
            self._reader.submit(_load)
        self._taker = threading.Thread(target=self._take_in, daemon=True, name="intake")
        self._taker.start()

    @property
    def is_taking_in(self) -> bool:
        """Whether new files are being looked for."""
        return bool(self._taker and self._taker.is_alive())

    @property
    def taking_in(self) -> str:
        """The run of which new files are being taken in; "" where none is."""
        return self._run if self.is_taking_in else ""

    @property
    def is_first(self) -> bool:
        """Whether new files are being looked for, and never were before."""
        return self.is_taking_in and self._taken_s < 0

    @property
    def has_new(self) -> bool:
        """Whether files were taken in when they were last looked for."""
        return bool(self._last_run)

    def wait(self) -> None:
        """Wait until all that is new is taken in."""
        if self._taker:
            self._taker.join()

    def _take_in(self) -> None:
        def watch(run: Path) -> None:
            self._run = run.name

        try:
            with CatalogStore(self.folder) as store:
                self.problems = store.update(watch)
        except FilonError as error:
            self.problems = [str(error)]
        self._run, self._last_run = "", self._run
        self._taken_s = time.monotonic()

    # Tables of files.

    async def tables(self, id: str, wait_s: float = PATIENCE_S) -> Sequence[Written] | None:
        """Return what the tables of a file are; None while it is being read.

        A UserError where it cannot be read.
        """
        found = await in_thread(self._cache.kept, id)
        if found is not None:
            return found

        def read() -> Sequence[Written]:
            with self.store() as store:
                source, name = _source(store, id)
            made = self._cache.tables(id, source, name)
            self._cache.trim()
            return made

        found = await self._waited(("tables", id), read, wait_s, self._reader)
        if found is not None:  # it is kept on the disk, from where it may go
            self._under_way.pop(("tables", id), None)
        return found

    async def found(
        self, key: tuple[object, ...], find: Callable[[CatalogStore], R], wait_s: float = PATIENCE_S
    ) -> R | None:
        """Return what is found in the store, however long it takes; None meanwhile."""

        def search() -> R:
            with self.store() as store:
                return find(store)

        key = (*key, await in_thread(lambda: self.stamp))
        return await self._waited(key, search, wait_s, self._finder)

    async def _waited(
        self,
        key: tuple[object, ...],
        function: Callable[[], R],
        wait_s: float,
        one_by_one: ThreadPoolExecutor,
    ) -> R | None:
        """Return what a function finds, one after another; None meanwhile.

        What fails is not tried again.
        """
        if key not in self._under_way:
            self._under_way[key] = one_by_one.submit(function)
            while len(self._under_way) > _KEPT:
                self._under_way.popitem(last=False)
        found: asyncio.Future[R] = asyncio.wrap_future(self._under_way[key])
        done, _ = await asyncio.wait([found], timeout=wait_s)
        if not done:
            found.add_done_callback(_noted)
            return None
        return found.result()

    async def table(self, id: str, number: int, wait_s: float = PATIENCE_S) -> Path | None:
        """Return a table of a file as Parquet; None while it is being read."""
        found = await self.tables(id, wait_s)
        if found is None:
            return None
        if not 1 <= number <= len(found):
            raise UserError(f"The file has no table {number}.")
        if not found[number - 1].is_whole:
            total = found[number - 1].total
            raise UserError(f"The table is too long to be shown here: it has {total:,} rows.")
        return self.folder / FOLDER / id[:2] / id / place(number)

    async def difference(self, old: str, new: str, wait_s: float = PATIENCE_S) -> Difference | None:
        """Return how a file changed from one version to another; None while they are compared."""

        def compare() -> Difference:
            with self.store() as store:
                (before, _), (after, name) = _source(store, old), _source(store, new)
            return self._cache.difference(before, after, name)

        return await self._waited(("difference", old, new), compare, wait_s, self._reader)

    def close(self) -> None:
        """End what is under way."""
        self._cache.cut_short()
        self._reader.shutdown(cancel_futures=True)
        self._finder.shutdown(cancel_futures=True)
        self._cache.close()
        for store in (*self._free, *self._searched):
            store.close()
        self._free, self._searched = [], []


def _noted(found: "asyncio.Future[R]") -> None:
    """Take note of how a reading ended for which nobody waited any more."""
    if not found.cancelled():
        found.exception()


def _load() -> None:
    """Load what pages of tables need, which takes a while, before the first of them."""
    with suppress(UserError):
        extra("tables", "Tables need DuckDB", "duckdb", "pyarrow.parquet")


def _source(store: CatalogStore, id: str) -> tuple[Path, str]:
    file = store.find(id)["file"]
    return store.path(file), store.sightings(file)[0]["name"]
