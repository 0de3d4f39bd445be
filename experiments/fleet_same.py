"""The same sites embedded and on PostgreSQL, S3 and several workers: are finds and steps the same?

Usage: python -m experiments.fleet_same [--sites 50] [--workers 2] [--on ray]

Each site is harvested to its end, by workers with one request in flight: processes, or with
`--on ray` actors of a Ray cluster that is started here, with a node for each. The runs of the
second fleet are made from its blobs alone, as another worker would.
"""

import argparse
import asyncio
import os
import sqlite3
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest.mock import patch

from experiments import postgresql, raycluster, s3server
from experiments.fleet_web import hosts, listed, serving
from filon.fleet.blobs import blobs_at
from filon.fleet.pieces import last_place, restore
from filon.fleet.session import Places, Session
from filon.fleet.settings import FleetSettings
from filon.fleet.store import opened

_STEPS = """
SELECT step, answer, after, idle, sends, method, url, parent, kind, arm, score, expected, why,
       status, error, cut, mime, location, size_bytes, wire_bytes, body_bytes, sha256 FROM steps
"""
_FINDS = """
SELECT find, step, kind, url, name, mime, parent, size_bytes, sha256, link_text, around, page_title,
       headings, licence, modified FROM finds
"""
#: Later than all.
_EVER = 1 << 30
Told = dict[str, tuple[list[Any], list[Any]]]


async def harvested(
    places: Places, sites: int, connect_to: str, workers: int = 1, on: str = ""
) -> Told:
    """Harvest sites to their ends; return steps and finds by site, from the blobs."""
    settings = FleetSettings(delay=0.0, parallel=1, connect_to=(connect_to,), stop="never")
    session = Session(places, settings)
    await session.begin(listed(places.folder.with_suffix(".txt"), sites))
    over = await session.see_through(workers, on, asyncio.Event())
    async with opened(places.store) as store:
        seen = await store.overview()
    if seen.states != {"exhausted": sites}:
        raise RuntimeError(f"It ended with {over!r}: {seen.states}")
    return {host: await _told(places, host) for host in hosts(sites)}


async def _told(places: Places, host: str) -> tuple[list[Any], list[Any]]:
    blobs = blobs_at(places.blobs)
    place = await last_place(blobs, host, _EVER)
    if place is None:
        raise RuntimeError(f"There is no piece of {host}")
    with tempfile.TemporaryDirectory() as made:
        await restore(blobs, host, place, Path(made) / host)
        ledger = sqlite3.connect(Path(made) / host / "ledger.sqlite")
        told = [ledger.execute(query).fetchall() for query in (_STEPS, _FINDS)]
        ledger.close()
    async with opened(places.store) as store:
        rows = await store.finds(host)
    known = [(row["find"], row["url"], row["sha256"]) for row in rows]
    if known != [(row[0], row[3], row[8]) for row in told[1]]:
        raise RuntimeError(f"The store has other finds of {host} than its run")
    return told[0], told[1]


def both(sites: int, workers: int, on: str = "") -> tuple[Told, Told]:
    """Return what sites have told embedded, and by workers on PostgreSQL and S3."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        database, s3 = (stack.enter_context(part.serving()) for part in (postgresql, s3server))
        web = stack.enter_context(serving(0.005))
        known = s3.environment()
        if on:
            known["RAY_ADDRESS"] = stack.enter_context(raycluster.serving(workers)).address
        stack.enter_context(patch.dict(os.environ, known))
        alone = Places.of(folder / "alone")
        first = asyncio.run(harvested(alone, sites, web.connect_to))
        many = Places(store=database.empty(), blobs=s3.bucket("same"), folder=folder / "many")
        return first, asyncio.run(harvested(many, sites, web.connect_to, workers, on))


def main() -> None:
    """Run both, and print what differs."""
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    asked.add_argument("--sites", type=int, default=50)
    asked.add_argument("--workers", type=int, default=2)
    asked.add_argument("--on", default="", choices=["", "ray"])
    given = asked.parse_args()
    first, second = both(given.sites, given.workers, given.on)
    steps = sum(len(told[0]) for told in first.values())
    finds = sum(len(told[1]) for told in first.values())
    others = [host for host in first if first[host] != second[host]]
    print(f"{given.sites} sites, {steps} steps, {finds} finds; different: {others or 'none'}")


if __name__ == "__main__":
    main()
