"""Catalogues beyond the bounds of an API, and answers beyond ours."""

import json
from dataclasses import replace
from typing import Any

import pytest

from filon.core import Request, Response
from filon.portals import ADAPTERS, Dataset, File, Listing, Walk, gathered
from unit.portals.answers.dcat import data_json
from unit.portals.answers.open_data import ckan_package, opendatasoft
from unit.portals.catalogue import COUNT, ROOT, ROWS, Row
from unit.services.server import Call

MANY = [Row(number) for number in range(1, 12_346)]


def answer(request: Request, said: Any) -> Response:
    """An answer in JSON."""
    body = json.dumps(said).encode()
    headers = (("Content-Type", "application/json"),)
    return Response(url=request.url, status=200, headers=headers, body=body, size_bytes=len(body))


def asked(request: Request) -> dict[str, str]:
    query = request.url.partition("?")[2]
    return dict(pair.split("=") for pair in query.split("&")) if query else {}


def test_socrata_goes_on_by_the_last_id_where_offsets_end() -> None:
    walk = Walk(ADAPTERS["socrata"], ROOT)
    many = sorted(MANY, key=lambda row: row.uid)
    found: list[str] = []
    while request := walk.next():
        params = asked(request)
        size = int(params["limit"])
        if "scroll_id" in params:
            rows = [row for row in many if row.uid > params["scroll_id"]][:size]
        else:
            first = int(params["offset"])
            assert first + size <= 10_000
            rows = many[first : first + size]
        results = [{"resource": {"id": row.uid, "name": row.title}} for row in rows]
        page = walk.take(answer(request, {"results": results, "resultSetSize": len(MANY)}))
        found += [dataset.id for dataset in page.datasets]
    assert found == [row.uid for row in many]
    assert walk.calls <= len(MANY) // 100


def test_opendatasoft_exports_a_catalogue_that_is_too_long_for_offsets() -> None:
    walk = Walk(ADAPTERS["opendatasoft"], ROOT)
    first = walk.next()
    assert first
    call = Call("GET", "/api/explore/v2.1/catalog/datasets", asked(first), {})
    said = json.loads(opendatasoft(call)[2]) | {"total_count": len(MANY)}
    walk.take(answer(first, said))
    second = walk.next()
    assert second
    assert second.url == f"{ROOT}/api/explore/v2.1/catalog/exports/json"
    every = [{"dataset_id": row.id, "metas": {"default": {"title": row.title}}} for row in MANY]
    page = walk.take(answer(second, every))
    assert [dataset.id for dataset in page.datasets] == [row.id for row in MANY]
    assert walk.next() is None


def test_geonetwork_goes_on_after_the_last_record() -> None:
    adapter = ADAPTERS["geonetwork"]
    base = f"{ROOT}/geonetwork/srv/api/search/records/_search"
    walk = Walk(adapter, base)
    found: list[str] = []
    while request := walk.next():
        body = json.loads(request.body)
        after = body.get("search_after", [""])[0]
        rows = [row for row in MANY if row.id > after]
        rows = sorted(rows, key=lambda row: row.id)[: body["size"]]
        hits = [{"_source": {"uuid": row.id}, "sort": [row.id]} for row in rows]
        said = {"hits": {"hits": hits, "total": {"value": len(MANY)}}}
        found += [dataset.id for dataset in walk.take(answer(request, said)).datasets]
    assert sorted(found) == sorted(row.id for row in MANY)
    assert walk.calls == 13


def test_inveniordm_asks_for_less_where_a_hundred_are_refused() -> None:
    adapter = ADAPTERS["inveniordm"]
    first = adapter.begin(ROOT)
    page = adapter.read(Response(url=first.url, status=400, body=b"{}"))
    assert page.more
    assert asked(page.more)["size"] == "25"
    assert adapter.read(Response(url=page.more.url, status=400, body=b"{}")).problem == "query"


def test_inveniordm_says_that_it_cannot_show_all() -> None:
    adapter = ADAPTERS["inveniordm"]
    url = adapter.begin(ROOT).url.replace("page=1", "page=100")
    hits = [{"id": str(n), "metadata": {"title": "x"}} for n in range(100)]
    page = adapter.read(answer(Request(url=url), {"hits": {"hits": hits, "total": 20_000}}))
    assert len(page.datasets) == 100
    assert (page.more, page.problem) == (None, "query")
    assert "10,000" in page.detail


def test_ckan_asks_for_fewer_after_an_answer_that_was_too_long() -> None:
    adapter = ADAPTERS["ckan"]
    first = adapter.begin(ROOT)
    long = Response(url=first.url, status=200, body=b'{"success": true', spool="/spool/1")
    page = adapter.read(long)
    assert page.more
    assert (asked(page.more)["rows"], asked(page.more)["start"]) == ("100", "0")
    assert adapter.read(replace(long, url=page.more.url)).problem == "down"


@pytest.mark.parametrize("name", ["dcat-us", "arcgishub", "dkan"])
def test_of_a_data_json_that_is_too_long_the_beginning_is_kept(name: str) -> None:
    adapter = ADAPTERS[name]
    request = adapter.begin(f"{ROOT}/data.json" if name == "dcat-us" else ROOT)
    whole = json.dumps(data_json()).encode()
    cut = Response(url=request.url, status=200, body=whole[: len(whole) // 2], cut="size")
    page = adapter.read(cut)
    assert 100 < len(page.datasets) < COUNT
    assert page.datasets[0].title == ROWS[0].title
    assert page.problem == "down"
    assert bool(page.more) == (name == "arcgishub"), "only the hub has another list"


def test_a_walk_never_asks_twice_and_never_without_end() -> None:
    class Circular:
        name = "circular"

        def confirm(self, root: str) -> Request:
            return Request(url=root)

        def confirmed(self, response: Response) -> str:
            return response.url

        def begin(self, base: str) -> Request:
            return Request(url=base)

        def read(self, response: Response) -> Listing:
            number = int(response.url.rpartition("/")[2])
            onward = Request(url=f"{ROOT}/{number + 1}")
            return Listing(more=onward, also=(Request(url=f"{ROOT}/0"), onward))

    walk = Walk(Circular(), f"{ROOT}/0", most_calls=50)
    urls = []
    while request := walk.next():
        urls.append(request.url)
        walk.take(Response(url=request.url, status=200))
    assert urls == [f"{ROOT}/{number}" for number in range(50)]


def test_parts_of_a_dataset_are_put_together() -> None:
    a, b = File(url=f"{ROOT}/a"), File(url=f"{ROOT}/b")
    whole = gathered(
        [
            Dataset(id="1", title="One"),
            Dataset(id="2"),
            Dataset(id="1", files=(a,)),
            Dataset(id="1", files=(a, b), title="other"),
            Dataset(id="2", title="Two"),
        ]
    )
    assert whole == [Dataset(id="1", title="One", files=(a, b)), Dataset(id="2", title="Two")]


def test_a_count_that_is_wrong_ends_with_the_datasets() -> None:
    walk = Walk(ADAPTERS["ckan"], ROOT)
    found = 0
    while request := walk.next():
        start = int(asked(request)["start"])
        packages = [ckan_package(row) for row in ROWS[start : start + 100]]
        said = {"success": True, "result": {"count": 10**9, "results": packages}}
        found += len(walk.take(answer(request, said)).datasets)
    assert (found, walk.calls) == (COUNT, 4)
