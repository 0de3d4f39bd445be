"""Guards against pages without end: what a site makes up as long as somebody asks.

Conservative: real data sites have years, dates and parameters everywhere, and a find that a
guard skips is lost. A file with the extension of a data format is refused only for its length or
for path segments that repeat; pagination is never refused.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any
from zlib import crc32

from filon.core.state import Stateful, version
from filon.page import formats
from filon.page.calendars import calendar_page
from filon.page.url import extension

#: Longer URLs than this are made by mistakes: links that append themselves to themselves.
MAX_URL = 1_500
#: The paper's replicator allows this much over the start URL, which may be long by itself.
MAX_OVER_START = 350
#: So often a name may stand in one path, in a row or not.
MAX_SAME_SEGMENT = 4
#: More parameters than a form that people fill in has.
MAX_PARAMETERS = 30
#: So often a name may stand in one query (facets repeat theirs), and so often a name with the
#: same value: a link that adds its own parameter to whatever it finds.
MAX_SAME_NAME = 12
MAX_SAME_PAIR = 2
#: Pages of one calendar: five years of months. After them come only other dates.
MAX_CALENDAR = 60
#: Pages by date that may be monthly figures: forty years of months.
MAX_BY_DATE = 500
#: Variants of one path by parameters that do not count pages: sort orders, filters, views.
MAX_VARIANTS = 2_000
#: Pages of one family in a row that brought new links to itself alone; of so many of them it is
#: taken on trust that they repeat each other. A page that says something new counts for little.
MAX_PAGES, ON_TRUST, COUNTS_NEW = 2_000, 1_000, 0.05
#: Pages whose words are remembered, and bytes of each that are looked at.
MAX_PRINTS, MAX_READ = 50_000, 200_000
#: Shapes and families of pages that are counted: a site with more is not held up, and memory is
#: bounded.
MAX_SHAPES = 20_000
#: Years that a calendar of real events has.
FIRST_YEAR, YEARS_AHEAD = 1990, 2

_PAGING_NAMES = """
    page p pg paged pagina pag seite pageno pagenumber page_no pagenum currentpage start offset
    from first skip limit rows begin cursor startindex start_index
"""
_PAGING = frozenset(_PAGING_NAMES.split())
_TAG = re.compile(rb"<[^<>]*>|[\d\s]+")
_FILES = frozenset(formats.FORMATS) - {"html", "rss", "atom"}


class Traps(Stateful):
    """Says which URLs of a site lead nowhere. Counts what it lets through, by shape.

    >>> traps = Traps("http://example.org/")
    >>> traps.catches("http://example.org/a/b/a/b/a/b/c", 2025)
    'repeated path'
    >>> traps.catches("http://example.org/events/2093/11", 2025)
    'calendar'
    >>> traps.catches("http://example.org/2019/05/report.csv", 2025)
    ''
    """

    STATE = (version(1), "_dates", "_variants")

    __slots__ = ("_dates", "_longest", "_variants")

    def __init__(self, start: str) -> None:
        self._longest = max(MAX_URL, len(start) + MAX_OVER_START)
        self._dates: dict[str, int] = {}
        self._variants: dict[str, int] = {}

    def catches(self, url: str, year: int) -> str:
        """Return why a URL that was not seen before is not worth a request, or "".

        year: the present one; 1970, where a clock stands still, says nothing.
        """
        if len(url) > self._longest:
            return "long"
        path, _, query = url.partition("?")
        if _repeats(path):
            return "repeated path"
        if extension(path) in _FILES or (query and _asks_for_file(query)):
            return ""
        return self._calendar(path, query, year) or (self._endless(path, query) if query else "")

    def _calendar(self, path: str, query: str, year: int) -> str:
        page = calendar_page(path, query)
        if page is None:
            return ""
        # Recordings may have no clock: then no year is too late.
        last = year + YEARS_AHEAD if year >= FIRST_YEAR else 9999
        if any(one > last or (page.sure and one < FIRST_YEAR) for one in page.years):
            return "calendar"
        most = MAX_CALENDAR if page.sure else MAX_BY_DATE
        return "calendar" if _count(self._dates, page.shape) > most else ""

    def _endless(self, path: str, query: str) -> str:
        pieces = query.split("&")
        if len(pieces) > MAX_PARAMETERS:
            return "query"
        names = [piece.partition("=")[0] for piece in pieces]
        if len(pieces) > MAX_SAME_PAIR and (
            max(Counter(names).values()) > MAX_SAME_NAME
            or max(Counter(pieces).values()) > MAX_SAME_PAIR
        ):
            return "query"
        # The one parameter that is left is an id: a page of its own, however many there are.
        others = [name for name in names if name.lower() not in _PAGING]
        if len(others) < 2:
            return ""
        shape = f"{path}?{'&'.join(sorted(others))}"
        return "query" if _count(self._variants, shape) > MAX_VARIANTS else ""


def _count(counts: dict[str, int], shape: str) -> int:
    """Count one more of a shape; shapes beyond the bound on memory count nothing."""
    if shape not in counts and len(counts) >= MAX_SHAPES:
        return 0
    counts[shape] = count = counts.get(shape, 0) + 1
    return count


def _repeats(path: str) -> bool:
    """Find a run of one to four segments that stands three times in a row, or one too often."""
    segments = path.split("/")[3:]
    if len(segments) > MAX_SAME_SEGMENT:
        names = Counter(filter(None, segments))
        if max(names.values(), default=0) > MAX_SAME_SEGMENT:
            return True
    for length in range(1, min(4, len(segments) // 3) + 1):
        same = 0
        for i in range(length, len(segments)):
            same = same + 1 if segments[i] and segments[i] == segments[i - length] else 0
            if same == 2 * length:
                return True
    return False


def _asks_for_file(query: str) -> bool:
    """Find a file in a query: `format=csv`, `file=a.xlsx`."""
    values = (piece.partition("=")[2].lower() for piece in query.split("&"))
    return any(value.rpartition(".")[2] in _FILES for value in values)


class Loops(Stateful):
    """Counts, for each family of pages, how long it has led to more of its kind and to no file.

    A server that answers every made-up address with a page full of others makes such families; so
    does a real archive. The pages of an archive say something, each for itself; made-up ones say
    the same, links and numbers left aside, for thousands of pages, and nothing else comes.

    >>> loops = Loops()
    >>> loops.catches("http://a.org/x/1", ["http://a.org/x/2"])
    False
    """

    STATE = (version(2), "_pages", "_prints")

    __slots__ = ("_pages", "_prints")

    def __init__(self) -> None:
        self._pages: dict[str, float] = {}
        self._prints: set[int] = set()

    def upgrade(self, state: dict[str, Any]) -> dict[str, Any]:
        """Return a state with what pages said; once it did not matter."""
        return {"prints": []} | state

    def catches(self, page: str, new_links: Sequence[str], body: bytes = b"") -> bool:
        """Say whether a page's new links only go round in its family, and have long enough."""
        own = family(page)
        if any(extension(url) in _FILES or family(url) != own for url in new_links):
            self._pages.pop(own, None)
        elif new_links and (own in self._pages or len(self._pages) < MAX_SHAPES):
            known = self._pages.get(own, 0)
            is_new = known >= ON_TRUST and self._is_new(own, body)
            self._pages[own] = known + (COUNTS_NEW if is_new else 1)
        return self._pages.get(own, 0) > MAX_PAGES

    def _is_new(self, own: str, body: bytes) -> bool:
        """Tell whether a page says what none of its family said; remember it."""
        number = crc32(_words(body), crc32(own.encode()))
        if number in self._prints:
            return False
        if len(self._prints) < MAX_PRINTS:
            self._prints.add(number)
        return True

    def paid(self, url: str) -> None:
        """Take note that a file was found at a URL, or on the page there."""
        self._pages.pop(family(url), None)


def _words(body: bytes) -> bytes:
    """Return what a page says beside its links, without numbers."""
    text = body[:MAX_READ].lower()
    for tag in (b"script", b"style", b"a "):
        first, *others = text.split(b"<" + tag)
        end = b"</" + tag.strip()
        text = b" ".join([first, *(other.partition(end)[2] for other in others)])
    return b" ".join(filter(None, _TAG.split(text)))


def family(url: str) -> str:
    """Return what pages of one kind share: their folder, or path and names of parameters.

    >>> family("http://a.org/x/1"), family("http://a.org/x?b=1&a=2")
    ('http://a.org/x/', 'http://a.org/x?a&b')
    """
    path, question, query = url.partition("?")
    if not question:
        return path[: path.rfind("/") + 1]
    return f"{path}?{'&'.join(sorted(piece.partition('=')[0] for piece in query.split('&')))}"
