"""What agents ask for, done within the limits: runs begun and looked after, their files looked at.

What it returns is plain data. Texts in it may come from the web: who hands it on says so.
"""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from filon.catalog import sandbox as sandboxes
from filon.catalog.address import file_and_table, find_table, names_table
from filon.catalog.grid import Grid
from filon.catalog.open_catalog import OpenCatalog
from filon.catalog.sandbox import SECONDS, Sandbox
from filon.catalog.search import Results, search
from filon.catalog.store import FILE as CATALOG
from filon.catalog.store import CatalogStore
from filon.core import Budget, FilonError, Spent, UserError
from filon.core.background import end_threads, in_thread
from filon.dispatch import child
from filon.dispatch.child import Child
from filon.dispatch.dispatcher import Dispatcher, shown
from filon.dispatch.plan import launch
from filon.dispatch.run_list import RunList
from filon.mcp import arguments
from filon.mcp.allowance import Allowance
from filon.mcp.limits import LimitError, Limits
from filon.run import readonly
from filon.run.disk import Lock
from filon.run.ledger import Ledger
from filon.verbs.settle import settle
from filon.web.live import ONLY_HOSTS

#: The folder among the runs in which this keeps what is its own.
OWN_FOLDER = ".filon-mcp"
#: How long a call waits for what is being read, and how often it looks.
PATIENCE_S, LOOK_S = 30.0, 0.2
#: Runs that may be at work or in line.
MOST_WAITING = 100
#: Rows, columns and steps that are told.
ROWS, COLUMNS, STEPS, FINDS, PLACES = 50, 200, 10, 20, 10
_STEPS = (
    "SELECT url, status, error, why FROM steps WHERE answer IS NOT NULL"
    " ORDER BY answer DESC LIMIT ?"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """How a run stands: ours are figures and words of our own; theirs may be of the web."""

    ours: dict[str, Any]
    theirs: dict[str, Any]

    @property
    def is_at_work(self) -> bool:
        """Whether it goes on by itself."""
        return bool(self.ours["standing"] != "idle")


class Workspace:
    """The runs and the catalog of a folder, as an agent may use them.

    begin: begins a process, in place of `child.begin`.
    query_s: the longest that a query may take. patience_s: how long a call waits for what is read.
    """

    def __init__(
        self,
        limits: Limits,
        begin: Callable[[Sequence[str], Path], Child] | None = None,
        *,
        query_s: float = SECONDS,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self.limits, self.folder, self._patience_s = limits, limits.folder, patience_s
        # Of these limits alone: another server, with others, must not begin what waits here.
        own = f"{OWN_FOLDER}/{limits.stamp}"
        self.dispatcher = Dispatcher(self.folder, limits.at_once, begin or self._begin, own)
        account = self.folder / OWN_FOLDER / "allowance.sqlite"
        self.allowance = Allowance(account, limits.day, limits.stamp, self._look)
        self._runs = RunList(self.dispatcher)
        self._catalog, self._sandbox = OpenCatalog(self.folder), Sandbox(self.folder, query_s)

    @contextlib.asynccontextmanager
    async def at_work(self) -> AsyncIterator[None]:
        """Look after the runs as long as the block lasts; they save themselves then."""
        try:
            async with self.dispatcher.at_work():
                yield
        finally:
            self._sandbox.close()
            self._catalog.close()
            end_threads()

    def _begin(self, words: Sequence[str], log: Path) -> Child:
        return child.begin(words, log, {ONLY_HOSTS: self.limits.fenced})

    def _look(self, run: str, server: str) -> tuple[Spent, bool]:
        """Return what a run has spent, and whether it has ended for good."""
        is_own = server == self.limits.stamp
        try:
            is_over = self._is_over(run) if is_own else self._is_over_there(run, server)
            return spent(self.folder / run), is_over
        except FilonError:
            return Spent(), False  # its ledger cannot be read: all that was put aside counts

    def _is_over(self, run: str) -> bool:
        """Say whether a run of ours is neither at work nor in line, nor paused."""
        work = self.dispatcher.queue.work(run)
        return self.dispatcher.standing(run) == "idle" and not (work and work.wanted == "pause")

    def _is_over_there(self, run: str, server: str) -> bool:
        """Say the same of a run of a server with other limits, as the user may have changed them.

        Where that is gone, its run is taken out of its line: it has no budget any more.
        """
        place = self.folder / OWN_FOLDER / server
        other = Dispatcher(self.folder, begin=self._begin, own=f"{OWN_FOLDER}/{server}")
        work = other.queue.work(run)
        if other.standing_as(run, None) != "idle" or (work and other.is_ours(run)):
            return False
        if work is None or work.wanted == "off":
            return True
        try:
            held = Lock(place)
        except UserError:
            return False  # that server is there, and looks after it
        try:
            other.queue.ended(run, "off", None)
        finally:
            held.release()
        return True

    async def left(self) -> Budget:
        """Return what all runs together may still spend now."""
        return await in_thread(self.allowance.left)

    # Runs.

    async def start(self, verb: str, budget: str, **said: Any) -> dict[str, Any]:
        """Begin a run, as soon as there is room; return its name and its budget."""
        return await in_thread(self._start, verb, budget, said)

    def _start(self, verb: str, budget: str, said: dict[str, Any]) -> dict[str, Any]:
        limits = self.limits
        typed = getattr(arguments, limits.check_verb(verb))(limits, **said)
        if len(self.dispatcher.queue.wanted("run")) >= MOST_WAITING:
            raise LimitError("Too many runs are waiting: let some of them end first.")
        besides = 1 if verb == "enrich" else 0  # some services are read about first
        charge = self.allowance.put_aside("", _budget(budget), limits.run, Spent(), besides=besides)
        try:
            fixed = limits.fixed(verb) | {"budget_": str(charge.bound)}
            named = partial(self.allowance.begins, charge)
            run = launch(self.dispatcher, verb, typed | fixed, named)
        except BaseException:
            self.allowance.give_back(charge)
            raise
        self.allowance.begun(charge, run)
        return {"run": run, "budget": str(charge.bound)}

    async def go_on(self, run: str, budget: str) -> dict[str, Any]:
        """Go on with a run that was paused, stopped, or has spent its budget."""
        return await in_thread(self._go_on, run, budget)

    def _go_on(self, run: str, budget: str) -> dict[str, Any]:
        path = self._own(run)
        if verb := readonly.config(path).get("verb"):
            self.limits.check_verb(str(verb))
        if self.dispatcher.standing(run) != "idle":
            raise UserError("The run is at work, or waits for its turn.")
        self.dispatcher.stop(run)  # it is not only paused: what it has spent so far is counted
        self.allowance.settle(run)
        had = spent(path)
        charge = self.allowance.put_aside(run, _budget(budget), self.limits.run, had)
        self.allowance.begins(charge, run)
        self.dispatcher.go_on(run, ["resume", shown(path), "--budget", str(charge.bound)])
        self.allowance.begun(charge, run)
        return {"run": run, "budget": str(charge.bound)}

    async def pause(self, run: str) -> None:
        """Let a run save itself and wait; what was put aside for it stays so."""

        def pause() -> None:
            if self.dispatcher.standing(self._own(run).name) == "idle":
                raise UserError("The run is neither at work nor in line.")
            self.dispatcher.pause(run)

        await in_thread(pause)

    async def stop(self, run: str) -> None:
        """Let a run save itself and end; what it has not spent is given back."""
        await in_thread(lambda: self.dispatcher.stop(self._own(run).name))

    def _own(self, run: str) -> Path:
        """Return the folder of a run that was begun here; a LimitError of any other."""
        if not self.allowance.knows(run):
            raise LimitError("There is no such run among those that were begun here.")
        return self.folder / run

    def path(self, run: str) -> Path:
        """Return the folder of a run, which may be the user's own; its name leads nowhere else."""
        if self.folder.is_dir():
            for path in self.folder.iterdir():
                if (
                    path.name == run
                    and self._is_within(path)
                    and (path / readonly.CONFIG).is_file()
                ):
                    return path
        raise LimitError("There is no such run: list_runs names them.")

    def _is_within(self, path: Path) -> bool:
        """Say whether a path leads to what lies in the folder."""
        return path.resolve().is_relative_to(self.folder.resolve())

    async def runs(self) -> list[dict[str, Any]]:
        """Return the runs of the folder, the last at work first."""

        def told() -> list[dict[str, Any]]:
            lines = [
                line for line in self._runs.lines() if self._is_within(self.folder / line.name)
            ]
            lines.sort(key=lambda line: -line.entry.changed_s)
            return [
                {
                    "run": line.name,
                    "verb": line.entry.verb,
                    "standing": line.standing,
                    "ended": line.entry.stopped,
                    "requests": line.entry.requests,
                    "finds": line.entry.finds,
                    "subject": line.subject,
                }
                for line in lines[:200]
            ]

        return await in_thread(told)

    async def seen(self, run: str) -> Seen:
        """Return how a run stands."""
        return await in_thread(self._seen, run)

    def _seen(self, run: str) -> Seen:
        line = self._runs.line(run if self.allowance.knows(run) else self.path(run).name)
        entry, path = line.entry, self.folder / run
        ours = {
            "run": run,
            "standing": line.standing,
            "ended": entry.stopped,
            "verb": entry.verb,
            "requests": entry.requests,
            "bytes": entry.bytes,
            "finds": entry.finds,
            "budget": str(readonly.config(path).get("budget", "")) if entry.verb else "",
        }
        theirs: dict[str, Any] = {"problem": line.said or entry.problem}
        if (path / readonly.LEDGER).is_file() and not entry.problem:
            with contextlib.suppress(FilonError):  # while a run begins, it may not be read yet
                theirs |= _latest(path)
        return Seen(ours=ours, theirs=theirs)

    async def watched(self, run: str, wait_s: float, tell: Callable[[Seen], Any]) -> Seen:
        """Return how a run stands at its end, or after a while; tell hears of it meanwhile."""
        until_s = time.monotonic() + wait_s
        seen = await self.seen(run)
        while seen.is_at_work and time.monotonic() < until_s:
            await tell(seen)
            await asyncio.sleep(LOOK_S)
            seen = await self.seen(run)
        return seen

    async def why(self, run: str, wanted: str) -> str:
        """Return how a run came by something, in words."""
        if not wanted.strip():
            raise UserError("Which address? Name one, or a file that was found.")
        path = self.path(run)
        return await in_thread(lambda: settle(path).why(path, wanted))

    # Files.

    async def _ready(self) -> OpenCatalog:
        """Return the catalog with all that is new in the runs, or most of it."""
        if await in_thread(lambda: self._catalog.is_empty):
            raise UserError("There are no files yet: no run has brought any.")
        self._catalog.take_in(again=True)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._patience_s):
                await in_thread(self._catalog.wait)
        return self._catalog

    async def search(
        self, words: str, facets: dict[str, str], run: str, limit: int, skip: int
    ) -> Results:
        """Return the files that words are about, the best first."""
        catalog = await self._ready()
        sort = "" if words else "newest"
        return await catalog.ask(
            lambda store: search(store, words, facets, limit, skip=skip, run=run, sort=sort)
        )

    async def files(self, limit: int) -> list[str]:
        """Return the ids of files that are in the catalog now, the newest first."""
        if not (self.folder / CATALOG).is_file():
            return []
        query = "SELECT id FROM files ORDER BY file DESC LIMIT ?"
        return await self._catalog.ask(
            lambda store: [str(row["id"]) for row in store.db.execute(query, (limit,))]
        )

    async def profile(self, id: str) -> dict[str, Any]:
        """Return what is known of a file: its tables and columns, and where it was found."""
        catalog = await self._ready()
        return await catalog.ask(lambda store: _profile(store, id))

    async def sample(
        self, id: str, table: int, first: int, rows: int, column: int
    ) -> dict[str, Any]:
        """Return some rows of a table of a file."""
        catalog = await self._ready()
        chosen = await catalog.ask(lambda store: file_and_table(store, id, table))
        await catalog.ask(lambda store: self._path(store, chosen.id))
        path = await catalog.table(chosen.id, chosen.number, self._patience_s)
        if path is None:
            raise UserError("The file is still being read: ask again in a moment.")
        return await in_thread(lambda: asdict(Grid(path).window(first, min(rows, ROWS), column)))

    async def text(self, id: str) -> str:
        """Return the beginning of a file, as text; a UserError where it is none."""
        catalog = await self._ready()
        path = await catalog.ask(lambda store: self._path(store, id))
        with path.open("rb") as file:
            begins = file.read(100_000)
        if b"\0" in begins[:1000]:
            raise UserError("The file is no text: sample_file tells what is in its tables.")
        return begins.decode("utf-8", "replace")

    def _path(self, store: CatalogStore, id: str) -> Path:
        """Return where a file is: within the folder, whatever links say."""
        path = store.path(store.find(id)["file"])
        if not self._is_within(path):
            raise LimitError("The file lies outside of the folder of runs.")
        return path

    async def sql(self, query: str, rows: int) -> dict[str, Any]:
        """Return the answer to a question in SQL, in a process that has no files and no network."""
        catalog = await self._ready()
        made = await sandboxes.ask(self._sandbox, catalog, query, self._patience_s)
        if made is None:
            raise UserError("The files are still being read: ask again in a moment.")
        window = await in_thread(lambda: Grid(made.path).window(0, min(rows, ROWS)))
        return {"total": made.rows, "is_whole": made.is_whole, **asdict(window)}


def spent(path: Path) -> Spent:
    """Return what a run has spent so far; nothing where it has not begun."""
    if not (path / readonly.LEDGER).is_file():
        return Spent()
    with readonly.reading(path) as ledger:
        return Ledger(ledger).spent()


def _budget(text: str) -> Budget:
    return Budget.parse(text) if text.strip() else Budget()


def _latest(path: Path) -> dict[str, Any]:
    """Return what a run has asked for and found last."""
    with readonly.reading(path) as ledger:
        steps = [dict(row) for row in ledger.execute(_STEPS, (STEPS,))]
        finds = ledger.execute(
            f"SELECT name, url, mime, size_bytes, sha256, page_title FROM"  # noqa: S608 - ours
            f" ({readonly.all_finds(ledger)}) ORDER BY find DESC LIMIT ?",
            (FINDS,),
        )
        return {"latest_steps": steps, "latest_finds": [dict(row) for row in finds]}


def _profile(store: CatalogStore, id: str) -> dict[str, Any]:
    chosen = find_table(store, id)
    row = store.find(chosen.id)
    tables = store.db.execute(
        "SELECT * FROM tables WHERE file = ? ORDER BY number", (row["file"],)
    ).fetchall()
    if names_table(id):
        tables = [table for table in tables if table["number"] + 1 == chosen.number]
    named = ("name", "kind", "unit", "filled", "missing", "distinct", "least", "most", "examples")
    places = ("run", "url", "name", "parent", "page_title", "link_text", "licence", "modified")
    return {
        **{name: row[name] for name in ("id", "title", "format", "size_bytes", "problem")},
        "tables": [
            {
                "number": table["number"] + 1,
                "name": table["name"],
                "rows": table["rows"],
                "sql": "_".join(["f", row["id"][:12], *_later(table["number"])]),
                "columns": [
                    {name: column[name] for name in named}
                    for column in store.columns(table["table"])[:COLUMNS]
                ],
            }
            for table in tables[:PLACES]
        ],
        "places": [
            {name: one[name] for name in places} for one in store.sightings(row["file"])[:PLACES]
        ],
    }


def _later(number: int) -> list[str]:
    """Return what is added to the name of a table that is not the first of its file."""
    return [str(number + 1)] if number else []
