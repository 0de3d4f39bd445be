"""Each verb on a small web of its own, behind a front: how it is begun, and what it has found."""

import csv
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import discoverweb
import filon
import searchbox
from enriching import ABSENT, HIDDEN, LOCAL
from faults.front import Front, fronting
from filon.core import MachineError
from filon.page.url import origin
from filon.testing.discovery import TOPIC
from linkedweb import chain
from loopback import portal, serving

#: More sessions than any fault needs; a run that is never done is a failure.
MOST_SESSIONS = 30
How = dict[str, Any]


@dataclass(frozen=True)
class Case:
    """A verb on its web.

    web: the web behind a front. begin: begins a run in a folder. found: what it has brought.
    size: about how many requests a run makes. files: what it has found are addresses.
    """

    web: Callable[[], AbstractContextManager[Front]]
    begin: Callable[[Front, Path, How], object]
    found: Callable[[Path], set[str]]
    size: int
    files: bool = True


def see_through(
    case: Case, front: Front, folder: Path, how: How, *more: How, begun: bool = False
) -> list[str]:
    """Begin a run, and go on with it until it has ended; return why each session did.

    more: what changes at each resume; the last holds for all that follow. begun: it did before.
    """
    stopped: list[str] = ["interrupted"] if begun else []
    while len(stopped) < MOST_SESSIONS:
        with suppress(MachineError):
            if stopped:
                filon.resume(folder, **more[min(len(stopped), len(more)) - 1])
            else:
                case.begin(front, folder, how)
        with filon.open_run(folder) as run:
            stopped.append(run.stopped)
        if stopped[-1] not in ("budget", "outage", "interrupted", ""):
            return stopped
        if stopped[-1] != "budget" or "budget" not in how:  # a quota that was spent, not a budget
            front.repair()
    raise AssertionError(f"the run does not end: {stopped}")


def files(folder: Path) -> set[str]:
    """Return the addresses of what was found."""
    with filon.open_run(folder) as run:
        return {find.url for find in run}


def sites(folder: Path) -> set[str]:
    """Return the sites that were found; which page of one came first depends on the order."""
    return {origin(url) for url in files(folder)}


@contextmanager
def _site() -> Iterator[Front]:
    pages = portal(4, 8)
    with serving(pages) as site, fronting(site.port) as front:
        yield front


def _harvest(front: Front, folder: Path, how: How) -> object:
    own = {"strategy": "bfs", "stop": "never", "delay": 0.0, "connect_to": [front.rule]}
    return filon.harvest("http://site.test/", out=folder, **{**own, **how})


@contextmanager
def _linked() -> Iterator[Front]:
    with serving(chain(24)) as site, fronting(site.port) as front:
        yield front


def _follow(front: Front, folder: Path, how: How) -> object:
    own = {"strategy": "bfs", "within": "host", "delay": 0.0, "connect_to": [front.rule]}
    return filon.follow("http://things.test/id/1", out=folder, **{**own, **how})


@contextmanager
def _discoverable() -> Iterator[Front]:
    with discoverweb.serving() as web, fronting(web.port) as front:
        yield front


def _discover(front: Front, folder: Path, how: How) -> object:
    own = {
        "search": [f"searxng:url=http://{discoverweb.SEARCH},rate=1000/s"],
        "strategy": "disco",
        "delay": 0.0,
        "connect_to": [front.rule],
        "cache": folder.parent / "answers.sqlite",
    }
    return filon.discover(TOPIC, out=folder, **{**own, **how})


@contextmanager
def _library() -> Iterator[Front]:
    with searchbox.serving(HIDDEN) as box, fronting(box.port) as front:
        yield front


def _enrich(front: Front, folder: Path, how: How) -> object:
    place = folder.parent
    box = searchbox.SearchBox(front.behind)
    searchbox.write_table(place / "t.csv", LOCAL[:25] + ABSENT[:3])
    own = {
        "source": box.source(place),
        "add": "year,isbn",
        "match": "title,author",
        "strategy": "simple",
        "delay": 0.0,
        "connect_to": [front.rule],
        "cache": place / "answers.sqlite",
    }
    return filon.enrich(place / "t.csv", out=folder, **{**own, **how})


def _rows(folder: Path) -> set[str]:
    with (folder / "enriched.csv").open(encoding="utf-8", newline="") as file:
        return {f"{row['title']}: {row['year']}" for row in csv.DictReader(file, delimiter=";")}


CASES: Mapping[str, Case] = {
    "harvest": Case(_site, _harvest, files, 70),
    "follow": Case(_linked, _follow, files, 90),
    "discover": Case(_discoverable, _discover, sites, 170, files=False),
    "enrich": Case(_library, _enrich, _rows, 28, files=False),
}
