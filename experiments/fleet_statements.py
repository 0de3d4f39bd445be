"""What a real worker asks the store: requests for each statement, on PostgreSQL.

Usage: python -m experiments.fleet_statements [--sites 200] [--delay 1.0]

One worker harvests generated sites of 20 requests on loopback, 32 at a time, with a pause of a
second at each. All statements count: to begin, to renew the lease, to draw, to commit, to leave.
"""

import argparse
import asyncio
import tempfile
import time
from pathlib import Path

from experiments import postgresql
from experiments.fleet_web import hosts, serving
from filon.core import Budget
from filon.fleet.blobs import FolderBlobs
from filon.fleet.settings import FleetSettings
from filon.fleet.site_list import site_of
from filon.fleet.store import opened
from filon.fleet.worker import Worker

BUDGET = "1000000"


async def harvested(
    address: str, folder: Path, connect_to: str, sites: int, delay_s: float
) -> tuple[int, int]:
    """Harvest sites by one worker; return how many requests and statements that took."""
    settings = FleetSettings(delay=delay_s, connect_to=(connect_to,), budget=BUDGET)
    async with opened(address) as store:
        await store.create(settings.config(), Budget.parse(BUDGET))
        await store.add(site_of(f"http://{host}/") for host in hosts(sites))
    async with opened(address, lease_s=settings.lease) as store:
        worker = Worker(store, FolderBlobs(folder / "blobs"), folder / "worker", settings)
        over, statements = await worker.run(), store.statements
        seen = await store.overview()
        if seen.states != {"exhausted": sites}:
            raise RuntimeError(f"It ended with {over!r}: {seen.states}")
    return seen.requests, statements


def main() -> None:
    """Measure, and print it."""
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    asked.add_argument("--sites", type=int, default=200)
    asked.add_argument(
        "--delay", type=float, default=1.0, help="seconds between requests to a host"
    )
    given = asked.parse_args()
    with (
        tempfile.TemporaryDirectory() as made,
        postgresql.serving() as database,
        serving(0.05) as web,
    ):
        began_s = time.monotonic()
        work = harvested(database.empty(), Path(made), web.connect_to, given.sites, given.delay)
        requests, statements = asyncio.run(work)
        took_s = time.monotonic() - began_s
    print(f"{given.sites} sites, {requests} requests, {statements} statements in {took_s:.0f} s: "
          f"{requests / statements:.1f} requests for each")  # fmt: skip


if __name__ == "__main__":
    main()
