"""A whole of runs under one budget: a discovery, and the sites that it finds, in one index.

Who gets the next request is told by `filon.verbs.acquire.turns`; here is what becomes of the
answers, and when all is over.
"""

import asyncio
import json
import time
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from filon.core import Account, Find, MachineError, Response, Step, Web
from filon.core.abilities import Ranks, TellsTopic, able
from filon.core.loop import Watch
from filon.learn.allocation import Allocation
from filon.run.text import counted
from filon.verbs.acquire.index import CAPPED, DISCOVER, NOTHING, OUTAGE, Index, Site
from filon.verbs.acquire.known import Known
from filon.verbs.acquire.part import Lent, Part
from filon.verbs.acquire.profiling import Profiling
from filon.verbs.acquire.scope import NAMED
from filon.verbs.acquire.summary import ENDS
from filon.verbs.acquire.turns import LOOK_S, Turns
from filon.verbs.acquire.weighed import Weighed
from filon.verbs.acquire.worth import promised

#: Runs that the progress shows by name, as far as a screen has room.
SHOWN = 100


class Whole(Turns):
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
        bound = account.budget
        patient = bound.requests is not None or bound.bytes is not None
        super().__init__(
            account,
            web,
            folder / "spool",
            Allocation(patient=patient),
            patient=patient,
            parallel=parallel,
            delay_s=delay_s,
            most=most,
        )
        self.folder, self.index = folder, index
        self._make, self._named, self._topic = make, named, topic
        self._known = Known(Lent(web), folder / DISCOVER)
        self._shown, self._tell, self._profiling = shown, told, profiling
        self._weighed = Weighed(topic, json.loads(index.meta("telling") or "{}"))
        self._began_at_s = time.time()
        self._recent: deque[str] = deque(maxlen=100)  # the runs that the last answers are of
        self._copied_s = 0.0
        self._outage_s = float("inf")  # since when runs have ended as their host is down
        self._ended_s = 0.0  # when a run ended otherwise

    def _watch(self, part: Part) -> Watch:
        def watch(step: Step, response: Response, finds: Sequence[Find]) -> None:
            name = part.site.name
            self._recent.append(name)
            rows = part.run.latest(len(finds)) if part.run and part.site.kind == "site" else []
            files = [self._weighed.take(name, row) for row in rows if row["kind"] == "file"]
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
        self.allocation.learn(part.site.name, requests, sum(files), number=len(files))

    def _hear(self, part: Part) -> None:
        """Take in the sites that a discovery has found, as it ranks them now."""
        if not part.job:
            return
        ranking, teller = able(part.job.chosen, Ranks), able(part.job.chosen, TellsTopic)
        if teller and self._weighed.learn(teller.telling()):
            self.index.set_meta(telling=json.dumps(self._weighed.telling))
            for weighed, counts in self._weighed.means():
                self.allocation.weigh(weighed, counts)
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
        for name, requests, files in self.index.answers(self._weighed.take):
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

    # What is done about turns.

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

    def _web_of(self, part: Part) -> Web:
        return self._web if part.site.kind == "discovery" else self._known

    def _now_and_then(self) -> None:
        if time.monotonic() - self._copied_s >= LOOK_S:
            self.copy()

    def _closed(self, part: Part) -> None:
        self._copy(part)

    def _ended(self, part: Part) -> None:
        state = part.site.state
        self.index.add(part.site)
        if state == OUTAGE:
            self._outage_s = min(self._outage_s, time.monotonic())
        elif state != NOTHING:
            self._ended_s = time.monotonic()
        self._tell(f"{self._line(part)}: {part.note or ENDS.get(state, state)}")

    async def _finish(self) -> None:
        await self._known.close()
        self.copy()

    # The index.

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
