"""Forecasts against what came."""

import asyncio

import pytest

from experiments.decision import Nowhere
from experiments.forecast import Course, Look, Watched
from filon.core import Account, Budget, drive
from filon.page.types import Types
from filon.testing.site import ToySite
from filon.verbs.harvest.strategies import build
from filon.verbs.harvest.strategies.brief import Brief


def look(requests: int, mean: float | None, spread: float, left: int) -> Look:
    return Look(requests=requests, mean=mean, spread=spread, left=left)


def test_a_forecast_holds_within_two_spreads() -> None:
    assert look(1, 10, 5, 20).holds
    assert not look(1, 10, 5, 21).holds


def test_a_course_tells_how_far_its_forecasts_were_off() -> None:
    told = [look(25, 40, 10, 75), look(50, 50, 10, 50), look(75, 8, 1, 3), look(100, 0, 0, 0)]
    looks = (look(5, None, 0, 99), *told)
    course = Course(site="a", targets=100, looks=looks)
    assert course.at(0.5) is looks[2]
    assert course.told == told
    assert course.error == pytest.approx((0.35 + 0.05) / 4)
    assert course.covered == 0.5
    assert course.covered_before == pytest.approx(1 / 3)
    assert course.late == pytest.approx(0.05)


def test_being_asked_for_its_forecast_does_not_change_a_crawl() -> None:
    def crawled(every: int) -> Watched:
        site = ToySite()
        brief = Brief(start=site.start, types=Types.parse("csv"), stop="never")
        watched = Watched(build("vein", brief), every)
        asyncio.run(drive(watched, site, Account(Budget()), Nowhere()))
        return watched

    often, never = crawled(3), crawled(1 << 62)
    assert often.requests == never.requests
    assert never.told == []
    assert [requests for requests, *_ in often.told[:3]] == [3, 6, 9]
    assert often.told[-1][1] == often.finds == never.finds
