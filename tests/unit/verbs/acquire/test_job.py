"""An acquisition before it begins: what it hands on, and what it refuses."""

from typing import Any

import pytest

from filon.core import UserError
from filon.verbs.acquire import AcquireSettings
from filon.verbs.acquire.job import AcquireJob
from filon.verbs.acquire.scope import Sites

SITES = ("http://a.test/", "http://b.test/")


def _job(**more: Any) -> AcquireJob:
    return AcquireJob(AcquireSettings(**{"sites": SITES, **more}))


def test_each_site_is_harvested_as_the_whole_was_asked_for(tmp_path: Any) -> None:
    job = _job(delay=3.0, types="csv", robots=False, harvest={"depth": 3.0, "exclude": "/old/*"})
    settings: Any = job._harvesting("http://a.test/")
    assert (settings.url, settings.delay, settings.types) == ("http://a.test/", 3.0, "csv")
    assert (settings.depth, settings.exclude, settings.robots) == (3, ("/old/*",), False)
    assert not settings.budget


def test_a_harvest_begins_with_pages_that_are_at_hand_unless_depth_is_bounded() -> None:
    read = ("http://a.test/data",)
    settings: Any = _job()._harvesting("http://a.test/", read)
    assert settings.more_urls == read
    bounded: Any = _job(harvest={"depth": 3.0})._harvesting("http://a.test/", read)
    assert bounded.more_urls == ()


def test_yes_and_no_may_be_typed() -> None:
    settings: Any = _job(harvest={"portals": "no"})._harvesting("http://a.test/")
    assert settings.portals is False


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"harvest": {"dept": 3}}, "depth"),
        ({"harvest": {"depth": "deep"}}, "Depth"),
        ({"harvest": {"url": "http://c.test/"}}, "setting for --harvest 'url'"),
        ({"harvest": {"sites": "s.txt"}}, "setting for --harvest 'sites'"),
        ({"harvest": {"delay": 0.0}}, "setting for --harvest 'delay'"),
        ({"harvest": {"verb": "follow"}}, "setting for --harvest 'verb'"),
        ({"topic": "bees", "discover": {"topic": "wasps"}}, "setting for --discover 'topic'"),
        ({"topic": "bees", "only": ("",)}, "--only must name a host"),
        ({"types": "nonsense"}, "nonsense"),
        ({"sites": ()}, "What is to be acquired"),
        ({"per_site": -1}, "-1"),
        ({"sites": ("ftp://a.test/",)}, "ftp"),
        ({"only": ("a.test/data",)}, "a.test/data"),
        ({"topic": "bees", "search": ("nobody",)}, "nobody"),
    ],
)
def test_what_is_not_understood_is_refused_before_anything_is_sent(
    more: dict[str, Any], said: str
) -> None:
    with pytest.raises(UserError, match=said):
        _job(**more)


def test_sites_of_which_none_is_wanted_are_refused() -> None:
    two = ("http://a.test/", "http://b.test/")
    with pytest.raises(UserError, match=r"^--only leaves none of the 2 sites\.$"):
        AcquireSettings(sites=two, only=("nowhere.test",))
    with pytest.raises(UserError, match=r"^--only leaves out http://a\.test/\.$"):
        AcquireSettings(sites=two[:1], only=("nowhere.test",))
    assert AcquireSettings(topic="food", sites=two, only=("nowhere.test",)).sites == two


def test_sites_and_the_search_for_more_are_what_it_begins_with() -> None:
    job = _job(topic="bees", search=("datacite",))
    known = Sites()
    names = [site.name for site in job.first_sites(known)]
    assert names == ["a.test", "b.test", "discover"]
    assert job.first_sites(known) == []
    assert job.name == "bees"
    assert "“bees” and the files of 2 sites" in job.what


def test_run_toml_holds_all_that_a_resume_needs() -> None:
    settings = _job(harvest={"depth": 2.0}, per_site=9, only=("a.test",)).settings
    assert AcquireSettings.of(settings.config()) == settings
