"""A strategy round another that tells a host that is down from a page that is not there.

A host that answered before and fails some times in a row may be down, whatever it is asked for.
From then on what failed is kept and not told to the strategy, so that an outage costs no URL: it
is asked for again when the host has given a good answer to something that left later. Where
nothing else is left to do, or the host goes on failing, a page that it answered well before is
asked for, at growing intervals: by turns the last one and the first, since any page may break.
When that is in vain too, the host is out: its steps wait for a later session, others go on, and the
run ends as "outage" once nothing else is left.

The first failures in a row may be those of the pages. Where they are tried again within, they are
told at once. Where they are not, and where a page fails that was kept before, the answer is kept
with the step, in doubt: the host's next good answer shows that it was the page, which is told then;
if the host goes on failing, the page is asked for again.

A host that never answered is likely not there: its failures are told, unless nobody else answers
either, which is the network's fault.

The clock is `Response.at_s`.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Any

from filon.core import Find, Reason, Request, Response, Step, Strategy, Summary
from filon.core.abilities import TimedGuard
from filon.core.forms import each, pairs, record, row, table
from filon.core.state import stored, version
from filon.core.step import STEP
from filon.guards.retry import MAX_RETRY_AFTER_S, is_passing, retry_after_s, why
from filon.page.url import host as host_of
from filon.page.url import origin

KIND = "outage"
#: Failures in a row from which on a step is kept: of its host, or of all where the host is new.
DOUBT = 3
#: Failures in a row after which a host, or all of them, are asked for a known page only.
SUSPECT, SUSPECT_ALL = 5, 12
#: So often it is asked for; the wait doubles from the base, but is never nothing and never long.
PROBES = 8
LEAST_WAIT_S, MAX_WAIT_S = 0.02, 60.0
#: A host that was out for so long is not waited for, unless the run is about it.
GONE_S = 3600.0
#: Steps that are kept, and those that are taken from the strategy in one go to be kept.
MAX_HELD, MAX_PULLS = 500, 8
#: Hosts that are remembered; an honest run has few at a time.
MAX_HOSTS = 2_000
#: How often a page may ask to be left alone for longer than anybody waits, and how often one that
#: was kept may fail again and still be in doubt.
MAX_FOR_LONG, MAX_AGAIN = 3, 3
#: Of a known page only the beginning is read; of a failure in doubt it is kept, as people read it.
PROBE_BYTES, DOUBT_BYTES = 1024, 65_536


@dataclass(slots=True)
class _Host:
    """A host that has answered before; times are Unix times.

    url, delay_s: what it answered well, and the spacing it asked for then.
    early: the first page that it answered well, but for robots.txt, which may be all there is left.
    row: failures since; first: how many steps had been proposed when the first of them came.
    probes: how often it was asked for the known page in vain; due_s: when it may be again.
    """

    url: str
    delay_s: float = 0.0
    early: str = ""
    row: int = 0
    first: int = 0
    since_s: float = 0.0
    why: str = ""
    error: str = ""
    probes: int = 0
    due_s: float = 0.0
    out: bool = False

    @property
    def probe(self) -> str:
        """The page to ask for, to see whether the host is there."""
        return self.early if self.early and self.probes % 2 else self.url


@dataclass(frozen=True, slots=True)
class _Doubt:
    """A failure that is told if it was the page's; again: the page was kept before."""

    response: Response
    again: bool = False


@dataclass(frozen=True, slots=True)
class _Sent:
    """A step in flight: its number, and whether it is the guard's own, or was kept before."""

    number: int
    own: bool = False
    again: bool = False


class OutageGuard(TimedGuard):
    """A strategy that does what another one wants, but holds no outage against a page.

    homes: the origins that the run is about: it is not over without them.
    exempt: kinds of steps that may as well be asked of another host: their failures are told.
    base_s: the first wait. retried: pages that failed are tried again within.

    A server is down for half a minute, which is longer than a page is tried for:

    >>> from filon.guards.retry import RetryGuard
    >>> from filon.testing import Listed, play
    >>> def says(url, at_s):
    ...     return Response(url=url, status=503 if 30 <= at_s < 60 else 200, at_s=at_s)
    >>> pages = [f"http://a.org/{number}" for number in range(100)]
    >>> for strategy in (RetryGuard(Listed(pages)), OutageGuard(RetryGuard(Listed(pages)))):
    ...     run = play(strategy, says)
    ...     print(f"{len(run.finds)} pages in {len(run.steps)} requests")
    91 pages in 121 requests
    100 pages in 110 requests

    Reference: our own, after the circuit breaker of M. T. Nygard, "Release It!", 2007, chapter 5.
    """

    STATE = (
        version(2),
        "_number",
        stored("_hosts", table(record(_Host))),
        stored("_held", each(STEP)),
        stored("_doubts", pairs(row(_Doubt, response=record(Response)), keys=STEP)),
        stored("_ready", each(STEP)),
        stored("_flying", pairs(row(_Sent), keys=STEP)),
        "_for_long",
        "_again",
        "_row",
        "_first",
        "_last",
        "_note",
    )

    def __init__(
        self,
        inner: Strategy,
        homes: Iterable[str] = (),
        exempt: Collection[str] = (),
        *,
        base_s: float = 1.0,
        retried: bool = True,
    ) -> None:
        super().__init__(inner)
        self._retried = retried
        self._homes, self._exempt = frozenset(homes), frozenset(exempt)
        self._base_s = max(base_s, LEAST_WAIT_S)
        self._number = 0
        self._hosts: dict[str, _Host] = {}
        self._held: list[Step] = []
        self._doubts: dict[Step, _Doubt] = {}  # of those that are held
        self._ready: list[Step] = []
        self._flying: dict[Step, _Sent] = {}
        self._for_long: Counter[str] = Counter()  # how often a page asked to be left alone
        self._again: Counter[str] = Counter()  # how often a page that was kept failed again
        self._row = self._first = 0  # failures of all hosts since the last good answer of any
        self._last = ""  # who gave it
        self._note = ""

    # Asking.

    def propose(self) -> Step | None:
        """Return a step that was kept and may go, a question whether a host is there, or a step."""
        self._note = ""
        if self._ready:
            return self._go(self._ready.pop(0), again=True)
        due = self._next_probe()
        if due and self._hosts[due].due_s <= self._now_s and self._is_suspect(due):
            return self._probe(due)
        if step := self._pull():
            return self._go(step)
        if self._flying:
            return None
        due = self._next_probe()
        return self._probe(due) if due else self._end()

    def _pull(self) -> Step | None:
        """Return the inner strategy's next step for a host that may be asked; keep the others."""
        for _ in range(MAX_PULLS):
            if len(self._held) >= MAX_HELD:
                break
            step = self.inner.propose()
            if step is None or not self._is_suspect(origin(step.request.url)):
                return step
            if step.reason.kind in self._exempt:
                return step
            self._held.append(step)
        return None

    def _is_suspect(self, host: str) -> bool:
        known = self._hosts.get(host)
        return self._row >= SUSPECT_ALL or (known is not None and known.row >= SUSPECT)

    def _next_probe(self) -> str:
        """Return the host that is to be asked first whether it is there; "" where none is."""
        asked = {origin(step.request.url) for step, sent in self._flying.items() if sent.own}
        hosts = {self._witness(origin(step.request.url)) for step in self._held}
        waiting = [h for h in hosts - asked if h in self._hosts and not self._hosts[h].out]
        return min(waiting, key=lambda host: (self._hosts[host].due_s, host), default="")

    def _witness(self, host: str) -> str:
        """Return the host by which to tell whether one is there: the last, if it never answered."""
        return host if host in self._hosts else self._last

    def _probe(self, host: str) -> Step:
        known = self._hosts[host]
        times = f"{known.row} times in a row" if known.row > 1 else "once"
        request = Request(
            url=known.probe,
            headers=(("Cache-Control", "no-cache"),),
            max_bytes=PROBE_BYTES,
            begins=True,
            delay_s=known.delay_s,
            not_before_s=known.due_s,
        )
        text = f"{host_of(known.url)} failed {times}: this page was there before"
        return self._go(Step(request=request, reason=Reason(kind=KIND, text=text)), own=True)

    def _go(self, step: Step, *, own: bool = False, again: bool = False) -> Step:
        self._number += 1
        self._flying[step] = _Sent(self._number, own, again)
        return step

    def _end(self) -> Step | None:
        """End the run where hosts are out; what is kept for one that is gone for good is told."""
        if not self._held:
            return None
        out = sorted({origin(step.request.url) for step in self._held} & set(self._hosts))
        gone = [host for host in out if self._is_gone(host)]
        if gone:
            self._refuse(set(gone))
            return self.propose()
        self._note = self._sentence(out)
        for known in self._hosts.values():  # a later session asks anew
            known.probes, known.due_s, known.out = 0, 0.0, False
        return None

    def _is_gone(self, host: str) -> bool:
        known = self._hosts[host]
        return host not in self._homes and self._now_s - known.since_s >= GONE_S

    def _refuse(self, hosts: set[str]) -> None:
        """Tell the inner strategy of hosts that are gone; nothing is sent or spent."""
        kept = [step for step in self._held if origin(step.request.url) in hosts]
        self._held = [step for step in self._held if step not in kept]
        for step in kept:
            self._doubts.pop(step, None)
            error = self._hosts[origin(step.request.url)].error or "closed"
            detail = "The host has not answered for long; it was not asked."
            self.inner.observe(step, self._withheld(step, error=error, detail=detail))

    # Learning.

    def observe(self, step: Step, response: Response) -> list[Find]:
        """Hand an answer on; keep the step where it may be the host's failure."""
        sent = self._flying.pop(step, _Sent(0))
        self._hear_time(response)
        host = origin(step.request.url)
        if sent.own or step.reason.kind not in self._exempt:
            if is_good(response):
                self._again.pop(step.request.url, None)
                self._revive(host, step, sent.number)
            elif sent.own or (is_failure(response) and not self._is_nowhere(host, response)):
                self._fail(host, response, sent)
                if not sent.own and self._keep(host, step, response, again=sent.again):
                    return []
        return [] if sent.own else self.inner.observe(step, response)

    def _revive(self, host: str, step: Step, number: int) -> None:
        """Take note of a good answer: what failed before it left may be asked for again."""
        known = self._hosts.pop(host, None)
        if known and known.row and number <= known.first:
            self._hosts[host] = known  # it left before the host went down
            return
        url, early = step.request.url, known.early if known else ""
        if not early and step.reason.kind != "robots":
            early = url
        self._hosts[host] = _Host(url, step.request.delay_s, early=early)
        if len(self._hosts) > MAX_HOSTS:
            self._forget()
        self._last = host
        if number > self._first:
            self._row = 0
        self._release(host)

    def _release(self, host: str) -> None:
        """Ask again for what was kept; what was in doubt was the page's own failure: tell it."""
        there = [step for step in self._held if self._may_go(origin(step.request.url), host)]
        self._held = [step for step in self._held if step not in there]
        self._ready += [step for step in there if step not in self._doubts]
        for step in there:
            if step in self._doubts:
                self._again.pop(step.request.url, None)
                self.inner.observe(step, self._doubts.pop(step).response)

    def _may_go(self, host: str, there: str) -> bool:
        return host == there or (host not in self._hosts and not self._row)

    def _forget(self) -> None:
        """Drop the host that answered well longest ago and is not doubted."""
        quiet = (host for host, known in self._hosts.items() if not known.row)
        self._hosts.pop(next(quiet, next(iter(self._hosts))))

    def _is_nowhere(self, host: str, response: Response) -> bool:
        """Say whether there is no host of that name: many a link leads nowhere."""
        return response.error == "dns" and host not in self._hosts

    def _keep(self, host: str, step: Step, response: Response, *, again: bool) -> bool:
        """Keep a step whose failure may be that of the host, or the network, and not of the page.

        Who asks to be left alone for long is not tried again by others, so that this counts at
        once, some times.
        """
        known, url = self._hosts.get(host), step.request.url
        unsure = False
        if known is not None and retry_after_s(response) > MAX_RETRY_AFTER_S:
            self._for_long[url] += 1
            keep = self._for_long[url] <= MAX_FOR_LONG
        elif again:
            self._again[url] += 1
            keep = unsure = self._again[url] <= MAX_AGAIN
        elif self._is_retried(step):
            keep = self._row >= DOUBT and bool(self._hosts)
            if known is not None:
                keep = known.row >= DOUBT - (step.reason.kind == "retry")
        else:
            keep, unsure = bool(self._hosts), max(known.row if known else 0, self._row) < DOUBT
        if keep and unsure:
            brief = replace(response, body=response.body[:DOUBT_BYTES], spool="")
            self._doubts[step] = _Doubt(brief, again)
        elif keep:
            self._take_back("" if self._row >= DOUBT else host)
        if keep:
            self._held.append(step)
        return keep

    def _is_retried(self, step: Step) -> bool:
        return self._retried and step.request.method in ("GET", "HEAD")

    def _take_back(self, host: str, *, again: bool = False) -> None:
        """Ask for what failed as a host, or "" for all, went down again, and do not tell of it."""
        for step, doubt in list(self._doubts.items()):
            if host in ("", self._witness(origin(step.request.url))) and again >= doubt.again:
                del self._doubts[step]

    def _fail(self, host: str, response: Response, sent: _Sent) -> None:
        """Take note of a failure."""
        self._row += 1
        if self._row == 1:
            self._first = self._number
        known = self._hosts.get(host)
        if known is None:
            return
        if sent.own:
            self._take_back(host, again=True)
        known.row += 1
        if known.row == 1:
            known.first, known.since_s = self._number, self._now_s
        known.why, known.error = why(response), response.error
        known.probes += sent.own
        known.due_s = self._now_s + min(MAX_WAIT_S, self._base_s * 2.0**known.probes)
        for_long = retry_after_s(response) > MAX_RETRY_AFTER_S  # nobody tries that again soon
        known.out = known.out or known.probes >= PROBES or (known.row > 1 and for_long)

    # Keeping.

    def upgrade(self, state: dict[str, Any]) -> dict[str, Any]:
        """Return a state with this guard in it: once there was none."""
        if "held" in state and "hosts" in state and "first" in state:
            return {"for_long": {}, "again": {}, "doubts": []} | state
        self._hosts = {home: _Host(f"{home}/") for home in sorted(self._homes)}  # the run began
        fresh = {one.key: one.get(self) for one in self._fields if one.key != "inner"}
        return {**fresh, "inner": state}

    def summary(self) -> Summary:
        """Return the inner strategy's summary; "stopped" is "outage" where hosts are out."""
        summary = self.inner.summary()
        return {**summary, "stopped": KIND, "note": self._note} if self._note else summary

    def _sentence(self, hosts: list[str]) -> str:
        names = [host_of(host) for host in hosts] or [host_of(self._last)]
        more = f" and {len(names) - 3} more" if len(names) > 3 else ""
        known = self._hosts.get((hosts or [self._last])[0])
        reason = known.why if known and known.why else "nobody answers"
        verb = "cannot" if len(names) == 1 else "all cannot"
        return (
            f"{', '.join(names[:3])}{more} {verb} be reached any more ({reason}), or the network "
            "is down: the run is kept, filon resume goes on with it."
        )


def is_good(response: Response) -> bool:
    """Say whether an answer shows that its host is at work."""
    there = 0 < response.status < 500 and response.status != 429
    return there and not response.error and response.sent == "yes"


def is_failure(response: Response) -> bool:
    """Say whether an answer may show that its host, or the network, is not at work."""
    return response.sent == "yes" and not response.final and is_passing(response)
