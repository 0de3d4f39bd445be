"""The fourth part of `filon demo`: the repositories of a topic are discovered."""

from pathlib import Path

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from filon.demo.country import SEARCH, TOPIC, truth
from filon.demo.part import Turn, ended
from filon.demo.show import bars, table
from filon.page.url import host
from filon.run.text import count, plain
from filon.verbs.discover.api import adiscover
from filon.verbs.discover.found import Site
from filon.verbs.discover.strategies import DEFAULT
from filon.verbs.discover.summary import discovered

#: Requests of each run.
CALLS = 150
HEAD = "Discovering repositories"
#: The runs by their names, which are those of their folders and in the output.
TITLES = {
    DEFAULT: "searches, pages and checks compete by what they bring",
    "dsdd": "the paper's rounds of search and crawl",
}
TOLD = 5


async def go(turn: Turn) -> Path:
    """Discover with one strategy; return the folder of the run."""
    how = {**turn.settings("water-"), "cache": turn.cache("searches"), "budget": CALLS}
    return await ended(adiscover(TOPIC, search=f"searxng:url={SEARCH},rate=500/s", **how))


def tell(runs: dict[str, Path]) -> RenderableType:
    """Return the best that was found, and how many with each strategy."""
    found = {name: discovered(path).repositories for name, path in runs.items()}
    return Group("", _best(found[DEFAULT]), "", _found(found))


def _best(sites: list[Site]) -> Table:
    shown = table(f"Repositories on {TOPIC}, the best first", "datasets", "files", "software")
    for site in sites[:TOLD]:
        name, software = Text(plain(site.site)), site.software or "-"
        shown.add_row(name, count(site.datasets), count(site.files), software)
    return shown


def _found(found: dict[str, list[Site]]) -> RenderableType:
    title = f"Repositories with {CALLS} requests"
    shown = bars(title, {name: len(sites) for name, sites in found.items()}, DEFAULT)
    true = truth()
    right = sum(true.get(host(site.url)) == "water" for site in found[DEFAULT])
    there = sum(subject == "water" for subject in true.values())
    others = "; the others have other data" if len(found[DEFAULT]) > right else ""
    sentence = f"Of the {there} on water {DEFAULT} found {right}{others}."
    return Group(shown, Text(sentence, "bold"))


def ways(runs: dict[str, Path]) -> dict[str, str]:
    """Return what to look at next."""
    path = runs[DEFAULT]
    best = discovered(path).repositories[:1]
    asked = f" {plain(best[0].url)}" if best else ""
    return {
        "The sites": f"{path / 'sites.csv'}",
        "The search": f"{path / 'report.html'}",
        "A site": f"filon why {path}{asked}",
    }
