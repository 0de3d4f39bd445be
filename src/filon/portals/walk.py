"""The way through all lists of a portal, and its datasets put together again."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from filon.core import Request, Response
from filon.core.portal import Dataset, Listing, Portal, TellsChanges
from filon.portals.since import OVERLAP, changes, first, is_refused


class Walk:
    """The way through all lists of a portal: what to ask next, and how often.

    It ends, whatever the portal says: no request is made twice, and `most_calls` are made at most.

    since: only what was modified since is listed, and what was a little before. A portal that
        cannot tell is asked for all, of which what is older by its date is left out.

    >>> from filon.portals import ADAPTERS
    >>> walk = Walk(ADAPTERS["ckan"], "https://demo.ckan.org")
    >>> walk.next().url
    'https://demo.ckan.org/api/3/action/package_search?rows=1000&start=0&sort=name+asc'
    """

    def __init__(
        self, portal: Portal, base: str, most_calls: int = 10_000, since: datetime | None = None
    ) -> None:
        self.portal = portal
        self._since = since - OVERLAP if since else None
        self.calls = 0
        self._most_calls = most_calls
        self._asked: set[tuple[str, bytes]] = set()
        self._waiting: list[Request] = []
        self._base = base
        self._add([first(portal, base, self._since) if self._since else portal.begin(base)])

    @property
    def whole(self) -> bool:
        """Whether all datasets are named in the end: what is not has vanished."""
        if self._since and isinstance(self.portal, TellsChanges):
            return self.portal.whole
        return True

    def next(self) -> Request | None:
        """Return the next request; None: that was all, or an answer is awaited."""
        if not self._waiting or self.calls >= self._most_calls:
            return None
        self.calls += 1
        return self._waiting.pop(0)

    def take(self, response: Response) -> Listing:
        """Read an answer and note what follows from it."""
        since = self._since
        listing = changes(self.portal, response, since) if since else self.portal.read(response)
        if since and self.calls == 1 and is_refused(listing):
            self._add([self.portal.begin(self._base)])
        self._add([listing.more] if listing.more else [])
        self._add(listing.also)
        return listing

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
