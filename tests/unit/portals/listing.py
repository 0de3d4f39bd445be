"""A portal asked for all it has, through the live web."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from filon.core import Request, Response
from filon.portals import ADAPTERS, Dataset, Listing, Walk, gathered
from filon.web import Live, Options
from patience import PATIENCE_S
from unit.portals.catalogue import HOST
from unit.services.server import AUTHORITY, Call, Reply, serving

HOSTS = (HOST, "api.us.socrata.com")


@dataclass(frozen=True)
class Catalogue:
    """What came of it; calls: as the server counted them, the confirming one apart.

    gone: the datasets that the portal says were deleted. whole: whether all were named.
    """

    base: str
    datasets: list[Dataset]
    pages: list[Listing]
    calls: int
    whole: bool = True

    @property
    def gone(self) -> list[str]:
        return [name for page in self.pages for name in page.gone]

    @property
    def same(self) -> list[str]:
        return [name for page in self.pages for name in page.same]


def fetch_all(
    reply: Callable[[Call], Reply], requests: list[Request], tmp_path: Path
) -> list[Response]:
    """Answers of a portal to some requests."""

    async def run(rule: str) -> list[Response]:
        live = Live(_options(rule, tmp_path))
        try:
            return [await live.fetch(request) for request in requests]
        finally:
            await live.close()

    with serving(reply, *HOSTS) as served:
        return asyncio.run(run(served.rule))


def list_all(
    name: str,
    root: str,
    reply: Callable[[Call], Reply],
    tmp_path: Path,
    since: datetime | None = None,
) -> Catalogue:
    """Confirm a portal and walk through all its lists, or those of what has changed."""
    adapter = ADAPTERS[name]

    async def run(rule: str) -> tuple[str, list[Listing], bool]:
        live = Live(_options(rule, tmp_path))
        try:
            base = adapter.confirmed(await live.fetch(adapter.confirm(root)))
            walk, pages = Walk(adapter, base or root, since=since), []
            while base and (request := walk.next()):
                pages.append(walk.take(await live.fetch(request)))
            return base, pages, walk.whole
        finally:
            await live.close()

    with serving(reply, *HOSTS) as served:
        base, pages, whole = asyncio.run(asyncio.wait_for(run(served.rule), PATIENCE_S))
    datasets = gathered(dataset for page in pages for dataset in page.datasets)
    return Catalogue(base, datasets, pages, len(served.calls) - 1, whole)


def _options(rule: str, tmp_path: Path) -> Options:
    ca_file = tmp_path / "ca.pem"
    AUTHORITY.cert_pem.write_to_path(str(ca_file))
    return Options(connect_to=(rule,), ca_file=str(ca_file))
