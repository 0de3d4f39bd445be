"""A guard that asks services no faster and no more often than each of them allows.

Calls are spaced by the rate, calls in flight count as used, and what a service itself tells of its
quota goes before our own count. A call that there will soon be room for waits. Else it depends:

- Of several services one is left alone and the others go on. An inner strategy that can ask
  another, or wants to keep the question itself (`AsksElsewhere`), is told at once what the service
  would say (429); nothing is sent. Other calls are kept until there is room for them. After a
  refused key all are told (401).
- Without the only service, or with nothing left to do but calls that are kept, the run ends and
  says until when. They are made again in a later session, so that none is lost.

The clock is `Response.at_s`.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from filon.core import Find, Response, State, Step, Strategy, Summary
from filon.core.abilities import AsksElsewhere, TimedGuard, able
from filon.core.forms import each, pairs, record, table
from filon.core.service import Meter
from filon.core.state import group, stored, version
from filon.core.step import STEP
from filon.guards.retry import retry_after_s
from filon.page.url import origin

#: The wait after a refusal that names none, doubled each time.
FIRST_WAIT_S = 1.0
#: A service that does not say when there are calls again is asked after its own window, or this.
HOUR_S = 3600.0
#: Of several services, one with a longer wait is left alone: others can be asked meanwhile.
MAX_WAIT_S = 60.0
#: Refusals in a row after which one of several services is left alone for its window, or an hour.
STORM = 3
#: Calls that are refused in one go: an inner strategy that does not understand goes no further.
MOST_REFUSED = 10_000
#: Calls that are kept, of several services: more wait with the inner strategy.
MOST_HELD = 500
#: The only service: who is told to come back later than this ends the run, to resume it then.
LONGEST_WAIT_S = 3600.0
#: Refusals in a row that end a run: the service does not mean it when it says how long to wait.
LAST_STORM = 5
#: Refusals over a whole run that are borne, and one more for each so many answers.
BORNE, ANSWERS_A_REFUSAL = 20, 10
#: The pace is doubled at a refusal, up to the slowest; each answer takes back a part of that.
SLOWEST_S, RECOVERY = 60.0, 0.9
#: Where the only service is: everywhere.
EVERYWHERE = ""


@dataclass(slots=True)
class _Count:
    """What was used of a service, and what is known of the rest; times are Unix times.

    probing: a call is on its way whose answer tells how many there are: the first, or the first
        after a wait.
    """

    began_s: float = 0.0
    calls: int = 0
    flying: int = 0
    left: int = -1
    probing: bool = False
    free_s: float = 0.0
    pace_s: float = 0.0
    slow_s: float = 0.0
    closed: bool = False
    row: int = 0
    refusals: int = 0
    answers: int = 0
    sent: int = 0
    refused: int = 0

    def learn(self, meter: Meter, response: Response) -> None:
        """Take what an answer tells of the quota and the pace."""
        self.calls += response.sent == "yes"
        self.began_s = self.began_s or response.at_s
        self.pace_s = max(self.pace_s, meter.pace_s(response) or 0.0)
        left = meter.left(response)
        if left is None:
            return
        # Answers overtake each other: an older one knows of more than there are.
        self.left = left if self.left < 0 else min(left, self.left)
        if left == 0:
            resets_s = meter.resets_at_s(response)
            self.free_s = resets_s or response.at_s + (meter.window_s or HOUR_S)

    def refuse(self, response: Response, least_s: float = 0.0) -> float:
        """Take a refusal; return how long there are no calls. least_s: so long at least."""
        self.row += 1
        self.refusals += 1
        wait_s = max(retry_after_s(response), FIRST_WAIT_S * 2.0 ** (self.row - 1), least_s)
        self.free_s = max(self.free_s, response.at_s + wait_s)
        return self.free_s - response.at_s

    def renew(self) -> None:
        """Count anew."""
        self.left, self.free_s, self.calls, self.began_s = -1, 0.0, 0, 0.0


class QuotaGuard(TimedGuard):
    """A strategy that asks each service no faster and no more than it allows.

    meters: by origin, as "https://api.example.org"; steps to other places pass. A meter by itself
        is that of the only service: all steps are its calls.
    kinds: of steps that are calls; empty: all. A wiki has its API and its pages at one place.

    A service allows ten calls a minute:

    >>> from filon.services.calls import HeaderMeter
    >>> from filon.services.shape import Limits
    >>> from filon.testing import Listed, play
    >>> times = []
    >>> def says(url, at_s):
    ...     times.append(at_s)
    ...     return Response(url=url, status=200, at_s=at_s)
    >>> meter = HeaderMeter("a.org", Limits(quota="10/min"), lambda response: ("", ""))
    >>> run = play(QuotaGuard(Listed([f"http://a.org/{n}" for n in range(30)]), meter), says)
    >>> most = max(sum(since <= at_s < since + 60 for at_s in times) for since in times)
    >>> print(f"{len(run.finds)} answers in {times[-1]:.0f} s, {most} calls a minute at most")
    30 answers in 132 s, 10 calls a minute at most

    Reference: R. Polli, A. Martinez and D. Miller, "RateLimit header fields for HTTP",
    draft-ietf-httpapi-ratelimit-headers, for what a service may tell of it; RFC 6585, section 4.
    """

    STATE = (
        version(2),
        stored("_counts", table(record(_Count))),
        stored("_held", each(STEP)),
        stored("_flying", pairs(STEP, keys=STEP)),
        group("ended", "_problem", "_note", "_ends", "_told"),
    )

    def __init__(
        self, inner: Strategy, meters: Meter | Mapping[str, Meter], kinds: Collection[str] = ()
    ) -> None:
        super().__init__(inner)
        self._only = None if isinstance(meters, Mapping) else meters
        self._meters = dict(meters) if isinstance(meters, Mapping) else {EVERYWHERE: meters}
        self._kinds = frozenset(kinds)
        self._counts = {name: _Count(pace_s=one.delay_s) for name, one in self._meters.items()}
        self._held: list[Step] = []
        self._flying: dict[Step, Step] = {}
        self._finds: list[Find] = []
        self._problem = self._note = ""
        self._ends = self._told = False

    # Asking.

    def propose(self) -> Step | None:
        """Return a step that may be sent now, those that waited first."""
        if self._only and not self._may_ask(self._only):
            return None
        if sent := self._kept_step() or self._new_step():
            return sent
        if not self._only and not self._flying:
            self._end_with_held()
        return None

    def _kept_step(self) -> Step | None:
        """Return a step that was kept and may be sent."""
        held, self._held = self._held, []
        for number, step in enumerate(held):
            if sent := self._send_or_keep(step):
                self._held += held[number + 1 :]
                return sent
        return None

    def _new_step(self) -> Step | None:
        """Return a step of the inner strategy that may be sent; keep the others, or refuse them."""
        for _ in range(MOST_REFUSED):
            full = not self._only and len(self._held) >= MOST_HELD
            proposed = None if full else self.inner.propose()
            if proposed is None:
                return None
            if sent := self._send_or_keep(proposed):
                return sent
        return None

    def _send_or_keep(self, step: Step) -> Step | None:
        if self._may_go(step) is not None:
            return self._send_or_refuse(step)
        self._held.append(step)
        return None

    def _end_with_held(self) -> None:
        """End the run where only calls are left that no service has room for; else take it back."""
        self._problem = self._note = ""
        services = dict.fromkeys(map(self._service, self._held))
        if not services:
            return
        counts = [self._counts[service] for service in services]
        names = " and ".join(self._meters[service].name for service in services)
        self._end("quota", f"the quota of {names} is spent", max(one.free_s for one in counts))
        for count in counts:  # a later session asks each for one thing
            count.renew()
            count.row = 1

    def _may_ask(self, meter: Meter) -> bool:
        """Say whether the only service can be asked; where not for long, end the run."""
        count = self._counts[EVERYWHERE]
        if not self._ends:
            free_s = self._free_s(count, meter)
            if free_s is None:
                return False
            if self._told or free_s - self._now_s <= LONGEST_WAIT_S:
                return True
            count.free_s = free_s
            self._end("quota", f"the quota of {meter.name} is spent")
        if not self._flying:
            self._ends, self._told = False, True  # once: a later session goes on from here
            count.row = 0  # and bears as many refusals as the first
        return False

    def _may_go(self, step: Step) -> float | None:
        """Return the time from which a step may be sent; None where answers must come first."""
        name = self._service(step)
        count = self._counts.get(name)
        return 0.0 if count is None else self._free_s(count, self._meters[name])

    def _free_s(self, count: _Count, meter: Meter) -> float | None:
        if count.closed:
            return 0.0
        if count.probing:
            return None
        if self._only and count.free_s:
            return None if count.flying else count.free_s
        if count.free_s > self._now_s:
            return count.free_s
        if count.left >= 0:  # the service's own count goes before ours
            if count.flying < count.left:
                return 0.0
            if count.flying:
                return None
            count.left = -1  # it was renewed meanwhile
        if not meter.quota or count.calls + count.flying < meter.quota:
            return 0.0
        ends_s = count.began_s + meter.window_s
        if count.flying and (ends_s > self._now_s or not self._only):
            return None
        if ends_s > self._now_s:
            return ends_s
        count.calls, count.began_s = 0, 0.0
        return 0.0

    def _send_or_refuse(self, step: Step) -> Step | None:
        """Return the step as it is sent; None where the inner strategy was told that it is not."""
        count, free_s = self._counts.get(self._service(step)), self._may_go(step) or 0.0
        if count is None:
            self._flying[step] = step
            return step
        soon = free_s - self._now_s <= (LONGEST_WAIT_S if self._only else MAX_WAIT_S)
        if not self._only and (count.closed or not soon):
            if count.closed or self._is_asked_elsewhere(step):
                count.refused += 1
                self._refuse(step, 401 if count.closed else 429)
            else:
                count.free_s = free_s
                self._held.append(step)
            return None
        if not soon:  # a later session: there are calls again, or the user wants to know
            count.slow_s = 0.0
        request = step.request
        waits = replace(
            request,
            delay_s=max(request.delay_s, count.pace_s, count.slow_s),
            not_before_s=max(request.not_before_s, free_s if soon else 0.0),
        )
        count.probing = not self._only and (bool(free_s or count.row) or not count.sent)
        if free_s:
            count.renew()  # by then it is counted anew
        count.flying += 1
        count.sent += 1
        self._problem, self._note, self._told = "", "", False
        sent = replace(step, request=waits)
        self._flying[sent] = step
        return sent

    def _is_asked_elsewhere(self, step: Step) -> bool:
        asking = able(self.inner, AsksElsewhere)
        return asking is not None and asking.elsewhere(step)

    def _refuse(self, step: Step, status: int) -> None:
        """Tell the inner strategy what the service would say; nothing is sent or spent."""
        self._finds += self.inner.observe(step, self._withheld(step, status))

    # Learning.

    def observe(self, step: Step, response: Response) -> list[Find]:
        """Hand an answer on; keep a step that was refused and can be sent again."""
        first = self._flying.pop(step, step)
        self._hear_time(response)
        name = self._service(first)
        count = self._counts.get(name)
        if count is not None:
            count.flying -= 1
            count.probing = False
            refused = count.refusals
            kept = response.sent != "cached" and self._learn(self._meters[name], count, response)
            new = count.refusals > refused
            if kept or (new and not self._is_asked_elsewhere(first)):
                self._held.append(first)
                return self._kept()
            if new:  # who waits within must not: another can be asked
                response = replace(response, final=True)
        return self._kept() + self.inner.observe(first, response)

    def _learn(self, meter: Meter, count: _Count, response: Response) -> bool:
        """Take what an answer tells; return whether its call is kept, to be made again."""
        problem, detail = meter.judge(response)
        count.learn(meter, response)
        if problem == "quota":
            return self._refused(meter, count, response, detail)
        if problem == "key" and self._only:
            self._end("key", f"{meter.name} does not accept the key: {_clause(detail)}")
            return True
        count.closed = count.closed or problem == "key"
        count.row = 0
        count.answers += 1
        count.slow_s *= RECOVERY
        return False

    def _refused(self, meter: Meter, count: _Count, response: Response, detail: str) -> bool:
        if not self._only:
            stormy = count.row + 1 >= STORM
            return count.refuse(response, stormy * (meter.window_s or HOUR_S)) <= MAX_WAIT_S
        wait_s = count.refuse(response)
        slower_s = 2.0 * max(count.pace_s, count.slow_s)
        count.slow_s = min(SLOWEST_S, max(slower_s, FIRST_WAIT_S))
        allowed = BORNE + count.answers / ANSWERS_A_REFUSAL
        if count.row >= LAST_STORM or count.refusals > allowed:
            self._end("quota", f"{meter.name} refuses one call after the other: {_clause(detail)}")
        elif wait_s > LONGEST_WAIT_S:
            self._end("quota", f"the quota of {meter.name} is spent: {_clause(detail)}")
        return True

    def _end(self, problem: str, why: str, free_s: float | None = None) -> None:
        """End the run once nothing is in flight any more. free_s: when there are calls again."""
        self._problem, self._ends = problem, self._only is not None
        if free_s is None:
            free_s = self._counts[EVERYWHERE].free_s
        later = f"{why}; resume the run {self._when(free_s)} and it goes on from here."
        note = f"{why}." if problem == "key" else later
        self._note = note[:1].upper() + note[1:]

    def _when(self, free_s: float) -> str:
        if free_s - self._now_s <= LONGEST_WAIT_S:
            return "later"
        return f"after {datetime.fromtimestamp(free_s, UTC):%Y-%m-%d %H:%M} UTC"

    def _kept(self) -> list[Find]:
        finds, self._finds = self._finds, []
        return finds

    def _service(self, step: Step) -> str:
        """Return whose call a step is, as `meters` names it; what it does not name is none's."""
        if self._only or (self._kinds and step.reason.kind not in self._kinds):
            return EVERYWHERE
        return origin(step.request.url)

    # Keeping.

    def upgrade(self, state: dict[str, Any]) -> dict[str, Any]:
        """Return a state of version 2. Version 1 of several services never ended a run."""
        if "count" in state:
            state = _of_one(state)
        return {"ended": ["", "", False, False]} | state

    def restored(self) -> None:
        """Begin to count for services that are new; forget those that are no more."""
        self._counts = {
            name: self._counts.get(name) or _Count(pace_s=meter.delay_s)
            for name, meter in self._meters.items()
        }

    def summary(self) -> Summary:
        """Return the inner strategy's summary, and what became of the calls.

        "services" tells what each of several was sent and refused. Of the only one, "refusals"
        counts the calls that were refused. Where a service ended the run, "problem" is "quota" or
        "key", and "note" says why; an outage within goes before.
        """
        summary = self.inner.summary()
        if self._only:
            summary = {**summary, "refusals": self._counts[EVERYWHERE].refusals}
        else:
            counts = self._counts.items()
            services = {self._meters[name].name: _figures(count) for name, count in counts}
            summary = {**summary, "services": services}
        if self._problem and (self._only or not summary.get("stopped")):
            stopped = "budget" if self._problem == "quota" else "early-stop"
            summary |= {"stopped": stopped, "problem": self._problem, "note": self._note}
        return summary


def _figures(count: _Count) -> dict[str, Any]:
    problem = "key" if count.closed else "quota" if count.refused else ""
    return {"calls": count.sent, "not sent": count.refused, "problem": problem}


def _of_one(state: State) -> State:
    """Return a state of version 1, in which the only service had a guard of its own."""
    count = dict(state["count"])
    now_s = count.pop("now_s")
    count["flying"] = len(state["flying"])
    return {**state, "now_s": now_s, "counts": {EVERYWHERE: count}}


def _clause(detail: str) -> str:
    return (detail.rstrip(".")[:1].lower() + detail.rstrip(".")[1:]) or "it does not say why"
