"""Strategies on the small web of real repositories, in process, judged by that web's own score.

    python -m experiments.discover.real ../shared/data/discover/web --strategies scout --seeds 5
    python -m experiments.discover.real ../shared/data/discover/web --topics sports --account 500

Requests are answered by the web's own code without sockets; robots.txt is asked for and counted.
With --account each of the first requests is shown: what it was spent on, and what it brought.
"""

import argparse
import importlib
import json
import sqlite3
import statistics
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from experiments.discover.trial import split
from filon.core import Request, Response, Strategy
from filon.guards.stack import guarded
from filon.page.url import host
from filon.portals import ADAPTERS
from filon.portals.fingerprint import guess, places
from filon.services.search import build as build_service
from filon.verbs.discover.found import numbered
from filon.verbs.discover.listing import ranked
from filon.verbs.discover.strategies import Brief, build

MARKS = (200, 500, 1000, 2000)
AGENT = "filon"
SEARCH = "http://search.test"
#: Parts of a run's address that the web's log and the score need.
Answer = Callable[[Request], Response]


class RealWeb:
    """The web's own server and score, imported from its folder."""

    def __init__(self, folder: Path) -> None:
        sys.path.insert(0, str(folder))
        self._serve: Any = importlib.import_module("serve")
        self._score: Any = importlib.import_module("score")
        self.folder = folder
        self.web = self._serve.Web(str(folder))
        lines = (folder / "queries.tsv").read_text("utf-8").splitlines()
        self.queries = dict(line.split("\t") for line in lines if line and line[0] != "#")

    def without(self, share: float, seed: int) -> "RealWeb":
        """Return this web less a share of its hosts, drawn by a seed: nobody knows them."""
        if not share:
            return self
        drawn = Random(seed)
        gone = {name for name in sorted(self.web.hosts) if drawn.random() < share}
        left = copy(self)
        left.web = self._serve.Web(str(self.folder))
        left.web.hosts = {n: told for n, told in self.web.hosts.items() if n not in gone}
        index = sqlite3.connect(":memory:")
        left.web.index.backup(index)
        index.create_function("gone", 1, gone.__contains__)
        index.executescript("DELETE FROM fts WHERE gone(host); DELETE FROM home WHERE gone(host)")
        left.web.index.close()
        left.web.index = index
        left.web.linking = defaultdict(list)
        for name, pages in self.web.linking.items():
            kept = [page for page in pages if page[0].partition("/")[0] in left.web.hosts]
            left.web.linking[name] = kept
        left.web.read_homes()
        return left

    def answer(self, request: Request, at_s: float) -> Response:
        """Answer one request; what is not of this web cannot be reached."""
        url = request.url.partition("#")[0]
        name = host(url)
        if not url.startswith("http://"):
            return Response(url=request.url, error="tls", at_s=at_s, sent="yes")
        target = url[url.find("/", 7) :] if "/" in url[7:] else "/"
        headers = {key.lower(): value for key, value in request.headers} | {"x-api-key": "test"}
        status, head, body = self.web.handle(request.method, name, target, headers, request.body)
        return Response(
            url=request.url,
            status=status,
            headers=tuple((key, value) for key, value in head.items()),
            body=body,
            at_s=at_s,
            sent="yes",
        )

    def score(self, topic: str, hosts: Sequence[str], log: Path) -> dict[str, Any]:
        """Return what a list and the log of its run are worth."""
        output = [(name, None) for name in dict.fromkeys(hosts)]
        told: dict[str, Any] = self._score.score(str(self.folder), topic, output, str(log))
        return told

    def kinds(self, topic: str) -> dict[str, str]:
        """Return by host whether it is true, neutral, a hub or another."""
        _, true, neutral = self._score.truth(str(self.folder), topic)
        named = dict.fromkeys(self.web.hosts, "other")
        told = dict.fromkeys(neutral, "neutral") | dict.fromkeys(true, "TRUE")
        return named | {name: kind for name, kind in told.items() if name in named}


def searchers(exa: bool) -> list[Any]:
    """Return the services of this web."""
    known = [
        build_service("searxng", {"url": SEARCH}),
        build_service("mediawiki", {"url": f"{SEARCH}/w/api.php"}),
    ]
    return [*known, build_service("exa", {"url": SEARCH})] if exa else known


def play(
    web: RealWeb,
    variant: str,
    topic: str,
    seed: int,
    requests: int,
    exa: bool,
    account: int = 0,
    more: Mapping[str, Any] | None = None,
    outside: bool = True,
) -> dict[str, Any]:
    """Run a strategy within the guards of a discovery; return its score.

    more: for the brief. outside: what goes to hosts outside this web counts too.
    """
    name, options = split(variant)
    brief = Brief(
        topic=web.queries[topic],
        searchers=searchers(exa),
        seed=seed,
        calls=requests,
        portals=ADAPTERS,
        recognise=lambda response: places(guess(response)),
        options=options,
    )
    brief = replace(brief, **(more or {}))
    inner = build(name, brief)
    strategy = guarded(
        inner, robots=AGENT, unasked=["search"], host_backoff=True, questions=["search"]
    )
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log.jsonl"
        with log.open("a", buffering=1, encoding="utf-8") as web.web.log:
            kinds = web.kinds(topic) if account else {}
            spent = _drive(web, strategy, requests, kinds, account, outside)
        web.web.log = None
        hosts = [host(site.url) for site in numbered(ranked(inner)) if not site.apart]
        score = web.score(topic, hosts, log)
    kinds = web.kinds(topic)
    score["list"] = [f"{name}:{kinds.get(name)}" for name in hosts]
    return score | {"spent": spent}


def _drive(
    web: RealWeb,
    strategy: Strategy,
    requests: int,
    kinds: dict[str, str],
    account: int,
    outside: bool,
) -> int:
    spent, seen, sent = 0, 0, 0
    while spent < requests and (step := strategy.propose()):
        sent += 1
        response = web.answer(step.request, float(sent))
        spent += outside or response.status not in (0, 502)
        finds = strategy.observe(step, response)
        if seen < account and response.status != 502 and not response.error:
            seen += 1
            kind = kinds.get(host(step.request.url), "")
            found = " ".join(f"{find.kind} {find.url}" for find in finds)
            print(
                f"{seen:4} {kind:8}{step.reason.kind:8}{step.reason.arm[:22]:24}"
                f"{step.reason.score:7.3f} {response.status} {step.request.url[:110]}  => {found}"
            )
    return spent


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--strategies", default="scout")
    parser.add_argument("--topics", default="")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--requests", type=int, default=2000)
    parser.add_argument("--exa", action="store_true", help="ask for pages like a page, too")
    parser.add_argument("--account", type=int, default=0, help="requests to show")
    parser.add_argument("--out", type=Path, help="a file for all scores, as JSON lines")
    asked = parser.parse_args(arguments)
    web = RealWeb(asked.folder)
    for variant in asked.strategies.split(","):
        rows = defaultdict(list)
        for topic in asked.topics.split(",") if asked.topics else web.queries:
            for seed in range(asked.first, asked.first + asked.seeds):
                told = play(web, variant, topic, seed, asked.requests, asked.exa, asked.account)
                rows[topic].append(told)
                if asked.out:
                    with asked.out.open("a") as file:
                        file.write(json.dumps({"strategy": variant, "seed": seed, **told}) + "\n")
                if asked.account:
                    print(
                        json.dumps(
                            {k: told[k] for k in ("list", "unproved", "classes", "calls")}, indent=1
                        )
                    )
            _row(variant, topic, rows[topic])
        _row(variant, "sum", [_sum(each) for each in zip(*rows.values(), strict=True)])
    return 0


def _sum(scores: Sequence[dict[str, Any]]) -> dict[str, Any]:
    curve = Counter[int]()
    for one in scores:
        curve.update(one["curve3"])
    listed = sum(one["listed"] - one["neutral"] for one in scores)
    found = sum(one["found3"] for one in scores)
    return {
        "curve3": curve,
        "listed": sum(one["listed"] for one in scores),
        "precision": found / max(1, listed),
        "requests": sum(one["requests"] for one in scores),
        "truth3": sum(one["truth3"] for one in scores),
    }


def _row(variant: str, topic: str, scores: Sequence[dict[str, Any]]) -> None:
    marks = " / ".join(
        f"{statistics.fmean(one['curve3'][mark] for one in scores):.1f}"
        f"±{statistics.pstdev(one['curve3'][mark] for one in scores):.1f}"
        for mark in MARKS
    )
    listed, precision, requests = (
        statistics.fmean(one[name] for one in scores)
        for name in ("listed", "precision", "requests")
    )
    print(
        f"{variant:16} {topic:12} {marks}  of {scores[0]['truth3']}; "
        f"listed {listed:.1f}, precision {precision:.2f}, requests {requests:.0f}",
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())
