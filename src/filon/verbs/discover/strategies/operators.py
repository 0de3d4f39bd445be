"""The ways from known pages to new ones: section 4.2 of both papers.

An operator turns pages into tasks; `results` and `forward` turn what their answers bring into more.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from filon.learn.rank.vectors import tokens
from filon.page.url import origin
from filon.verbs.discover.strategies.brief import Brief
from filon.verbs.discover.strategies.page import Page
from filon.verbs.discover.strategies.task import Task

OPERATORS = ("related", "backward", "keyword", "forward")
#: What each asks of a search service; `forward` asks nothing. Registries are asked for their
#: sites in the rounds of `keyword`.
SEARCH_OF = {
    "related": "related",
    "backward": "backlinks",
    "keyword": "keyword",
    "seeds": "seeds",
    "outlinks": "outlinks",
}
#: A shorter one is a piece of something; a page that says less of itself is taken as a whole.
SHORTEST_WORD, FEWEST_WORDS = 3, 3


class Field(Protocol):
    """The ground, as far as operators tread on it."""

    @property
    def brief(self) -> Brief:
        """What is asked."""

    def want(self, url: str, task: Task) -> bool:
        """Let a page wait."""

    def search(self, operator: str, query: str, arm: str, parent: str = "") -> bool:
        """Let a search wait."""

    def open_hub(self, task: Task, url: str) -> bool:
        """Let the service that told of a hub tell its links too, if it can."""

    def list_sites(self, topic: str) -> int:
        """Let every registry be asked for the sites of a topic."""

    def knows(self, url: str) -> bool:
        """Say whether a page of this site was discovered before."""


def run(operator: str, ground: Field, pages: Sequence[Page], queries: Iterable[str]) -> int:
    """Start an operator on pages; return how many tasks wait for it. queries: for keyword."""
    if operator == "keyword":
        listed = ground.list_sites(ground.brief.topic.strip())
        return listed + sum(ground.search("keyword", query, operator) for query in queries)
    if operator == "related":
        homes = ((_home(page.url), page.url) for page in pages)
        return sum(ground.search("related", home, operator, url) for home, url in homes)
    if operator == "backward":
        # Few link to a page deep within a site: who links to its home page is asked for too.
        asked = ((url, page.url) for page in pages for url in (page.url, _home(page.url)))
        return sum(ground.search("backlinks", url, operator, parent) for url, parent in asked)
    return sum(forward(ground, page, operator) for page in pages)


def forward(ground: Field, page: Page, arm: str) -> int:
    """Let a page's links to sites that are not known yet wait; return how many."""
    wanted = 0
    for url in page.abroad:
        if wanted >= ground.brief.limits.links:
            break
        if not ground.knows(url):
            task = Task(kind="page", operator=arm, query=page.query, parent=page.url)
            wanted += ground.want(url, task)
    return wanted


def results(ground: Field, task: Task, found: Iterable[str]) -> None:
    """Let what a search brought wait: hubs, which are read for their links too, or candidates."""
    if task.operator == "outlinks":
        for url in found:
            if not ground.knows(url):
                ground.want(url, Task(kind="page", operator="backward", parent=task.parent))
        return
    kind = "hub" if task.operator == "backward" else "page"
    for url in found:
        if kind == "hub" and ground.open_hub(task, url):
            continue
        parent = task.parent or task.query
        wanted = Task(
            kind=kind,
            operator=task.operator,
            searcher=task.searcher,
            query=task.query,
            parent=parent,
        )
        ground.want(url, wanted)


def meta_words(page: Page) -> list[str]:
    """Return the words that a page says of itself; of all its words where it says too little."""
    found = _long(tokens(page.meta))
    return found if len(found) >= FEWEST_WORDS else _long(tokens(page.text))


def all_words(page: Page) -> list[str]:
    """Return the words of a page that are made of letters."""
    return words_of(page.words)


def words_of(text: str) -> list[str]:
    """Return the words of a text that are made of letters and tell something."""
    return [word for word in _long(tokens(text)) if word.isalpha()]


def frequent(
    pages: Iterable[Page], words: Callable[[Page], list[str]], used: Iterable[str], most: int
) -> list[str]:
    """Return the words that pages have most often, without those used; equals by the alphabet."""
    counts = Counter(word for page in pages for word in words(page))
    for word in used:
        counts.pop(word, None)
    return [word for word, _ in sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:most]]


def _long(found: Iterable[str]) -> list[str]:
    return [word for word in found if len(word) >= SHORTEST_WORD and not word.isdigit()]


def _home(url: str) -> str:
    return f"{origin(url)}/"


def reason(task: Task) -> str:
    """Say why a task is taken: a clause that continues "because"."""
    if task.kind == "seed":
        return "it is one of the examples"
    if task.kind == "look":
        return f"it is {task.depth} links away from {task.entry}, which may lead to data files"
    if task.kind == "collect":
        return f"it is a page of {task.entry}, which leads to data files"
    if task.kind == "search":
        return _searched(task)
    if task.kind == "hub":
        return f"it is said to link to {task.parent}, so it may link to others of the kind"
    if task.operator == "keyword":
        return f"a search for “{task.query}” brought it"
    if task.operator == "seeds":
        return f"{task.searcher} lists it under “{task.query}”"
    if task.operator == "related":
        return f"it is said to be related to {task.parent}"
    if task.clue:
        return f"{task.parent} links to it, and of all links that wait this promises most"
    return f"{task.parent} links to it"


def _searched(task: Task) -> str:
    asked = {
        "keyword": f"pages about “{task.query}” are wanted",
        "related": f"sites like {task.query} are wanted",
        "outlinks": f"{task.query} links to a known page, and may link to others of the kind",
        "seeds": f"known sites about “{task.query}” are wanted",
    }.get(task.operator, f"pages that link to {task.query} may link to others of the kind")
    return f"{asked}, and {task.searcher} can be asked"
