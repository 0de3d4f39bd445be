from pathlib import Path

import pytest

from experiments.follow.seeds import Remembering, course
from experiments.follow.w3id import W3idWeb
from experiments.follow.web import LodWeb


@pytest.fixture
def web(shared: Path) -> Remembering:
    return Remembering(LodWeb(shared / "data/follow", seed=7, hosts=60, things=400, manner="wild"))


def test_a_wild_web_has_names_that_live_and_names_that_do_not(web: Remembering) -> None:
    assert isinstance(web.web, LodWeb)
    plan = web.web.plan
    alive = sum(plan.has_rdf(place) for place in plan.places.values())
    assert 0.1 < alive / len(plan.places) < 0.5
    assert any("/obo/" in url for url in plan.places)


def test_a_course_ends_when_enough_was_found(web: Remembering) -> None:
    whole = course("bfs", web, 1)
    assert course("bfs", web, 1, 20) == whole[:20]


def test_lode_is_ahead_of_bfs_on_a_wild_web(web: Remembering) -> None:
    whole = course("bfs", web, 1)
    wanted = int(0.8 * len(whole))
    assert course("lode", web, 1, wanted)[-1] < 0.8 * whole[wanted - 1]


def test_lode_is_ahead_of_bfs_on_recorded_hosts(shared: Path) -> None:
    web = Remembering(W3idWeb(shared / "data/follow"))
    whole = course("bfs", web, 4)
    wanted = int(0.8 * len(whole))
    assert course("lode", web, 4, wanted)[-1] < 0.5 * whole[wanted - 1]
