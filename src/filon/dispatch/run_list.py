"""The runs of a home as a list: each is read anew only when its files have changed."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from filon.core import FilonError
from filon.dispatch.child import ENDED, INTERRUPTED
from filon.dispatch.dispatcher import Dispatcher, Standing, newest
from filon.dispatch.queue import Work
from filon.run import readonly
from filon.run.listing import FILES, Entry, entry
from filon.verbs.registry import verb_of

#: Runs on one page.
PAGE = 25
_KEYS: dict[str, Callable[["Line"], Any]] = {
    "changed": lambda line: -line.entry.changed_s,
    "name": lambda line: line.name.casefold(),
    "verb": lambda line: (line.entry.verb, line.name.casefold()),
    "finds": lambda line: -line.entry.finds,
    "requests": lambda line: -line.entry.requests,
    "state": lambda line: (_ORDER[line.standing], -line.entry.changed_s),
}
_ORDER: dict[Standing, int] = {"running": 0, "pausing": 1, "waiting": 2, "idle": 3}
SORTS = tuple(_KEYS)
#: Ends that are none of the run's own: a host was down.
_OPEN = ("outage",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A run, or a command that is to make one.

    subject: what it is about. said: what its last process said was wrong; code: how that ended.
    refreshing: it is looked at again, and does not go on itself.
    """

    name: str
    entry: Entry
    standing: Standing
    subject: str = ""
    said: str = ""
    code: int | None = None
    refreshing: bool = False

    @property
    def state(self) -> str:
        """How it stands: a key of [state] in words.toml."""
        if self.standing != "idle":
            return "looking" if self.refreshing and self.standing == "running" else self.standing
        if self.entry.problem:
            return "broken"
        if self.said:
            return "failed"
        if not self.entry.stopped:
            return "cut" if self.entry.verb else "gone"
        return "paused" if self.entry.stopped == "interrupted" else "ended"

    @property
    def can_go_on(self) -> bool:
        """Say whether it may go on where it was left, without more budget."""
        is_open = self.state in ("paused", "cut", "failed", "gone") or self.entry.stopped in _OPEN
        return is_open and self.standing == "idle" and not self.entry.problem

    @property
    def look(self) -> str:
        """How that is painted: a class of the style sheet."""
        if self.standing != "idle":
            return "running" if self.standing == "running" else "waiting"
        if self.state in ("broken", "failed", "cut", "gone"):
            return "failed"
        return "waiting" if self.state == "paused" else "done"


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Which runs are wanted. words: in the name or in what it is about. verb: "" for any."""

    words: str = ""
    verb: str = ""

    def has(self, line: Line) -> bool:
        """Say whether a run is one of them."""
        text = f"{line.name} {line.subject} {line.entry.verb}".casefold()
        is_verb = self.verb in ("", line.entry.verb)
        return is_verb and all(word in text for word in self.words.casefold().split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A page of the list.

    only: which runs are shown. all: how many there are. verbs: of all of them.
    """

    lines: tuple[Line, ...]
    only: Filter
    all: int
    verbs: tuple[str, ...]
    number: int
    page: int
    pages: int
    sort: str
    at_work: int
    waiting: int


class RunList:
    """The runs of a dispatcher's folder."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        self._dispatcher = dispatcher
        self._known: dict[str, tuple[tuple[Any, ...], Entry, str]] = {}
        self._lock = threading.Lock()

    def shown(self, sort: str = "changed", page: int = 1, only: Filter | None = None) -> Shown:
        """Return a page of the list; pages are counted from 1."""
        sort, only = sort if sort in _KEYS else "changed", only or Filter()
        every = self.lines()
        lines = sorted(filter(only.has, every), key=_KEYS[sort])
        pages = max(1, -(-len(lines) // PAGE))
        page = min(max(1, page), pages)
        standings = [line.standing for line in lines]
        return Shown(
            lines=tuple(lines[(page - 1) * PAGE : page * PAGE]),
            only=only,
            all=len(every),
            verbs=tuple(sorted({line.entry.verb for line in every} - {""})),
            number=len(lines),
            page=page,
            pages=pages,
            sort=sort,
            at_work=sum(one in ("running", "pausing") for one in standings),
            waiting=standings.count("waiting"),
        )

    def lines(self) -> list[Line]:
        """Return all of them: runs that are there, and those whose command has not made one."""
        folder, work = self._dispatcher.folder, self._dispatcher.queue.all()
        there = [
            path.name
            for path in (folder.iterdir() if folder.is_dir() else ())
            if (path / readonly.CONFIG).is_file()
        ]
        with self._lock:
            self._known = {name: one for name, one in self._known.items() if name in there}
        return [self._line(name, work.get(name)) for name in dict.fromkeys([*there, *work])]

    def line(self, name: str) -> Line:
        """Return one of them."""
        return self._line(name, self._dispatcher.queue.work(name))

    def _line(self, name: str, work: Work | None) -> Line:
        standing = self._dispatcher.standing_as(name, work)
        found, subject = self._entry(name, work)
        told = work if work and standing == "idle" else None
        return Line(
            name=name,
            entry=replace(found, running=standing in ("running", "pausing")),
            standing=standing,
            subject=subject,
            said=told.said if told else "",
            code=told.code if told and told.code not in (ENDED, INTERRUPTED) else None,
            refreshing=bool(work and work.again[:1] == ("refresh",)),
        )

    def _entry(self, name: str, work: Work | None) -> tuple[Entry, str]:
        folder = self._dispatcher.folder / name
        stamp = stamp_of(folder)
        if not stamp:
            words = " ".join(work.begin[1:2]) if work else ""
            return Entry(run=folder, changed_s=work.place if work else 0.0), words
        with self._lock:
            known = self._known.get(name)
        if known and known[0] == stamp:
            return known[1], known[2]
        found = entry(folder)
        with self._lock:
            self._known[name] = (stamp, found, subject_of(folder))
        return found, self._known[name][2]


def subject_of(folder: Path) -> str:
    """Return what a run is about: its topic, its URL, its table."""
    try:
        return verb_of(folder).subject(readonly.config(folder))
    except FilonError:  # of a verb that is not installed here
        return ""


def stamp_of(folder: Path) -> tuple[tuple[int, int], ...]:
    """Return what changes when a run, or its newest round, does something; () where there is none.

    A write-ahead log that grows in place has the same size, and another time.
    """
    if not (folder / readonly.CONFIG).is_file():
        return ()
    places = dict.fromkeys((folder, newest(folder)))
    files = (place / name for place in places for name in FILES)
    return tuple(_stamp(file) for file in files)


def _stamp(file: Path) -> tuple[int, int]:
    try:
        found = file.stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size
