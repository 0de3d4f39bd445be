"""The ledger of a whole: which runs it has and why, and a copy of what is in their own ledgers.

The runs are the truth. What stands here of steps and finds is copied from them, each once, and a
copy that a kill cut short goes on where it was: nothing is lost and nothing is counted twice. The
tables are those of any run, with the site as the arm, so that a report, an export or a list of runs
needs to know no more than of one run.
"""

import contextlib
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any, Literal

from filon.run import readonly
from filon.run.disk import Transaction, reading, writing
from filon.run.readonly import CONFIG, LEDGER, PARTS
from filon.run.schema import BESIDES, CONTEXT, FINDS
from filon.verbs.acquire.lasted import Lasted

Kind = Literal["site", "discovery"]
#: Ends of a run besides those of any run: its host is down, it has nothing, it has had its share.
OUTAGE, NOTHING, CAPPED = "outage", "nothing", "per-site"
#: The name of the run that looks for sites, and its folder; those of sites are below another.
DISCOVER, SITES = "discover", PARTS
#: In place of what was expected of a request, where a kill came before it was written down.
UNKNOWN = -1.0
_SCHEMA = """
CREATE TABLE IF NOT EXISTS sites (
    name TEXT PRIMARY KEY,
    kind TEXT NOT NULL,                  -- site or discovery
    url TEXT NOT NULL,
    why TEXT NOT NULL,                   -- what led to it, in a clause
    promise REAL NOT NULL,               -- from 0 to 1, before anything was seen of it
    state TEXT NOT NULL,                 -- '' may go on; else why it ended
    note TEXT NOT NULL,                  -- what there is to say of its end
    besides_bytes INTEGER NOT NULL DEFAULT 0, -- that came and stand in no step
    stamp TEXT NOT NULL DEFAULT ''       -- by which a ledger is known that was copied to its end
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS turns (
    step INTEGER PRIMARY KEY,            -- in the table steps
    site TEXT NOT NULL REFERENCES sites (name),
    site_step INTEGER NOT NULL,          -- in the ledger of its own run
    expected REAL NOT NULL,              -- finds for this request, before it left; -1: not known
    UNIQUE (site, site_step)
);
"""
_COPIED = (
    *("method", "url", "parent", "kind", "score", "why", "status", "error", "detail", "cut"),
    *("mime", "location", "size_bytes", "wire_bytes", "at_s", "took_s", "body_bytes", "sha256"),
)
_STEPS = f"""
INSERT OR REPLACE INTO steps
    (step, answer, after, sends, arm, expected, run_s, {", ".join(_COPIED)})
SELECT t.step, CASE WHEN s.answer IS NULL THEN NULL ELSE t.step END, t.step - 1, s.sends, t.site,
       max(0.0, t.expected), lasted(s.at_s), {", ".join(f"s.{name}" for name in _COPIED)}
FROM turns t JOIN part.steps s ON s.step = t.site_step LEFT JOIN steps p ON p.step = t.step
WHERE t.site = :site AND p.answer IS NULL
"""  # noqa: S608, our own names
_NAMES = (*FINDS[2:], *CONTEXT)
_FINDS = f"""
INSERT INTO finds (step, {", ".join(_NAMES)})
SELECT t.step, {", ".join(f"f.{name}" for name in _NAMES)}
FROM turns t JOIN part.finds f ON f.step = t.site_step LEFT JOIN steps p ON p.step = t.step
WHERE t.site = :site AND f.kind = 'file' AND p.answer IS NULL ORDER BY f.find
"""  # noqa: S608, our own names
_TURNS = "INSERT INTO turns (site, site_step, expected) VALUES (?, ?, ?)"
_NEWEST = "SELECT max(at_s), max(run_s) FROM steps"
_STRETCHES = """
SELECT at_s - own_s, at_s FROM (
    SELECT step, at_s, max(0.0, coalesce(run_s - lag(run_s, 1, 0.0) OVER (ORDER BY answer), 0.0))
        AS own_s
    FROM part.steps WHERE answer IS NOT NULL
) WHERE step NOT IN (
    SELECT t.site_step FROM turns t JOIN steps p USING (step)
    WHERE t.site = ? AND p.answer IS NOT NULL
)
"""
_BESIDES = f"""
SELECT coalesce(sum(CAST(value AS INTEGER)), 0) FROM part.meta WHERE key IN {BESIDES}
"""  # noqa: S608, our own names
_BROUGHT = "SELECT f.*, s.arm FROM finds f JOIN steps s USING (step) ORDER BY f.find"
_ANSWERED = """
SELECT step, arm, sends FROM steps WHERE answer IS NOT NULL ORDER BY at_s, step
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """One run of a whole.

    The fields are the columns of the table sites.
    """

    name: str
    kind: Kind = "site"
    url: str = ""
    why: str = ""
    state: str = ""
    promise: float = 1.0
    note: str = ""

    @property
    def is_found(self) -> bool:
        """Say whether it was discovered."""
        return self.why.startswith(FOUND)

    @property
    def path(self) -> str:
        """Return its folder within that of the whole."""
        return self.name if self.kind == "discovery" else f"{SITES}/{self.name}"


#: What is said of sites that nobody named.
FOUND = "discovery found it"
_SITE = ", ".join(entry.name for entry in fields(Site))


class Index(AbstractContextManager["Index"]):
    """The tables of a whole; its folder is a run's, which exists."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._linked: dict[str, int] = {}  # by run: the last find whose file has a link
        uri = f"{(folder / LEDGER).absolute().as_uri()}?mode=rw"
        with writing(folder):
            self._db = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=60)
            self._db.row_factory = sqlite3.Row
            self._db.execute("PRAGMA synchronous = NORMAL")
            self._db.executescript(_SCHEMA)

    def add(self, site: Site) -> None:
        """Take in a run, or what is new of it."""
        marks = ", ".join("?" * len(fields(Site)))
        changes = ", ".join(f"{entry.name} = excluded.{entry.name}" for entry in fields(Site)[1:])
        with writing(self.folder):
            self._db.execute(
                f"INSERT INTO sites ({_SITE}) VALUES ({marks})"  # noqa: S608
                f" ON CONFLICT (name) DO UPDATE SET {changes}",
                astuple(site),
            )

    def sites(self) -> list[Site]:
        """Return all runs, in the order of their names."""
        with reading(self.folder):
            rows = self._db.execute(f"SELECT {_SITE} FROM sites ORDER BY name")  # noqa: S608
            return [Site(**dict(row)) for row in rows]

    def copy(
        self,
        site: Site,
        expected: Sequence[float] = (),
        lasted: Callable[[float], float] | None = None,
    ) -> None:
        """Copy what is new in the ledger of a run, where it has one that can be read.

        expected: of the requests that left since the last time, in their order.
        lasted: tells how long the whole had lasted at a Unix time; None: as the run tells itself.
        """
        with self._attached(site) as is_new:
            if not is_new:
                return
            lasted = lasted or self._lasted(self._stretches(site))
            self._db.create_function("lasted", 1, _of_answers(lasted))
            with writing(self.folder):
                self._copy(site, expected)
                self._link(site)
        with writing(self.folder):
            self._db.execute(
                "UPDATE sites SET stamp = ? WHERE name = ?", (self._stamp(site), site.name)
            )

    def catch_up(self) -> None:
        """Copy what the index lacks of all runs: what a kill or one that went on alone has left."""
        sites, stretches = self.sites(), list[tuple[float, float]]()
        for site in sites:
            with self._attached(site) as is_new:
                stretches += self._stretches(site) if is_new else []
        lasted = self._lasted(stretches)
        for site in sites:
            self.copy(site, lasted=lasted)

    def keep_time(self, seconds: float) -> None:
        """Write down how long the whole has lasted by now."""
        self.set_meta(seconds=repr(seconds), seconds_at_s=repr(time.time()))

    @contextlib.contextmanager
    def _attached(self, site: Site) -> Iterator[bool]:
        """Have the ledger of a run at hand; False: it has none, or nothing that is new."""
        ledger = self.folder / site.path / LEDGER
        if not ledger.with_name(CONFIG).is_file():  # which is written last
            yield False
            return
        if self._stamp(site) == self._known_stamp(site):
            yield False
            return
        try:
            self._db.execute("ATTACH ? AS part", (f"{ledger.absolute().as_uri()}?mode=rw",))
            self._db.execute("SELECT count(*) FROM part.meta").fetchone()
        except sqlite3.DatabaseError:  # it is told when the run is opened
            self._detach()
            yield False
            return
        try:
            yield True
        finally:
            self._detach()

    def _stretches(self, site: Site) -> list[tuple[float, float]]:
        """Return from when to when a run was at work, for answers that were not copied."""
        return [tuple(row) for row in self._db.execute(_STRETCHES, (site.name,))]

    def _lasted(self, stretches: Sequence[tuple[float, float]]) -> Lasted:
        """Return the time of a whole that goes on with such stretches."""
        at_s, run_s = self._db.execute(_NEWEST).fetchone()
        until_s = max(float(self.meta("seconds_at_s") or 0.0), at_s or 0.0)
        before_s = max(float(self.meta("seconds") or 0.0), run_s or 0.0)
        return Lasted(stretches, before_s=before_s, until_s=until_s)

    def _stamp(self, site: Site) -> str:
        """Return what changes with the ledger of a run; while it is written to, its log does."""
        ledger = self.folder / site.path / LEDGER
        stats = [
            path.stat()
            for path in (ledger, ledger.with_name(f"{ledger.name}-wal"))
            if path.exists() and (path == ledger or path.stat().st_size)
        ]
        return " ".join(f"{stat.st_mtime_ns}.{stat.st_size}" for stat in stats)

    def _known_stamp(self, site: Site) -> str:
        row = self._db.execute("SELECT stamp FROM sites WHERE name = ?", (site.name,)).fetchone()
        return row[0] if row else ""

    def _detach(self) -> None:
        with contextlib.suppress(sqlite3.OperationalError):  # it could not even be attached
            self._db.execute("DETACH part")

    def _link(self, site: Site) -> None:
        """Let the files of a run be found in the folder of the whole, too, where a system can."""
        last = self._linked.get(site.name, 0)
        rows = self._db.execute(
            "SELECT find, sha256 FROM part.finds WHERE find > ? AND sha256 IS NOT NULL", (last,)
        ).fetchall()
        for find, sha256 in rows:
            self._linked[site.name] = find
            if not readonly.stored(self.folder / site.path, sha256).is_file():
                continue  # a person had it forgotten
            path = readonly.stored(self.folder, sha256)
            path.parent.mkdir(parents=True, exist_ok=True)
            with contextlib.suppress(OSError):  # it is there, or Windows forbids it
                path.symlink_to(Path("..", "..", site.path, "files", sha256[:2], sha256))

    def _copy(self, site: Site, expected: Sequence[float]) -> None:
        ask = self._db.execute
        (known,) = ask(
            "SELECT coalesce(max(site_step), 0) FROM turns WHERE site = ?", (site.name,)
        ).fetchone()
        new = ask("SELECT step FROM part.steps WHERE step > ? ORDER BY step", (known,)).fetchall()
        padded = [*expected[: len(new)], *[UNKNOWN] * (len(new) - len(expected))]
        (besides,) = ask(_BESIDES).fetchone()
        values = {"site": site.name}
        with Transaction(self._db, alone=True):  # the run may be in the middle of a write
            self._db.executemany(
                _TURNS, ((site.name, row[0], each) for row, each in zip(new, padded, strict=True))
            )
            if site.kind == "site":
                ask(_FINDS, values)
            ask(_STEPS, values)
            ask("UPDATE sites SET besides_bytes = ? WHERE name = ?", (besides, site.name))
            ask(
                "INSERT OR REPLACE INTO meta"
                " SELECT 'extra_bytes', CAST(sum(besides_bytes) AS TEXT) FROM sites"
            )

    def set_meta(self, **values: str) -> None:
        """Set values of the table meta."""
        with writing(self.folder):
            self._db.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", values.items())

    def meta(self, key: str) -> str:
        """Read a value of the table meta; "" where there is none."""
        row = self._db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return row[0] if row else ""

    def answers(
        self, told: Callable[[str, dict[str, Any]], Any]
    ) -> Iterator[tuple[str, int, list[Any]]]:
        """Yield the answers in order of time: of which run, what each cost, and brought.

        told: what is wanted of a find of a run, which is all that is kept of it.
        """
        with reading(self.folder):
            finds: dict[int, list[Any]] = {}
            for row in self._db.execute(_BROUGHT):
                finds.setdefault(row["step"], []).append(told(row["arm"], dict(row)))
            for step, site, sends in self._db.execute(_ANSWERED).fetchall():
                yield site, sends, finds.pop(step, [])

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def __exit__(self, *_: object) -> None:
        self.close()


def _of_answers(lasted: Callable[[float], float]) -> Callable[[float | None], float | None]:
    """Return the same for steps of which some are in flight."""
    return lambda at_s: None if at_s is None else max(0.0, lasted(at_s))


def wrap_up(folder: Path) -> None:
    """Copy what the index lacks of the runs; it may be done again at any time."""
    with Index(folder) as index:
        index.catch_up()


def is_wrapped_up(folder: Path, ledger: sqlite3.Connection) -> bool:
    """Say whether the index has all that is in the runs: not where a kill came between."""
    return bool(readonly.meta(ledger).get("stopped"))
