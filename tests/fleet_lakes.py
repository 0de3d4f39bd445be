"""A small fleet with finds, for tests of its lake."""

from pathlib import Path

from filon.core import Budget
from filon.fleet.blobs import Blobs
from filon.fleet.lake import ask, fill
from filon.fleet.model import Commit, Site
from filon.fleet.store import opened

QUERY = "SELECT site, count(*), sum(size_bytes) FROM finds GROUP BY site ORDER BY site"


async def filled_and_asked(
    store: Path, blobs: Blobs, place: str
) -> tuple[list[str], list[tuple[object, ...]]]:
    """Make a fleet of two sites with three finds, fill a lake with them, and ask that."""
    async with opened(str(store)) as fleet:
        await fleet.create({}, Budget(requests=10))
        await fleet.add(Site(name=name, url=f"http://{name}/", host=name) for name in ("a", "b"))
        await fleet.join("w")
        for lease in await fleet.lease("w", 2):
            rows = [
                {"find": number, "url": f"http://{lease.site.name}/{number}", "size_bytes": 10}
                for number in range(1, 3 if lease.site.name == "a" else 2)
            ]
            commit = Commit(site=lease.site.name, epoch=lease.epoch, finds=len(rows), rows=rows)
            assert await fleet.commit("w", [commit])
        folder, finds = await fill(fleet, blobs)
    assert (folder, finds) == ("lake/000001", 3)
    return await ask(blobs, place, QUERY)
