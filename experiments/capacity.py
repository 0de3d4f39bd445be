"""How much memory known URLs take. Run as a program, so that nothing else is in its memory.

python -m experiments.capacity STRATEGY COUNT
"""

import json
import resource
import subprocess
import sys
from collections.abc import Collection
from itertools import count, islice
from pathlib import Path

from filon.core import Response
from filon.page.links import Link, Wanted
from filon.page.types import Types
from filon.run.checkpoint import Checkpoint, dump
from filon.verbs.harvest.strategies import build
from filon.verbs.harvest.strategies.brief import Brief, Reader

LINKS_A_PAGE = 500


def known_urls(strategy: str, number: int) -> dict[str, float]:
    """Return {"known": N, "mib": M} for a strategy that has met about so many URLs.

    M is the most that it takes, a checkpoint included.
    """
    command = [sys.executable, "-P", __file__, strategy, str(number)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
    told: dict[str, float] = json.loads(done.stdout)
    return told


def _fill(strategy: str, most: int) -> dict[str, float]:
    types = Types.parse("paper")
    brief = Brief(start="http://site.test/", types=types, stop="never", read=_inventor())
    chosen, known = build(strategy, brief), 0
    head, page = (("Content-Type", "text/html"),), b"<html>"
    while known < most and (step := chosen.propose()):
        answer = Response(
            url=step.request.url, status=200, headers=head, body=page, size_bytes=len(page)
        )
        chosen.observe(step, answer)
        known = int(chosen.summary()["known"])
    dump(Checkpoint(state=chosen.state()))
    return {"known": known, "mib": peak_mib()}


def peak_mib() -> float:
    """Return the most memory that this process has had.

    Linux hands the parent's peak down in getrusage, but not in /proc.
    """
    status = Path("/proc/self/status")
    if status.is_file():
        (peak,) = (line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(peak.split()[1]) / 1024
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 2**20


def _inventor() -> Reader:
    """Return a reader that finds new links on every page, of the length that real ones have."""
    numbers = count()

    def invent(
        response: Response,
        *,
        around: str = "",
        wanted: Wanted | None = None,
        heads: Collection[str] = (),
    ) -> list[Link]:
        found = [_link(number) for number in islice(numbers, LINKS_A_PAGE)]
        return [link for link in found if wanted is None or wanted(link.url)]

    return invent


def _link(number: int) -> Link:
    words = f"table-{number * 7919 % 1_000_003:07}-{number:07}"
    url = f"http://site.test/statistics/section-{number % 40}/{words}-population-by-region.html"
    path = f"/html/body.portal/div.content#main/ul.list-{number % 40}/li/a.item"
    return Link(url, path, "Population by region", "a", "")


if __name__ == "__main__":
    print(json.dumps(_fill(sys.argv[1], int(sys.argv[2]))))
