import json

import pytest

from filon.core import Request, Response
from filon.demo import country
from filon.demo.country import pages
from filon.demo.country.bodies import BODIES, Body
from filon.demo.country.datasets import datasets
from filon.demo.country.engine import DEEPEST, PAGE
from filon.demo.sites import answer
from filon.page.datafile import is_data_file
from filon.page.links import links
from filon.page.url import host
from filon.portals import ADAPTERS, Walk
from filon.portals.fingerprint import guess
from filon.services.search import build

SEARXNG = build("searxng", {"url": country.SEARCH})


def response(request: Request) -> Response:
    found = answer(request.url)
    return Response(
        url=request.url, status=found.status, headers=found.headers, body=found.body, at_s=1.0
    )


def search(query: str) -> list[str]:
    found, more = [], ""
    for _ in range(DEEPEST + 1):
        hits = SEARXNG.parse("keyword", response(SEARXNG.request("keyword", query, more)))
        assert not hits.problem
        found += [hit.url for hit in hits.hits]
        if not (more := hits.more):
            break
    return found


def files_of(home: str) -> set[str]:
    """Return the files within three links of a home page, by reading pages alone."""
    files, level, seen = set(), [home], {home}
    for _ in range(4):
        after = []
        for url in level:
            for link in links(answer(url).body, url):
                if is_data_file(link.url):
                    files.add(link.url)
                elif host(link.url) == host(home) and link.url not in seen:
                    seen.add(link.url)
                    after.append(link.url)
        level = after
    return files


def test_hosts_are_told_apart_and_stay_in_the_small_web() -> None:
    hosts = [body.host for body in BODIES]
    assert len(set(hosts)) == len(hosts)
    assert all(name.endswith(".test") for name in hosts)
    assert answer("http://nobody.test/").status == 404


@pytest.mark.parametrize("body", BODIES, ids=lambda body: body.host)
def test_who_is_a_repository_shows_ten_files_and_nobody_else_shows_any(
    body: Body,
) -> None:
    files = files_of(body.home)
    if body.kind == "repository":
        assert len(files) >= 10
        assert files == {one.file(kind) for one in datasets(body) for kind in one.kinds}
    else:
        assert not files


def test_files_are_there() -> None:
    for one in datasets(BODIES[0]):
        for kind in one.kinds:
            assert answer(one.file(kind)).status == 200
            assert answer(one.file(kind)).body
    assert answer(f"{BODIES[0].home}files/nothing-2020.csv").status == 404
    assert answer(f"{BODIES[0].home}dataset/nothing").status == 404


def test_ckan_gives_itself_away_and_lists_what_its_pages_show() -> None:
    for body in BODIES:
        if body.software != "ckan":
            assert not [one for one in guess(response(Request(url=body.home))) if one.strong]
            continue
        assert guess(response(Request(url=body.home)))[0].software == "ckan"
        base = ADAPTERS["ckan"].confirmed(response(ADAPTERS["ckan"].confirm(body.home.rstrip("/"))))
        walk = Walk(ADAPTERS["ckan"], base)
        request = walk.next()
        assert request is not None
        listed = walk.take(response(request))
        assert {file.url for one in listed.datasets for file in one.files} == files_of(body.home)
        assert walk.next() is None
    assert answer(f"{BODIES[1].home}api/3/action/nonsense").status == 400


def test_the_engine_speaks_searxng_and_knows_only_a_part() -> None:
    found = search(country.TOPIC)
    assert len(found) == PAGE * DEEPEST
    assert len(set(found)) == len(found)
    unknown = {body.host for body in BODIES if not body.known}
    assert unknown
    assert not unknown & {host(url) for url in found}
    assert search("zeppelin") == []
    assert answer(f"{country.SEARCH}/search?q=water").status == 404
    beyond = answer(f"{country.SEARCH}/search?q=water&format=json&pageno=99")
    assert json.loads(beyond.body)["results"] == []


def test_pages_of_links_lead_to_whom_the_engine_does_not_know() -> None:
    unknown = {body for body in BODIES if not body.known}
    told = {other for body in BODIES if body.kind == "links" for other in pages.linked(body)}
    assert unknown <= told


def test_the_truth_names_twenty_hosts() -> None:
    assert len(country.truth()) == 20
    assert list(country.truth().values()).count("water") == 12
