"""A strategy round another that asks again: a busy server is not a dead link.

A step that failed in passing is proposed again, later; the inner strategy sees only the last
answer. Each try is a step, seen and paid for. The clock is `Response.at_s`: a retry that is due
by the newest answer goes first, one that is not waits until nothing else is left to do and then
leaves with the time before which it must not (`Request.not_before_s`).

A page that redirects to itself and sets a cookie wants it back: it is asked for once more, at once.
"""

from dataclasses import dataclass, replace

from filon.core import Find, Response, Step, Strategy, Summary
from filon.core.abilities import TimedGuard
from filon.core.forms import each, pairs, row
from filon.core.state import stored, version
from filon.core.step import STEP
from filon.page.url import join

#: The wait doubles from the base up to this.
MAX_WAIT_S = 60.0
#: A server that asks for more than an hour is taken at its word: not in this run.
MAX_RETRY_AFTER_S = 3600.0
#: Steps that wait: beyond them the whole site fails, and waiting for each helps nobody.
MAX_WAITING = 1_000
_PASSING_ERRORS = frozenset({"timeout", "connect", "closed"})
#: Of 5xx, those by which a server says that it never will.
_LASTING_STATUSES = frozenset({501, 505, 506, 508, 510, 511})


@dataclass(frozen=True, slots=True)
class _Retry:
    """The step to try again, how often it was sent, when it may be again, and why."""

    due_s: float
    number: int
    step: Step
    sent: int
    why: str


_RETRY = row(_Retry, step=STEP)


class RetryGuard(TimedGuard):
    """A strategy that does what another one wants, more than once where need be.

    tries: how often a step is sent at most, the first time included.
    base_s: the first wait; each further one is twice as long.

    A server is busy in every tenth second:

    >>> from filon.testing import Listed, play
    >>> def says(url, at_s):
    ...     return Response(url=url, status=503 if at_s % 10 == 0 else 200, at_s=at_s)
    >>> pages = [f"http://a.org/{number}" for number in range(100)]
    >>> for strategy in (Listed(pages), RetryGuard(Listed(pages))):
    ...     run = play(strategy, says)
    ...     print(f"{len(run.finds)} pages in {len(run.steps)} requests")
    90 pages in 100 requests
    100 pages in 111 requests

    Reference: RFC 9110, sections 9.2.2 (which methods may be repeated) and 10.2.3 (Retry-After);
    RFC 6585, section 4 (429).
    """

    STATE = (
        version(1),
        "_reached",
        "_retries",
        stored("_later", each(_RETRY)),
        stored("_flying", pairs(_RETRY, keys=STEP)),
    )

    def __init__(self, inner: Strategy, tries: int = 3, *, base_s: float = 1.0) -> None:
        super().__init__(inner)
        self._tries = tries
        self._base_s = base_s
        self._reached = False
        self._retries = 0
        self._later: list[_Retry] = []
        self._flying: dict[Step, _Retry] = {}

    def propose(self) -> Step | None:
        """Return a retry that is due, else the inner strategy's step, else the next retry."""
        next_up = min(self._later, key=lambda retry: (retry.due_s, retry.number), default=None)
        if next_up and next_up.due_s <= self._now_s:
            return self._again(next_up)
        return self.inner.propose() or (self._again(next_up) if next_up else None)

    def observe(self, step: Step, response: Response) -> list[Find]:
        """Hand a last answer on; keep a step for later that is worth another try."""
        self._hear_time(response)
        self._reached = self._reached or response.status > 0
        before = self._flying.pop(step, None)
        first, sent = (before.step, before.sent) if before else (step, 1)
        wait_s = self._wait_s(response, sent) if self._passing(first, response) else -1.0
        if wait_s < 0 or sent >= self._tries or len(self._later) >= MAX_WAITING:
            return self.inner.observe(first, response)
        self._retries += 1
        due_s = response.at_s + wait_s
        self._later.append(_Retry(due_s, self._retries, first, sent, why(response)))
        return []

    def _passing(self, step: Step, response: Response) -> bool:
        """Say whether the failure may be over the next time, and asking again does no harm."""
        if response.sent != "yes" or response.final:
            return False  # what is at hand says the same the next time
        if step.request.method not in ("GET", "HEAD"):
            return False
        if response.error == "dns":
            # A name that resolved before; one that never did is wrong.
            return self._reached
        whole = not response.error or response.error == "headers"  # these may have fallen short
        if _wants_cookie(response):
            return True
        return is_passing(response) or (whole and _fell_short(step, response))

    def _wait_s(self, response: Response, sent: int) -> float:
        """Return the seconds to wait; -1 if the server asks for more than a run can wait."""
        if response.cut == "budget" or _wants_cookie(response):
            return 0.0 if sent == 1 else -1.0
        asked_s = retry_after_s(response)
        if asked_s > MAX_RETRY_AFTER_S:
            return -1.0
        return max(asked_s, min(MAX_WAIT_S, self._base_s * 2.0 ** (sent - 1)))

    def _again(self, retry: _Retry) -> Step:
        self._later.remove(retry)
        first = retry.step
        text = f"{retry.why}: try {retry.sent + 1} of {self._tries}"
        step = replace(
            first,
            request=replace(first.request, not_before_s=retry.due_s),
            reason=replace(first.reason, kind="retry", text=text),
        )
        self._flying[step] = replace(retry, sent=retry.sent + 1)
        return step

    def summary(self) -> Summary:
        """Return the inner strategy's summary, and how many retries there were."""
        return {**self.inner.summary(), "retries": self._retries}


def retry_after_s(response: Response) -> float:
    """Return the seconds that a Retry-After header asks for, given as such or as a date; else 0.

    >>> retry_after_s(Response(url="http://a.org/", status=429, headers=(("Retry-After", "7"),)))
    7.0
    """
    return response.retry_after_s or 0.0


def _fell_short(step: Step, response: Response) -> bool:
    """Say whether an answer was longer than its share of the bytes; next time it has them all."""
    return response.cut == "budget" and not step.request.begins


def _wants_cookie(response: Response) -> bool:
    """Say whether a page redirects to itself to see its cookie come back."""
    if not (response.redirects and response.header("set-cookie")):
        return False
    return join(response.url, response.header("location")) == response.url


def is_passing(response: Response) -> bool:
    """Say whether a failure may be over the next time.

    >>> [is_passing(Response(url="http://a.org/", status=status)) for status in (404, 501, 521)]
    [False, False, True]
    """
    if response.error:
        return response.error in _PASSING_ERRORS or response.error == "dns"
    status = response.status
    return status == 429 or (500 <= status < 600 and status not in _LASTING_STATUSES)


def why(response: Response) -> str:
    """Say in a clause what went wrong."""
    failures = {
        "timeout": "it took too long",
        "connect": "no connection could be made",
        "closed": "the connection broke off",
        "dns": "the host's name could not be looked up",
    }
    if response.cut == "budget":
        return "it was longer than its share of the bytes that are left"
    if _wants_cookie(response):
        return "the page wants its cookie back"
    if response.error:
        return failures.get(response.error, "it failed")
    return f"the server answered {response.status}"
