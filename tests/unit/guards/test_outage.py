"""An outage costs no URL: no socket, and time is what the answers say."""

import itertools
import random
from collections.abc import Callable, Sequence

import pytest

from filon.core import Response, Step
from filon.guards.outage import DOUBT, GONE_S, PROBES, SUSPECT, OutageGuard
from filon.guards.retry import RetryGuard
from filon.guards.robots import RobotsGuard
from unit.guards.inner import Listed, answer, run, thawed

A = "http://a.org"
URLS = [f"{A}/{n}" for n in range(40)]
Fault = Callable[[str], Response]
FAULTS: dict[str, Fault] = {
    "refused": lambda url: Response(url=url, error="connect"),
    "closed": lambda url: Response(url=url, error="closed"),
    "cut": lambda url: Response(url=url, status=200, error="closed"),
    "silent": lambda url: Response(url=url, error="timeout"),
    "no name": lambda url: Response(url=url, error="dns"),
    "500": lambda url: Response(url=url, status=500),
    "503": lambda url: Response(url=url, status=503),
    "521": lambda url: Response(url=url, status=521),
    "429": lambda url: Response(url=url, status=429),
    "503 for long": lambda url: Response(url=url, status=503, headers=(("Retry-After", "86400"),)),
}


class Site:
    """A web that is down from one answer on until another; it counts what it was asked.

    dead: pages that always fail. only: the one host that is down. later_s: the clock, when it is.
    """

    def __init__(
        self,
        fault: Fault,
        down: Sequence[int],
        dead: Sequence[str] = (),
        only: str = "",
        later_s: float = 0.0,
    ) -> None:
        self.fault, self.down, self.dead = fault, down, dead
        self.only, self.later_s = only, later_s
        self.asked: list[str] = []

    def answer(self, step: Step) -> Response:
        url, number = step.request.url, len(self.asked)
        self.asked.append(url)
        at_s = max(float(number) + self.later_s, step.request.not_before_s)
        if url in self.dead or (number in self.down and url.startswith(self.only)):
            bad = self.fault(url)
            return Response(
                url=url, status=bad.status, error=bad.error, headers=bad.headers, at_s=at_s
            )
        return Response(url=url, status=404 if url.endswith("robots.txt") else 200, at_s=at_s)


def guarded(inner: Listed) -> OutageGuard:
    return OutageGuard(RetryGuard(RobotsGuard(inner, "filon")), [A])


def drive(guard: OutageGuard, site: Site, parallel: int = 1, seed: int = 0) -> None:
    """Ask and answer until there is nothing more."""
    chance, flying = random.Random(seed), list[Step]()
    while True:
        while len(flying) < parallel and (step := guard.propose()):
            flying.append(step)
        if not flying:
            return
        step = flying.pop(chance.randrange(len(flying)))
        guard.observe(step, site.answer(step))
        assert len(site.asked) < 2000, "it does not end"


def fetched(inner: Listed) -> set[str]:
    return {step.request.url for step, response in inner.seen if response.ok}


def never_retried(inner: Listed) -> OutageGuard:
    return OutageGuard(RetryGuard(RobotsGuard(inner, "filon"), 1), [A], retried=False)


BOTH_WAYS = pytest.mark.parametrize(
    "guarded", [guarded, never_retried], ids=["retried", "never retried"]
)
Guarded = Callable[[Listed], OutageGuard]


def passes(made: Guarded, fault: Fault, when: range, parallel: int) -> None:
    """Hold a guard to an outage that passes, while some of the requests are sent."""
    inner = Listed(URLS)
    guard = made(inner)
    drive(guard, Site(fault, when), parallel)
    if guard.summary().get("stopped") == "outage":  # it was asked to come back much later
        drive(guard, Site(fault, range(0)), parallel)
    assert fetched(inner) == set(URLS), when
    assert len(inner.seen) == len(URLS)


@pytest.mark.parametrize("fault", FAULTS.values(), ids=list(FAULTS))
@pytest.mark.parametrize("parallel", [1, 4])
@pytest.mark.parametrize("first", [2, 3, 20, 39, 40, 41])
def test_an_outage_that_passes_costs_no_url(fault: Fault, parallel: int, first: int) -> None:
    for length in (1, 2, 4, 7, 9):
        passes(guarded, fault, range(first, first + length), parallel)


@pytest.mark.parametrize("fault", FAULTS.values(), ids=list(FAULTS))
@pytest.mark.parametrize("parallel", [1, 4])
def test_without_retries_an_outage_that_passes_costs_no_url_either(
    fault: Fault, parallel: int
) -> None:
    for first, length in itertools.product((2, 3, 20, 37, 38), (DOUBT, 4, 7, 9)):
        passes(never_retried, fault, range(first, first + length), parallel)


@BOTH_WAYS
@pytest.mark.parametrize("fault", FAULTS.values(), ids=list(FAULTS))
@pytest.mark.parametrize("parallel", [1, 4])
def test_an_outage_that_lasts_ends_the_run_which_goes_on_from_its_state(
    guarded: Guarded, fault: Fault, parallel: int
) -> None:
    for first in (2, 3, 11, 38, 39, 40):
        inner = Listed(URLS)
        guard = guarded(inner)
        site = Site(fault, range(first, 10**6))
        drive(guard, site, parallel, seed=first)
        told = guard.summary()
        assert told["stopped"] == "outage"
        assert "a.org" in told["note"]
        assert "resume" in told["note"]
        assert len(site.asked) <= first + SUSPECT + 2 * parallel + PROBES
        again = Listed(URLS)
        later = guarded(again)
        later.restore(thawed(guard.state()))
        again.seen = list(inner.seen)
        drive(later, Site(fault, range(0)), parallel)
        assert fetched(again) == set(URLS), first
        assert "stopped" not in later.summary()


@BOTH_WAYS
@pytest.mark.parametrize("fault", FAULTS.values(), ids=list(FAULTS))
def test_a_host_that_comes_and_goes_costs_no_url(guarded: Guarded, fault: Fault) -> None:
    """It is there for one answer, and down again: what was kept fails a second time."""
    inner = Listed(URLS)
    guard = guarded(inner)
    down = [n for n in range(11, 60) if n not in (24, 40)]
    drive(guard, Site(fault, down))
    if guard.summary().get("stopped") == "outage":
        drive(guard, Site(fault, range(0)))
    assert fetched(inner) == set(URLS)
    assert len(inner.seen) == len(URLS)


@BOTH_WAYS
@pytest.mark.parametrize("fault", FAULTS.values(), ids=list(FAULTS))
def test_pages_that_are_broken_are_no_outage(guarded: Guarded, fault: Fault) -> None:
    for dead in (URLS[5:6], URLS[5:25], URLS[-1:], URLS[-20:], URLS[1::2]):
        inner = Listed(URLS)
        guard = guarded(inner)
        site = Site(fault, range(0), dead)
        drive(guard, site)
        told = guard.summary()
        if fault is FAULTS["503 for long"] and told.get("stopped"):
            continue  # the whole host is left alone for a day, as it asks
        assert "stopped" not in told
        assert fetched(inner) == set(URLS) - set(dead)
        assert len(inner.seen) == len(URLS)
        assert len(site.asked) < len(URLS) + 9 * len(dead) + 10


def test_a_page_that_fails_among_others_costs_what_it_did_before() -> None:
    site = Site(FAULTS["500"], range(0), [URLS[5]])
    drive(guarded(Listed(URLS)), site)
    assert site.asked.count(URLS[5]) == 3
    assert len(site.asked) == len(URLS) + 3  # robots.txt, and two more tries


@pytest.mark.parametrize("fault", [FAULTS["closed"], FAULTS["503"]], ids=["closed", "503"])
def test_without_retries_a_page_that_fails_is_asked_once(fault: Fault) -> None:
    dead = [URLS[5], URLS[20], URLS[-1]]
    inner = Listed(URLS)
    site = Site(fault, range(0), dead)
    drive(never_retried(inner), site)
    assert fetched(inner) == set(URLS) - set(dead)
    assert len(inner.seen) == len(URLS)
    assert [site.asked.count(url) for url in dead] == [1, 1, 1]
    assert len(site.asked) == len(URLS) + 2  # robots.txt, and whether the host is there at the end


@BOTH_WAYS
def test_a_host_is_there_although_its_last_good_page_broke(guarded: Guarded) -> None:
    inner = Listed(URLS)
    guard = guarded(inner)
    site = Site(FAULTS["silent"], range(0))
    for _ in range(11):
        step = guard.propose()
        assert step
        guard.observe(step, site.answer(step))
    site.dead = [url for url in URLS if url != URLS[0]]  # the last good page, too
    drive(guard, site)
    assert "stopped" not in guard.summary()
    assert fetched(inner) == set(URLS[:10])
    assert len(inner.seen) == len(URLS)
    assert max(site.asked.count(url) for url in URLS[10:]) <= 9


@pytest.mark.parametrize("server", ["flips", "robots.txt only"])
def test_a_host_that_answers_nothing_but_what_it_is_probed_for_does_not_keep_a_run(
    server: str,
) -> None:
    """Each good answer lets all that is kept go again: that has an end."""
    inner = Listed(URLS)
    guard = never_retried(inner)
    site = Site(FAULTS["503"], range(0), URLS[1:] if server == "flips" else URLS)
    asked = site.asked
    for _ in range(3):
        step = guard.propose()
        assert step
        guard.observe(step, site.answer(step))
    while step := guard.propose():
        bad = step.request.url in site.dead or len(asked) % 2
        asked.append(step.request.url)
        at_s = max(float(len(asked)), step.request.not_before_s)
        guard.observe(step, Response(url=asked[-1], status=503 if bad else 200, at_s=at_s))
        assert len(asked) < 1000, "it does not end"
    assert "stopped" not in guard.summary()
    assert len(inner.seen) == len(URLS)


def test_what_is_in_doubt_is_told_as_it_came_also_after_a_visit_to_the_disk() -> None:
    inner, answers = Listed(URLS[:3]), dict[str, Response]()
    guard = never_retried(inner)
    answers[URLS[1]] = Response(
        url=URLS[1], status=503, headers=(("Server", "x"),), body=b"Are you human?", at_s=3.0
    )
    for _ in range(3):
        step = guard.propose()
        assert step
        guard.observe(step, answer(step, answers))
    assert [step.request.url for step, _ in inner.seen] == URLS[:1]
    again = Listed(URLS[:3])
    later = never_retried(again)
    later.restore(thawed(guard.state()))
    run(later, answers)
    assert [response for _, response in again.seen][:1] == [answers[URLS[1]]]
    assert [response.url for _, response in again.seen] == URLS[1:3]


def test_without_a_network_and_without_retries_no_new_host_is_lost() -> None:
    urls = [A + "/0", *(f"http://h{n}.org/" for n in range(30))]
    for first in range(2, 12):
        inner = Listed(urls)
        guard = never_retried(inner)
        drive(guard, Site(FAULTS["refused"], range(first, 10**6)))
        assert guard.summary()["stopped"] == "outage"
        drive(guard, Site(FAULTS["refused"], range(0)))
        assert fetched(inner) == set(urls), first


@pytest.mark.parametrize("parallel", [1, 4])
def test_without_retries_a_short_outage_of_the_network_costs_no_page_of_many_hosts(
    parallel: int,
) -> None:
    """No host fails more than once or twice, but nobody answers."""
    urls = [f"http://h{n % 12}.org/{n}" for n in range(60)]
    for first, length in itertools.product((20, 41, 60, 64), (4, 8)):
        inner = Listed(urls)
        guard = never_retried(inner)
        drive(guard, Site(FAULTS["503"], range(first, first + length)), parallel, seed=first)
        assert fetched(inner) == set(urls), (first, length)
        assert len(inner.seen) == len(urls)


def test_a_question_that_is_not_repeated_is_not_lost_either() -> None:
    inner = Listed(URLS, method="POST")
    guard = OutageGuard(RetryGuard(inner), [A])
    drive(guard, Site(FAULTS["refused"], range(10, 10**6)))
    assert guard.summary()["stopped"] == "outage"
    drive(guard, Site(FAULTS["refused"], range(0)))
    assert fetched(inner) == set(URLS)


def test_a_state_without_doubts_is_read() -> None:
    guard = guarded(Listed(URLS))
    drive(guard, Site(FAULTS["refused"], range(5, 10**6)))
    state = thawed(guard.state())
    for host in state["hosts"].values():
        del host["early"]
    del state["doubts"], state["again"]
    inner = Listed(URLS)
    later = guarded(inner)
    later.restore(state | {"version": 1})
    drive(later, Site(FAULTS["refused"], range(0)))
    assert len(fetched(inner)) == len(URLS) - 4


def test_hosts_that_never_answered_are_told_at_once() -> None:
    dead = [f"http://dead{n}.org/" for n in range(30)]
    urls = [url for pair in zip(URLS, dead, strict=False) for url in pair]
    inner = Listed(urls)
    guard = OutageGuard(inner, [A])
    drive(guard, Site(FAULTS["no name"], range(0), dead))
    assert len(inner.seen) == len(urls)
    assert "stopped" not in guard.summary()


def test_without_a_network_hosts_that_were_never_asked_are_kept_too() -> None:
    urls = [A + "/0", *(f"http://h{n}.org/" for n in range(30))]
    inner = Listed(urls)
    guard = guarded(inner)
    drive(guard, Site(FAULTS["refused"], range(8, 10**6)), parallel=2)
    assert guard.summary()["stopped"] == "outage"
    drive(guard, Site(FAULTS["refused"], range(0)), parallel=2)
    assert fetched(inner) == set(urls)


B = "http://b.org"
BOTH = [f"{host}/{n}" for n in range(20) for host in (A, B)]
B_IS_DOWN = range(12, 10**6)


def test_one_host_that_is_out_does_not_keep_the_others() -> None:
    inner = Listed(BOTH)
    guard = OutageGuard(RetryGuard(inner), [A])
    drive(guard, Site(FAULTS["closed"], B_IS_DOWN, only=B), parallel=2)
    assert guard.summary()["stopped"] == "outage"
    assert {url for url in BOTH if url.startswith(A)} <= fetched(inner)
    drive(guard, Site(FAULTS["closed"], range(0)), parallel=2)
    assert fetched(inner) == set(BOTH)


@pytest.mark.parametrize(("homes", "stopped"), [([A], None), ([A, B], "outage")])
def test_a_host_that_was_out_for_an_hour_is_gone_unless_the_run_is_about_it(
    homes: list[str], stopped: str | None
) -> None:
    inner = Listed(BOTH)
    guard = OutageGuard(inner, homes)
    drive(guard, Site(FAULTS["silent"], B_IS_DOWN, only=B))
    assert guard.summary()["stopped"] == "outage"
    drive(guard, Site(FAULTS["silent"], range(10**6), only=B, later_s=GONE_S + 1000))
    assert guard.summary().get("stopped") == stopped
    assert (len(inner.seen) == len(BOTH)) == (stopped is None)


def test_a_service_that_another_can_stand_in_for_is_not_waited_for() -> None:
    inner = Listed(URLS)
    guard = OutageGuard(inner, exempt=["link"])
    drive(guard, Site(FAULTS["refused"], range(5, 10**6)))
    assert len(inner.seen) == len(URLS)
    assert "stopped" not in guard.summary()


def test_a_state_from_before_this_guard_is_read_and_knows_the_start() -> None:
    old = RetryGuard(Listed(URLS))
    for _ in range(3):
        step = old.propose()
        assert step
        old.observe(step, Response(url=step.request.url, status=200, at_s=1.0))
    inner = Listed(URLS)
    guard = OutageGuard(RetryGuard(inner), [A])
    guard.restore(thawed(old.state()))
    drive(guard, Site(FAULTS["refused"], range(10**6)))
    assert guard.summary()["stopped"] == "outage"
    drive(guard, Site(FAULTS["refused"], range(0)))
    assert fetched(inner) == set(URLS[3:])
