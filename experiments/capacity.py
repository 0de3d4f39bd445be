"""How much memory known URLs take. Run as a program, so that nothing else is in its memory.

python -m experiments.capacity STRATEGY COUNT
python -m experiments.capacity STRATEGY COUNT pauses    # what checkpoints cost, 200 answers apart
"""

import json
import resource
import subprocess
import sys
import time
from collections.abc import Collection
from itertools import count, islice
from pathlib import Path
from tempfile import TemporaryDirectory

from filon.core import Response, Strategy
from filon.page.links import Link, Placed, Wanted
from filon.page.types import Types
from filon.run.checkpoint import Checkpoint, dump
from filon.run.folder import RunFolder
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
    chosen = _begun(strategy)
    known = _go_on(chosen, most)
    dump(Checkpoint(state=chosen.state()))
    return {"known": known, "mib": peak_mib()}


def _pauses(strategy: str, most: int) -> dict[str, list[float]]:
    """Return the CPU seconds of checkpoints of a run, the first of them whole; and what was known.

    The answers between two bring new links, so the frontier grows meanwhile.
    """
    chosen, seconds, known = _begun(strategy), list[float](), list[float]()
    known.append(_go_on(chosen, most))
    with TemporaryDirectory() as place, RunFolder.create(Path(place) / "run", {}) as run:
        for _ in range(5):
            began_s = time.process_time()
            run.checkpoint(chosen, now=True)
            seconds.append(round(time.process_time() - began_s, 3))
            known.append(_go_on(chosen, sys.maxsize, answers=200))
    return {"known": known[:-1], "seconds": seconds}


def _begun(strategy: str) -> Strategy:
    types = Types.parse("paper")
    brief = Brief(start="http://site.test/", types=types, stop="never", read=_inventor())
    return build(strategy, brief)


def _go_on(chosen: Strategy, most: int, answers: int = sys.maxsize) -> int:
    """Let a strategy meet URLs until it knows so many, or has had so many answers."""
    head, page, known = (("Content-Type", "text/html"),), b"<html>", 0
    while known < most and answers and (step := chosen.propose()):
        answer = Response(
            url=step.request.url, status=200, headers=head, body=page, size_bytes=len(page)
        )
        chosen.observe(step, answer)
        answers -= 1
        known = int(chosen.summary()["known"])
    return known


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
        placed: Placed | None = None,
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
    measure = _pauses if sys.argv[3:] == ["pauses"] else _fill
    print(json.dumps(measure(sys.argv[1], int(sys.argv[2]))))
