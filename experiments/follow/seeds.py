"""`lode` and `bfs` on several webs, from several starts each: requests to a share of the RDF.

    python -m experiments.follow.seeds ../shared/data/follow hosts 301,302,303,304,305 5
    python -m experiments.follow.seeds ../shared/data/follow wild 301,302,303,304,305 5
    python -m experiments.follow.seeds ../shared/data/follow real 0 5

The second argument is the manner of the webs ("real": w3id.org and the recorded hosts that it leads
to), then their seeds, then how many starts on each. A
start is a seed of its own: other URIs to begin with, and other dice. A crawl ends when it has
reached the largest share that is asked for; what can be reached is what `bfs` finds in the end.
"""

import statistics
import sys
from pathlib import Path

from experiments.follow.trial import SEEDS
from experiments.follow.w3id import W3idWeb
from experiments.follow.web import LodWeb
from filon.core import Request, Response, Strategy
from filon.verbs.follow.strategies import Brief, build

SHARES = (0.5, 0.8)


class Remembering:
    """A web that makes each answer once."""

    def __init__(self, web: LodWeb | W3idWeb) -> None:
        self.web = web
        self._answers: dict[tuple[str, str, tuple[tuple[str, str], ...]], Response] = {}

    def answer(self, request: Request) -> Response:
        """Return what the host says."""
        key = request.method, request.url, request.headers
        if key not in self._answers:
            self._answers[key] = self.web.answer(request)
        return self._answers[key]


def crawl(
    strategy: Strategy, web: Remembering, most: float = float("inf")
) -> tuple[list[int], int]:
    """Return after how many requests each thing was found, up to so many, and when it ended."""
    seen, found, requests = set[str](), list[int](), 0
    while len(found) < most and (step := strategy.propose()):
        requests += 1
        for find in strategy.observe(step, web.answer(step.request)):
            thing = web.web.thing(find.url)
            if thing and thing not in seen:
                seen.add(thing)
                found.append(requests)
    return found, requests


def course(name: str, web: Remembering, seed: int, most: float = float("inf")) -> list[int]:
    """Return after how many requests each thing was found, up to so many things."""
    seeds = tuple(web.web.seeds(SEEDS, seed))
    return crawl(build(name, Brief(seeds=seeds, seed=seed)), web, most)[0]


def _web(folder: Path, manner: str, seed: int) -> LodWeb | W3idWeb:
    return W3idWeb(folder) if manner == "real" else LodWeb(folder, seed=seed, manner=manner)


def main(folder: str, manner: str, webs: str, starts: str, strategy: str = "lode") -> None:
    """Print a row for each start, and a line for each web and for all."""
    every: list[float] = []
    for number in map(int, webs.split(",")):
        web = Remembering(_web(Path(folder), manner, number))
        requests: list[int] = []
        for start in range(1, int(starts) + 1):
            plain = course("bfs", web, start)
            wanted = [int(share * len(plain)) for share in SHARES]
            ours = course(strategy, web, start, wanted[-1])
            cells = [f"{plain[at - 1]:7,} {ours[at - 1]:7,}" for at in wanted]
            every.append(ours[-1] / plain[wanted[-1] - 1])
            requests.append(ours[-1])
            print(
                f"{manner} {number} start {start}: {'  '.join(cells)}  {every[-1]:.3f}", flush=True
            )
        spread = statistics.pstdev(requests) / statistics.fmean(requests)
        ratio = statistics.fmean(every[-len(requests) :])
        print(f"{manner} {number}: {ratio:.3f} of bfs, spread {spread:.1%}", flush=True)
    print(f"all: {statistics.fmean(every):.3f} of bfs, the worst {max(every):.3f}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
