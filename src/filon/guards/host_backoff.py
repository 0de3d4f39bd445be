"""A strategy round another that lets a host rest when it asks for it, and asks others meanwhile.

A run that follows links over many hosts must not stand still because one of them said "later":
steps for that host are kept back until its time has come, by the clock of the answers. Of questions
that another host can answer too, only a few are: the rest are told at once what it said.
"""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from filon.core import Find, Response, Step, Strategy, Summary
from filon.core.abilities import TimedGuard
from filon.core.forms import Form, each
from filon.core.state import stored, version
from filon.core.step import pack, unpack
from filon.guards.retry import MAX_RETRY_AFTER_S, retry_after_s
from filon.page.url import origin

#: A host that says 429 or 503 without saying for how long.
REST_S = 30.0
#: Steps that are kept back. A strategy that is asked for more chooses blindly.
MAX_KEPT = 500
#: Of questions, so many are kept back for a host; and none after so many refusals in a row.
MAX_QUESTIONS, STORM = 3, 3
#: Beyond so many hosts with a spacing, those whose time is over are forgotten.
MAX_SPACED = 1_000
#: Questions that are refused in one go: an inner strategy that does not understand goes no further.
MOST_REFUSED = 10_000


@dataclass(slots=True)
class _Kept:
    step: Step
    host: str


def _again(stored: dict[str, Any]) -> _Kept:
    step = unpack(stored)
    return _Kept(step, origin(step.request.url))


_KEPT = Form(lambda kept: pack(kept.step), _again)


class HostBackoff(TimedGuard):
    """A strategy that does what another one wants, but leaves hosts alone that asked for it.

    questions: kinds of steps that may as well be asked of another host.
    spacing: a host that names a time between requests is left alone until it is over, too: to wait
        for it is to keep others waiting.

    One of two hosts asks for rest, for 40 seconds:

    >>> from filon.testing import Listed, play
    >>> def says(url, at_s):
    ...     rests = url.startswith("http://a.org/") and at_s < 40
    ...     wait = (("Retry-After", "40"),) if rests else ()
    ...     return Response(url=url, status=429 if rests else 200, headers=wait, at_s=at_s)
    >>> pages = [f"http://{host}.org/{number}" for number in range(50) for host in "ab"]
    >>> for strategy in (Listed(pages), HostBackoff(Listed(pages))):
    ...     run = play(strategy, says)
    ...     print(f"{len(run.finds)} of {len(run.steps)} requests brought something")
    80 of 100 requests brought something
    99 of 100 requests brought something

    Reference: RFC 6585, section 4 (429); RFC 9110, sections 10.2.3 (Retry-After) and 15.6.4 (503).
    """

    STATE = (
        version(1),
        "_flying",
        "_until_s",
        stored("_kept", each(_KEPT)),
        "_row",
        "_next_s",
    )

    def __init__(
        self, inner: Strategy, questions: Collection[str] = (), *, spacing: bool = False
    ) -> None:
        super().__init__(inner)
        self._spacing = spacing
        self._next_s: dict[str, float] = {}  # when a host may be asked again that names a spacing
        self._questions = frozenset(questions)
        self._flying = 0
        self._until_s: dict[str, float] = {}
        self._kept: list[_Kept] = []
        self._row: Counter[str] = Counter()  # refusals of a host, one after the other
        self._finds: list[Find] = []

    def propose(self) -> Step | None:
        """Return a step that was kept back and may go, else the inner strategy's for a host awake.

        Where nothing else is left to do, the step whose host wakes first goes, and the web waits.
        """
        for number, kept in enumerate(self._kept):
            if self._wakes_s(kept.host) <= self._now_s:
                return self._go(self._kept.pop(number).step)
        refused = 0
        while len(self._kept) < MAX_KEPT and refused < MOST_REFUSED:
            step = self.inner.propose()
            if step is None:
                break
            host = origin(step.request.url)
            if self._wakes_s(host) <= self._now_s:
                return self._go(step)
            if self._may_wait(step, host):
                self._kept.append(_Kept(step, host))
            else:
                refused += 1
                self._refuse(step)
        if self._flying or not self._kept:
            return None
        wakes_s = [self._wakes_s(kept.host) for kept in self._kept]
        first = wakes_s.index(min(wakes_s))
        return self._go(self._kept.pop(first).step)

    def _wakes_s(self, host: str) -> float:
        return max(self._until_s.get(host, 0.0), self._next_s.get(host, 0.0))

    def _go(self, step: Step) -> Step:
        self._flying += 1
        if self._spacing and step.request.delay_s:
            # Until its answer is in nobody knows when it left; another one could only wait.
            self._next_s[origin(step.request.url)] = float("inf")
        return step

    def _may_wait(self, step: Step, host: str) -> bool:
        if step.reason.kind not in self._questions:
            return True
        kept = sum(one.host == host for one in self._kept)
        return kept < MAX_QUESTIONS and self._row[host] < STORM

    def _refuse(self, step: Step) -> None:
        """Tell the inner strategy what the host said last; nothing is sent or spent."""
        self._finds += self.inner.observe(step, self._withheld(step, 503))

    def observe(self, step: Step, response: Response) -> list[Find]:
        """Take note of a host that wants a rest; hand every answer on."""
        self._flying -= 1
        self._hear_time(response)
        host = origin(step.request.url)
        if self._next_s.pop(host, 0.0) and response.sent == "yes":
            self._next_s[host] = response.at_s - response.took_s + step.request.delay_s
            if len(self._next_s) > MAX_SPACED:
                self._next_s = {h: s for h, s in self._next_s.items() if s > self._now_s}
        if response.sent != "yes" or response.final:
            pass  # the host was not asked, or another guard sees to it
        elif response.status in (429, 503):
            rest_s = retry_after_s(response) or REST_S
            until_s = response.at_s + min(rest_s, MAX_RETRY_AFTER_S)
            self._until_s[host] = max(self._until_s.get(host, 0.0), until_s)
            self._row[host] += 1
        elif response.status and host in self._until_s:
            del self._until_s[host], self._row[host]
        self._finds += self.inner.observe(step, response)
        self._give_up(host)
        finds, self._finds = self._finds, []
        return finds

    def _give_up(self, host: str) -> None:
        """Refuse the questions that are kept for a host which goes on refusing."""
        if self._row[host] < STORM:
            return
        asked = [
            one
            for one in self._kept
            if one.host == host and one.step.reason.kind in self._questions
        ]
        self._kept = [one for one in self._kept if one not in asked]
        for one in asked:
            self._refuse(one.step)

    def upgrade(self, state: dict[str, Any]) -> dict[str, Any]:
        """Return a state with what was counted; once nothing was."""
        return {"row": {}, "next_s": {}} | state

    def summary(self) -> Summary:
        """Return the inner strategy's summary, and the hosts that rest."""
        return {**self.inner.summary(), "resting": len(self._until_s)}
