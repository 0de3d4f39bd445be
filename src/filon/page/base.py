"""What the links of a page are relative to, and what they mean; most were met before."""

import re
from functools import lru_cache

from filon.page.url import MAX_URL, join, parse

#: Links of which it is remembered what they mean, in a folder; and folders.
MOST_KNOWN, MOST_FOLDERS = 2_000, 16
#: Longer links are not remembered.
MAX_HREF = 500


class Base:
    """What the links of a page are relative to. `join` is as the function, and faster.

    Most links of real pages are plain paths: nothing to encode, no dots to resolve but `../` at
    the start. For these, putting the parts together is all that the standard's algorithm does.
    The menu of a site is the same on every page: what its links mean is remembered.

    >>> Base("http://example.org/a/b?c").join("d/e.html#top")
    'http://example.org/a/d/e.html'
    """

    __slots__ = ("_folder", "_here", "_root", "_url", "anywhere", "known")

    def __init__(self, url: str) -> None:
        path = url.partition("?")[0]
        self._url = url
        self._here: str | None = None
        self._root = path[: path.find("/", 8) + 1]
        self._folder = path[: path.rfind("/") + 1]
        #: What links that were met in this folder mean, and those that mean the same anywhere on
        #: the site.
        self.known, self.anywhere = _known(self._folder), _anywhere(self._root)

    def join(self, href: str) -> str:
        """Return the absolute URL that a link means, without its fragment; "" if there is none."""
        if not href or href[0] == "#":
            if self._here is None:
                self._here = _whole(self._url)
            return self._here
        if met := self.anywhere.get(href) or self.known.get(href):
            return met
        is_whole = href.startswith(("http://", "https://"))
        url = _whole(href) if is_whole else self._meant(href)
        if len(href) <= MAX_HREF and (is_whole or _IN_FOLDER.match(href)):
            known = self.anywhere if is_whole or href[0] == "/" else self.known
            if len(known) >= MOST_KNOWN:
                known.clear()
            known[href] = url
        return url

    def _meant(self, href: str) -> str:
        plain = _plain(self._root if href[0] == "/" else self._folder, len(self._root), href)
        return join(self._url, href) if plain is None else plain


@lru_cache(maxsize=MOST_FOLDERS)
def _known(folder: str) -> dict[str, str]:
    return {}


@lru_cache(maxsize=MOST_FOLDERS)
def _anywhere(root: str) -> dict[str, str]:
    return {}


# What means the same on all pages in a folder, beside whole URLs: no query or fragment of the page
# itself, nor either of them behind its scheme ("https:?a").
_IN_FOLDER = re.compile(r"[\w/.][^:]*\Z", re.ASCII)
# Characters that stand for themselves in a path, and in a query: with those, the links by which
# pages are shared ("?u=https://…") are plain too.
_PATH, _QUERY = r"[\w~/.%,;@!$&()*+=-]*", r"[\w~/.%,;@!$&()*+=:?|\[\]-]*"
# A path, absolute or not, and a query.
_PLAIN_LINK = re.compile(
    rf"((?:\.\./)+|/(?!/)|)((?:[\w~-]{_PATH}(?:\?{_QUERY})?)?)(?:#.*)?", re.ASCII
)
# The same with scheme and host. A host whose last label begins with a letter is no address; one
# with a label that begins "xn--" is checked by the standard.
_PLAIN_WHOLE = re.compile(
    r"(https?://(?!(?:[a-z0-9-]+\.)*xn--)(?:[a-z0-9-]+\.)*[a-z][a-z0-9-]*"
    rf"/{_PATH}(?:\?{_QUERY})?)(?:#.*)?",
    re.ASCII,
)


def _has_dots(url: str) -> bool:
    """Tell whether there may be a segment of dots, written as such or encoded."""
    return "/." in url or "%2e" in url or "%2E" in url


@lru_cache(maxsize=16_384)
def _plain(folder: str, least: int, href: str) -> str | None:
    """Return what a plain link means; None if it is none.

    folder: what it is relative to. least: the length of the root, which nothing is above of.
    """
    if href.endswith("/.") and "?" not in href:
        href = href[:-1]  # as some generators of sites write a folder
    match = _PLAIN_LINK.fullmatch(href)
    if not match or _has_dots(match[2]):
        return None
    for _ in range(len(match[1]) // 3):
        folder = folder[: max(folder.rfind("/", 0, -1) + 1, least)]
    url = folder + match[2]
    return url if len(url) <= MAX_URL else ""


@lru_cache(maxsize=4096)
def _whole(url: str) -> str:
    match = _PLAIN_WHOLE.fullmatch(url)
    if not match or _has_dots(match[1]):
        return parse(url)
    return match[1] if len(match[1]) <= MAX_URL else ""
