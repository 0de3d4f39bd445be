"""One run of a whole: awake while it has something to do, else closed and only a few numbers."""

import asyncio
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from filon.core import Find, MachineError, Request, Response, Step, UserError, Web
from filon.core.clock import going_on_from
from filon.core.loop import Watch
from filon.run import readonly
from filon.run.folder import RunFolder
from filon.run.report import write_report
from filon.verbs.acquire.index import NOTHING, OUTAGE, Site
from filon.verbs.acquire.share import Share
from filon.verbs.job import Job
from filon.verbs.session import see_driven
from filon.verbs.settings import Settings
from filon.verbs.verb import Verb

#: Ends of a session after which a run may go on: it was put to sleep, or all was over.
PAUSES = ("interrupted", "budget", "goal")


class Lent:
    """A web that others use too: who closes it lets go of it, and no more."""

    def __init__(self, web: Web) -> None:
        self._web = web

    async def fetch(self, request: Request) -> Response:
        """Answer a request."""
        return await self._web.fetch(request)

    async def close(self) -> None:
        """Leave it to its owner."""


class Part:
    """A run of a whole.

    settings: what it begins with; one that has begun has its own, but for `changes`.
    width: the requests that it may have in flight.
    changes: what the whole was asked for anew, for a run that has begun.
    """

    def __init__(
        self,
        site: Site,
        folder: Path,
        verb: Verb[Any],
        settings: Callable[[], Settings],
        changes: Mapping[str, Any],
        *,
        width: int = 1,
    ) -> None:
        self.site, self.folder = site, folder
        self._verb, self._settings, self._changes = verb, settings, changes
        self.width = width
        self.share: Share | None = None
        self.job: Job | None = None
        self.run: RunFolder | None = None
        self.task: asyncio.Task[str] | None = None
        self._halt: asyncio.Event | None = None
        self.flights: dict[int, float] = {}  # by number: when each left
        self.ready_s = 0.0
        self.given_s = 0.0  # when it had its last turn
        self.served = 0  # requests since it woke
        self.requests = self.finds = 0
        self.outlook = 0.0  # what the next request is expected to bring
        self.expected: list[float] = []  # the same of those that are not in the index yet
        self.is_stale = False  # its ledger has more than the index
        self.is_capped = False  # it has sent as many requests as it may
        self.note = ""
        self._nothing = ""
        self._left = 0

    @property
    def is_awake(self) -> bool:
        """Its folder is open, or about to be."""
        return self.task is not None

    @property
    def is_asleep(self) -> bool:
        """It is closed, and may go on."""
        return self.task is None and not self.site.state

    @property
    def is_closing(self) -> bool:
        """It was told to go to sleep."""
        return self._halt is not None and self._halt.is_set()

    @property
    def is_busy(self) -> bool:
        """It has a turn, or waits for an answer."""
        return bool(self.flights or (self.share and self.share.open))

    def is_back_soon(self, since_s: float) -> bool:
        """Tell whether it is busy for a moment: with a turn or requests since then."""
        turn = self.share is not None and self.share.open and self.given_s < since_s
        return not turn and all(left_s >= since_s for left_s in self.flights.values())

    def wake(
        self, share: Share, web: Web, spool: Path, watch: Callable[["Part"], Watch]
    ) -> "asyncio.Task[str]":
        """Open it, in a task of its own, and return that."""
        self.share, self._halt, self.served = share, asyncio.Event(), 0
        self.task = asyncio.ensure_future(self._live(share, self._halt, web, spool, watch))
        return self.task

    def sleep(self) -> None:
        """Let it close, with a checkpoint; what is in flight may still come in."""
        if self._halt:
            self._halt.set()

    def slept(self) -> str:
        """Return why it closed, once it has; raise what it failed with."""
        self.is_capped = self.share is not None and self.share.is_capped
        task, self.task, self.share, self.job, self.run = self.task, None, None, None, None
        self._halt = None
        self.is_stale = True
        self.flights.clear()
        return task.result() if task else ""

    def left(self, now_s: float) -> None:
        """Take note of a request that leaves."""
        self._left += 1
        self.served += 1
        self.flights[self._left] = now_s
        self.expected.append(self.outlook)
        self.is_stale = True

    def came(self, response: Response) -> None:
        """Take note of an answer: which one it is does not matter."""
        self.flights.pop(next(iter(self.flights)), None)
        self.requests += response.sent == "yes"
        self.is_stale = True

    async def _live(
        self,
        share: Share,
        halt: asyncio.Event,
        web: Web,
        spool: Path,
        watch: Callable[["Part"], Watch],
    ) -> str:
        job, run, is_new = await self._opened()
        self.job, self.run = job, run
        job.network = Lent(web)
        watches = [*([self._first(job, halt)] if is_new else []), *job.watch(run, None)]
        watches.append(watch(self))
        with going_on_from(run.last_at_s):
            try:
                job, stopped, cancelled = await see_driven(
                    self, job, run, job.web(spool), halt, watches, share
                )
            except MachineError as error:
                if self.stopped() != OUTAGE:
                    raise
                self.note = str(error)
                return OUTAGE
        if cancelled:
            raise cancelled
        if self._nothing:
            self.note = self._nothing
            return NOTHING
        if stopped == "exhausted" and (complaint := job.complaint(self.folder)):
            self.note = complaint
            stopped = NOTHING
        if stopped != "interrupted":
            self.wrap_up(job)
        return stopped

    async def _opened(self) -> tuple[Job, RunFolder, bool]:
        if (self.folder / readonly.CONFIG).is_file():
            settings = self._verb.settings.of(readonly.config(self.folder))
            job: Any = self._verb.reopen(self.folder, settings.changed(**self._changes))
            return job, RunFolder.open(self.folder), False
        if self.folder.exists():  # a kill came before anything was acknowledged
            shutil.rmtree(self.folder)
        job = self._verb.prepare(self._settings())
        await job.open(self.folder)
        _ = job.strategy
        run = RunFolder.create(self.folder, job.settings.config())
        job.keep(run.path)
        return job, run, True

    def reopen(self, folder: Path, settings: Settings) -> Job:
        """Return its parts anew: after a bug, what was learnt is not sound."""
        job: Job = self._verb.reopen(folder, settings)
        self.job = job
        return job

    def _first(self, job: Job, halt: asyncio.Event) -> Watch:
        """Return a watch that ends the run where there is nothing to be had."""
        first = job.first_answers()

        def watch(step: Step, response: Response, finds: Sequence[Find]) -> None:
            try:
                if first and not self._nothing:
                    first(step, response, finds)
            except UserError as error:
                self._nothing = str(error)
                halt.set()

        return watch

    def wrap_up(self, job: Job | None = None) -> None:
        """Write what the run has brought, and its report."""
        if not (job and job.wrap_up(self.folder)):
            self._verb.wrap_up(self.folder)
        write_report(self.folder, self._verb.page)

    def stopped(self) -> str:
        """Return why the run ended, as its ledger says."""
        with readonly.reading(self.folder) as ledger:
            return readonly.meta(ledger).get("stopped", "")
