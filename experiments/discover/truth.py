"""Which hosts are repositories, found out by reading the whole of each before any run.

Two ways, in two columns: Definition 2 of DSDD (ten data files within three links of HTML from the
home page), and what the software's own list names (ten files).
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from experiments.discover.repository import Repository
from filon.core import Request, Response
from filon.page.datafile import is_data_file
from filon.page.links import links
from filon.page.url import host, key
from filon.portals import ADAPTERS, Walk
from filon.portals.fingerprint import BY_FORMAT

ENOUGH, LEVELS = 10, 4
#: Where the API of a software begins, if not at the root of the host.
_FOLDERS = {"geonetwork": "/geonetwork"}
Ask = Callable[[Request], Response]


@dataclass(frozen=True, slots=True)
class Truth:
    """What is true of a repository. html, api: the ways in which its files can be found."""

    topics: tuple[str, ...]
    software: str
    html: bool
    api: bool


def census(
    ask: Ask, homes: Mapping[str, tuple[str, ...]], portals: Mapping[str, Repository]
) -> dict[str, Truth]:
    """Return the repositories among hosts, by their home pages."""
    found = {}
    for home, topics in homes.items():
        own = portals.get(host(home))
        software = own.software if own else ""
        told = Truth(topics, software, _leads(ask, home), bool(own) and _lists(ask, home, software))
        if told.html or told.api:
            found[host(home)] = told
    return found


def _leads(ask: Ask, home: str) -> bool:
    """Say whether ten files are within three links of a page."""
    files: set[str] = set()
    level, after, seen, name = [home], list[str](), {key(home)}, host(home)

    def meet(url: str) -> bool:
        if is_data_file(url):
            files.add(url)
        elif host(url) == name and key(url) not in seen:
            seen.add(key(url))
            after.append(url)
        return False  # where it stands on the page is not asked

    for _ in range(LEVELS):
        for url in level:
            response = ask(Request(url=url))
            if response.redirects:
                after.append(response.header("location"))
                continue
            links(response.body, url, wanted=meet)
            if len(files) >= ENOUGH:
                return True
        level[:], after[:] = after, []
    return False


def _lists(ask: Ask, home: str, software: str) -> bool:
    """Say whether the software's API, or a data.json, lists ten files."""
    name, path = BY_FORMAT.get(software, (software, _FOLDERS.get(software, "")))
    root = home.rstrip("/")
    return any(
        _enough(ask, adapter, place)
        for adapter, place in ((name, f"{root}{path}"), ("dcat-us", root))
        if adapter in ADAPTERS
    )


def _enough(ask: Ask, name: str, root: str) -> bool:
    adapter = ADAPTERS[name]
    base = adapter.confirmed(ask(adapter.confirm(root)))
    if not base:
        return False
    walk = Walk(adapter, base, most_calls=20)
    files: set[str] = set()
    while request := walk.next():
        datasets = walk.take(ask(request)).datasets
        files |= {file.url for each in datasets for file in each.files if not file.again}
        if len(files) >= ENOUGH:
            return True
    return False


def count(truth: Iterable[Truth], topic: str = "") -> dict[str, int]:
    """Return how many repositories there are, by each way and by either."""
    kept = [told for told in truth if not topic or topic in told.topics]
    return {
        "html": sum(told.html for told in kept),
        "api": sum(told.api for told in kept),
        "either": len(kept),
    }
