"""What `filon refresh` finds on recorded sites that change, beside three that have it easier.

Six rounds, a week apart. All have harvested the site before, whole. *Round robin* looks at one
thing after the other, files and pages, and follows new links at once. *Oracle* knows the rates of
all sections, and which pages list them, and looks where most is expected for a request; what has
happened, it does not know. *Clairvoyant* does. All are handed what a page links to, and need to
read nothing.

    python -m experiments.revisits armdata canadasdg
"""

import argparse
import asyncio
import math
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean, stdev

from experiments.changing import Asked, ChangingWeb, Thing
from filon.core import FilonError, Request
from filon.run.history import CHANGED, FILE, NEW, PAGE, History
from filon.verbs.harvest import Harvest, HarvestSettings
from filon.verbs.look import open_run
from filon.verbs.refresh import Refresh, RefreshSettings
from filon.verbs.session import begin

#: Beside a checkout.
DATA = Path("../shared/data/harvest")
ROUNDS, FROM_ROUND = 6, 3
#: Of the requests of the first run.
BUDGET = 0.15
ANCHORS = ("round robin", "oracle", "clairvoyant")
#: Late finds of the oracle with which a history tells something.
ENOUGH = 20


@dataclass(slots=True)
class Round:
    """What a round cost, and what of all new and changed files it told.

    left: files that are new or changed, and were not told yet when it ended. wrong: told as
    changed, or as new, though they were neither. new: requests for what was not known before.
    files, known_pages: what was known when it began.
    """

    requests: int = 0
    conditional: int = 0
    size_bytes: int = 0
    pages: int = 0
    found: int = 0
    left: int = 0
    wrong: int = 0
    new: int = 0
    files: int = 0
    known_pages: int = 0


@dataclass(slots=True)
class Memory:
    """What a crawler knows of each file: which version, as the server tells itself."""

    versions: dict[str, str] = field(default_factory=dict)

    def look(self, web: ChangingWeb, url: str) -> bool:
        """Look at a file; say whether it is new or changed."""
        now = web.version(url)
        news = bool(now) and self.versions.get(url) != now
        if now or url in self.versions:
            self.versions[url] = now
        return news

    def left(self, web: ChangingWeb) -> int:
        """Return how many files are new or changed and are not known."""
        return sum(self.versions.get(url) != web.version(url) for url in files_of(web))


def files_of(web: ChangingWeb) -> list[str]:
    """Return the files that the site has now; one that moved is no new one."""
    moved = {url for number in range(web.round + 1) for url in web.truth(number).moved.values()}
    return [
        thing.url
        for thing in web.things()
        if not thing.is_page and not thing.is_gone and thing.url not in moved
    ]


class Anchor:
    """Goes through a site's rounds on its own account, with all that it may know of it."""

    def __init__(self, web: ChangingWeb) -> None:
        self.web = web
        things = [thing for thing in web.things() if not thing.is_gone]
        self.files = {thing.url: 0 for thing in things if not thing.is_page}  # last seen in
        self.pages = {thing.url: 0 for thing in things if thing.is_page}
        self.memory = Memory({url: web.version(url) for url in self.files})
        self._cycle = [thing.url for thing in things]
        self._next = 0

    def go(self, budget: int, name: str) -> Round:
        """Spend a budget in the round that the site is in, as one of the three."""
        told = Round()
        orders = {"round robin": self._in_turn, "oracle": self._by_rates}
        for url in orders.get(name, self._by_truth)():
            if told.requests >= budget:
                break
            self._look(url, told, budget)
        told.left = self.memory.left(self.web)
        return told

    def _look(self, url: str, told: Round, budget: int) -> None:
        self.web.answer(Request(url=url))
        told.requests += 1
        thing = self.web.thing(url)
        if url in self.files:
            self.files[url] = self.web.round
            told.found += self.memory.look(self.web, url)
            return
        told.pages += 1
        self.pages[url] = self.web.round
        if thing is None or thing.is_gone:
            return
        for link in links_of(thing):
            if link in self.files or link in self.pages or told.requests >= budget:
                continue
            goal = self.web.thing(link)
            (self.pages if goal and goal.is_page else self.files)[link] = self.web.round
            self._cycle.append(link)
            is_moved = link in moved(self.web)
            before = told.found
            self._look(link, told, budget)
            told.found = before if is_moved and goal and not goal.is_page else told.found

    def _in_turn(self) -> Iterator[str]:
        for _ in range(len(self._cycle)):
            self._next = (self._next + 1) % len(self._cycle)
            yield self._cycle[self._next]

    def _by_rates(self) -> list[str]:
        web, values = self.web, dict[str, float]()
        rates = web.rates["changed"]
        for url, seen in self.files.items():
            thing = web.thing(url)
            if self.memory.versions.get(url) and thing:
                values[url] = 1 - (1 - rates[thing.section]) ** (web.round - seen)
        for url, expected in self._expected_files().items():
            files = expected * (web.round - self.pages[url])
            values[url] = files / (1 + files)
        return _best_first(values)

    def _by_truth(self) -> list[str]:
        web, values = self.web, dict[str, float]()
        for url in self.files:
            if web.version(url) and self.memory.versions.get(url) != web.version(url):
                values[url] = 1.0
        for url in self.pages:
            page = web.thing(url)
            if page and not page.is_gone:
                links = {*links_of(page)}
                new = [web.thing(link) for link in links - self.files.keys() - self.pages.keys()]
                goals = sum(goal is not None and not goal.is_gone for goal in new)
                values[url] = goals / (1 + goals)
        return _best_first({url: value for url, value in values.items() if value})

    def _expected_files(self) -> dict[str, float]:
        """Return how many new files a round each page that is known is expected to have."""
        web, expected = self.web, dict[str, float]()
        new = web.expected_new()
        for section, lists in web.lists.items():
            weight = sum(share for _, share in lists)
            for url, share in lists:
                expected[url] = expected.get(url, 0.0) + new.get(section, 0.0) * share / weight
        return {url: number for url, number in expected.items() if url in self.pages}


def _best_first(values: dict[str, float]) -> list[str]:
    return sorted(values, key=lambda url: (-values[url], url))


def links_of(page: Thing) -> list[str]:
    """Return the links that were put on a page since the site was first seen."""
    return [*page.links, *filter(None, page.away.values())]


def moved(web: ChangingWeb) -> set[str]:
    """Return where files have moved to so far."""
    return {url for number in range(web.round + 1) for url in web.truth(number).moved.values()}


def total(log: Iterable[Asked], number: int) -> tuple[int, int, int]:
    """Return the requests of a round, those with a condition, and the bytes."""
    mine = [asked for asked in log if asked.round == number]
    conditional = sum(asked.conditional for asked in mine)
    return len(mine), conditional, sum(asked.size_bytes for asked in mine)


# The real thing.


class Refreshed:
    """A run of the site, and its rounds, in a folder."""

    def __init__(self, web: ChangingWeb, first: Path, folder: Path, seed: int) -> None:
        """Take up a first run in a folder of its own; where there is none yet, make it."""
        self.web, self.run, self._seed = web, folder, seed
        self.memory = Memory()
        if not first.exists():
            settings = HarvestSettings(url=web.start, types="paper", stop="never", seed=seed)
            verb = Harvest()
            job = verb.prepare(settings)
            job.network = web
            asyncio.run(begin(verb, job, first))
        shutil.copytree(first, folder)
        spent = open_run(first).spent
        self.requests, self.size_bytes = spent.requests, spent.bytes
        with History(self.run) as history:
            for thing in history.things(1):
                if thing.kind == FILE:
                    self.memory.versions[thing.url] = web.version(thing.url)

    def go(self, budget: int = 0) -> Round:
        """See a round through; budget: in requests, 0: none."""
        web = self.web
        with History(self.run) as history:
            things = [one for one in history.things(web.round) if not one.is_gone]
        settings = RefreshSettings(
            run=str(self.run),
            url=web.start,
            number=web.round,
            at=web.now_s,
            seed=self._seed,
            budget=f"{budget}req" if budget else "",
        )
        verb = Refresh()
        job = verb.prepare(settings)
        job.network = web
        folder = self.run / "rounds" / f"{web.round:04}"
        asyncio.run(begin(verb, job, folder))
        return self._told(
            {one.url for one in things if one.kind == FILE},
            {one.url for one in things if one.kind == PAGE},
        )

    def _told(self, files: set[str], pages: set[str]) -> Round:
        web = self.web
        told = Round(files=len(files), known_pages=len(pages))
        told.requests, told.conditional, told.size_bytes = total(web.log, web.round)
        asked = {one.url for one in web.log if one.round == web.round}
        told.pages, told.new = len(asked & pages), len(asked - pages - files)
        with History(self.run) as history:
            changes = [one for one in history.changes() if one["round"] == web.round]
        for change in changes:
            if change["what"] in (NEW, CHANGED):
                if self.memory.look(web, change["url"]):
                    told.found += change["url"] not in moved(web)
                else:
                    told.wrong += 1
        told.left = self.memory.left(web)
        return told


def measure(file: Path, seed: int, *, etags: bool, folder: Path) -> dict[str, list[Round]]:
    """Return the rounds of all, on the same history of one site."""
    told: dict[str, list[Round]] = {}
    first = 0
    for name in ("unbounded", "refresh"):
        web = ChangingWeb(file, seed, etags=etags)
        run = Refreshed(web, folder / "first", folder / name, seed)
        first = run.requests
        told[name] = [Round(requests=first, size_bytes=run.size_bytes)]
        for _ in range(ROUNDS):
            web.advance()
            told[name].append(run.go(int(BUDGET * first) if name == "refresh" else 0))
    for name in ANCHORS:
        web = ChangingWeb(file, seed, etags=etags)
        anchor = Anchor(web)
        told[name] = [Round()]
        for _ in range(ROUNDS):
            web.advance()
            told[name].append(anchor.go(int(BUDGET * first), name))
    return told


def late_finds(told: dict[str, list[Round]]) -> dict[str, int]:
    """Return how many files each has found from the third round on."""
    return {name: sum(one.found for one in rounds[FROM_ROUND:]) for name, rounds in told.items()}


def means(all_told: list[dict[str, list[Round]]]) -> str:
    """Return geometric means of what is found, and the ends of 95 % of where they may be.

    Histories with few late finds say nothing.
    """
    late = [one for one in map(late_finds, all_told) if one["oracle"] >= ENOUGH]
    lines = [f"{len(late)} histories with {ENOUGH} finds or more, geometric means:"]
    for one, other in [("refresh", name) for name in ANCHORS] + [("clairvoyant", "round robin")]:
        logs = [math.log(max(1, told[one]) / max(1, told[other])) for told in late]
        if len(logs) > 1:
            mean, error = fmean(logs), 1.96 * stdev(logs) / math.sqrt(len(logs))
            low, middle, high = (math.exp(mean + way * error) for way in (-1, 0, 1))
            lines.append(f"{one} / {other}: {middle:.2f} ({low:.2f} to {high:.2f})")
    whole = [told["unbounded"] for told in all_told]
    found = sum(one.found for rounds in whole for one in rounds[1:])
    left = sum(rounds[-1].left for rounds in whole)
    lines.append(f"found without a budget: {found} of {found + left}")
    return "\n".join(lines)


def line(site: str, told: dict[str, list[Round]], *, etags: bool) -> str:
    """Return a row of the table."""
    late = late_finds(told)
    whole, first = told["unbounded"][1:], told["unbounded"][0]
    found, left = sum(one.found for one in whole), whole[-1].left
    pages = max(one.pages / max(1, one.known_pages) for one in whole)
    again = max((one.requests - one.pages - one.new) / max(1, one.files) for one in whole)
    size = sum(one.size_bytes for one in whole) / ROUNDS / first.size_bytes
    wrong = sum(one.wrong for name in ("unbounded", "refresh") for one in told[name])
    robin = late["refresh"] / max(1, late["round robin"])
    oracle = late["refresh"] / max(1, late["oracle"])
    cells = [
        site,
        "yes" if etags else "no",
        first.requests,
        f"{found} of {found + left}",
        f"{again:.2f}",
        f"{pages:.2f}",
        sum(one.new for one in whole),
        f"{size:.3f}",
        *(late[name] for name in ("refresh", *ANCHORS)),
        f"{robin:.2f}",
        f"{oracle:.2f}",
        wrong,
    ]
    return f"| {' | '.join(map(str, cells))} |"


HEAD = (
    "| site | ETags | first run | found, no budget | requests a file | pages again | new requests"
    " | bytes / first run | refresh, 15 % | round robin | oracle | clairvoyant | / round robin"
    " | / oracle | wrong |"
)


def takes_histories(parser: argparse.ArgumentParser, *, seeds: int) -> None:
    """Let a command say which histories it is about."""
    parser.add_argument("sites", nargs="*", help="by default all")
    parser.add_argument("--data", type=Path, default=DATA, help="folder with recorded sites")
    each = "histories of each site"
    parser.add_argument("--seeds", type=int, default=seeds, metavar="N", help=each)
    parser.add_argument("--first", type=int, default=1, metavar="N", help="seed of the first")


def histories(asked: argparse.Namespace) -> Iterator[tuple[Path, int]]:
    """Yield the histories that were asked for: a recorded site and a seed of each."""
    for file in sorted((asked.data / "replicas").glob("*.sqlite")):
        if not asked.sites or file.stem in asked.sites:
            for seed in range(asked.first, asked.first + asked.seeds):
                yield file, seed


def main() -> int:
    """Print the table; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m experiments.revisits", description=__doc__)
    takes_histories(parser, seeds=1)
    parser.add_argument("--etags", choices=("yes", "no", "both"), default="both")
    asked = parser.parse_args()
    kinds = [etags for etags in (True, False) if asked.etags in ("both", "yes" if etags else "no")]
    all_told = []
    print(HEAD)
    print("|" + " --- |" * 15)
    try:
        for file, seed in histories(asked):
            for etags in kinds:
                folder = Path(tempfile.mkdtemp(prefix="revisits-"))
                try:
                    told = measure(file, seed, etags=etags, folder=folder)
                finally:
                    shutil.rmtree(folder, ignore_errors=True)
                print(line(file.stem, told, etags=etags), flush=True)
                all_told.append(told)
        print(f"\n{means(all_told)}")
    except FilonError as error:
        print(f"experiments: {error}", file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
