"""The catalog as pages use it: shared by visitors, read beside them."""

import asyncio
import shutil
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import pytest

from filon.catalog.grid import Grid
from filon.catalog.open_catalog import OpenCatalog
from filon.catalog.store import CatalogStore
from filon.core import UserError
from unit.catalog.conftest import id_of, write

R = TypeVar("R")


def using(folder: Path, visit: Callable[[OpenCatalog], Awaitable[R]]) -> R:
    async def go() -> R:
        catalog = OpenCatalog(folder)
        try:
            return await visit(catalog)
        finally:
            catalog.close()

    return asyncio.run(go())


def test_a_table_is_read_beside_the_pages_and_is_there_then(
    tmp_path: Path, serve: Callable[..., str]
) -> None:
    id = serve(tmp_path, {"a.csv": b"a,b\n1,2\n3,4\n"})

    async def visit(catalog: OpenCatalog) -> Path:
        assert await catalog.table(id, 1, wait_s=0) is None
        path = await catalog.table(id, 1, wait_s=60)
        assert path is not None
        assert await catalog.table(id, 1, wait_s=0) == path
        with pytest.raises(UserError, match="no table 2"):
            await catalog.table(id, 2)
        return path

    assert Grid(using(tmp_path, visit)).total == 2


def test_a_table_that_was_deleted_is_read_again(tmp_path: Path, serve: Callable[..., str]) -> None:
    id = serve(tmp_path, {"a.csv": b"a,b\n1,2\n3,4\n"})

    async def visit(catalog: OpenCatalog) -> bool:
        path = await catalog.table(id, 1, wait_s=60)
        assert path is not None
        shutil.rmtree(path.parents[2])
        again = await catalog.table(id, 1, wait_s=60)
        return again is not None and again.is_file()

    assert using(tmp_path, visit)


def test_what_cannot_be_read_is_told_and_not_tried_again(runs: Path, store: CatalogStore) -> None:
    id = id_of(store, "e.pdf")

    async def visit(catalog: OpenCatalog) -> None:
        for _ in range(2):
            with pytest.raises(UserError, match="cannot be read"):
                await catalog.table(id, 1, wait_s=60)
        assert len(catalog._under_way) == 1

    using(runs, visit)


def test_versions_are_compared_beside_the_pages(runs: Path, store: CatalogStore) -> None:
    old, new = (id_of(store, name) for name in ("a.csv", "z.csv"))

    async def visit(catalog: OpenCatalog) -> str:
        assert await catalog.difference(old, new, wait_s=0) is None
        found = await catalog.difference(old, new, wait_s=60)
        assert found is not None
        return found.text()

    assert "5 rows" in using(runs, visit)


def test_what_is_new_is_taken_in_beside_the_pages(tmp_path: Path) -> None:
    async def visit(catalog: OpenCatalog) -> int:
        assert catalog.is_empty
        catalog.take_in()
        assert not catalog.is_taking_in
        write(tmp_path, "two")
        assert not catalog.is_empty
        catalog.take_in()
        catalog.wait()
        assert catalog.problems == []
        count = "SELECT COUNT(*) FROM files"
        return int(await catalog.ask(lambda store: store.db.execute(count).fetchone()[0]))

    assert using(tmp_path, visit) == 2


def test_what_was_found_is_found_again_only_when_the_catalog_changes(runs: Path) -> None:
    asked: list[int] = []

    def find(store: CatalogStore) -> int:
        asked.append(1)
        return len(asked)

    async def visit(catalog: OpenCatalog) -> list[int]:
        first = [await catalog.known(("x",), find), await catalog.known(("x",), find)]
        (runs / "views.jsonl").touch()
        (runs / "views.jsonl").write_text("\n")
        return [*first, await catalog.known(("x",), find)]

    assert using(runs, visit) == [1, 1, 2]


def test_visitors_at_the_same_time_have_stores_of_their_own(runs: Path) -> None:
    async def visit(catalog: OpenCatalog) -> int:
        with catalog.store() as one, catalog.store() as other:
            assert one is not other
        with catalog.store() as again:
            assert again in (one, other)
        return len(catalog._free)

    assert using(runs, visit) == 2


def test_searches_of_many_visitors_are_done_one_by_one_with_one_store(runs: Path) -> None:
    """Each store that is searched has the words of all files in memory."""
    used: list[CatalogStore] = []

    async def visit(catalog: OpenCatalog) -> None:
        await asyncio.gather(*(catalog.search(used.append) for _ in range(6)))

    using(runs, visit)
    assert len(used) == 6
    assert len(set(map(id, used))) == 1


def test_what_visitors_want_to_know_at_the_same_time_is_found_once(runs: Path) -> None:
    found: list[CatalogStore] = []

    async def visit(catalog: OpenCatalog) -> None:
        await asyncio.gather(*(catalog.known(("x",), found.append) for _ in range(6)))

    using(runs, visit)
    assert len(found) == 1


def test_a_long_search_is_not_waited_for_and_is_done_once(runs: Path) -> None:
    gate = threading.Event()
    asked: list[int] = []

    def find(store: CatalogStore) -> int:
        asked.append(1)
        gate.wait(60)
        return len(asked)

    async def visit(catalog: OpenCatalog) -> list[int | None]:
        first = await catalog.found(("x",), find, 0.01)
        gate.set()
        return [first, await catalog.found(("x",), find, 60), await catalog.found(("x",), find)]

    assert using(runs, visit) == [None, 1, 1]
