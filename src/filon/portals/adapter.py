"""A portal's software as pure functions: how its datasets are asked for, and read off an answer.

An adapter never raises for what a server says: an answer that is not as documented is a Page with
a problem. It keeps nothing between two answers: what the next request needs stands in the last.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Protocol

from filon.core import Request, Response
from filon.core.provider import PROBLEMS


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A file of a dataset, as the portal describes it.

    format: the name of the format as filon.page.formats knows it; "" where it is not told.
    again: the same data as the file before it, in another format.
    """

    url: str
    name: str = ""
    format: str = ""
    mime: str = ""
    size_bytes: int = 0
    again: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """A dataset. url: its page, for people. modified: as the portal writes it."""

    id: str
    title: str = ""
    description: str = ""
    url: str = ""
    files: tuple[File, ...] = ()
    licence: str = ""
    modified: str = ""
    publisher: str = ""
    keywords: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What one answer lists.

    A dataset may come in parts, on several pages: see `gathered`.
    more: the request for what follows. also: further lists, in any order.
    total: how many datasets there are, as the portal says; None where it does not.
    problem, detail: one of core.provider.PROBLEMS; more of it, for people.
    """

    datasets: tuple[Dataset, ...] = ()
    more: Request | None = None
    also: tuple[Request, ...] = ()
    total: int | None = None
    problem: str = ""
    detail: str = ""

    def __post_init__(self) -> None:
        if self.problem not in PROBLEMS:
            raise ValueError(f"unknown problem: {self.problem!r}")


class Adapter(Protocol):
    """Software that many portals run, or a format that many publish.

    A root is the URL of a portal without the last slash; a base is what `begin` needs to know.
    """

    @property
    def name(self) -> str:
        """The software, as the catalogue registry names it."""

    def confirm(self, root: str) -> Request:
        """Return the request whose answer says whether the portal runs this software."""

    def confirmed(self, response: Response) -> str:
        """Return the base of the API if the answer says so; else the empty string."""

    def begin(self, base: str) -> Request:
        """Return the request for the first datasets."""

    def read(self, response: Response) -> Page:
        """Return what an answer lists."""


class Walk:
    """The way through all lists of a portal: what to ask next, and how often.

    It ends, whatever the portal says: no request is made twice, and `most_calls` are made at most.

    >>> from filon.portals import ADAPTERS
    >>> walk = Walk(ADAPTERS["ckan"], "https://demo.ckan.org")
    >>> walk.next().url
    'https://demo.ckan.org/api/3/action/package_search?rows=1000&start=0&sort=name+asc'
    """

    def __init__(self, adapter: Adapter, base: str, most_calls: int = 10_000) -> None:
        self.adapter = adapter
        self.calls = 0
        self._most_calls = most_calls
        self._asked: set[tuple[str, bytes]] = set()
        self._waiting: list[Request] = []
        self._add([adapter.begin(base)])

    def next(self) -> Request | None:
        """Return the next request; None: that was all, or an answer is awaited."""
        if not self._waiting or self.calls >= self._most_calls:
            return None
        self.calls += 1
        return self._waiting.pop(0)

    def take(self, response: Response) -> Page:
        """Read an answer and note what follows from it."""
        page = self.adapter.read(response)
        self._add([page.more] if page.more else [])
        self._add(page.also)
        return page

    def _add(self, requests: Iterable[Request]) -> None:
        for request in requests:
            if (request.url, request.body) not in self._asked:
                self._asked.add((request.url, request.body))
                self._waiting.append(request)


def gathered(datasets: Iterable[Dataset]) -> list[Dataset]:
    """Return the datasets with those that came in parts put together, in order."""
    whole: dict[str, Dataset] = {}
    for dataset in datasets:
        first = whole.get(dataset.id)
        whole[dataset.id] = _joined(first, dataset) if first else dataset
    return list(whole.values())


def _joined(first: Dataset, other: Dataset) -> Dataset:
    known = {file.url for file in first.files}
    more = tuple(file for file in other.files if file.url not in known)
    return replace(
        first,
        title=first.title or other.title,
        description=first.description or other.description,
        url=first.url or other.url,
        files=first.files + more,
    )
