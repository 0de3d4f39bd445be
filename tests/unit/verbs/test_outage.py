import pytest

from filon.core import MachineError, Request, Response, Step
from filon.verbs.outage import FAILURES, Blackout, Outage

HERE, ELSEWHERE = "http://a.test/x", "http://old.a.test/"


def watch(outage: Outage, url: str, **answer: str | int) -> None:
    step = Step(request=Request(url=url))
    outage.watch(step, Response(url=url, **answer), [])  # type: ignore[arg-type]


@pytest.mark.parametrize("error", ["dns", "connect"])
def test_a_site_that_has_gone_ends_the_sitting(error: str) -> None:
    outage = Outage("http://a.test/")
    for _ in range(FAILURES - 1):
        watch(outage, HERE, error=error)
    with pytest.raises(MachineError, match="resume"):
        watch(outage, HERE, error=error)


def failures_it_takes(outage: Outage) -> int:
    for number in range(1, 10 * FAILURES):
        try:
            watch(outage, HERE, error="connect")
        except MachineError:
            return number
    return 0


def test_an_answer_in_between_shows_that_it_is_there() -> None:
    outage = Outage("http://a.test/")
    for _ in range(FAILURES - 1):
        watch(outage, HERE, error="connect")
    watch(outage, HERE, status=500)
    assert failures_it_takes(outage) == FAILURES


def test_dead_links_to_other_hosts_do_not_count() -> None:
    outage = Outage("http://a.test/")
    for _ in range(3 * FAILURES):
        watch(outage, ELSEWHERE, error="dns")
    assert failures_it_takes(outage) == FAILURES


def test_hosts_that_never_answered_are_no_blackout() -> None:
    watch = Blackout().watch
    for number in range(3 * FAILURES):
        url = f"http://dead{number}.org/"
        watch(Step(request=Request(url=url)), Response(url=url, error="dns"), [])


def test_hosts_that_answered_before_and_are_all_gone_end_the_sitting() -> None:
    watch = Blackout().watch
    urls = [f"http://a{number}.org/" for number in range(FAILURES)]
    for url in urls:
        watch(Step(request=Request(url=url)), Response(url=url, status=404), [])
    for url in urls[:-1]:
        watch(Step(request=Request(url=url)), Response(url=url, error="connect"), [])
    step = Step(request=Request(url=urls[-1]))
    with pytest.raises(MachineError, match="resume"):
        watch(step, Response(url=urls[-1], error="connect"), [])
