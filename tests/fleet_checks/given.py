"""A store with sites and workers, as the checks of one begin."""

from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

from filon.core import Budget
from filon.fleet.model import Lease, Site
from filon.fleet.sql import SqlStore

Open = Callable[[], Awaitable[SqlStore]]
Check = Callable[[Open], Coroutine[Any, Any, None]]


def site(number: int, **more: Any) -> Site:
    name = f"site-{number:03}"
    return Site(name=name, url=f"http://{name}.test/", host=f"{name}.test", **more)


def find(number: int, name: str = "a.csv", **more: Any) -> dict[str, Any]:
    return {
        "find": number,
        "step": number,
        "kind": "file",
        "url": f"http://x.test/{number}",
        "name": name,
        "mime": "text/csv",
        "parent": "",
        "size_bytes": 5,
        "sha256": "ab" * 32,
        "at_s": 1.0,
        "link_text": "",
        "around": "",
        "page_title": "",
        "headings": "",
        "licence": "",
        "modified": "",
        **more,
    }


@asynccontextmanager
async def fleet(
    open_: Open, sites: int = 0, budget: str = "1000", *workers: str
) -> AsyncIterator[SqlStore]:
    store = await open_()
    try:
        assert await store.create({"strategy": "vein"}, Budget.parse(budget))
        await store.add(site(number) for number in range(1, sites + 1))
        for worker in workers:
            await store.join(worker)
        yield store
    finally:
        await store.close()


@asynccontextmanager
async def joined(open_: Open, number: int) -> AsyncIterator[dict[str, SqlStore]]:
    """Have more workers, each with a store of its own as in another process; by name."""
    stores: dict[str, SqlStore] = {}
    try:
        for each in range(number):
            stores[f"x{each}"] = await open_()
        for name, store in stores.items():
            await store.join(name)
        yield stores
    finally:
        for store in stores.values():
            await store.close()


async def lapse(store: SqlStore, worker: str) -> None:
    """Let a worker have been silent for its lease, and a store look for such at once."""
    await look(store)
    sign, _ = store._signs[worker]
    store._signs[worker] = sign, float("-inf")
    store._reaped_s = float("-inf")


async def look(store: SqlStore) -> None:
    """Let a store look at once who was not heard for too long."""
    store._reaped_s = float("-inf")
    await store._reap()


def names(leases: list[Lease]) -> list[str]:
    return [lease.site.name for lease in leases]
