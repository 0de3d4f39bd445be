"""Families of pages without a way out: each leads only to more of its kind, and none to a file.

A server that answers every made-up address with a page full of others makes them; so does a real
archive, for a while. Where they go on for thousands of pages, nothing else comes any more.
"""

from collections.abc import Sequence

from filon.core.state import Stateful, version
from filon.page import formats
from filon.page.url import extension

#: Pages of one family in a row that brought new links to itself alone.
MAX_PAGES = 2_000
#: Families that are counted: a site with more is not held up, and memory is bounded.
MAX_FAMILIES = 20_000

_FILES = frozenset(formats.FORMATS) - {"html", "rss", "atom"}


class Circles(Stateful):
    """Counts, for each family of pages, how long it has led nowhere else.

    >>> circles = Circles()
    >>> circles.catches("http://a.org/x/1", ["http://a.org/x/2"])
    False
    """

    STATE = (version(1), "_pages")

    __slots__ = ("_pages",)

    def __init__(self) -> None:
        self._pages: dict[str, int] = {}

    def catches(self, page: str, new_links: Sequence[str]) -> bool:
        """Say whether a page's new links only go round in its circle, which was long enough."""
        own = family(page)
        if any(extension(url) in _FILES or family(url) != own for url in new_links):
            self._pages.pop(own, None)
        elif new_links and (own in self._pages or len(self._pages) < MAX_FAMILIES):
            self._pages[own] = self._pages.get(own, 0) + 1
        return self._pages.get(own, 0) > MAX_PAGES

    def paid(self, url: str) -> None:
        """Take note that a file was found at a URL, or on the page there."""
        self._pages.pop(family(url), None)


def family(url: str) -> str:
    """Return what pages of one kind share: their folder, or path and names of parameters.

    >>> family("http://a.org/x/1"), family("http://a.org/x?b=1&a=2")
    ('http://a.org/x/', 'http://a.org/x?a&b')
    """
    path, question, query = url.partition("?")
    if not question:
        return path[: path.rfind("/") + 1]
    return f"{path}?{'&'.join(sorted(piece.partition('=')[0] for piece in query.split('&')))}"
