"""A service that is asked for names as they come, on loopback, within a budget."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from filon.core import UserError
from filon.services.source import Source
from filon.verbs.enrich.name_lookup import NameLookup, calls_of, service_web
from filon.verbs.enrich.reconcile import Endpoint
from filon.verbs.enrich.reconciler import Reconciler
from filon.web.serve import Reply
from searchbox import SearchBox, books, serving

HIDDEN = books(60)


@pytest.fixture(scope="module")
def box() -> Iterator[SearchBox]:
    with serving(HIDDEN) as box:
        yield box


def with_desk(
    box: SearchBox,
    folder: Path,
    calls: int,
    visit: Callable[[Endpoint, NameLookup], Awaitable[Any]],
) -> Any:
    async def go() -> Any:
        source = Source.load(box.source(folder))
        lookup = NameLookup(
            source, service_web(source, {"delay": 0}), calls, folder / "cache.sqlite"
        )
        service = Reconciler((), title=source.name, name_field="title", space=source.origin)
        try:
            return await visit(Endpoint(service, 8001, lookup), lookup)
        finally:
            await lookup.close()

    return asyncio.run(go())


def queries(*titles: str) -> dict[str, str]:
    return {"queries": json.dumps({f"q{n}": {"query": title} for n, title in enumerate(titles)})}


def best(reply: Reply) -> list[str]:
    assert reply.status == 200, reply.body
    results = json.loads(reply.body)
    return [each["result"][0]["id"] if each["result"] else "" for each in results.values()]


def test_each_new_name_is_a_call_and_one_that_was_asked_is_free(
    box: SearchBox, tmp_path: Path
) -> None:
    async def visit(endpoint: Endpoint, lookup: NameLookup) -> None:
        first, second = HIDDEN[0]["title"], HIDDEN[1]["title"]
        before = box.calls
        assert best(await endpoint.answer("/", queries(first, second, first))) == ["b0", "b1", "b0"]
        assert best(await endpoint.answer("/", queries(second))) == ["b1"]
        assert (lookup.spent, box.calls - before) == (2, 2)
        assert "2 of 5 calls spent" in (await endpoint.answer("/about", {})).body.decode()
        wanted = {"ids": ["b1"], "properties": [{"id": "year"}]}
        rows = json.loads((await endpoint.answer("/", {"extend": json.dumps(wanted)})).body)["rows"]
        assert rows["b1"]["year"] == [{"str": HIDDEN[1]["year"]}]
        assert box.calls - before == 2

    with_desk(box, tmp_path, 5, visit)


def test_a_batch_beyond_the_budget_is_refused_before_anything_is_sent(
    box: SearchBox, tmp_path: Path
) -> None:
    async def visit(endpoint: Endpoint, lookup: NameLookup) -> None:
        before = box.calls
        refused = await endpoint.answer("/", queries(*(book["title"] for book in HIDDEN[:3])))
        assert refused.status == 429
        assert "2 are left, and these names need 3" in json.loads(refused.body)["error"]
        assert box.calls == before
        assert best(await endpoint.answer("/", queries(HIDDEN[4]["title"]))) == ["b4"]
        both = await asyncio.gather(
            *(endpoint.answer("/", queries(book["title"])) for book in HIDDEN[5:8])
        )
        assert sorted(reply.status for reply in both) == [200, 429, 429]
        assert (lookup.spent, box.calls - before) == (2, 2)

    with_desk(box, tmp_path, 2, visit)


def test_what_another_session_was_answered_is_free(box: SearchBox, tmp_path: Path) -> None:
    title = HIDDEN[9]["title"]

    async def visit(endpoint: Endpoint, lookup: NameLookup) -> int:
        assert best(await endpoint.answer("/", queries(title))) == ["b9"]
        return lookup.spent

    assert with_desk(box, tmp_path, 1, visit) == 1
    assert with_desk(box, tmp_path, 1, visit) == 0


def test_a_service_in_trouble_is_told_and_never_as_no_match(tmp_path: Path) -> None:
    def down(number: int, body: bytes) -> tuple[int, dict[str, str], bytes]:
        return 503, {}, b""

    async def visit(endpoint: Endpoint, lookup: NameLookup) -> Reply:
        return await endpoint.answer("/", queries("Anything at all"))

    with serving(HIDDEN, vice=down) as box:
        reply = with_desk(box, tmp_path, 3, visit)
    assert reply.status == 503
    assert "gives no answer" in json.loads(reply.body)["error"]


@pytest.mark.parametrize("budget", ["2h", "5MB", "10,1h", "x", "0"])
def test_a_budget_that_is_no_number_of_calls_is_refused(budget: str) -> None:
    with pytest.raises(UserError, match="budget"):
        calls_of(budget)
