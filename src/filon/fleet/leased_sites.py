"""The sites that a worker holds: turns for their runs, and pieces of what these bring."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from filon.core import Find, MachineError, Request, Response, Step, Web
from filon.core.loop import Watch
from filon.fleet.fence import Fence, now_s
from filon.fleet.grants import Grants
from filon.fleet.model import Commit, Lease
from filon.fleet.pieces import Pieces, Place
from filon.fleet.profiling import Profiling
from filon.fleet.settings import FleetSettings
from filon.learn.allocation import Allocation
from filon.verbs.acquire.index import OUTAGE
from filon.verbs.acquire.part import Part
from filon.verbs.acquire.turns import STAY, Turns

#: Where no other site has answered for so long, it is this machine's network that is down.
SILENCE_S = 60.0
#: A piece that could not be written is tried again after so long, and for so long in all.
AGAIN_S, TRIED_S = 2.0, 1800.0
#: Requests of earlier workers that speak for a site, at most: that is what an arm remembers.
REMEMBERED = 100
#: Sites that have ended and still tell what to expect of others.
ENDED = 500
#: Why all is over where somebody has told this worker to leave.
DRAINED = "drained"
#: The arm that stands for the best site that is free.
_FREE = ""


@dataclass
class LeasedSite:
    """A site that is this worker's, with its run.

    web: for its run. requests, bytes, finds: of the site in all.
    unsaved: answers that are in no piece yet.
    rows: finds in pieces whose files were read, up to read_find, and of which the store knows
        nothing. told: what the store was told last.
    is_closing: its run has closed. is_done: and all of it is in pieces, and read.
    """

    lease: Lease
    part: Part
    pieces: Pieces
    web: Web
    requests: int
    bytes: int
    finds: int
    read_find: int
    rows: list[dict[str, Any]] = field(default_factory=list)
    told: tuple[int, int, Place] | None = None
    answers: int = 0
    unsaved: int = 0
    is_closing: bool = False
    is_done: bool = False
    saving: "asyncio.Task[None] | None" = None
    reading: "asyncio.Task[None] | None" = None

    @property
    def name(self) -> str:
        """The site's name."""
        return self.lease.site.name

    @property
    def figures(self) -> tuple[int, int, Place]:
        """How far it has come: what the store is told when that is new."""
        return self.requests, self.read_find, self.pieces.last

    @property
    def has_news(self) -> bool:
        """Whether the store does not know yet how far it is."""
        return self.is_done or self.told != self.figures

    def said(self, expected: float) -> Commit:
        """Return what is true of it by now, with what is expected of its next request."""
        site, last = self.part.site, self.pieces.last
        return Commit(
            site=self.name,
            epoch=self.lease.epoch,
            piece=last.number,
            piece_epoch=last.epoch,
            requests=self.requests,
            bytes=self.bytes,
            finds=self.read_find,  # as far as the rows go: who takes over goes on behind it
            cpu_s=self.pieces.cpu_s,
            stored_bytes=self.pieces.stored_bytes,
            expected=expected if self.requests else self.lease.expected,
            state=site.state if self.is_done else "",
            note=site.note if self.is_done else "",
            release=self.is_done,
            rows=tuple(self.rows),
        )


class LeasedSites(Turns):
    """Gives turns to the sites of a worker, as long as these are its own.

    profiling: reads the files that are found; None: nobody does.
    woken: called where there is something to tell the store. shown: hears of every answer.
    """

    def __init__(
        self,
        grants: Grants,
        web: Web,
        folder: Path,
        settings: FleetSettings,
        fence: Fence,
        *,
        profiling: Profiling | None = None,
        woken: Callable[[], None] = lambda: None,
        shown: Watch | None = None,
    ) -> None:
        # It does not wait for the better site: others are at work with what it does not spend.
        super().__init__(
            grants.account,
            web,
            folder / "spool",
            Allocation(patient=False),
            patient=False,
            parallel=settings.parallel,
            delay_s=settings.delay,
            most=settings.per_site,
        )
        self._settings, self._fence, self._grants = settings, fence, grants
        self._profiling, self._woken, self._shown = profiling, woken, shown
        self.held: dict[str, LeasedSite] = {}
        self.over = ""
        self.is_paused = False
        self.best: float | None = None  # what the best site that is free expects
        self._failure: BaseException | None = None
        self._answered: dict[str, float] = {}  # by site: when it answered last

    # Sites come and go.

    def take(self, held: LeasedSite) -> None:
        """Take a site in."""
        name = held.name
        self.held[name], self.parts[name] = held, held.part
        held.part.requests, held.part.finds = held.requests, held.finds
        self.allocation.add(name, promise=held.lease.site.promise)
        self.allocation.wake(name)
        if held.requests:
            asked = min(REMEMBERED, held.requests)
            self.allocation.learn(name, asked, held.finds * asked / held.requests)
        self._changed.set()

    def forget(self, name: str) -> None:
        """Let go of a site whose run has closed."""
        held = self.held.pop(name)
        del self.parts[name]
        self._answered.pop(name, None)
        held.pieces.close()
        self.allocation.end(name)
        self.allocation.forget_ended(ENDED)
        self._changed.set()

    async def drop(self, name: str) -> None:
        """Let go of a site at once: it is another's."""
        held = self.held[name]
        self.forget(name)
        tasks = [task for task in (held.part.task, held.saving, held.reading) if task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)  # they are of no interest any more
        if held.part.share:
            held.part.share.give_up()
        held.pieces.close()

    def fail(self, error: BaseException) -> None:
        """End all: something is wrong that no site is to blame for."""
        self._failure = error
        self._changed.set()

    def end(self, why: str) -> None:
        """End all in order."""
        self.over = why
        self._grants.account.is_over = True
        self._changed.set()

    def wake(self) -> None:
        """Look again who may send."""
        self._changed.set()

    async def settled(self) -> None:
        """Wait until all that the runs have brought is in pieces, and read."""
        held = list(self.held.values())
        await asyncio.gather(*(one.saving for one in held if one.saving), return_exceptions=True)
        await asyncio.gather(*(one.reading for one in held if one.reading), return_exceptions=True)
        if self._failure:
            raise self._failure

    # What runs tell.

    def left(self, name: str, request: Request) -> None:
        """Hear that a request leaves."""
        super().left(name, request)
        self.held[name].requests += 1
        self._woken()

    def came(self, name: str, response: Response) -> None:
        """Hear that an answer came, or that there is none for now."""
        if name not in self.held:
            return
        super().came(name, response)
        held = self.held[name]
        held.requests -= response.sent != "yes"
        held.bytes += response.wire_bytes + response.extra_bytes

    def _watch(self, part: Part) -> Watch:
        def watch(step: Step, response: Response, finds: Sequence[Find]) -> None:
            held = self.held.get(part.site.name)
            if held is None:
                return
            files = sum(find.kind == "file" for find in finds)
            part.finds += files
            held.finds += len(finds)
            self.allocation.learn(held.name, int(response.sent == "yes"), float(files))
            if response.status:
                self._answered[held.name] = now_s()
            held.answers += 1
            held.unsaved += 1
            self._save(held)
            if self._shown:
                self._shown(step, response, finds)

        return watch

    # Pieces.

    def _save(self, held: LeasedSite) -> None:
        if held.saving is None or held.saving.done():
            held.saving = asyncio.ensure_future(self._saving(held))
            held.saving.add_done_callback(self._saved)

    def _saved(self, task: "asyncio.Task[None]") -> None:
        if not task.cancelled() and (error := task.exception()):
            self.fail(error)

    async def _saving(self, held: LeasedSite) -> None:
        """Write pieces until all is in one."""
        failing_s = 0.0
        while held.unsaved and not self._failure:
            unsaved = held.unsaved
            await self._fence.opened()
            try:
                await held.pieces.save()
            except MachineError as error:
                failing_s += AGAIN_S
                if failing_s > TRIED_S:
                    return self.fail(error)
                await asyncio.sleep(AGAIN_S)
                continue
            held.unsaved -= unsaved
            failing_s = 0.0
            self._changed.set()
            self._read(held)
        return None

    def _read(self, held: LeasedSite) -> None:
        if held.reading is None or held.reading.done():
            held.reading = asyncio.ensure_future(self._reading(held))
            held.reading.add_done_callback(self._saved)

    async def _reading(self, held: LeasedSite) -> None:
        """Read the files of finds that are in pieces, in their order."""
        while held.pieces.last.number and (rows := held.pieces.finds(held.read_find)):
            for row in rows:
                if self._profiling and row["sha256"]:
                    path, name = held.pieces.file(row["sha256"]), row["name"] or row["url"]
                    row["profile"] = await self._profiling.profile(path, name)
                held.rows.append(row)
                held.read_find = row["find"]
        if held.is_closing and not held.unsaved:
            held.is_done = True
            self._woken()

    def _closed(self, part: Part) -> None:
        held = self.held[part.site.name]
        held.is_closing = True
        held.unsaved += 1
        self._save(held)

    def _ended(self, part: Part) -> None:
        """Hear that a site has ended; where nothing answers, that is no fault of the site."""
        name = part.site.name
        others = [at_s for other, at_s in self._answered.items() if other != name]
        if part.site.state == OUTAGE and now_s() - max(others, default=-SILENCE_S) >= SILENCE_S:
            alone = len(self.held) == 1 and self.best is None
            part.site = replace(part.site, state=OUTAGE if alone else "")

    # Turns.

    def _web_of(self, part: Part) -> Web:
        return self.held[part.site.name].web

    def _places(self) -> int:
        return self._settings.hold

    def _ready(self) -> Iterator[Part]:
        """Yield the runs that could send a request now, and may."""
        if self.is_paused or self.over or not self._fence.is_open:
            return
        for part in super()._ready():
            held = self.held[part.site.name]
            if not held.is_closing and held.unsaved <= self._settings.ahead:
                yield part

    def _left(self) -> float | None:
        return self._grants.left_requests

    def _make_room(self) -> None:
        """Give a site back where all places are taken and one that is free is the better one."""
        left = self._left()
        if self.best is None or left is None or len(self.held) < self._places():
            return
        if any(held.part.is_closing or held.is_closing for held in self.held.values()):
            return
        idle = {
            name: held.part
            for name, held in self.held.items()
            if held.part.served >= STAY and not held.part.is_busy and not held.unsaved
        }
        if not idle:
            return
        self.allocation.add(_FREE, promise=min(1.0, self.best))
        self.allocation.wake(_FREE)
        chosen = self.allocation.choose([*idle, _FREE], left=left)
        self.allocation.end(_FREE)
        if chosen == _FREE:
            idle[min(idle, key=self.allocation.expected)].sleep()

    def _now_and_then(self) -> None:
        if self._failure:
            raise self._failure

    def _ending(self, halted: "asyncio.Future[Any] | None") -> str:
        if (halted and halted.done()) or self.over == DRAINED:
            return "interrupted"  # which ends no site
        return self.over

    async def _finish(self) -> None:
        """Let go of nothing: pieces are still to be written."""
