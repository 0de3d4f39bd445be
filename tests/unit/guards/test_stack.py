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
