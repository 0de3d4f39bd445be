"""Which guards stand round a strategy, and in which order."""

from typing import Any

import pytest

from filon.core import Response, Strategy
from filon.core.abilities import Guard
from filon.guards.stack import guarded
from unit.guards.inner import Listed, run
from unit.guards.meters import Toy

FULL: dict[str, Any] = {"robots": "filon", "retries": 2, "host_backoff": True}


def order(strategy: Strategy) -> list[str]:
    """The guards, from outside to inside."""
    names = []
    while isinstance(strategy, Guard):
        names.append(type(strategy).__name__)
        strategy = strategy.inner
    return names


@pytest.mark.parametrize(
    ("wanted", "guards"),
    [
        ({}, ["OutageGuard", "RetryGuard"]),
        ({"robots": "filon"}, ["OutageGuard", "RetryGuard", "RobotsGuard"]),
        ({"quota": Toy()}, ["QuotaGuard", "OutageGuard", "RetryGuard"]),
        ({"quota": {}}, ["QuotaGuard", "OutageGuard", "RetryGuard"]),
        (FULL, ["HostBackoff", "OutageGuard", "RetryGuard", "RobotsGuard"]),
        (
            {**FULL, "quota": Toy()},
            ["QuotaGuard", "HostBackoff", "OutageGuard", "RetryGuard", "RobotsGuard"],
        ),
    ],
)
def test_the_order_is_that_of_the_picture(wanted: dict[str, Any], guards: list[str]) -> None:
    assert order(guarded(Listed([]), **wanted)) == guards


def test_a_robots_txt_that_fails_is_asked_for_again_and_its_page_only_then() -> None:
    url = "http://a.org/robots.txt"
    steps = run(guarded(Listed(["http://a.org/1"]), **FULL), {url: Response(url=url, status=503)})
    assert [step.request.url for step in steps] == [url] * 3


def test_steps_that_need_no_permission_are_sent_at_once() -> None:
    steps = run(guarded(Listed(["http://a.org/1"]), robots="filon", unasked=["link"]), {})
    assert [step.request.url for step in steps] == ["http://a.org/1"]


def test_a_retry_is_counted_by_the_quota() -> None:
    url = "http://a.org/1"
    strategy = guarded(
        Listed([url]), retries=2, quota={"http://a.org": Toy(name="A")}, calls=["link", "retry"]
    )
    assert len(run(strategy, {url: Response(url=url, status=500)})) == 3
    assert strategy.summary()["services"]["A"]["calls"] == 3


@pytest.mark.parametrize(("others", "lost"), [([], 0), (["http://b.org"], 6)])
def test_without_retries_questions_wait_for_the_only_service(others: list[str], lost: int) -> None:
    """Another one would be asked, by who hears of the failure."""
    urls = [f"http://a.org/{n}" for n in range(20)]
    inner = Listed(urls)
    meters = {host: Toy(name=host) for host in ("http://a.org", *others)}
    strategy = guarded(inner, questions=["link"], quota=meters, calls=["link"])
    for count in range(100):
        step = strategy.propose()
        if step is None:
            break
        at_s = max(float(count), step.request.not_before_s)
        status = 503 if 8 <= count < 14 else 200
        strategy.observe(step, Response(url=step.request.url, status=status, at_s=at_s))
    assert len(inner.seen) == len(urls)
    assert sum(not response.ok for _, response in inner.seen) == lost
