"""A Datasette with the plugin, over the runs that the tests of the catalog have."""

import asyncio
import sqlite3
from collections.abc import Callable, Coroutine, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import pytest
from datasette.app import Datasette
from datasette.plugins import pm

import filon.contrib.datasette as plugin
from filon.contrib.datasette.choices import open_catalog
from patience import PATIENCE_S
from unit.catalog.conftest import write

T = TypeVar("T")
Run = Callable[[Coroutine[Any, Any, T]], T]


@pytest.fixture(scope="session", autouse=True)
def plugged() -> Iterator[None]:
    """The plugin is there also where the package was installed before it had one."""
    if pm.is_registered(plugin):
        yield
        return
    pm.register(plugin, name="filon-of-the-checkout")
    yield
    pm.unregister(plugin)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    for run in ("one", "two"):
        write(folder, run)
    return folder


def made(folder: Path, *files: Path, **more: Any) -> Datasette:
    settings = {"folder": str(folder), **more}
    metadata = {"plugins": {plugin.NAME: settings}}
    return Datasette([str(file) for file in files], metadata=metadata, memory=not files)


async def begin(datasette: Datasette) -> None:
    """Have it ready to answer.

    It makes tables of its own at the first request, and now and then another of its threads is
    still reading there: then that request fails, and the next does not.
    """
    await datasette.invoke_startup()
    async with asyncio.timeout(PATIENCE_S):
        while True:
            with suppress(sqlite3.OperationalError):
                await datasette.refresh_schemas()
                return
            await asyncio.sleep(0.02)


@pytest.fixture(scope="module")
def served(runs: Path) -> Iterator[Datasette]:
    """A Datasette that has taken in the runs."""
    datasette = made(runs)
    held = open_catalog(datasette)
    held.take_in()
    held.wait()
    yield datasette
    held.close()


def asked(datasette: Datasette, path: str, **more: Any) -> Any:
    """Return what Datasette answers."""
    return asyncio.run(_asked(datasette, path, more))


async def _asked(datasette: Datasette, path: str, more: dict[str, Any]) -> Any:
    await begin(datasette)
    return await datasette.client.get(path, **more)
