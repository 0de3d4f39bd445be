"""`lode` and `bfs` on webs with slow hosts, in simulated time: seconds to a share of the RDF.

    python -m experiments.follow.slow ../shared/data/follow giant,many-hosts --seeds 3

The guards, pauses and slots are those of a real run: eight requests in flight, one to a host, a
second between two of a host. One host in five takes ten seconds to answer, another one in five asks
for a pause of ten seconds in its robots.txt.
"""

import argparse
import asyncio
import random
import selectors
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from experiments.follow.orca_trial import Harvest
from experiments.follow.variants import SEEDS, SHARES, VARIANTS, VariantWeb, row
from filon.core import Account, Budget, Find, Request, Response, Step, drive
from filon.guards.stack import guarded
from filon.page.url import host
from filon.verbs.follow.strategies import Brief, build
from filon.web.polite import Polite

SLOTS, DELAY_S, QUICK_S, SLOW_S, PAUSE_S = 8, 1.0, 0.2, 10.0, 10
#: Of the hosts, those that answer slowly, and those that ask for a pause.
SLOW, PAUSING = 0.2, 0.2


class _Skipping(selectors.DefaultSelector):
    """Lets the time pass that somebody would wait."""

    now_s = 1_000.0

    def select(self, timeout: float | None = None) -> Any:
        ready = super().select(0)
        if not ready and timeout:
            self.now_s += timeout
        return ready


class _Clocked(asyncio.SelectorEventLoop):
    """A loop whose time is simulated."""

    def __init__(self) -> None:
        self._skipping = _Skipping()
        super().__init__(self._skipping)

    def time(self) -> float:
        return self._skipping.now_s


class SlowWeb:
    """A web some hosts of which are slow, and others want to be left alone."""

    def __init__(self, web: VariantWeb, seed: int) -> None:
        self._web, self._seed = web, seed

    def _lot(self, url: str) -> float:
        return random.Random(f"{self._seed} {host(url)}").random()

    async def fetch(self, request: Request) -> Response:
        """Answer after a while."""
        loop, lot = asyncio.get_running_loop(), self._lot(request.url)
        await asyncio.sleep(SLOW_S if lot < SLOW else QUICK_S)
        if request.url.endswith("/robots.txt") and SLOW <= lot < SLOW + PAUSING:
            rules = f"User-agent: *\nCrawl-delay: {PAUSE_S}\n".encode()
            return Response(url=request.url, status=200, body=rules, at_s=loop.time(), sent="yes")
        answer = self._web.answer(request)
        return Response(
            url=answer.url,
            status=answer.status,
            headers=answer.headers,
            body=answer.body,
            cut=answer.cut,
            size_bytes=answer.size_bytes,
            wire_bytes=answer.wire_bytes,
            at_s=loop.time(),
            sent="yes",
        )

    async def close(self) -> None:
        """Nothing is open."""


class _Course(Harvest):
    """Notes when each document was in."""

    def __init__(self, web: VariantWeb) -> None:
        super().__init__()
        self.web, self.found = web, dict[str, float]()

    def record(
        self, number: int, step: Step, response: Response, finds: Sequence[Find], *, idle: bool
    ) -> None:
        now = asyncio.get_running_loop().time()
        for find in finds:
            if thing := self.web.thing(find.url):
                self.found.setdefault(thing, now)


def course(name: str, web: VariantWeb, seed: int) -> list[float]:
    """Return after how many seconds each document with RDF was found."""

    async def follow() -> list[float]:
        loop = asyncio.get_running_loop()
        begun, told = loop.time(), _Course(web)
        polite = Polite(SlowWeb(web, seed), DELAY_S, clock=loop.time, wall=loop.time)
        brief = Brief(seeds=tuple(web.seeds(SEEDS, seed)), seed=seed, per_host=1)
        strategy = guarded(build(name, brief), robots="filon", host_backoff=True, spacing=True)
        account = Account(Budget(requests=100_000), SLOTS)
        await drive(strategy, polite, account, told, parallel=SLOTS)
        return sorted(at - begun for at in told.found.values())

    with asyncio.Runner(loop_factory=_Clocked) as runner:
        return runner.run(follow())


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a row a strategy and variant; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("names")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first", type=int, default=1)
    asked = parser.parse_args(arguments)
    for name in asked.names.split(","):
        reached: dict[str, list[list[float]]] = {"bfs": [], "lode": []}
        for seed in range(asked.first, asked.first + asked.seeds):
            web = VariantWeb(asked.folder, VARIANTS[name], seed)
            plain = course("bfs", web, seed)
            wanted = [max(1, int(share * len(plain))) for share in SHARES]
            for strategy, rows in reached.items():
                found = plain if strategy == "bfs" else course(strategy, web, seed)
                rows.append([found[n - 1] if n <= len(found) else float("nan") for n in wanted])
        for strategy, rows in reached.items():
            row(name, strategy, rows, reached["bfs"])
    return 0


if __name__ == "__main__":
    sys.exit(main())
