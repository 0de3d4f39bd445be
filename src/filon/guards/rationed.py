"""A strategy round another that asks several services, and keeps to what each of them allows.

`metered` ends a run with its one service; here the others go on. A call that a service has none
left for is not sent: where there will be some within a minute it waits, else the inner strategy
is told at once what the service would say (429, or 401 after a refused key), and turns to another.
Calls in flight are counted as used. The clock is `Response.at_s`.
"""

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, replace

from filon.core import Find, Response, State, Step, Strategy, Summary
from filon.core.meter import Meter
from filon.core.packing import pack, unpack
from filon.guards.guard import Guard
from filon.guards.retry import retry_after_s
from filon.page.url import origin

#: Who is told to come back later than this is left alone: other services can be asked meanwhile.
MAX_WAIT_S = 60.0
#: Refusals in a row after which a service is left alone for its window, or for an hour.
STORM, REST_S = 3, 3600.0
#: The wait after a refusal that names none, doubled each time.
FIRST_WAIT_S = 1.0
#: Calls that are refused in one go: an inner strategy that does not understand goes no further.
MOST_REFUSED = 10_000


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
    free_s: float = 0.0
    pace_s: float = 0.0
    row: int = 0
    refusals: int = 0
    probing: bool = False
    closed: bool = False
    sent: int = 0
    refused: int = 0


class Rationed(Guard):
    """A strategy that asks each service no faster and no more than it allows.

    meters: by origin, as "https://api.example.org". Steps to other places pass.
    kinds: of steps that are calls; empty: all. A wiki has its API and its pages at one place.
    """

    def __init__(
        self, inner: Strategy, meters: Mapping[str, Meter], kinds: Collection[str] = ()
    ) -> None:
        super().__init__(inner)
        self._meters = dict(meters)
        self._kinds = frozenset(kinds)
        self._counts = {name: _Count(pace_s=meter.delay_s) for name, meter in meters.items()}
        self._held: list[Step] = []
        self._flying: dict[Step, Step] = {}
        self._now_s = 0.0
        self._finds: list[Find] = []

    def propose(self) -> Step | None:
        """Return a step that may be sent now, those that waited first."""
        for step in list(self._held):
            if self._may_go(step) is not None:
                self._held.remove(step)
                if sent := self._send_or_refuse(step):
                    return sent
        for _ in range(MOST_REFUSED):
            proposed = self.inner.propose()
            if proposed is None:
                return None
            if self._may_go(proposed) is None:
                self._held.append(proposed)
            elif sent := self._send_or_refuse(proposed):
                return sent
        return None

    def observe(self, step: Step, response: Response) -> list[Find]:
        """Hand an answer on; keep a step that was refused and will soon be taken."""
        first = self._flying.pop(step, step)
        self._now_s = max(self._now_s, response.at_s)
        service = self._service(first)
        count = self._counts.get(service)
        if count is not None:
            count.flying -= 1
            count.probing = False
            refused = count.refusals
            if not response.cached and self._learn(service, count, response):
                self._held.append(first)
                return self._kept()
            if count.refusals > refused:  # who waits within must not: another can be asked
                response = replace(response, cached=True)
        return self._kept() + self.inner.observe(first, response)

    def _may_go(self, step: Step) -> float | None:
        """Return the time from which a step may be sent; None where answers must come first."""
        count, meter = self._counts.get(self._service(step)), self._meters.get(self._service(step))
        if count is None or meter is None or count.closed:
            return 0.0
        if count.probing:
            return None
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
        if count.flying:
            return None
        ends_s = count.began_s + meter.window_s
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
        if count.closed or free_s - self._now_s > MAX_WAIT_S:
            count.refused += 1
            self._refuse(step, 401 if count.closed else 429)
            return None
        request = step.request
        waits = replace(
            request,
            delay_s=max(request.delay_s, count.pace_s),
            not_before_s=max(request.not_before_s, free_s),
        )
        count.probing = bool(free_s) or not count.sent
        if free_s:  # by then it is counted anew
            count.left, count.free_s, count.calls, count.began_s = -1, 0.0, 0, 0.0
        count.flying += 1
        count.sent += 1
        sent = replace(step, request=waits)
        self._flying[sent] = step
        return sent

    def _refuse(self, step: Step, status: int) -> None:
        """Tell the inner strategy what the service would say; nothing is sent or spent."""
        told = Response(url=step.request.url, status=status, at_s=self._now_s, cached=True)
        self._finds += self.inner.observe(step, told)

    def _learn(self, service: str, count: _Count, response: Response) -> bool:
        """Take what an answer tells; return whether its call is made again soon."""
        meter = self._meters[service]
        problem = meter.judge(response)[0]
        count.calls += 1
        count.began_s = count.began_s or response.at_s
        count.pace_s = max(count.pace_s, meter.pace_s(response) or 0.0)
        left = meter.left(response)
        if left is not None:
            # Answers overtake each other: an older one knows of more than there are.
            count.left = left if count.left < 0 else min(left, count.left)
            if left == 0:
                resets_s = meter.resets_at_s(response)
                count.free_s = resets_s or response.at_s + (meter.window_s or REST_S)
        count.closed = count.closed or problem == "key"
        if problem != "quota":
            count.row = 0
            return False
        return self._refused(meter, count, response)

    def _refused(self, meter: Meter, count: _Count, response: Response) -> bool:
        count.row += 1
        count.refusals += 1
        wait_s = max(retry_after_s(response), FIRST_WAIT_S * 2.0 ** (count.row - 1))
        if count.row >= STORM:
            wait_s = max(wait_s, meter.window_s or REST_S)
        count.free_s = max(count.free_s, response.at_s + wait_s)
        return count.free_s - response.at_s <= MAX_WAIT_S

    def _kept(self) -> list[Find]:
        finds, self._finds = self._finds, []
        return finds

    def state(self) -> State:
        """Return all that is needed to go on, the inner strategy's state in it."""
        return {
            "version": 1,
            "now_s": self._now_s,
            "counts": {name: asdict(count) for name, count in self._counts.items()},
            "held": [pack(step) for step in self._held],
            "flying": [[pack(sent), pack(first)] for sent, first in self._flying.items()],
            "inner": self.inner.state(),
        }

    def restore(self, state: State) -> None:
        """Go on from there. A service that is new keeps the count it begins with."""
        self._now_s = state["now_s"]
        known = {name: told for name, told in state["counts"].items() if name in self._meters}
        self._counts |= {name: _Count(**told) for name, told in known.items()}
        self._held = [unpack(step) for step in state["held"]]
        self._flying = {unpack(sent): unpack(first) for sent, first in state["flying"]}
        self.inner.restore(state["inner"])

    def summary(self) -> Summary:
        """Return the inner strategy's summary; "services" tells what each was sent and refused."""
        told = {
            self._meters[name].name: {
                "calls": count.sent,
                "not sent": count.refused,
                "problem": "key" if count.closed else "quota" if count.refused else "",
            }
            for name, count in self._counts.items()
        }
        return {**self.inner.summary(), "services": told}

    def _service(self, step: Step) -> str:
        """Return whose call a step is; "" for none."""
        if self._kinds and step.reason.kind not in self._kinds:
            return ""
        return origin(step.request.url)
