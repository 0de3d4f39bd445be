"""`filon watch`: many sites, each looked at again when it is due, in one process.

All that it knows stands in the folders of the runs: when the last round of each began, and which
one was cut short. Who kills it loses nothing, and between two rounds a site is a few numbers.
"""

import asyncio
import contextlib
import json
import shlex
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from filon.core import FilonError, MachineError, UserError
from filon.core.plugins import loaded
from filon.page.url import host
from filon.run import readonly
from filon.run.disk import replacing
from filon.run.history import rounds
from filon.run.summary import summarise
from filon.verbs.hosts import Alone, Hosts
from filon.verbs.refresh.changes import changes_of
from filon.verbs.refresh.feed import MOST, atom
from filon.verbs.refresh.heard import HEARD, begin_to_hear, between, heard, keep_heard, over
from filon.verbs.refresh.many import (
    AT_ONCE,
    Refreshed,
    counts,
    is_many,
    is_run,
    sweep,
    targets_of,
)
from filon.verbs.refresh.schedule import Schedule, Watched
from filon.verbs.refresh.session import open_round, refresh
from filon.verbs.registry import FIRST, VERBS
from filon.verbs.session import begin, settings_of

#: A hook that takes longer is ended.
HOOK_S = 60.0
#: The longest sleep: a clock may be set, a laptop may have slept.
NAP_S = 60.0
#: After a failure a site is tried again when so much of its interval has gone by.
AFTER_FAILURE = 0.25


@dataclass(frozen=True, slots=True)
class Told:
    """One round, for a line: which site, what it brought or what was wrong.

    failed: of many runs, what was wrong with each that could not be looked at.
    is_cut: quiet hours have begun before it was over; it goes on after them.
    """

    site: Watched
    counts: Mapping[str, int] = field(default_factory=dict)
    requests: int = 0
    problem: str = ""
    failed: Sequence[str] = ()
    is_first: bool = False
    is_cut: bool = False


class Watch:
    """Sees to the sites of a schedule.

    told: hears of each round. has_failed: something was wrong with a site, or with who hears of it.
    """

    def __init__(
        self, schedule: Schedule, words: Mapping[str, Any], told: Callable[[Told], None]
    ) -> None:
        self._schedule, self._words, self._hear = schedule, dict(words), told
        self.has_failed = False
        self._failed_s: dict[Path, float] = {}
        self._looked_s: dict[Path, float] = {}
        self._hosts = Hosts(AT_ONCE)
        self._newest: dict[Path, list[dict[str, Any]]] = {}  # by run: for the feed

    async def once(self, halt: asyncio.Event) -> None:
        """See to all that is due now."""
        await self._catch_up()
        now_s = time.time()
        due = [site for site in self._schedule.sites if self._due_s(site, now_s) <= now_s]
        await asyncio.gather(*(self._round(site, halt) for site in due))

    async def always(self, halt: asyncio.Event) -> None:
        """See to what is due, until somebody ends it."""
        await self._catch_up()
        flying: dict[asyncio.Future[None], Path] = {}
        while not halt.is_set():
            now_s = time.time()
            waits = [NAP_S]
            for site in self._schedule.sites:
                if site.run in flying.values():
                    continue
                if (due_s := self._due_s(site, now_s)) > now_s:
                    waits.append(due_s - now_s)
                    continue
                flying[asyncio.ensure_future(self._round(site, halt))] = site.run
            stopped = asyncio.ensure_future(halt.wait())
            awaited: list[asyncio.Future[Any]] = [*flying, stopped]
            done, _ = await asyncio.wait(
                awaited,
                timeout=max(0.05, min(waits)),
                return_when=asyncio.FIRST_COMPLETED,
            )
            stopped.cancel()
            for task in [task for task in flying if task in done]:
                del flying[task]
                task.result()
        await asyncio.gather(*flying)

    def _due_s(self, site: Watched, now_s: float) -> float:
        if failed_s := self._failed_s.get(site.run):
            wait_s = AFTER_FAILURE * site.interval_s
            return site.due_s(failed_s + wait_s - site.interval_s, now_s)
        known = site.run in self._looked_s
        due_s = site.due_s(self._looked(site), now_s)
        if known and due_s <= now_s:  # somebody else may have looked since
            del self._looked_s[site.run]
            due_s = site.due_s(self._looked(site), now_s)
        return due_s

    def _looked(self, site: Watched) -> float:
        """Return when a site was last looked at; 0: never, or that is not over. It is read once."""
        if site.run not in self._looked_s:
            runs = targets_of(site.run)
            is_open = any(open_round(run) for run in runs) or _is_cut_short(site.run)
            self._looked_s[site.run] = 0.0 if is_open or not runs else last_s(site.run)
        return self._looked_s[site.run]

    async def _round(self, site: Watched, halt: asyncio.Event) -> None:
        async with self._hosts.given(_hosts_of(site)) as alone:
            if halt.is_set() or site.until_quiet_s(time.time()) <= 0:
                return
            self._failed_s.pop(site.run, None)
            self._looked_s.pop(site.run, None)
            try:
                async with _until_quiet(site, halt) as end:
                    told = await self._look(site, end, alone)
            except FilonError as error:
                self._failed_s[site.run] = time.time()
                told = Told(site, problem=str(error))
            self._looked_s.pop(site.run, None)
            if not halt.is_set() or told.counts:
                self._told(told)
            if not (told.problem or told.is_first):
                await self._announce(site)

    def _told(self, told: Told) -> None:
        self.has_failed |= bool(told.problem or told.failed)
        self._hear(told)
        for problem in told.failed:
            self._hear(Told(told.site, problem=problem))

    async def _look(self, site: Watched, halt: asyncio.Event, alone: Alone) -> Told:
        words, there = dict(self._words), _url_of(site.run)
        if site.url and there and _name(site.url) != _name(there):
            raise UserError(f"{site.run} is a run of {there}: name another run for {site.url}.")
        if not targets_of(site.run) or _is_cut_short(site.run):
            await _first(site, words, halt)
            brought = summarise(site.run)
            found = {"new": brought.finds}
            is_cut = _is_cut_short(site.run)
            return Told(site, found, brought.requests, is_first=True, is_cut=is_cut)
        if self._schedule.hook or self._schedule.feed:
            begin_to_hear(site.run)
        words |= {"budget": site.budget} if site.budget else {}
        words |= {"pages": site.pages} if site.pages is not None else {}
        if is_many(site.run):
            ended = await sweep(site.run, words, halt, alone=alone)
        else:
            ended = [Refreshed(site.run, await refresh(site.run, words, halt))]
        found, requests = Counter[str](), 0
        for one in ended:
            found.update(counts(one))
            requests += summarise(one.folder).requests if one.folder else 0
        problems = [f"{one.run.name}: {one.problem}" for one in ended if one.problem]
        if problems and len(problems) == len(ended):
            raise MachineError(problems[0])
        is_cut = any(open_round(run) for run in targets_of(site.run))
        return Told(site, found, requests, failed=problems, is_cut=is_cut)

    async def _catch_up(self) -> None:
        """Tell of rounds that were over when somebody ended the watch before they were told."""
        for site in self._schedule.sites:
            if (site.run / HEARD).is_file() and targets_of(site.run):
                await self._announce(site)

    async def _announce(self, site: Watched) -> None:
        """Write the feed, and let the hook hear of what changed in rounds that are over."""
        feed, command = self._schedule.feed, self._schedule.hook
        if not (feed or command):
            return
        try:
            ended, before = over(site.run), heard(site.run)
            if before == ended:
                return
            found = changes_of(site.run)
            if feed:
                self._newest[site.run] = found[-MOST:]
                self._write_feed(feed)
            changes = between(site.run, found, before, ended)
            if command and changes and (problem := await hook(command, site, changes)):
                self._told(Told(site, problem=problem))
            else:
                keep_heard(site.run, ended)
        except FilonError as error:
            self._told(Told(site, problem=str(error)))

    def _write_feed(self, path: Path) -> None:
        """Write the feed of all sites; what others have is read once, and after their rounds."""
        for site in self._schedule.sites:
            if site.run not in self._newest:
                self._newest[site.run] = _changes(site.run)[-MOST:]
        found = [one for changes in self._newest.values() for one in changes]
        with replacing(path) as part:
            part.write_bytes(atom(found, self._schedule.title, time.time()))


@asynccontextmanager
async def _until_quiet(site: Watched, halt: asyncio.Event) -> AsyncIterator[asyncio.Event]:
    """Give what ends a round: when somebody ends the watch, or quiet hours begin."""
    end = asyncio.Event()

    async def wait() -> None:
        while not halt.is_set() and (left_s := site.until_quiet_s(time.time())) > 0:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(min(left_s, NAP_S)):
                    await halt.wait()
        end.set()

    task = asyncio.ensure_future(wait())
    try:
        yield end
    finally:
        task.cancel()


async def _first(site: Watched, words: dict[str, Any], halt: asyncio.Event) -> None:
    """Begin the run of a site, or go on with one that was cut short."""
    if is_run(site.run):
        verb, settings, _ = settings_of(site.run, words)
        await loaded(f"{verb.session}:go_on")(verb, site.run, settings, halt)
        return
    if not site.url:
        raise UserError(f"{site.run} holds no run, and no url says where to begin one.")
    verb = VERBS.find(FIRST)()
    settings = verb.settings.from_words({**words, "url": site.url, "budget": site.first})
    job: Any = verb.prepare(settings)
    await begin(verb, job, site.run, halt)


def _hosts_of(site: Watched) -> list[str]:
    """Return the hosts that a round of a site asks, as far as they are known before."""
    urls = [_url_of(run) for run in targets_of(site.run)] or [site.url]
    return [host(url) for url in urls]


def _url_of(run: Path) -> str:
    """Return where a run has started; "" where there is none, or it is of many sites."""
    return str(readonly.config(run).get("url", "")) if is_run(run) else ""


def _name(url: str) -> str:
    return host(url).removeprefix("www.")


def last_s(run: Path) -> float:
    """Return when a run, or any that a folder holds, was last looked at."""
    return max((_began_s(one) for one in targets_of(run)), default=1.0)


def _began_s(run: Path) -> float:
    """Return when the last round of a run, or it itself, began."""
    folders = rounds(run)
    if folders and (at_s := float(readonly.config(folders[-1]).get("at", 0.0))):
        return at_s
    with readonly.reading(folders[-1] if folders else run) as ledger:
        row = ledger.execute("SELECT MIN(at_s) FROM steps").fetchone()
    return float(row[0] or 1.0)


def _is_cut_short(run: Path) -> bool:
    """Say whether the harvest that a run began with has not ended."""
    if not is_run(run):
        return False
    with readonly.reading(run) as ledger:
        return readonly.meta(ledger).get("stopped", "") in ("", "interrupted", "outage")


def _changes(run: Path) -> list[dict[str, Any]]:
    """Return what the rounds of a run have found; nothing where there is none, or it is broken."""
    if not any(rounds(one) for one in targets_of(run)):
        return []
    try:
        return changes_of(run)
    except FilonError:  # its own round says what is wrong with it
        return []


async def hook(command: str, site: Watched, changes: Sequence[Mapping[str, Any]]) -> str:
    """Run a command with what changed as JSON on its standard input; return what went wrong."""
    told = {"run": str(site.run), "url": site.url, "changes": changes}
    try:
        process = await asyncio.create_subprocess_exec(
            *shlex.split(command), stdin=asyncio.subprocess.PIPE
        )
    except (OSError, ValueError) as error:
        return f"The hook {command!r} cannot be run: {error}."
    try:
        async with asyncio.timeout(HOOK_S):
            await process.communicate(json.dumps(told).encode())
    except TimeoutError:
        process.kill()
        await process.wait()
        return f"The hook {command!r} took longer than {HOOK_S:g} s."
    return f"The hook {command!r} ended with {process.returncode}." if process.returncode else ""
