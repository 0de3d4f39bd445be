"""A full crawl of a replica, breadth-first: the measure that all strategies are held against."""

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from filon.core import Request, Response
from filon.page.links import Link
from filon.page.types import UNWANTED, blocked_extension
from filon.page.url import Site, join


class Recorded(Protocol):
    """What is needed of a replica."""

    @property
    def start(self) -> str:
        """The URL to begin with."""

    def answer(self, request: Request) -> Response:
        """Answer a request."""

    def kind(self, url: str) -> str:
        """Return "html", "target", "other", "error" or "redirect"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Census:
    """All URLs that links and redirects lead to, by kind, and what they weigh."""

    kinds: dict[str, str]
    sizes: dict[str, int]

    @property
    def requests(self) -> int:
        """The requests of a full crawl."""
        return len(self.kinds)

    @property
    def targets(self) -> list[str]:
        """The URLs of the targets, in breadth-first order."""
        return [url for url, kind in self.kinds.items() if kind == "target"]

    @property
    def target_bytes(self) -> int:
        """The volume of all targets."""
        return sum(self.sizes[url] for url in self.targets)

    @property
    def other_bytes(self) -> int:
        """The volume of everything else."""
        return sum(self.sizes.values()) - self.target_bytes


def explore(site: Recorded, read: Callable[[Response], list[Link]]) -> Census:
    """Visit everything within the site, multimedia by its extension left out as in the paper."""
    boundary, queue = Site(site.start), deque([site.start])
    kinds: dict[str, str] = {}
    sizes: dict[str, int] = {}
    known = {site.start}
    while queue:
        url = queue.popleft()
        response = site.answer(Request(url=url, unwanted=tuple(UNWANTED)))
        kinds[url], sizes[url] = site.kind(url), response.wire_bytes
        for link in _leads(response, kinds[url], read):
            if link not in known and link in boundary and not blocked_extension(link):
                known.add(link)
                queue.append(link)
    return Census(kinds=kinds, sizes=sizes)


def _leads(response: Response, kind: str, read: Callable[[Response], list[Link]]) -> Iterator[str]:
    if kind == "redirect":
        yield join(response.url, response.header("location"))
    elif kind == "html":
        yield from (link.url for link in read(response))
