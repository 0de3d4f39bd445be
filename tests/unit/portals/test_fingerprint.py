"""Which software a page comes from."""

import gzip
import json
from hashlib import sha256
from pathlib import Path

import pytest

from filon.core import Response
from filon.portals import ADAPTERS
from filon.portals.fingerprint import BY_FORMAT, guess, guess_by_address, places
from filon.portals.signals import known_signals

HTML = ("Content-Type", "text/html")
#: Pages as the software writes them, cut down to what matters.
PAGES = {
    "ckan": b'<meta name="generator" content="ckan 2.9.5"/><script src="/webassets/base/main.js">',
    "dkan": b'<p>Powered by <a href="https://getdkan.org">DKAN</a>, a project of CivicActions</p>',
    "socrata": b"<script>window.socrataConfig = {}</script><p>Powered by Socrata</p>",
    "opendatasoft": b'<link href="https://static.opendatasoft.com/a.css"><body ng-app="ods.core">',
    "arcgishub": b'<script src="https://hubcdn.arcgis.com/opendata-ui/assets/vendor.js"></script>',
    "dataverse": b'<a href="/dataset.xhtml?persistentId=doi:10.1/2">A dataset</a>',
    "geonetwork": b'<html ng-app="gn_search"><a href="catalog.search#/home">Home</a>',
    "geonode": b'<link href="/static/geonode/css/base.css">',
    "inveniordm": b'<div data-invenio-search-config="{}"></div> Powered by InvenioRDM',
    "datasette": b'<footer>Powered by <a href="https://datasette.io/">Datasette</a></footer>',
    "dspace": b'<meta name="Generator" content="DSpace 7.6"><ds-app></ds-app>',
}


def page(body: bytes, url: str = "https://a.test/", *headers: tuple[str, str]) -> Response:
    return Response(url=url, status=200, headers=(HTML, *headers), body=body)


@pytest.mark.parametrize("software", PAGES)
def test_a_page_of_a_portal_gives_its_software_away(software: str) -> None:
    (first, *_) = guess(page(PAGES[software]))
    assert first.software == software
    assert first.strong
    assert first.evidence
    assert places([first])[0][0] in ADAPTERS


@pytest.mark.parametrize(
    ("header", "software"),
    [
        (("X-Socrata-RequestId", "abc"), "socrata"),
        (("Set-Cookie", "socrata-csrf-token=abc; path=/"), "socrata"),
        (("Set-Cookie", "ckan=0f1e; Path=/; HttpOnly"), "ckan"),
    ],
)
def test_headers_and_cookies_do_as_well(header: tuple[str, str], software: str) -> None:
    (first,) = guess(page(b"<html></html>", "https://a.test/", header))
    assert (first.software, first.strong) == (software, True)


@pytest.mark.parametrize(
    "body",
    [
        b"<p>We moved our data from CKAN to Socrata, and DKAN is next.</p>",
        b'<a href="https://other.test/api/3/action/package_list">the portal of our friends</a>',
        b'<a href="/geoportal/">Map</a> <a href="/explore/">Explore</a> <a href="/dataset/3">x</a>',
        b'<a href="/data.json">data</a> <a href="/oai">OAI</a> <a href="/api">API</a>',
        b"",
        b"\xff\xfe\0\0" * 100,
    ],
)
def test_a_page_that_only_speaks_of_portals_is_no_reason_to_ask(body: bytes) -> None:
    assert places(guess(page(body))) == []


def test_links_of_the_page_say_where_the_portal_stands() -> None:
    body = b'<a href="/open/data/api/3/action/package_list">API</a> Powered by CKAN'
    (first, *_) = guess(page(body, "https://a.test/open/data/dataset"))
    assert first.root == "https://a.test/open/data"
    assert places([first])[:2] == [("ckan", first.root), ("dcat-ap", first.root)]
    assert ("ckan", "https://a.test/opendata") in places([first])


def test_a_page_of_a_million_bytes_is_not_slow_to_look_at() -> None:
    body = b"<meta generator " * 30_000 + b"powered by <a <a <a " * 30_000
    assert places(guess(page(body))) == []


def test_every_signal_leads_to_an_adapter_or_is_known_to_lead_nowhere() -> None:
    nowhere = {
        "arcgisserver",
        "erddap",
        "geoserver",
        "ipt",
        "magda",
        "nada",
        "pxweb",
        "thredds",
        "udata",
    }
    for software in known_signals():
        known = BY_FORMAT.get(software, (software, ""))[0] in ADAPTERS
        assert known != (software in nowhere)


#: Of the half of the registry that the rules were not made on: docs/portals.md has the table.
LEAST = {"ckan": 0.9, "socrata": 0.8, "arcgishub": 0.95, "dataverse": 0.85, "geonetwork": 0.95}


def test_the_registry_is_recognised_by_links_and_endpoints(shared: Path) -> None:
    with gzip.open(shared / "data/discover/catalogues.jsonl.gz") as lines:
        entries = [json.loads(line) for line in lines]
    kept = [e for e in entries if sha256(f"portals:{e['id']}".encode()).digest()[0] % 2]
    kept = [entry for entry in kept if entry["software"] in LEAST]
    assert len(kept) > 2000
    pairs = [(entry["software"], recognised(entry)) for entry in kept]
    for software, least in LEAST.items():
        hits = [found for real, found in pairs if real == software]
        assert hits.count(software) / len(hits) >= least
    claimed = [real == found for real, found in pairs if found]
    assert sum(claimed) / len(claimed) >= 0.95


def recognised(entry: dict[str, object]) -> str:
    endpoints = entry["endpoints"]
    assert isinstance(endpoints, list)
    guesses = guess_by_address([str(entry["link"]), *(each["url"] for each in endpoints)])
    return guesses[0].software if guesses and guesses[0].score >= 2 else ""
