"""Every portal software, against a local server that answers as its documentation says."""

import json
import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from filon.core import Request, Response
from filon.portals import ADAPTERS, Portal
from unit.portals.answers.replies import MISSING, told
from unit.portals.catalogue import COUNT, ROOT, ROWS
from unit.portals.listing import Catalogue, fetch_all, list_all
from unit.portals.pretended import PORTALS, Pretended
from unit.services.server import Call, Reply

every_portal = pytest.mark.parametrize("portal", PORTALS.values(), ids=list(PORTALS))
every_adapter = pytest.mark.parametrize("adapter", ADAPTERS.values(), ids=list(ADAPTERS))
CAPTCHA = (
    b"<!doctype html><html><title>Just a moment...</title><body>Prove you are human</body></html>"
)
#: These list by other means than pages of an API: a call for each database or sitemap, and the
#: search of ArcGIS Hub after its feed has failed.
EXTRA = {"sitemaps": 1, "arcgis hub, no feed": 1}


@pytest.fixture(scope="module")
def listed(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Pretended], Catalogue]:
    """Ask a portal for all it has, once."""
    folder = tmp_path_factory.mktemp("listed")
    return cache(lambda portal: list_all(portal.adapter, portal.root, portal.reply, folder))


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Pretended], Response]:
    """Ask a portal for its first list, once."""
    folder = tmp_path_factory.mktemp("begun")

    @cache
    def ask(portal: Pretended) -> Response:
        adapter = ADAPTERS[portal.adapter]
        (said,) = fetch_all(portal.reply, [adapter.confirm(portal.root)], folder)
        (answer,) = fetch_all(portal.reply, [adapter.begin(adapter.confirmed(said))], folder)
        return answer

    return ask


def test_every_adapter_is_tested_here_or_with_the_real_software() -> None:
    assert {portal.adapter for portal in PORTALS.values()} | {"datasette"} == set(ADAPTERS)


@every_portal
def test_all_datasets_and_files_are_listed(
    portal: Pretended, listed: Callable[[Pretended], Catalogue]
) -> None:
    listing = listed(portal)
    assert len(listing.datasets) == COUNT
    found = [{file.url for file in dataset.files} for dataset in listing.datasets]
    assert found == [portal.files(row) for row in ROWS]
    kept = [page for page in listing.pages if page.datasets]
    assert not any(page.problem for page in kept)


@every_portal
def test_a_hundred_datasets_cost_at_most_one_call(
    portal: Pretended,
    listed: Callable[[Pretended], Catalogue],
    request: pytest.FixtureRequest,
) -> None:
    listing = listed(portal)
    name = request.node.callspec.id
    assert listing.calls == portal.calls
    assert listing.calls <= math.ceil(COUNT / 100) + EXTRA.get(name, 0)


@every_portal
def test_datasets_are_described(
    portal: Pretended, listed: Callable[[Pretended], Catalogue]
) -> None:
    listing = listed(portal)
    for dataset, row in zip(listing.datasets, ROWS, strict=True):
        assert dataset.id
        assert dataset.url.startswith(("https://portal.test/", "https://doi.org/"))
        assert portal.adapter == "sitemap" or dataset.url not in {f.url for f in dataset.files}
        assert all(file.format in ("csv", "zip", "xlsx", "parquet") for file in dataset.files)
        assert all(file.mime for file in dataset.files)
        if portal.adapter != "sitemap":
            assert dataset.title == row.title
            assert "water" in dataset.keywords
    totals = {page.total for page in listing.pages if page.datasets and page.total is not None}
    assert totals <= {COUNT}


@every_adapter
def test_a_site_that_is_no_portal_is_not_taken_for_one(adapter: Portal, tmp_path: Path) -> None:
    def plain(call: Call) -> Reply:
        return 200, {"Content-Type": "text/html"}, b"<html><body>We sell shoes.</body></html>"

    for reply in (plain, lambda call: MISSING, lambda call: told({"success": False}, 409)):
        (answer,) = fetch_all(reply, [adapter.confirm(ROOT)], tmp_path)
        assert adapter.confirmed(answer) == ""


def sick(request: Request) -> list[Response]:
    """The answers of portals that are not well."""
    url = request.url
    html = (("Content-Type", "text/html"),)
    json_ = (("Content-Type", "application/json"),)
    deep = b"[" * 100_000
    return [
        Response(url=url, error="timeout"),
        Response(url=url, error="robots"),
        Response(url=url, status=403, headers=html, body=CAPTCHA),
        Response(url=url, status=429, headers=(("Retry-After", "60"),)),
        Response(url=url, status=404, headers=html, body=b"<html>gone</html>"),
        Response(url=url, status=301, headers=(("Location", "https://other.test/"),)),
        Response(url=url, status=500, body=b"Internal Server Error"),
        Response(url=url, status=200, headers=html, body=CAPTCHA),
        Response(url=url, status=200),
        Response(url=url, status=200, headers=json_, body=b"{"),
        Response(url=url, status=200, headers=json_, body=deep),
        Response(url=url, status=200, headers=json_, body=b"null"),
        Response(url=url, status=200, headers=json_, body=b'{"error": "API disabled"}'),
        Response(url=url, status=200, headers=json_, body=b"\xff\xfe\x00"),
        Response(url=url, status=200, body=b"<OAI-PMH><broken"),
        Response(url=url, status=200, headers=json_, body=b'{"a": 1}', cut="size"),
        Response(url=url, status=200, headers=json_, body=b'{"a": 1}', spool="/somewhere"),
    ]


@every_adapter
def test_every_kind_of_failure_is_a_problem_and_nothing_is_raised(adapter: Portal) -> None:
    for response in sick(adapter.begin(ROOT)):
        page = adapter.read(response)
        assert page.datasets == ()
        assert page.problem or page.more
        assert bool(page.problem) == bool(page.detail)
    for response in sick(adapter.confirm(ROOT)):
        assert adapter.confirmed(response) == ""


SPEAK_JSON = [portal for portal in PORTALS.values() if portal.json]


@pytest.mark.parametrize("portal", SPEAK_JSON, ids=lambda portal: portal.adapter)
@pytest.mark.parametrize("new", [None, [], {}, 7, "x", [[]], [{"a": 1}], True], ids=repr)
def test_values_of_another_kind_are_survived(
    portal: Pretended, new: object, begun: Callable[[Pretended], Response]
) -> None:
    adapter, answer = ADAPTERS[portal.adapter], begun(portal)
    for nth in range(2, 8):
        body = json.dumps(with_other_values(json.loads(answer.body), new, nth)).encode()
        page = adapter.read(replace(answer, body=body))
        assert page.problem or page.total is None or page.total >= 0
        texts = [text for each in page.datasets for text in (each.id, each.title, each.url)]
        assert all(isinstance(text, str) for text in texts)


def with_other_values(said: object, new: object, nth: int) -> object:
    """Replace the value of each key whose length is a multiple of nth."""
    if isinstance(said, dict):
        return {
            key: new if len(key) % nth == 0 else with_other_values(value, new, nth)
            for key, value in said.items()
        }
    if isinstance(said, list):
        return [with_other_values(each, new, nth) for each in said[:3]]
    return said


def test_an_adapter_is_found_under_its_own_name_and_made_once() -> None:
    for name, adapter in ADAPTERS.items():
        assert adapter.name == name
        assert ADAPTERS[name] is adapter
