import pytest

from filon.dispatch.estimate import estimate, usual_budget
from filon.services.source import Source
from filon.verbs.discover import DiscoverSettings
from filon.verbs.enrich import EnrichSettings
from filon.verbs.harvest import HarvestSettings


def test_a_host_is_spaced_however_many_are_in_flight() -> None:
    for parallel in (1, 8):
        told = estimate(HarvestSettings(url="https://a.test/", budget="600", parallel=parallel))
        assert (told.requests, told.seconds) == (600, 600.0)


def test_many_hosts_are_asked_in_turn() -> None:
    settings = DiscoverSettings(topic="bees", budget="600", parallel=8)
    assert estimate(settings).seconds == 75.0


def test_the_nearer_bound_tells_how_long() -> None:
    told = estimate(HarvestSettings(url="https://a.test/", budget="6000req,1h,2MB,5finds"))
    assert (told.seconds, told.bytes, told.finds) == (3600.0, 2_000_000, 5)
    assert estimate(HarvestSettings(url="https://a.test/", budget="2MB")).seconds is None


def test_what_is_less_polite_is_said() -> None:
    told = estimate(HarvestSettings(url="https://a.test/", delay=0.1, robots=False))
    assert len(told.deviations) == 2
    assert not told.robots


def test_calls_cost_what_the_service_says() -> None:
    settings = EnrichSettings(table="a.csv", source="openalex", add="doi", budget="200", delay=0.1)
    told = estimate(settings, Source.load("openalex"))
    assert told.price == pytest.approx(0.2)
    assert told.currency == "USD"
    assert told.quota == "1000/day"


def test_every_verb_has_a_usual_budget() -> None:
    assert usual_budget("harvest") == "500"
    assert usual_budget("somebody's") == "500"
