"""A strategy round another that asks for permission first: robots.txt is a step of its own.

Before the first step to a host its robots.txt is fetched; steps for the host wait for the answer.
What is forbidden is handed back to the inner strategy as an answer with error "robots", and
nothing is spent. Each step that the inner strategy proposes gets exactly one answer.
"""

from collections import Counter, deque
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

from filon.core import Find, Reason, Request, Response, Step, Strategy, Summary
from filon.core.abilities import HearsSitemaps, TimedGuard, able
from filon.core.forms import Form, each, flat, pairs, row, table
from filon.core.state import stored, version
from filon.core.step import STEP
from filon.page.robots import MAX_BYTES, Robots
from filon.page.url import join, origin

#: Redirects that are followed: the RFC asks for five at least.
MAX_HOPS = 5
#: Steps that wait for a robots.txt. A strategy that is asked for more chooses blindly.
MAX_WAITING = 16
#: How long an answer holds: the RFC's day; a host that was down is asked again sooner.
HOLDS_S = 24 * 3600.0
HOLDS_UNREACHABLE_S = 600.0
#: All texts that are kept; the oldest are forgotten and would be fetched again.
MAX_KEPT_BYTES = 16 * 1024 * 1024
#: Why a step was not taken: it is forbidden, nobody knows, or its host was not to be asked at all.
FORBIDDEN, UNREAD = "robots", "robots.txt not read"
_KEPT_BACK = {"private": "private address", "fenced": "host that is not allowed"}
#: Errors by which no other URL of the host could be reached either: they say more than "robots".
_NO_HOST = frozenset({"dns", "connect", "tls", "private", "fenced"})


@dataclass(slots=True)
class _Asked:
    """A robots.txt on its way: where it is asked for, and who waits for it."""

    url: str
    hops: int
    waiting: list[Step]


class _Kept:
    """The answer of a host, with what is needed to have it again after a resume."""

    __slots__ = ("at_s", "body", "error", "robots", "status")

    def __init__(self, status: int, body: bytes, error: str, at_s: float) -> None:
        self.status, self.body, self.error, self.at_s = status, body[:MAX_BYTES], error, at_s
        self.robots = Robots.parse(status, self.body, error=error)

    def holds(self, now_s: float) -> bool:
        down = self.robots.outcome == "unreachable"
        return now_s - self.at_s <= (HOLDS_UNREACHABLE_S if down else HOLDS_S)

    def pack(self) -> list[Any]:
        return [self.status, self.body, self.error, self.at_s]


_KEPT = Form(_Kept.pack, lambda data: _Kept(*data))


class RobotsGuard(TimedGuard):
    """A strategy that does what another one wants, as far as robots.txt allows.

    agent: the product token that robots.txt knows us by, or a User-Agent that begins with it.
    exempt: kinds of steps that need no permission: calls of a service that the user named, which
        has terms of its own; robots.txt is for those who find their way by links.

    Every other page is forbidden; one request is the price of knowing it:

    >>> from filon.testing import Listed, play
    >>> def says(url, at_s):
    ...     rules = b"User-agent: *\\nDisallow: /private/" if url.endswith("robots.txt") else b""
    ...     return Response(url=url, status=200, body=rules, at_s=at_s)
    >>> pages = [f"http://a.org/{room}/{n}" for n in range(50) for room in ("open", "private")]
    >>> guard = RobotsGuard(Listed(pages), agent="filon")
    >>> run = play(guard, says)
    >>> forbidden = f"{guard.summary()['skipped']['robots']} forbidden"
    >>> print(f"{len(run.finds)} pages in {len(run.steps)} requests, {forbidden}")
    50 pages in 51 requests, 50 forbidden

    Reference: M. Koster et al., "Robots Exclusion Protocol", RFC 9309, 2022.
    """

    STATE = (
        version(1),
        stored("_denied", Form(dict, Counter)),
        stored("_kept", table(_KEPT)),
        stored("_asked", flat(row(_Asked, waiting=each(STEP)))),
        stored("_ready", each(STEP)),
        stored("_slowed", pairs(STEP, keys=STEP)),
    )

    def __init__(self, inner: Strategy, agent: str, exempt: Collection[str] = ()) -> None:
        super().__init__(inner)
        self._agent = agent
        self._exempt = frozenset(exempt)
        self._denied: Counter[str] = Counter()  # by reason
        self._kept: dict[str, _Kept] = {}
        self._asked: dict[str, _Asked] = {}
        self._ready: deque[Step] = deque()
        self._slowed: dict[Step, Step] = {}

    def propose(self) -> Step | None:
        """Return the inner strategy's next step that is allowed, or a robots.txt to fetch."""
        if self._ready:
            return self._ready.popleft()
        while sum(len(asked.waiting) for asked in self._asked.values()) < MAX_WAITING:
            step = self.inner.propose()
            if step is None or step.reason.kind in self._exempt:
                return step
            host = origin(step.request.url)
            if host in self._asked:
                self._asked[host].waiting.append(step)
                continue
            kept = self._kept.get(host)
            if kept is None or not kept.holds(self._now_s):
                return self._ask(host, step)
            if allowed := self._judge(step, kept):
                return allowed
        return None

    def observe(self, step: Step, response: Response) -> list[Find]:
        """Hand the answer on, or learn what its host allows."""
        self._hear_time(response)
        host = self._host_asked(step)
        if not host:
            return self.inner.observe(self._slowed.pop(step, step), response)
        self._answered(host, response)
        return []

    def _ask(self, host: str, step: Step) -> Step:
        url = f"{host}/robots.txt"
        self._asked[host] = _Asked(url, 0, [step])
        return _robots_step(url, step.parent, f"no step to {host} is taken without its robots.txt")

    def _host_asked(self, step: Step) -> str:
        """Return the host whose robots.txt a step asked for; "" if it is the inner strategy's."""
        if step.reason.kind != "robots":
            return ""
        return next((h for h, asked in self._asked.items() if asked.url == step.request.url), "")

    def _answered(self, host: str, response: Response) -> None:
        asked = self._asked[host]
        if response.redirects and asked.hops < MAX_HOPS:
            target = join(response.url, response.header("location"))
            if target:
                parent, asked.url, asked.hops = asked.url, target, asked.hops + 1
                self._ready.append(_robots_step(target, parent, "robots.txt has moved there"))
                return
        del self._asked[host]
        self._keep(host, response)
        self._tell_sitemaps(self._kept[host].robots)
        for step in asked.waiting:
            if allowed := self._judge(step, self._kept[host]):
                self._ready.append(allowed)

    def _tell_sitemaps(self, robots: Robots) -> None:
        listener = able(self.inner, HearsSitemaps)
        if listener and robots.sitemaps:
            listener.hear_sitemaps(list(robots.sitemaps), self._now_s)

    def _keep(self, host: str, response: Response) -> None:
        self._kept.pop(host, None)
        self._kept[host] = _Kept(response.status, response.body, response.error, self._now_s)
        total = sum(len(kept.body) for kept in self._kept.values())
        while total > MAX_KEPT_BYTES and len(self._kept) > 1:
            total -= len(self._kept.pop(next(iter(self._kept))).body)

    def _judge(self, step: Step, kept: _Kept) -> Step | None:
        """Return the step as it may be sent, or None after its refusal was observed."""
        url = step.request.url
        if kept.robots.allows(url, self._agent):
            delay_s = kept.robots.delay_s(self._agent)
            return self._slow(step, delay_s) if delay_s > step.request.delay_s else step
        down = kept.robots.outcome == "unreachable"
        self._denied[_reason(kept.error) if down else FORBIDDEN] += 1
        error = kept.error if kept.error in _NO_HOST else "robots"
        detail = "robots.txt could not be read" if down else "robots.txt forbids it"
        refusal = self._withheld(step, error=error, detail=detail)
        self.inner.observe(step, refusal)
        return None

    def _slow(self, step: Step, delay_s: float) -> Step:
        slowed = replace(step, request=replace(step.request, delay_s=delay_s))
        self._slowed[slowed] = step
        return slowed

    def upgrade(self, state: dict[str, Any]) -> dict[str, Any]:
        """Return a state with counts by reason; once there was one for all."""
        denied = state.get("denied")
        return state | {"denied": {FORBIDDEN: denied}} if isinstance(denied, int) else state

    def summary(self) -> Summary:
        """Return the inner strategy's summary, and what robots.txt said and kept from it."""
        summary = self.inner.summary()
        skipped = {**summary.get("skipped", {}), FORBIDDEN: 0, **self._denied}
        hosts = {
            host: {
                "outcome": kept.robots.outcome,
                "delay_s": kept.robots.delay_s(self._agent),
                "sitemaps": list(kept.robots.sitemaps[:20]),
            }
            for host, kept in list(self._kept.items())[:100]
        }
        return {**summary, "skipped": skipped, "robots": hosts}


def _reason(error: str) -> str:
    """Return why nobody knows whether a step is allowed."""
    return _KEPT_BACK.get(error, UNREAD)


def _robots_step(url: str, parent: str, text: str) -> Step:
    request = Request(url=url, max_bytes=MAX_BYTES, begins=True)
    return Step(request=request, reason=Reason(kind="robots", text=text), parent=parent)
