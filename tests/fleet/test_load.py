"""What the store is asked: few statements for many requests, as the experiment counts them."""

import asyncio
import math

from experiments.fleet_store import sites, size, work
from experiments.postgresql import PostgreSQL
from filon.core import Budget
from filon.fleet.store import opened

#: So many that joining, and the small grants of workers that have just begun, weigh little.
SITES = 1_200


def test_a_statement_serves_at_least_twenty_requests(postgres: PostgreSQL) -> None:
    address = postgres.empty()

    async def begin() -> None:
        async with opened(address) as store:
            await store.create({}, Budget.parse("1000000"))
            assert await store.add(sites(SITES)) == SITES

    async def end() -> tuple[dict[str, int], int]:
        async with opened(address) as store:
            seen = await store.overview()
            return dict(seen.states), seen.requests

    asyncio.run(begin())
    told = work(address, ["w0", "w1"], 32, math.inf)
    requests = sum(size(number) for number in range(SITES))
    assert asyncio.run(end()) == ({"exhausted": SITES}, requests)
    assert told.requests == requests
    assert told.requests >= 20 * told.statements
