"""`scout` on the web of real repositories, while its services or the user's words differ.

    python -m experiments.discover.disturbed ../shared/data/discover/web --seeds 5
    python -m experiments.discover.disturbed ../shared/data/discover/web --names dead --anchors

Repositories stay as they are; what a disturbance leaves unreachable is taken from what there is to
find. Judged by the web's own score: requests beyond this web do not count. --anchors: the simple
discoverers that come with the web, too.
"""

import argparse
import contextlib
import importlib
import json
import random
import statistics
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from experiments.discover.real import MARKS, RealWeb, play

WORDS = {
    "one-word": ("sports", "economics", "linguistics"),
    "three-words": (
        "sports match results",
        "economy prices indicators",
        "languages typology grammar",
    ),
    "synonyms": (
        "soccer athletics competition scores",
        "inflation wages finance figures",
        "phonology grammar of the world's languages",
    ),
    "misspelt": ("footbal tennis sport resluts", "economc prices statistcs", "langauge typology"),
    "german": (
        "Fußball Tennis Sport Ergebnisse",
        "Wirtschaft Preise Statistik",
        "Sprachen Typologie Linguistik",
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Disturbance:
    """What is otherwise. words: the topics' names for the user's words; "" as they are.

    lost: the part of all pages that the search does not know; size, pages: of its results.
    shuffled: results of a query in any order. ranking: weights of title and body.
    all_words: only pages with all words of a query are results.
    dead: the part of all hosts that answer 503; errs: of the calls of services.
    faults: of the web's own server. options: of the strategies. seeds: true hosts that are given.
    """

    words: str = ""
    lost: float = 0.0
    size: int = 10
    pages: int = 5
    shuffled: bool = False
    all_words: bool = False
    ranking: tuple[float, float] = (4.0, 1.0)
    dead: float = 0.0
    errs: float = 0.0
    exa: bool = False
    at_least: int = 3
    seeds: int = 0
    faults: dict[str, Any] = field(default_factory=dict)


NAMED = {
    "none": Disturbance(),
    "lost": Disturbance(lost=0.4),
    "shuffled": Disturbance(shuffled=True),
    "ranking": Disturbance(ranking=(0.0, 1.0)),
    "few-results": Disturbance(size=5, pages=3),
    "three-results": Disturbance(size=3, pages=1),
    "all-words": Disturbance(all_words=True),
    "all-synonyms": Disturbance(all_words=True, words="synonyms"),
    "dead": Disturbance(dead=0.2),
    "errs": Disturbance(errs=0.15),
    "no-wiki": Disturbance(faults={"backlink_down": True}),
    "related": Disturbance(exa=True),
    "captcha": Disturbance(faults={"captcha": 4}),
    "fail": Disturbance(faults={"fail": 0.15}),
    "robots": Disturbance(faults={"robots_deny": 0.2}),
    "at-least-1": Disturbance(at_least=1),
    "at-least-10": Disturbance(at_least=10),
    "examples": Disturbance(seeds=3),
    **{name: Disturbance(words=name) for name in WORDS},
}


def disturbed(web: RealWeb, how: Disturbance, seed: int) -> None:
    """Make the web's server answer otherwise from now on."""
    serve = importlib.import_module("serve")

    class Disturbed(serve.Web):  # type: ignore[misc, name-defined]
        """The server, less what is taken from it."""

        index: Any

        def find(self, query: str) -> list[Any]:
            weights = f"0, 0, {how.ranking[0]}, {how.ranking[1]}"
            plain = self.index
            self.index = _Index(plain, weights, how.all_words)
            try:
                rows = super().find(query)
            finally:
                self.index = plain
            kept = [row for row in rows if _chance(seed, "lost", row[0]) >= how.lost]
            if how.shuffled:
                random.Random(f"{seed} {query}").shuffle(kept)
            return kept[: how.size * how.pages]

        def search(self, query: str, page: int, size: int = 10) -> Any:
            return super().search(query, page, how.size)

        def service(self, method: str, target: str, headers: Any, body: bytes) -> Any:
            self.calls += 1
            if _chance(seed, "errs", str(self.calls)) < how.errs:
                return 503, {}, b"try again"
            return super().service(method, target, headers, body)

        def page(self, host: str, target: str) -> Any:
            if host in self.hosts and _chance(seed, "dead", host) < how.dead:
                return 503, {}, b"gone", "other"
            return super().page(host, target)

    web.web.__class__ = Disturbed
    web.web.calls = 0
    web.web.answers.clear()
    web.web.count.clear()
    web.web.failed.clear()
    web.web.faults = dict(serve.FAULTS, **how.faults)


class _Index:
    """An index whose results are ranked by other weights, and may have to have all words."""

    def __init__(self, index: Any, weights: str, all_words: bool) -> None:
        self._index, self._weights, self._all_words = index, weights, all_words

    def execute(self, statement: str, values: Any) -> Any:
        if self._all_words and " OR " in values[0]:
            values = ('"no such words"',)
        return self._index.execute(statement.replace("0, 0, 4.0, 1.0", self._weights), values)


def _chance(seed: int, *names: str) -> float:
    return random.Random(f"{seed} {' '.join(names)}").random()


def reachable(web: RealWeb, topic: str, how: Disturbance, seed: int) -> set[str]:
    """Return the true hosts that still answer."""
    serve = importlib.import_module("serve")
    kinds = web.kinds(topic)
    closed = float(how.faults.get("robots_deny", 0.0))
    return {
        host
        for host, kind in kinds.items()
        if kind == "TRUE"
        and _chance(seed, "dead", host) >= how.dead
        and serve.share("robots", host) >= closed
    }


def examples(web: RealWeb, topic: str, how: Disturbance, seed: int) -> tuple[str, ...]:
    """Return the home pages of some true hosts."""
    hosts = sorted(reachable(web, topic, how, seed))
    return tuple(f"http://{host}/" for host in random.Random(seed).sample(hosts, how.seeds))


def _asked(web: RealWeb, topic: str, how: Disturbance, seed: int) -> dict[str, Any]:
    """Return what a user asks for otherwise."""
    given = examples(web, topic, how, seed)
    instead = {"topic": "", "seeds": given, "options": {"mode": "repositories"}} if given else {}
    return {"at_least": how.at_least, **instead}


def anchors(web: RealWeb, topic: str, query: str, requests: int) -> dict[str, dict[str, Any]]:
    """Return what each simple discoverer finds, by its name."""
    kit = importlib.import_module("anchors")
    score = importlib.import_module("score")
    _, true, neutral = score.truth(str(web.folder), topic)
    told = {}
    for method in (kit.search, kit.bfs, kit.keyword, kit.ucb1):
        words = [word for word in kit.words(query) if word not in kit.GENERAL]
        run = kit.Run(web.web, requests, words)
        with contextlib.suppress(kit.Over):
            method(run, query)
        found = {host: at for host, at in run.found.items() if host not in neutral}
        told[f"anchor:{method.__name__}"] = {
            "curve3": {m: sum(h in true and at <= m for h, at in found.items()) for m in MARKS},
            "found3": len(true & found.keys()),
            "listed": len(found),
            "neutral": 0,
            "requests": run.client.n,
        }
    return told


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a row a disturbance and strategy; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--names", default=",".join(NAMED))
    parser.add_argument("--strategies", default="scout")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--first", type=int, default=200)
    parser.add_argument("--requests", type=int, default=200)
    parser.add_argument("--anchors", action="store_true")
    parser.add_argument("--out", type=Path, help="a file for all scores, as JSON lines")
    asked = parser.parse_args(arguments)
    web = RealWeb(asked.folder)
    plain = dict(web.queries)
    for name in asked.names.split(","):
        how = NAMED[name]
        web.queries = dict(zip(plain, WORDS[how.words], strict=True)) if how.words else plain
        rows: dict[str, dict[tuple[str, int], dict[str, Any]]] = {}
        for topic, query in web.queries.items():
            for seed in range(asked.first, asked.first + asked.seeds):
                there = len(reachable(web, topic, how, seed))
                for strategy in filter(None, asked.strategies.split(",")):
                    disturbed(web, how, seed)
                    more = _asked(web, topic, how, seed)
                    told = play(
                        web,
                        strategy,
                        topic,
                        seed,
                        asked.requests,
                        how.exa,
                        more=more,
                        outside=False,
                    )
                    rows.setdefault(strategy, {})[topic, seed] = told | {"there": there}
                if asked.anchors and not how.errs and not how.faults.get("captcha"):
                    disturbed(web, how, seed)
                    for method, told in anchors(web, topic, query, asked.requests).items():
                        rows.setdefault(method, {})[topic, seed] = told | {"there": there}
        for strategy, scores in rows.items():
            print(_row(name, strategy, scores, list(plain)), flush=True)
            if asked.out:
                with asked.out.open("a", encoding="utf-8") as file:
                    for (topic, seed), told in scores.items():
                        one = {"name": name, "strategy": strategy, "topic": topic, "seed": seed}
                        file.write(json.dumps(one | told) + "\n")
    return 0


def _row(
    name: str, strategy: str, scores: dict[tuple[str, int], dict[str, Any]], topics: list[str]
) -> str:
    """Return verified repositories by topic and in all, and how much of the list is right."""
    cells = []
    for topic in topics:
        ones = [told for (of, _), told in scores.items() if of == topic]
        marks = (statistics.fmean(told["curve3"][mark] for told in ones) for mark in MARKS[:2])
        cells.append(" / ".join(f"{mark:.1f}" for mark in marks))
    sums: list[Counter[int]] = []
    for seed in sorted({seed for _, seed in scores}):
        sums.append(Counter[int]())
        for topic in topics:
            sums[-1].update(scores[topic, seed]["curve3"])
    for mark in MARKS[:2]:
        each = [one[mark] for one in sums]
        cells.append(f"{statistics.fmean(each):.1f}±{statistics.pstdev(each):.1f}")
    there = sum(told["there"] for told in scores.values()) / len(sums)
    listed = sum(told["listed"] - told["neutral"] for told in scores.values())
    right = sum(told["found3"] for told in scores.values()) / max(1, listed)
    cells.append(f"of {there:.0f}; {right:.2f} right of {listed / len(sums):.0f}")
    return f"{name:12} {strategy:14} " + "   ".join(cells)


if __name__ == "__main__":
    sys.exit(main())
