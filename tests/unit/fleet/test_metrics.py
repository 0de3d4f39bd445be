"""The figures of a fleet as Prometheus reads them."""

import asyncio
import re
from pathlib import Path

import aiohttp
import pytest

import fleet_checks
from filon.core import Budget, UserError
from filon.fleet.metrics import CONTENT, metrics_served
from filon.fleet.model import Commit, Figures
from filon.fleet.sql import SqlStore
from filon.fleet.sqlite import Sqlite

_LINE = re.compile(
    r"# (?:HELP|TYPE) filon_fleet_\w+ .+"
    r'|filon_fleet_\w+(?:\{\w+="(?:[^"\\\n]|\\.)*"\})? [\d.e+-]+'
)


def test_figures_are_served_in_the_format_of_prometheus(tmp_path: Path) -> None:
    async def run() -> str:
        store = SqlStore(Sqlite(tmp_path / "fleet.sqlite"))
        await store.create({}, Budget.parse("100req"))
        await store.add(fleet_checks.site(number) for number in range(5))
        await store.join('w"1\\\n')
        await store.lease('w"1\\\n', 3)
        said = [
            Commit(site="site-000", epoch=1, state="exhausted", requests=7, finds=2, bytes=70),
            Commit(site="site-001", epoch=1, state="outage", requests=1),
        ]
        await store.commit('w"1\\\n', said)
        await store.beat('w"1\\\n', Figures(sites=1, flying=1))
        async with metrics_served(store, "0") as port, aiohttp.ClientSession() as session:
            address = f"http://127.0.0.1:{port}"
            async with session.get(f"{address}/") as response:
                assert response.status == 404
            async with session.get(f"{address}/metrics") as response:
                assert response.headers["Content-Type"] == CONTENT
                text = await response.text()
        await store.close()
        return text

    text = asyncio.run(run())
    assert all(_LINE.fullmatch(line) for line in text.splitlines())
    for line in (
        'filon_fleet_sites{state="open"} 2.0',
        'filon_fleet_sites{state="held"} 1.0',
        'filon_fleet_sites{state="exhausted"} 1.0',
        "filon_fleet_dead_letters 1.0",
        "filon_fleet_requests_total 8.0",
        "filon_fleet_finds_total 2.0",
        'filon_fleet_budget{of="requests"} 100.0',
        'filon_fleet_worker_sites{worker="w\\"1\\\\\\n"} 1.0',
    ):
        assert line in text.splitlines()


@pytest.mark.parametrize("place", ["", "x", "host:", "127.0.0.1:99999", "-1"])
def test_what_is_no_port_is_told(place: str, tmp_path: Path) -> None:
    async def run() -> None:
        async with metrics_served(SqlStore(Sqlite(tmp_path / "fleet.sqlite")), place):
            pass

    with pytest.raises(UserError, match="--metrics takes a port"):
        asyncio.run(run())


def test_a_port_that_is_taken_is_told(tmp_path: Path) -> None:
    async def run() -> None:
        store = SqlStore(Sqlite(tmp_path / "fleet.sqlite"))
        async with metrics_served(store, "0") as port, metrics_served(store, str(port)):
            pass

    with pytest.raises(UserError, match="cannot be served at"):
        asyncio.run(run())
