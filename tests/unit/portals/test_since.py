"""What has changed since a moment, asked of every portal software that can tell."""

import json
import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from filon.core import Request, Response
from filon.portals import ADAPTERS, Dataset, Listing, TellsChanges, Walk
from filon.portals.since import recent
from unit.portals.answers import changed
from unit.portals.answers.changed import ALL, CHANGED, SINCE
from unit.portals.answers.repositories import oai_answer
from unit.portals.catalogue import ROOT
from unit.portals.listing import Catalogue, list_all
from unit.portals.test_portals_all import sick
from unit.services.server import Call, Reply

#: The adapter, its answers, the portal's root, and the calls for 1,000 changed datasets of 3,000.
PORTALS: dict[str, tuple[str, Callable[[Call], Reply], str, int]] = {
    "ckan": ("ckan", changed.ckan, f"{ROOT}/data", 2),
    "ckan, 100 rows": ("ckan", lambda c: changed.ckan(c, 100), ROOT, 11),
    "ckan, no activities": ("ckan", lambda c: changed.ckan(c, activity=False), ROOT, 2),
    "socrata": ("socrata", changed.socrata, ROOT, 2),
    "oai-pmh": ("oai-pmh", changed.oai, ROOT, 10),
    "opendatasoft": ("opendatasoft", changed.opendatasoft, ROOT, 10),
    "dataverse": ("dataverse", changed.dataverse, ROOT, 2),
    "inveniordm": ("inveniordm", changed.inveniordm, ROOT, 10),
    "geonetwork": ("geonetwork", changed.geonetwork, f"{ROOT}/geonetwork", 2),
    "data.json": ("dcat-us", changed.data_json, ROOT, 1),
    "dkan": ("dkan", changed.data_json, ROOT, 1),
    "arcgis hub": ("arcgishub", changed.data_json, ROOT, 1),
    "dcat-ap": ("dcat-ap", changed.dcat_ap, ROOT, 10),
    "sitemaps": ("sitemap", changed.sitemap, ROOT, 3),
}
every_portal = pytest.mark.parametrize("name", PORTALS)
TELLING = [portal for portal in ADAPTERS.values() if isinstance(portal, TellsChanges)]


def changes(name: str, tmp_path: Path) -> Catalogue:
    adapter, reply, root, _ = PORTALS[name]
    return list_all(adapter, root, reply, tmp_path, since=SINCE)


@every_portal
def test_all_that_changed_is_listed_for_a_call_a_hundred_and_two(name: str, tmp_path: Path) -> None:
    listing = changes(name, tmp_path)
    numbers = [int(re.findall(r"\d+", dataset.id)[-1]) for dataset in listing.datasets]
    assert sorted(numbers) == [row.number for row in CHANGED]
    assert not any(page.problem for page in listing.pages)
    assert listing.calls == PORTALS[name][3]
    assert listing.calls <= len(CHANGED) / 100 + 2


def test_a_portal_without_changes_costs_two_calls_at_most(tmp_path: Path) -> None:
    for name in ("ckan", "socrata", "oai-pmh"):
        adapter, reply, root, _ = PORTALS[name]
        later = SINCE.replace(year=2027)

        def none(call: Call, reply: Callable[[Call], Reply] = reply) -> Reply:
            """Hold what the portal is asked to the answer of one that has nothing new."""
            if "package_search" in call.path:
                assert "2027-06-15T11:00:00Z" in call.params["fq"]
                said = {"success": True, "result": {"count": 0, "results": []}}
                return 200, {"Content-Type": "application/json"}, json.dumps(said).encode()
            if call.params.get("verb") == "ListRecords":
                assert call.params["from"] == "2027-06-15"
                error = oai_answer('<error code="noRecordsMatch">none</error>')
                return 200, {"Content-Type": "text/xml"}, error
            return reply(call)

        listing = list_all(adapter, root, none, tmp_path, since=later)
        assert (listing.datasets, listing.gone) == ([], [])
        assert listing.calls <= 2


def test_repositories_and_ckan_tell_what_was_deleted(tmp_path: Path) -> None:
    assert changes("oai-pmh", tmp_path).gone == ["oai:gone"]
    assert changes("ckan", tmp_path).gone == ["uuid-gone"]
    assert changes("ckan, no activities", tmp_path).gone == []


@pytest.mark.parametrize("name", ["data.json", "dkan", "arcgis hub"])
def test_a_list_of_all_names_what_is_the_same_so_that_the_missing_has_vanished(
    name: str, tmp_path: Path
) -> None:
    listing = changes(name, tmp_path)
    assert listing.whole
    assert len(listing.same) == len(ALL) - len(CHANGED)
    assert not set(listing.same) & {dataset.id for dataset in listing.datasets}
    assert not changes("socrata", tmp_path).whole


def test_zenodo_gives_twenty_five_a_call(tmp_path: Path) -> None:
    def zenodo(call: Call) -> Reply:
        return changed.inveniordm(call, 25)

    listing = list_all("inveniordm", ROOT, zenodo, tmp_path, since=SINCE)
    assert len(listing.datasets) == len(CHANGED)
    assert listing.calls == 1 + len(CHANGED) / 25


def test_a_portal_that_refuses_the_filter_is_asked_for_all(tmp_path: Path) -> None:
    def old(call: Call) -> Reply:
        return changed.opendatasoft(call, filters=False)

    listing = list_all("opendatasoft", ROOT, old, tmp_path, since=SINCE)
    assert {dataset.id for dataset in listing.datasets} == {row.id for row in CHANGED}
    assert listing.calls == 1 + len(ALL) / 100


def test_a_portal_that_knows_no_dates_is_asked_for_all() -> None:
    portal = ADAPTERS["datasette"]
    assert not isinstance(portal, TellsChanges)
    walk = Walk(portal, ROOT, since=SINCE)
    assert walk.next() == portal.begin(ROOT)
    assert walk.whole


def test_more_new_datasets_than_offsets_reach_are_found_by_a_walk_through_all() -> None:
    portal = ADAPTERS["socrata"]
    assert isinstance(portal, TellsChanges)
    first = portal.since(ROOT, SINCE)
    url = first.url.replace("offset=0", "offset=9100").replace("limit=100", "limit=1000")
    new = {"id": "aaaa-0001", "updatedAt": "2026-06-20T00:00:00.000Z"}
    body = json.dumps({"results": [{"resource": new}] * 1000, "resultSetSize": 20_000}).encode()
    listing = portal.changes(Response(url=url, status=200, body=body), SINCE)
    assert listing.more == portal.begin(ROOT)
    assert len(listing.datasets) == 1000


def test_a_date_counts_until_its_day_is_over_and_what_has_none_is_kept() -> None:
    dates = ("2026-06-15", "2026-06-14", "R/P1D", "", "2026-06-15T12:00:00", "2026-06-15T11:59:59")
    datasets = tuple(Dataset(id=str(n), modified=date) for n, date in enumerate(dates))
    listing = recent(Listing(datasets=datasets), SINCE + timedelta(microseconds=7))
    assert [dataset.id for dataset in listing.datasets] == ["0", "2", "3", "4"]
    assert listing.same == ("1", "5")


@pytest.mark.parametrize("portal", TELLING, ids=lambda portal: portal.name)
def test_every_kind_of_failure_is_a_problem_and_nothing_is_raised(portal: TellsChanges) -> None:
    for response in sick(portal.since(ROOT, SINCE)):
        page = portal.changes(response, SINCE)
        assert (page.datasets, page.gone) == ((), ())
        assert page.problem or page.more


def test_what_ckan_says_of_deletions_may_be_anything() -> None:
    portal = ADAPTERS["ckan"]
    assert isinstance(portal, TellsChanges)
    activity = f"{ROOT}/api/3/action/recently_changed_packages_activity_list"
    for response in sick(Request(url=activity)):
        assert portal.changes(response, SINCE) == Listing()


@pytest.mark.parametrize("portal", TELLING, ids=lambda portal: portal.name)
def test_an_answer_from_another_address_is_survived(portal: TellsChanges) -> None:
    for response in sick(Request(url="https://elsewhere.test/moved")):
        assert portal.changes(response, SINCE).datasets == ()
