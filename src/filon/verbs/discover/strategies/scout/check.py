"""Whether a site is a repository: its API is asked where its software is known, else it is read.

Reading goes best first: which links lead to files, and which are dull, is learnt over all sites of
a run, from a small prior that holds anywhere. What another page of a site is worth is the chance
that its best link leads to files; a check ends when that is too small to be worth a request. An API
takes one call where its address is known, two where not. What was seen of a site's data is the
evidence.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from filon.core import Request, Response
from filon.core.forms import KEYS, TUPLE, each, made, pairs, record, row
from filon.core.portal import Dataset, Listing
from filon.core.state import Stateful, group, stored
from filon.learn.ftrl import Ftrl
from filon.page.datafile import format_of
from filon.page.links import Link
from filon.page.url import extension, split
from filon.verbs.discover.strategies.brief import Brief
from filon.verbs.discover.strategies.page import PAGE, Page, promises
from filon.verbs.discover.strategies.scout.frontier import CANDIDATE, SIZE, Candidate, numbers
from filon.verbs.discover.strategies.scout.reading import Reading
from filon.verbs.discover.strategies.scout.tasks import ScoutTask, ScoutTasks

#: What is kept of a catalogue of a hundred thousand.
MOST_FILES, MOST_TITLES, MOST_WORDS = 200, 200, 4_000


@dataclass(slots=True)
class Evidence:
    """Files, datasets, and what the portal or its pages say of them.

    least: files, or datasets that an API lists, that make a repository.
    files: addresses by what tells a file from others: a site has several views of each.
    listed: files that an API named, however many. total: datasets, as the portal counts them.
    software: whose API answered.
    """

    least: int = 3
    files: dict[str, str] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    formats: dict[str, int] = field(default_factory=dict)
    licences: dict[str, int] = field(default_factory=dict)
    modified: str = ""
    markup: list[str] = field(default_factory=list)
    software: str = ""
    words: str = ""
    listed: int = 0
    total: int = 0

    @property
    def enough(self) -> bool:
        """It is a repository: so many files (Definition 2 of DSDD), or datasets of a portal."""
        return self.count >= self.least or bool(self.software and self.total >= self.least)

    @property
    def count(self) -> int:
        """How many files were seen."""
        return self.listed or len(self.files)

    def see(self, files: Iterable[str], url: str, title: str) -> int:
        """Take in the files that a page links to; return how many are new."""
        new = {name: file for file in files if (name := _name(file)) not in self.files}
        for name, file in new.items():
            if len(self.files) < MOST_FILES:
                self.files[name] = file
            _count(self.formats, format_of(file))
        if new and len(self.titles) < MOST_TITLES:
            self.titles[url] = title
        return len(new)

    def read(self, listing: Listing, software: str) -> None:
        """Take in a list of the portal's API."""
        for dataset in listing.datasets:
            self._dataset(dataset)
            self._files(dataset)
        if listing.datasets:
            self.software = software
        seen = listing.total if listing.total is not None else len(listing.datasets)
        self.total = max(self.total, seen)

    def mark(self, listing: Listing, name: str) -> None:
        """Take in what a page says of its datasets for machines: evidence, no proof."""
        if listing.datasets and name not in self.markup:
            self.markup.append(name)
        for dataset in listing.datasets:
            self._dataset(dataset)

    def _dataset(self, dataset: Dataset) -> None:
        if len(self.titles) < MOST_TITLES:
            self.titles[dataset.url or dataset.title] = dataset.title
        if len(self.words) < MOST_WORDS:
            self.words += f" {dataset.title} {' '.join(dataset.keywords)}"
        _count(self.licences, dataset.licence)
        self.modified = max(self.modified, dataset.modified)

    def _files(self, dataset: Dataset) -> None:
        for file in dataset.files:
            self.listed += not file.again
            if len(self.files) < MOST_FILES:
                self.files[file.url] = file.url
            _count(self.formats, file.format.lower() or format_of(file.url))

    def figures(self) -> dict[str, Any]:
        """Return what is told of it in a result."""
        return {
            "files": self.count,
            "datasets": max(self.total, len(self.titles)),
            "formats": tuple(name for name, _ in Counter(self.formats).most_common()),
            "software": self.software,
            "licence": max(self.licences, key=lambda one: self.licences[one], default=""),
            "modified": self.modified,
            "markup": tuple(self.markup),
        }


#: Evidence in a declared state.
EVIDENCE = record(Evidence, files=pairs(), titles=pairs())


def _name(file: str) -> str:
    """Return what tells a file from others of its site: its name, its folder, its query.

    >>> _name("http://a.org/raw/main/x/y.csv") == _name("http://a.org/blob/main/x/y.csv")
    True
    """
    parts = split(file)
    return f"{'/'.join(parts.path.split('/')[-2:])}?{parts.query}"


def _count(counts: dict[str, int], name: str) -> None:
    if name and (name in counts or len(counts) < MOST_TITLES):
        counts[name] = counts.get(name, 0) + 1


#: Words of links that hardly ever lead to data, on any site, by how they begin: a prior, no more.
_DULL_WORDS = """
    issue pull commit release licen contribut readme changelog wiki action discussion login sign
    register contact about privacy terms imprint impress help faq news blog press job career event
    test doc script src lib example
"""
_DULL = tuple(_DULL_WORDS.split())
#: Endings of addresses that are pages for people; another ending is a file of another kind.
_PAGES = frozenset(["", "html", "htm", "php", "asp", "aspx", "jsp", "cgi", "shtml", "xhtml"])
#: What is believed of a link before anything was learnt, as logarithms of odds: any link, one that
#: promises data, one whose words are dull, one to a file that is no data or to a hidden one.
BASE, PROMISING, DULL, NO_DATA = -1.5, 1.5, -1.5, -2.0
#: What a page that has no file, and links to such as may, is worth against one that has.
ONWARD = 0.6
#: Words of an address and a text that are looked at.
LINK_WORDS = 12
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(slots=True)
class Waiting:
    """A link of a site that waits: its text, where it stands on its page, how far it is."""

    url: str
    text: str
    place: str
    depth: int
    prior: float = 0.0
    features: list[int] = field(default_factory=list)


def waiting(link: Link, site: str, depth: int) -> Waiting:
    """Return a link with what is known of it."""
    place = "/".join(link.path.rsplit("/", 3)[-3:])[:80]
    return _described(Waiting(link.url, link.text[:80], place, depth), site)


def _described(link: Waiting, site: str) -> Waiting:
    """Settle what tells of a link."""
    path = split(link.url).path
    name = path.rstrip("/").rpartition("/")[2]
    words = _WORD.findall(f"{path} {link.text}".lower())
    ending = extension(link.url)
    link.prior = BASE
    if any(word.startswith(dull) for word in words for dull in _DULL):
        link.prior += DULL
    if promises(Link(link.url, "", link.text, "a")):
        link.prior += PROMISING
    if ending not in _PAGES or name.startswith("."):
        link.prior += NO_DATA
    named = ["link", f"depth {link.depth}", f"place {link.place}", f"ending {ending}"]
    named += [f"folder {path.endswith('/')}", f"here {site} {_shape(link.url)}"]
    named += [f"says {word}" for word in dict.fromkeys(words[:LINK_WORDS])]
    named += [f"last {word}" for word in _WORD.findall(name.lower())[:LINK_WORDS]]
    link.features = numbers(named)
    return link


def _shape(url: str) -> str:
    """Return what addresses have in common that lead to the same kind of page.

    >>> _shape("http://a.org/dataset/12"), _shape("http://a.org/dataset/prices-2020?page=2")
    ('/dataset/*', '/dataset/*?')
    """
    parts = split(url)
    folders, _, name = parts.path.rstrip("/").rpartition("/")
    last = "*" if folders else re.sub(r"\d+", "#", name)
    return f"{re.sub('[0-9]+', '#', folders)}/{last}{'?' if parts.query else ''}"


class LinkModel:
    """Which links lead to files and which are dull, learnt over all sites."""

    def __init__(self) -> None:
        self._model = Ftrl(SIZE, alpha=0.3, l1=0.0, l2=1.0)

    def chances(self, links: list[Waiting]) -> list[float]:
        """Return the chance of each that it leads to files."""
        if not links:
            return []
        starts = np.concatenate([[0], np.cumsum([len(link.features) for link in links])[:-1]])
        flat = [feature for link in links for feature in link.features]
        margins = self._model.margins(flat, starts.tolist())
        margins = margins + np.array([link.prior for link in links])
        found: list[float] = (1 / (1 + np.exp(-np.clip(margins, -30, 30)))).tolist()
        return found

    def learn(self, link: Waiting, good: float) -> None:
        """Take note of where a link led: 1 to files, 0 to nothing, or what lies behind."""
        self._model.learn(link.features, good, 1.0, link.prior)

    def state(self) -> dict[str, Any]:
        """Return plain data."""
        # By hand: it is the model's.
        return self._model.state()

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        self._model.restore(state)


#: What a page without files or links to such leaves of the chance of those that are left.
BARREN = 0.8
#: Links away from the entry page.
DEPTH = 4
#: Pages of a site before it is given up, and links that wait.
MOST_PAGES, MOST_LINKS = 25, 400


@dataclass(slots=True)
class Check(Stateful):
    """One site that is being verified.

    places: software and addresses where its API may be. root: where its portal begins, if that is
        a page of its own.
    links: pages to read. met: all addresses that were met.
    reading: the link that is being read.
    barren: pages in a row that had no files. spent: requests so far.
    settled: what led here has learnt of it.
    chance: that its best link leads to files. worth: the same, by how near the site is.
    """

    STATE = (
        stored("entry", PAGE),
        stored("candidate", CANDIDATE),
        stored("evidence", EVIDENCE),
        group("flags", "asked_sitemap", "busy", "settled", "chance", "worth"),
        group("counts", "pages", "barren", "calls", "spent"),
        "root",
        stored("places", each(TUPLE)),
        stored("links", each(row(Waiting))),
        stored("reading", each(row(Waiting))),
        stored("met", KEYS),
    )

    entry: Page
    candidate: Candidate
    places: list[tuple[str, str]] = field(default_factory=list)
    evidence: Evidence = field(default_factory=Evidence)
    links: list[Waiting] = field(default_factory=list)
    reading: list[Waiting] = field(default_factory=list)
    root: str = ""
    asked_sitemap: bool = False
    pages: int = 0
    barren: int = 0
    calls: int = 0
    met: dict[str, None] = field(default_factory=dict)
    settled: bool = False
    spent: int = 1
    chance: float = 0.0
    worth: float = 0.0
    busy: bool = False

    def read(self, reading: Reading, depth: int) -> tuple[int, list[Waiting]]:
        """Take in a page of the site; return its new files, and its links that are new."""
        page = reading.page
        new = self.evidence.see(page.files, page.url, page.title)
        self.barren = 0 if new or not depth else self.barren + 1
        self.met[page.url] = None
        return new, self.meet(reading.own, depth + 1)

    def meet(self, links: Iterable[Link], depth: int) -> list[Waiting]:
        """Let links wait; return the new ones."""
        new = []
        for link in links if depth <= DEPTH else ():
            if link.url not in self.met and len(self.met) < MOST_LINKS:
                self.met[link.url] = None
                new.append(waiting(link, self.entry.site, depth))
        self.links += new
        return new

    def next_link(self, model: LinkModel) -> Waiting:
        """Return the likeliest link to files, and let it wait no longer."""
        chances = model.chances(self.links)
        return self.links.pop(max(range(len(chances)), key=lambda at: (round(chances[at], 9), -at)))

    def task(self, kind: str, score: float, **more: Any) -> ScoutTask:
        """Return a task of the check: who led to the site is paid for it."""
        return ScoutTask(
            kind=kind,
            entry=self.entry.url,
            query=self.entry.site,
            parent=self.entry.url,
            origins=tuple(self.candidate.origins[:1]),
            score=score,
            **more,
        )

    @property
    def home(self) -> str:
        """The page to begin with: the portal's own, where its API told that it is one."""
        return f"{self.root}/" if self.root and self.evidence.software else self.entry.url

    def weigh(self, model: LinkModel, near: float) -> None:
        """Settle what another page is worth. near: the chance that the site is on the topic."""
        self.chance = max(model.chances(self.links), default=0.0) * BARREN**self.barren
        if self.pages >= MOST_PAGES:
            self.chance = 0.0
        self.worth = near * self.chance


#: A check in a declared state.
CHECK = made(lambda: Check(Page(url="", site=""), Candidate("", "")))

#: Software whose first list has an address that follows from the portal's own: it is asked for at
#: once, and its answer confirms the software as well as any other.
STRAIGHT = frozenset(
    ["ckan", "socrata", "opendatasoft", "arcgishub", "dataverse", "dkan", "inveniordm", "datasette"]
)
#: What a page says itself needs no call.
MARKUP = "schema.org"
#: Calls that ask whether an API is there, and calls for one site in all.
MOST_TRIES, MOST_CALLS = 2, 5


class Verifier:
    """Calls of portals' APIs. What `heard` returns: "wait", "yes", "no", or "unknown": no API."""

    def __init__(self, brief: Brief, tasks: ScoutTasks) -> None:
        self._portals = brief.portals
        self._recognise = brief.recognise
        self._tasks = tasks

    def look(self, check: Check, response: Response) -> None:
        """Take in what an entry page gives away: its software, and what it says for machines."""
        self.mark(check, response)
        if self._recognise is None:
            return
        known = [place for place in self._recognise(response) if place[0] in self._portals]
        check.places = [place for place in known if place[0] != MARKUP][:MOST_CALLS]

    def mark(self, check: Check, response: Response) -> None:
        """Take in what a page says of its datasets for machines."""
        if MARKUP in self._portals and b"ld+json" in response.body:
            check.evidence.mark(self._portals[MARKUP].read(response), "schema.org Dataset")

    def ask(self, check: Check) -> bool:
        """Put the next call in line; False: there is nobody to ask."""
        while check.places and check.calls < MOST_TRIES:
            name, root = check.places.pop(0)
            portal = self._portals[name]
            straight = name in STRAIGHT
            check.root = root if straight else ""
            request = portal.begin(root) if straight else portal.confirm(root)
            if self._call(check, name, "list" if straight else "confirm", request):
                return True
        return False

    def sitemap(self, check: Check) -> bool:
        """Ask a site for its sitemap, once; False: it was asked, or nobody can read it."""
        if check.asked_sitemap or "sitemap" not in self._portals:
            return False
        check.asked_sitemap = True
        root = check.entry.url[: check.entry.url.find("/", 8)]
        return self._call(check, "sitemap", "sitemap", self._portals["sitemap"].confirm(root))

    def _call(self, check: Check, name: str, role: str, request: Request) -> bool:
        task = check.task("call", check.chance, software=name, role=role)
        if not self._tasks.call(task, request):
            return False
        check.busy, check.calls = True, check.calls + 1
        return True

    def heard(self, check: Check, task: ScoutTask, response: Response) -> str:
        """Take in an answer."""
        check.busy = False
        portal = self._portals[task.software]
        if task.role == "sitemap":
            return self._links(check, portal.read(response))
        if task.role == "confirm":
            base = portal.confirmed(response)
            if not base:
                return "wait" if self.ask(check) else "unknown"
            first = portal.begin(base)
            if first.body or first.url not in (task.url, response.url):
                asked = self._call(check, task.software, "list", first)
                return "wait" if asked else "unknown"
        return self._listed(check, task.software, portal.read(response))

    def _listed(self, check: Check, name: str, listing: Listing) -> str:
        check.evidence.read(listing, name)
        if check.evidence.enough:
            return "yes"
        further = [*([listing.more] if listing.more else []), *listing.also]
        if further and check.calls < MOST_CALLS and self._call(check, name, "list", further[0]):
            return "wait"
        if listing.problem or not check.evidence.total:
            return "wait" if self.ask(check) else "unknown"
        return "no" if check.evidence.listed else "unknown"

    def _links(self, check: Check, listing: Listing) -> str:
        """Let the dataset pages that a sitemap names be read; files on it are files."""
        files = [file.url for dataset in listing.datasets for file in dataset.files]
        check.evidence.see(files, check.entry.url, check.entry.title)
        pages = [one for one in listing.datasets if not one.files][:50]
        check.meet([Link(one.url, "/sitemap", one.title, "a") for one in pages], 1)
        return "yes" if check.evidence.enough else "unknown"
