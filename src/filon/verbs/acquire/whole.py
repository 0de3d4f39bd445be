"""A whole of runs under one budget: who gets the next request, who is awake, and when all is over.

One account, one web and one index for all. Each run waits at its gate until it is given a turn; the
turn goes to the run that is expected to bring most for a request (`filon.learn.allocation`), among
those whose host may be asked now. Only some runs are awake at a time; the others are closed, with a
checkpoint, and cost a few numbers each.
"""

import asyncio
import json
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from filon.core import Account, Find, MachineError, Request, Response, Step, UserError, Web
from filon.core.abilities import Ranks, TellsTopic, able
from filon.core.loop import Watch
from filon.learn.allocation import Allocation
from filon.run.text import counted
from filon.verbs.acquire.index import CAPPED, DISCOVER, NOTHING, OUTAGE, Index, Site
from filon.verbs.acquire.known import Known
from filon.verbs.acquire.part import PAUSES, Lent, Part
from filon.verbs.acquire.profiling import Profiling
from filon.verbs.acquire.scope import NAMED
from filon.verbs.acquire.share import Share
from filon.verbs.acquire.summary import ENDS
from filon.verbs.acquire.worth import beginnings, promised, worth

#: Runs that are open at a time: each holds five files and the memory of its strategy.
MOST_AWAKE = 32
#: A run that woke is left awake for so many requests: to open it costs as much as a few pages.
STAY = 20
#: A request that takes longer no longer holds a place that others could use …
SLOW_S = 5.0
#: … as long as there are not more than so many times the places.
SLOW_MOST = 4
#: Runs that the progress shows by name, as far as a screen has room.
SHOWN = 100
#: What is new is copied to the index so often.
COPY_EVERY_S = 2.0


class Whole:
    """Drives the runs of a folder until the budget is spent or nothing is left.

    make: returns the run of a site. named: takes a URL that was found, and returns its site, or
        None where it is not wanted or known already.
    most: the requests that a site may have; 0: no bound.
    shown: hears of every answer. profiling: hears of runs with new files.
    """

    def __init__(
        self,
        folder: Path,
        index: Index,
        account: Account,
        web: Web,
        *,
        make: Callable[[Site], Part],
        named: Callable[[Mapping[str, Any], float], Site | None],
        topic: str = "",
        parallel: int = 1,
        delay_s: float = 1.0,
        most: int = 0,
        shown: Watch | None = None,
        profiling: Profiling | None = None,
        told: Callable[[str], None] = lambda sentence: None,
    ) -> None:
        self.folder, self.index, self.account = folder, index, account
        self._web, self._make, self._named = web, make, named
        self._known = Known(Lent(web), folder / DISCOVER)
        self._topic, self._parallel, self._delay_s, self._most = topic, parallel, delay_s, most
        self._shown, self._tell, self._profiling = shown, told, profiling
        bound = account.budget
        patient = bound.requests is not None or bound.bytes is not None
        self.allocation = Allocation(patient=patient)
        # One after the other, whom the clock does not choose: the same runs end the same.
        self._waits_its_turn = patient and parallel == 1
        self._telling: dict[str, float] = json.loads(index.meta("telling") or "{}")
        self.parts: dict[str, Part] = {}
        self._earlier_s = account.spent.seconds
        self._began_s, self._began_at_s = time.monotonic(), time.time()
        self._changed = asyncio.Event()
        self._recent: deque[str] = deque(maxlen=100)  # the runs that the last answers are of
        self._over = ""
        self._copied_s = 0.0
        self._outage_s = float("inf")  # since when runs have ended as their host is down
        self._ended_s = 0.0  # when a run ended otherwise

    # What runs tell of their requests.

    def elapsed_s(self) -> float:
        """Return how long the whole has lasted, earlier sessions included."""
        return self._earlier_s + time.monotonic() - self._began_s

    def left(self, name: str, request: Request) -> None:
        """Hear that a request leaves: its host is not to be asked again at once."""
        part, now_s = self.parts[name], time.monotonic()
        part.left(now_s)
        self.allocation.sent(name)
        if part.site.kind == "site":
            part.ready_s = now_s + max(self._delay_s, request.delay_s)

    def came(self, name: str, response: Response) -> None:
        """Hear that an answer came, or that there is none for now."""
        part = self.parts[name]
        part.came(response)
        if response.sent != "yes" and part.site.kind == "site":
            part.ready_s = 0.0  # its host was not asked
        self._changed.set()

    def returned(self, name: str) -> None:
        """Hear that a turn is not used now."""
        self._changed.set()

    def _watch(self, part: Part) -> Watch:
        def watch(step: Step, response: Response, finds: Sequence[Find]) -> None:
            self._recent.append(part.site.name)
            rows = part.run.latest(len(finds)) if part.run and part.site.kind == "site" else []
            files = [self._worth(row) for row in rows if row["kind"] == "file"]
            self._learn(part, int(response.sent == "yes"), files)
            if part.site.kind == "discovery" and finds:
                self._hear(part)
            elif finds and self._profiling:
                self._profiling.hear(part.folder)
            if self._shown:
                told = replace(step, reason=replace(step.reason, outlook=self._outlook()))
                self._shown(told, response, finds if part.site.kind == "site" else ())

        return watch

    def _learn(self, part: Part, requests: int, files: Sequence[float]) -> None:
        """Take in what an answer cost, and what each of its files is worth."""
        part.finds += len(files)
        self.allocation.learn(part.site.name, requests, sum(files))

    def _worth(self, row: Mapping[str, Any]) -> float:
        return worth(row, self._topic, self._telling)

    def _hear(self, part: Part) -> None:
        """Take in the sites that a discovery has found, as it ranks them now."""
        if not part.job:
            return
        ranking, teller = able(part.job.chosen, Ranks), able(part.job.chosen, TellsTopic)
        if teller and (telling := teller.telling()):
            self._telling = beginnings(telling)
            self.index.set_meta(telling=json.dumps(self._telling))
        rows = [one.row() for one in ranking.ranked()] if ranking else []
        sites = [one.site for one in self.parts.values() if one.site.why != NAMED]
        known, new = {site.url: site.name for site in sites}, 0
        sure = teller.promises() if teller else {}
        for row, promise in zip(rows, promised(rows, sure), strict=True):
            if name := known.get(str(row["url"])):
                self.allocation.add(name, promise=promise)  # more is known of it by now
            elif site := self._named(row, promise):
                self.add(site)
                new += 1
                self._tell(f"{site.name}: {site.why}")
        if new:
            self.allocation.learn(part.site.name, 0, 0.0, new)

    def add(self, site: Site) -> Part:
        """Take a run in."""
        self.index.add(site)
        part = self.parts[site.name] = self._make(site)
        self.allocation.add(site.name, promise=site.promise, kind=site.kind)
        if site.state:
            self.allocation.end(site.name)
        self._changed.set()
        return part

    def take_up(self, site: Site) -> None:
        """Take a run in that an earlier session had; what was only out of reach is tried again."""
        if site.state in (OUTAGE, CAPPED):
            site = replace(site, state="", note="")
        self.add(site)

    def replay(self) -> None:
        """Learn from the answers of earlier sessions."""
        for name, requests, files in self.index.answers(lambda row: self._worth(dict(row))):
            part = self.parts[name]
            part.requests += requests
            self._learn(part, requests, files)
        found = sum(part.site.is_found for part in self.parts.values())
        if found and DISCOVER in self.parts:
            self.allocation.learn(DISCOVER, 0, 0.0, found)

    def _outlook(self) -> str:
        """Return how many sites there are: what one of them expects says nothing of the whole."""
        sites = [part.site for part in self.parts.values() if part.site.kind == "site"]
        ended = sum(bool(site.state) for site in sites)
        return f"{counted(len(sites), 'site')}, {ended} ended"

    def board(self) -> list[str]:
        """Return how many runs there are, and how each stands: those at work of late first."""
        late = Counter(self._recent)
        order = sorted(
            self.parts.values(), key=lambda part: (-late[part.site.name], -part.requests)
        )
        ended = sum(bool(part.site.state) for part in self.parts.values())
        awake = sum(1 for _ in self._awake())
        others = f"{counted(len(self.parts), 'run')}: {awake} at work, {ended} ended"
        return [others, *(f"  {self._line(part)}" for part in order[:SHOWN])]

    def _line(self, part: Part) -> str:
        name = part.site.name
        words = [f"{name}: {counted(part.requests, 'request')}"]
        if part.site.kind == "site":
            words.append(counted(part.finds, "file"))
        else:
            words.append(counted(len(self.parts) - 1, "site"))
        if not part.site.state:
            words.append(f"{self.allocation.expected(name):.2f} expected of the next request")
        return ", ".join(words)

    # Giving turns.

    async def run(self, halt: asyncio.Event | None) -> str:
        """Give turns until all is over; return why it is."""
        halted = asyncio.ensure_future(halt.wait()) if halt else None
        try:
            while not self._over:
                self._reap()
                self._over = self._ending(halted)
                if not self._over:
                    self._give()
                    self._copy_now_and_then()
                    await self._something(halted)
            await self._close()
        except BaseException:
            self._over = self._over or "interrupted"
            for part in self.parts.values():
                part.sleep()
            await asyncio.gather(*self._tasks(), return_exceptions=True)
            raise
        finally:
            if halted:
                halted.cancel()
            await self._known.close()
            self.copy()
        return self._over

    def _ending(self, halted: "asyncio.Future[Any] | None") -> str:
        if halted and halted.done():
            return "interrupted"
        refusal = self.account.refusal(self.elapsed_s())
        if refusal in ("budget", "goal"):
            return refusal
        if any(not part.site.state or part.is_awake for part in self.parts.values()):
            return ""
        capped = any(part.site.state == CAPPED for part in self.parts.values())
        return OUTAGE if self._is_down() else CAPPED if capped else "exhausted"

    def _is_down(self) -> bool:
        """Say whether it is the network that is down, and not a host or two of many."""
        out = [part for part in self.parts.values() if part.site.state == OUTAGE]
        others = sum(part.site.state != NOTHING for part in self.parts.values()) - len(out)
        return bool(out) and (not others or (len(out) > 2 and self._ended_s < self._outage_s))

    def _give(self) -> None:
        """Give out as many turns as there are places."""
        self._make_room()
        while self.account.refusal(self.elapsed_s()) == "" and self._free():
            ready = [part.site.name for part in self._ready()]
            chosen = self.allocation.choose(ready, left=self._left(), soon=self._soon())
            if chosen is None:
                return
            part = self.parts[chosen]
            part.outlook = self.allocation.expected(chosen)
            if not part.share:
                self._wake(part)
            if part.share:
                part.given_s = time.monotonic()
                part.share.give()

    def _left(self) -> float | None:
        """Return for how many requests the rest of the budget will do; None: any number."""
        budget, spent = self.account.budget, self.account.spent
        left = [] if budget.requests is None else [float(budget.requests - spent.requests)]
        if budget.bytes is not None and spent.bytes:
            left.append((budget.bytes - spent.bytes) * spent.requests / spent.bytes)
        return max(1.0, min(left)) if left else None

    def _soon(self) -> list[str]:
        """Return the runs that could send another request in a moment; no slow host is one."""
        since_s = time.monotonic() - SLOW_S
        return [part.site.name for part in self._awake() if part.is_back_soon(since_s)]

    def _free(self) -> bool:
        now_s = time.monotonic()
        left = [left_s for part in self._awake() for left_s in part.flights.values()]
        turns = sum(bool(part.share and part.share.open) for part in self._awake())
        young = sum(now_s - left_s < SLOW_S for left_s in left)
        return turns + young < self._parallel and turns + len(left) < SLOW_MOST * self._parallel

    def _ready(self) -> Iterator[Part]:
        """Yield the runs that could send a request now."""
        now_s = time.monotonic()
        room = sum(1 for _ in self._awake()) < MOST_AWAKE
        for part in self.parts.values():
            rests = part.ready_s > now_s and not self._waits_its_turn
            if part.site.state or part.is_closing or rests:
                continue
            if part.is_awake:
                open_turn = part.share is None or part.share.open
                if not open_turn and len(part.flights) < part.width:
                    yield part
            elif room:
                yield part

    def _awake(self) -> Iterator[Part]:
        return (part for part in self.parts.values() if part.is_awake)

    def _make_room(self) -> None:
        """Put a run to sleep where all places are taken and one that sleeps is the better one."""
        awake = list(self._awake())
        if len(awake) < MOST_AWAKE or any(part.is_closing for part in awake):
            return
        idle = {part.site.name: part for part in awake if part.served >= STAY and not part.is_busy}
        asleep = [name for name, part in self.parts.items() if part.is_asleep]
        if idle and self.allocation.choose([*idle, *asleep], left=self._left()) not in idle:
            idle[min(idle, key=self.allocation.expected)].sleep()

    def _wake(self, part: Part) -> None:
        name, is_site = part.site.name, part.site.kind == "site"
        most = self._most if is_site else 0
        share = Share(name, self, lambda: self._over, sent=part.requests, most=most, counts=is_site)
        web = self._web if part.site.kind == "discovery" else self._known
        task = part.wake(share, web, self.folder / "spool", self._watch)
        task.add_done_callback(lambda _: self._changed.set())

    async def _something(self, halted: "asyncio.Future[Any] | None") -> None:
        """Wait until something has changed, or a host may be asked again."""
        now_s = time.monotonic()
        moments = [part.ready_s for part in self.parts.values()]
        for part in self._awake():  # a turn that is not taken yet is as good as a request
            left = [*part.flights.values(), *([part.given_s] if part.is_busy else [])]
            moments += [left_s + SLOW_S for left_s in left]
        waits = [moment_s - now_s for moment_s in moments if moment_s > now_s]
        changed = asyncio.ensure_future(self._changed.wait())
        awaited = [changed, *filter(None, [halted])]
        timeout_s = max(0.001, min([COPY_EVERY_S, *waits]))
        await asyncio.wait(awaited, timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)
        changed.cancel()
        self._changed.clear()

    # Ending.

    def _reap(self) -> None:
        """Take note of runs that have closed."""
        for part in [part for part in self._awake() if part.task and part.task.done()]:
            was_there, asked = part.requests > 0, part.served > 0
            try:
                stopped = part.slept()
            except (UserError, MachineError) as error:
                # What is wrong with one run alone shows when it is opened, and holds up no other.
                if isinstance(error, MachineError) and (asked or not was_there):
                    raise
                stopped, part.note = OUTAGE if was_there else NOTHING, str(error)
            self._copy(part)
            self._end(part, stopped)

    def _end(self, part: Part, stopped: str) -> None:
        if stopped in PAUSES and not part.is_capped:
            return
        state = CAPPED if part.is_capped else stopped
        part.site = replace(part.site, state=state, note=part.note)
        self.index.add(part.site)
        self.allocation.end(part.site.name)
        if state == OUTAGE:
            self._outage_s = min(self._outage_s, time.monotonic())
        elif state != NOTHING:
            self._ended_s = time.monotonic()
        self._tell(f"{self._line(part)}: {part.note or ENDS.get(state, state)}")

    async def _close(self) -> None:
        """Let all runs end: those at their gate see that all is over."""
        for part in list(self._awake()):
            if self._over == "interrupted":
                part.sleep()
            elif part.share:
                part.share.give()
        while tasks := self._tasks():
            await asyncio.wait(tasks)
            self._reap()

    def _tasks(self) -> list["asyncio.Task[str]"]:
        return [part.task for part in self._awake() if part.task]

    # The index.

    def _copy_now_and_then(self) -> None:
        if time.monotonic() - self._copied_s >= COPY_EVERY_S:
            self.copy()

    def copy(self) -> None:
        """Copy what is new in the runs that are awake to the index."""
        for part in self.parts.values():
            if part.is_stale:
                self._copy(part)
        self.index.keep_time(self.elapsed_s())
        self._copied_s = time.monotonic()

    def _copy(self, part: Part) -> None:
        zero_s = self._began_at_s - self._earlier_s
        self.index.copy(part.site, part.expected, lambda at_s: at_s - zero_s)
        part.expected.clear()
        part.is_stale = False

    def raise_if_out(self) -> None:
        """Raise what the user must know where no host could be reached any more."""
        if self._over == OUTAGE:
            notes = [part.note for part in self.parts.values() if part.site.state == OUTAGE]
            raise MachineError(notes[0] if notes else "No host could be reached.")
