"""Whether a site is a repository: its API is asked where its software is known, else it is read.

Reading goes best first: links that promise data, and links that look like those which led to files
here. What another page of a site is worth falls with every page that brings nothing. An API takes
one call where its address is known, two where not. What was seen of a site's data is the evidence.
Whether a page leads to data is judged by its words and its links, before more is read.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from filon.core import Request, Response
from filon.core.forms import KEYS, TUPLE, each, made, pairs, record, table
from filon.core.portal import Dataset, Listing
from filon.core.state import Stateful, group, stored
from filon.learn.ftrl import Ftrl
from filon.page.datafile import format_of
from filon.page.url import split
from filon.verbs.discover.strategies.brief import Brief
from filon.verbs.discover.strategies.page import PAGE, Page, portal_score
from filon.verbs.discover.strategies.scout.frontier import CANDIDATE, SIZE, Candidate, numbers
from filon.verbs.discover.strategies.scout.tasks import ScoutTask, ScoutTasks

#: "a threshold of 10 was effective" (DSDD, section 4.5): files, or datasets that an API lists.
ENOUGH = 10
#: What is kept of a catalogue of a hundred thousand.
MOST_FILES, MOST_TITLES, MOST_WORDS = 200, 200, 4_000


@dataclass(slots=True)
class Evidence:
    """Files, datasets, and what the portal or its pages say of them.

    listed: files that an API named, however many. total: datasets, as the portal counts them.
    software: whose API answered.
    """

    files: dict[str, None] = field(default_factory=dict)
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
        """It is a repository: ten files (Definition 2), or ten datasets of a portal's own list."""
        files = self.listed or len(self.files)
        return files >= ENOUGH or bool(self.software and self.total >= ENOUGH)

    def see(self, files: Iterable[str], url: str, title: str) -> int:
        """Take in the files that a page links to; return how many are new."""
        new = [file for file in files if file not in self.files]
        for file in new:
            if len(self.files) < MOST_FILES:
                self.files[file] = None
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
                self.files[file.url] = None
            _count(self.formats, file.format.lower() or format_of(file.url))

    def figures(self) -> dict[str, Any]:
        """Return what is told of it in a result."""
        return {
            "files": self.listed or len(self.files),
            "datasets": max(self.total, len(self.titles)),
            "formats": tuple(name for name, _ in Counter(self.formats).most_common()),
            "software": self.software,
            "licence": max(self.licences, key=lambda one: self.licences[one], default=""),
            "modified": self.modified,
            "markup": tuple(self.markup),
        }


#: Evidence in a declared state.
EVIDENCE = record(Evidence, files=KEYS, titles=pairs())


def _count(counts: dict[str, int], name: str) -> None:
    if name and (name in counts or len(counts) < MOST_TITLES):
        counts[name] = counts.get(name, 0) + 1


#: "within three hops".
DEPTH = 3
#: Pages of a site without a file, and with some, before it is given up.
HOPELESS, MOST_PAGES = 6, 25
MOST_LINKS = 400
#: What a page without files leaves of the odds.
DULL = 0.6
#: Pages that it takes where no file was seen yet.
USUAL_PAGES = 5.0
#: Files that a page of a dataset has, and how sure a site is that has such pages.
USUAL_FILES, SURE = 2.0, 0.9


@dataclass(slots=True)
class Check(Stateful):
    """One site that is being verified.

    chance: that it is a repository, by its entry page.
    features, prior: what that was told by, to learn from later.
    places: software and addresses where its API may be. root: where its portal begins, if that is
        a page of its own.
    links: pages to read, as (does not promise data, depth, URL).
    shapes: links that look alike: how many were read, how many of them had files.
    spent: requests so far. dull: pages in a row that brought nothing.
    worth: what another page of the site is expected to bring, for each request.
    """

    STATE = (
        stored("entry", PAGE),
        stored("candidate", CANDIDATE),
        stored("evidence", EVIDENCE, key="haul"),
        group("told", "chance", "prior", "audited", "asked_sitemap", "busy", "worth"),
        group("counts", "pages", "dull", "calls", "spent"),
        "features",
        "root",
        stored("places", each(TUPLE)),
        stored("links", each(TUPLE)),
        stored("met", KEYS),
        stored("shapes", table(TUPLE)),
    )

    entry: Page
    candidate: Candidate
    chance: float = 0.5
    features: list[int] = field(default_factory=list)
    prior: float = 0.0
    audited: bool = False
    places: list[tuple[str, str]] = field(default_factory=list)
    evidence: Evidence = field(default_factory=Evidence)
    links: list[tuple[bool, int, str]] = field(default_factory=list)
    met: dict[str, None] = field(default_factory=dict)
    shapes: dict[str, tuple[int, int]] = field(default_factory=dict)
    root: str = ""
    asked_sitemap: bool = False
    pages: int = 0
    dull: int = 0
    calls: int = 0
    spent: int = 1
    worth: float = 0.0
    busy: bool = False

    def read(self, page: Page, depth: int) -> None:
        """Take in a page of the site."""
        new = self.evidence.see(page.files, page.url, page.title)
        if depth:
            read, fruitful = self.shapes.get(_shape(page.url), (0, 0))
            self.shapes[_shape(page.url)] = read + 1, fruitful + bool(new)
        before = len(self.links)
        if depth < DEPTH:
            self.meet(page.within, page.promising, depth + 1)
        promising = sum(not dull for dull, _, _ in self.links[before:])
        self.dull = 0 if new or promising >= 3 else self.dull + 1

    def meet(self, urls: tuple[str, ...], promising: int, depth: int) -> None:
        """Let links wait; the first ones promise data."""
        for number, url in enumerate(urls):
            if url not in self.met and len(self.met) < MOST_LINKS:
                self.met[url] = None
                self.links.append((number >= promising, depth, url))

    def next_link(self) -> tuple[int, str]:
        """Return the likeliest link to files, and how far it is from the entry page."""
        best = min(range(len(self.links)), key=lambda at: (*self._order(self.links[at]), at))
        _, depth, url = self.links.pop(best)
        return depth, url

    def _order(self, link: tuple[bool, int, str]) -> tuple[float, bool, int]:
        dull, depth, url = link
        read, fruitful = self.shapes.get(_shape(url), (0, 0))
        return -round((fruitful + 0.3) / (read + 1), 3), dull, depth

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

    def weigh(self) -> None:
        """Settle what another page is worth: asked often, and it changes with an answer only."""
        self.worth = self._worth()

    def _worth(self) -> float:
        """Return what another page of the site is worth, for each request.

        Once some pages had files, it is told by how many more like them there are.
        """
        odds = self.chance / (1 - min(0.99, self.chance)) * DULL**self.dull
        fruitful = sum(good for _, good in self.shapes.values())
        if not fruitful:
            return odds / (1 + odds) / max(2.0, USUAL_PAGES - self.pages)
        files = len(self.evidence.files)
        left = (ENOUGH - files) * (fruitful + 2) / (files + 2 * USUAL_FILES)
        alike = sum(self.shapes.get(_shape(url), (0, 0))[1] > 0 for _, _, url in self.links)
        enough = min(1.0, (alike + 0.1 * (len(self.links) - alike)) / max(1.0, left))
        return SURE * enough * DULL**self.dull / max(1.0, left)

    @property
    def hopeless(self) -> bool:
        """No more pages are worth a request."""
        if not self.links:
            return True
        return self.pages >= MOST_PAGES if self.evidence.files else self.dull >= HOPELESS


#: A check in a declared state.
CHECK = made(lambda: Check(Page(url="", site=""), Candidate("", "")))


def _shape(url: str) -> str:
    """Return what addresses have in common that lead to the same kind of page.

    >>> _shape("http://a.org/dataset/12"), _shape("http://a.org/dataset/prices-2020?page=2")
    ('/dataset/*', '/dataset/*?')
    """
    parts = split(url)
    folders, _, name = parts.path.rpartition("/")
    last = "*" if folders else re.sub(r"\d+", "#", name)
    return f"{re.sub('[0-9]+', '#', folders)}/{last}{'?' if parts.query else ''}"


#: How much the words of a page count before anything was learnt, and what links and files add.
WORDS, PROMISING, FILE, MOST_FOR_FILES = 1.5, 0.8, 0.5, 2.0
USUAL = -0.5
#: What speaks against a portal whose API does not answer: pages that scripts fill show no files.
SILENT = 2.0
#: Words of a page that are looked at.
ENTRY_WORDS = 300


class EntryClassifier:
    """A classifier that learns from every check, on top of what is known of portals."""

    def __init__(self) -> None:
        self._model = Ftrl(SIZE, alpha=0.3, l1=0.0, l2=1.0)

    def judge(self, check: Check, words: list[str]) -> None:
        """Settle the chance that a site is a repository, by its entry page."""
        page, marked = check.entry, bool(check.evidence.markup)
        check.prior = USUAL + WORDS * portal_score(words)
        check.prior += PROMISING if page.promising else -PROMISING
        check.prior += min(MOST_FOR_FILES, FILE * len(page.files)) + marked
        told = [f"says {word}" for word in dict.fromkeys(words[:ENTRY_WORDS])]
        told += ["page", f"promising {min(4, page.promising)}", f"files {min(3, len(page.files))}"]
        told += [f"markup {marked}", f"links {min(5, len(page.within) // 10)}"]
        check.features = numbers(told)
        self._settle(check)

    def doubt(self, check: Check, software: str) -> None:
        """Judge a portal anew whose API does not answer."""
        check.features += numbers([f"silent {software}"])
        check.prior -= SILENT
        self._settle(check)

    def _settle(self, check: Check) -> None:
        margin = check.prior + self._model.margin(check.features)
        check.chance = 1 / (1 + math.exp(-max(-20.0, min(20.0, margin))))

    def learn(self, check: Check, good: bool, weight: float) -> None:
        """Learn how a check ended."""
        self._model.learn(check.features, float(good), weight, check.prior)

    def state(self) -> dict[str, Any]:
        """Return plain data."""
        # By hand: it is the model's.
        return self._model.state()

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        self._model.restore(state)


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
        """Let the dataset pages that a sitemap names be read first; files on it are files."""
        files = [file.url for dataset in listing.datasets for file in dataset.files]
        check.evidence.see(files, check.entry.url, check.entry.title)
        pages = tuple(dataset.url for dataset in listing.datasets if not dataset.files)[:50]
        check.meet(pages, len(pages), 1)
        return "yes" if check.evidence.enough else "unknown"
