"""What `filon refresh` finds, in a model of `experiments.revisits` that reads no page.

The history of the site, what is expected of each look and what is learnt from it are the same. But
a page hands over its new links, as it does to those that `revisits` sets beside a refresh, and they
are followed at once. A history takes seconds in place of minutes, so that there can be many.

    python -m experiments.rounds canadasdg sgeth --first 41 --seeds 10
"""

import argparse
import shutil
import sys
import tempfile
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from email.utils import formatdate
from functools import cache
from pathlib import Path

import numpy as np

from experiments.changing import ChangingWeb
from experiments.revisits import (
    ANCHORS,
    BUDGET,
    ROUNDS,
    Anchor,
    Memory,
    Refreshed,
    Round,
    histories,
    late_finds,
    links_of,
    means,
    moved,
    takes_histories,
)
from filon.compare.replica import BEGAN_S
from filon.core import FilonError
from filon.run.history import CHANGED, FILE, PAGE, SAME, Dated, History, Look, Thing
from filon.run.looks import BEHIND
from filon.verbs.refresh import RefreshSettings
from filon.verbs.refresh.outlook import Known, Outlook
from filon.verbs.refresh.revisit import RATED_AFTER, RATED_PART

#: What a file, or a page with files, adds to the weight of a page that was there: only one of the
#: two views of it is made anew.
VIEW = 0.5


@dataclass(slots=True)
class Met:
    """What is known of a file or page. state: what it was at the last look."""

    url: str
    kind: str
    at_s: float
    weight: float
    state: object
    is_gone: bool = False


@cache
def harvested(file: Path) -> tuple[int, tuple[Thing, ...]]:
    """Return the requests of a first run of a recorded site, and what it has met."""
    folder = Path(tempfile.mkdtemp(prefix="rounds-"))
    try:
        run = Refreshed(ChangingWeb(file, 1), folder / "first", folder / "run", 1)
        with History(run.run) as history:
            return run.requests, tuple(history.things(1))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class Model:
    """Goes through a site's rounds as a refresh does."""

    def __init__(self, file: Path, seed: int) -> None:
        self.web, self._seed = ChangingWeb(file, seed), seed
        self.requests, things = harvested(file)
        self._met = {
            thing.url: Met(thing.url, thing.kind, BEGAN_S, thing.weight, self._state(thing.url))
            for thing in things
        }
        files = [one.url for one in self._met.values() if one.kind == FILE]
        self._memory = Memory({url: self.web.version(url) for url in files})
        dates = [(url, thing.at_s) for url in files if (thing := self.web.thing(url))]
        self._dates = [Dated(url, formatdate(at_s, usegmt=True), BEGAN_S) for url, at_s in dates]
        self._looks: list[Look] = []

    def go(self, budget: int = 0) -> Round:
        """See a round through; budget: in requests, 0: none."""
        met = [*self._met.values()]
        outlook, told = self._outlook(met), Round()
        is_page = np.array([one.kind == PAGE for one in met], dtype=bool)
        told.known_pages = int(sum(one.kind == PAGE and not one.is_gone for one in met))
        most_pages = max(1, int(RefreshSettings().pages * told.known_pages))
        waits, values = np.ones(len(met), dtype=bool), outlook.values()
        looks = rated = 0
        while waits.any() and not (budget and told.requests >= budget):
            if looks - rated >= max(RATED_AFTER, RATED_PART * looks):
                rated, values = looks, outlook.values()
            best = int(np.argmax(np.where(waits, values, -1.0)))
            waits[best], looks = False, looks + 1
            told.requests += 1
            told.pages += int(is_page[best])
            if told.pages >= most_pages:
                waits &= ~is_page
            changed = self._look(met[best], told, budget or sys.maxsize)
            outlook.saw(best, changed=changed)
        told.left = self._memory.left(self.web)
        return told

    def _outlook(self, met: Sequence[Met]) -> Outlook:
        things = [
            Thing(url=one.url, kind=one.kind, at_s=one.at_s, weight=one.weight, is_gone=one.is_gone)
            for one in met
        ]
        return Outlook(
            Known(
                things=things,
                looks=self._looks,
                dates=self._dates,
                now_s=self.web.now_s,
                pages=0,
                seed=self._seed + self.web.round,
            )
        )

    def _state(self, url: str) -> object:
        """Return what a look sees: of a file its version, of a page also where it leads."""
        thing = self.web.thing(url)
        if thing is None or thing.is_gone:
            return None
        return (thing.changes, thing.stamp) if thing.is_page else self.web.version(url)

    def _look(self, one: Met, told: Round, budget: int) -> bool:
        """Look at a file or page; say whether it has changed, or has new links."""
        state, outcome, brought = self._state(one.url), SAME, 0
        changed = state != one.state
        if one.kind == FILE:
            told.found += self._memory.look(self.web, one.url)
            outcome = CHANGED if changed else SAME
        elif changed and state is not None:
            changed, brought = self._follow(one, told, budget)
        tau_s = max(1.0, self.web.now_s - one.at_s)
        self._looks.append(
            Look(
                url=one.url,
                kind=one.kind,
                round=self.web.round,
                tau_s=tau_s,
                outcome=outcome,
                brought=brought,
            )
        )
        one.state, one.at_s, one.is_gone = state, self.web.now_s, state is None
        return changed

    def _follow(self, page: Met, told: Round, budget: int) -> tuple[bool, int]:
        """Follow new links; say whether there are any, and how many files they brought."""
        new = deque((url, page) for url in self._new(page.url))
        any_new, brought = bool(new), 0
        while new and told.requests < budget:
            url, parent = new.popleft()
            thing = self.web.thing(url)
            told.requests, told.new = told.requests + 1, told.new + 1
            if thing is None or thing.is_gone:
                continue
            kind = PAGE if thing.is_page else FILE
            met = self._met[url] = Met(url, kind, self.web.now_s, 0.0, self._state(url))
            if thing.is_page:
                page.weight += VIEW * BEHIND
                new.extend((link, met) for link in self._new(url))
                continue
            brought += 1
            parent.weight += VIEW if parent is page else 1.0
            told.found += self._memory.look(self.web, url) and url not in moved(self.web)
        return any_new, brought

    def _new(self, url: str) -> list[str]:
        thing = self.web.thing(url)
        return [link for link in links_of(thing) if link not in self._met] if thing else []


def measure(file: Path, seed: int) -> dict[str, list[Round]]:
    """Return the rounds of all, on the same history of one site."""
    told: dict[str, list[Round]] = {}
    for name in ("unbounded", "refresh", *ANCHORS):
        model = Model(file, seed)
        budget = int(BUDGET * model.requests)
        anchor = Anchor(model.web) if name in ANCHORS else None
        told[name] = [Round()]
        for _ in range(ROUNDS):
            model.web.advance()
            mine = 0 if name == "unbounded" else budget
            told[name].append(anchor.go(budget, name) if anchor else model.go(mine))
    return told


def line(site: str, seed: int, told: dict[str, list[Round]]) -> str:
    """Return a row of the table."""
    late, whole = late_finds(told), told["unbounded"]
    found, left = sum(one.found for one in whole), whole[-1].left
    six = [sum(one.found for one in told[name]) for name in ("refresh", "round robin", "oracle")]
    cells = [site, seed, f"{found} of {found + left}"]
    cells += [*(late[name] for name in ("refresh", *ANCHORS)), *six]
    return f"| {' | '.join(map(str, cells))} |"


HEAD = (
    "| site | seed | found, no budget | refresh, 15 % | round robin | oracle | clairvoyant"
    " | refresh, six rounds | round robin, six rounds | oracle, six rounds |"
)


def main() -> int:
    """Print the table; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m experiments.rounds", description=__doc__)
    takes_histories(parser, seeds=10)
    asked = parser.parse_args()
    all_told = []
    print(HEAD)
    print("|" + " --- |" * 10)
    try:
        for file, seed in histories(asked):
            told = measure(file, seed)
            print(line(file.stem, seed, told), flush=True)
            all_told.append(told)
        print(f"\n{means(all_told)}")
    except FilonError as error:
        print(f"experiments: {error}", file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
