"""A strategy round another that keeps to what a paid or limited service allows.

Calls are spaced by its rate. Where its quota is spent, the next call waits if that is over within
the hour; else the run ends and can be resumed. A call that was refused for the quota or the key
is kept and made again, also in a later sitting: the inner strategy sees only real answers. A
storm of refusals ends the run after a few. The clock is `Response.at_s`.
"""

from dataclasses import dataclass, replace
from datetime import UTC, datetime

from filon.core import Find, Response, State, Step, Strategy, Summary
from filon.core.meter import Meter
from filon.core.packing import pack, unpack
from filon.guards.guard import Guard
from filon.guards.retry import retry_after_s

#: Who is told to come back later than this ends the run: it can be resumed then.
MAX_WAIT_S = 3600.0
#: Refusals in a row that end a run: the service does not mean it when it says how long to wait.
STORM = 5
#: Refusals over a whole run that are borne, and one more for each so many answers.
BORNE, ANSWERS_A_REFUSAL = 20, 10
#: The wait after a refusal that names none, doubled each time; so is the pace, up to the slowest,
#: and each answer takes back a part of that.
FIRST_WAIT_S, SLOWEST_S, RECOVERY = 1.0, 60.0, 0.9


@dataclass(slots=True)
class _Count:
    """What was used of the quota, and what is known of the rest; times are Unix times."""

    began_s: float = 0.0
    calls: int = 0
    left: int = -1
    free_s: float = 0.0
    pace_s: float = 0.0
    slow_s: float = 0.0
    now_s: float = 0.0
    row: int = 0
    refusals: int = 0
    answers: int = 0


class Metered(Guard):
    """A strategy that asks no faster and no more than its service allows."""

    def __init__(self, inner: Strategy, meter: Meter) -> None:
        super().__init__(inner)
        self._meter = meter
        self._count = _Count(pace_s=meter.delay_s)
        self._held: list[Step] = []
        self._flying: dict[Step, Step] = {}
        self._problem = self._note = ""
        self._ends = self._told = False

    def propose(self) -> Step | None:
        """Return a step that was refused, else the inner strategy's, when there are calls."""
        if self._ends or self._is_spent():
            if self._flying:
                return None
            wait_s = self._count.free_s - self._count.now_s
            if not self._ends and not self._told and wait_s > MAX_WAIT_S:
                self._end("quota", f"the quota of {self._meter.name} is spent")
            if self._ends:
                self._ends, self._told = False, True  # once: a later sitting goes on from here
                self._count.row = 0  # and bears as many refusals as the first
                return None
        step = self._held.pop(0) if self._held else self.inner.propose()
        return self._send(step) if step else None

    def observe(self, step: Step, response: Response) -> list[Find]:
        """Hand a real answer on; keep a step that was refused."""
        count = self._count
        first = self._flying.pop(step, step)
        count.now_s = max(count.now_s, response.at_s)
        if response.cached:
            return self.inner.observe(first, response)
        problem, detail = self._meter.judge(response)
        self._learn(response)
        if problem == "key":
            self._held.append(first)
            self._end("key", f"{self._meter.name} does not accept the key: {_clause(detail)}")
            return []
        if problem == "quota":
            self._held.append(first)
            self._refused(response, detail)
            return []
        count.answers += 1
        count.row = 0
        count.slow_s *= RECOVERY
        return self.inner.observe(first, response)

    def _send(self, step: Step) -> Step:
        count, request = self._count, step.request
        waits = count.free_s - count.now_s <= MAX_WAIT_S
        if not waits:  # a later sitting: there are calls again, or the user wants to know
            count.slow_s = 0.0
        sent = replace(
            step,
            request=replace(
                request,
                delay_s=max(request.delay_s, count.pace_s, count.slow_s),
                not_before_s=max(request.not_before_s, count.free_s if waits else 0.0),
            ),
        )
        if count.free_s:
            count.left, count.free_s = -1, 0.0  # by then they are counted anew
            count.calls, count.began_s = 0, 0.0
        self._problem, self._note, self._told = "", "", False
        self._flying[sent] = step
        return sent

    def _is_spent(self) -> bool:
        """Say whether the calls in flight use up what is left; where so, note until when."""
        count, meter = self._count, self._meter
        if count.free_s:
            return True
        if count.left >= 0:  # the service's own count goes before ours
            return len(self._flying) >= count.left
        if meter.quota and count.calls + len(self._flying) >= meter.quota:
            ends_s = count.began_s + meter.window_s
            if ends_s > count.now_s:
                count.free_s = ends_s if not self._flying else 0.0
                return True
            count.calls, count.began_s = 0, 0.0
        return False

    def _learn(self, response: Response) -> None:
        """Take what an answer tells of the quota and the pace."""
        count, meter = self._count, self._meter
        count.calls += 1
        count.began_s = count.began_s or response.at_s
        count.pace_s = max(count.pace_s, meter.pace_s(response) or 0.0)
        left = meter.left(response)
        if left is None:
            return
        count.left = left
        if left == 0:
            resets_s = meter.resets_at_s(response)
            # A service that does not say when is asked again after its own window, or an hour.
            count.free_s = resets_s or response.at_s + (meter.window_s or MAX_WAIT_S)

    def _refused(self, response: Response, detail: str) -> None:
        count = self._count
        count.row += 1
        count.refusals += 1
        wait_s = max(retry_after_s(response), FIRST_WAIT_S * 2.0 ** (count.row - 1))
        count.free_s = max(count.free_s, response.at_s + wait_s)
        slower_s = 2.0 * max(count.pace_s, count.slow_s)
        count.slow_s = min(SLOWEST_S, max(slower_s, FIRST_WAIT_S))
        allowed = BORNE + count.answers / ANSWERS_A_REFUSAL
        if count.row >= STORM or count.refusals > allowed:
            said = f"{self._meter.name} refuses one call after the other: {_clause(detail)}"
            self._end("quota", said)
        elif count.free_s - response.at_s > MAX_WAIT_S:
            self._end("quota", f"the quota of {self._meter.name} is spent: {_clause(detail)}")

    def _end(self, problem: str, why: str) -> None:
        self._problem, self._ends = problem, True
        later = f"{why}; resume the run {self._when()} and it goes on from here."
        note = f"{why}." if problem == "key" else later
        self._note = note[:1].upper() + note[1:]

    def _when(self) -> str:
        if self._count.free_s - self._count.now_s <= MAX_WAIT_S:
            return "later"
        return f"after {datetime.fromtimestamp(self._count.free_s, UTC):%Y-%m-%d %H:%M} UTC"

    def state(self) -> State:
        """Return all that is needed to go on, the inner strategy's state in it."""
        count = {name: getattr(self._count, name) for name in _Count.__slots__}
        return {
            "version": 1,
            "count": count,
            "held": [pack(step) for step in self._held],
            "flying": [[pack(sent), pack(first)] for sent, first in self._flying.items()],
            "ended": [self._problem, self._note, self._ends, self._told],
            "inner": self.inner.state(),
        }

    def restore(self, state: State) -> None:
        """Go on from there."""
        self._count = _Count(**state["count"])
        self._held = [unpack(step) for step in state["held"]]
        self._flying = {unpack(sent): unpack(first) for sent, first in state["flying"]}
        self._problem, self._note, self._ends, self._told = state["ended"]
        self.inner.restore(state["inner"])

    def summary(self) -> Summary:
        """Return the inner strategy's summary; where the service ended the run, "note" says why.

        "problem" is then "quota" or "key"; "refusals" counts the calls that were refused.
        """
        told = {**self.inner.summary(), "refusals": self._count.refusals}
        if self._problem:
            stopped = "budget" if self._problem == "quota" else "early-stop"
            told |= {"stopped": stopped, "problem": self._problem, "note": self._note}
        return told


def _clause(detail: str) -> str:
    return (detail.rstrip(".")[:1].lower() + detail.rstrip(".")[1:]) or "it does not say why"
