"""Guards against pages without end: what a site makes up as long as somebody asks.

Conservative: real data sites have years, dates and parameters everywhere, and a find that a
guard skips is lost. A file with the extension of a data format is refused only for its length or
for path segments that repeat; pagination is never refused.

`Traps` judges an address by its look, `Loops` pages that go on and on, `Noise` parameters that make
many addresses of one page.
"""

import re
from collections import Counter, OrderedDict
from collections.abc import Iterator, Sequence
from typing import Any
from zlib import crc32

import mmh3

from filon.core.forms import KEYS, LIST, TUPLE, flat, table
from filon.core.state import Stateful, stored, version
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
#: Answers that make a parameter noise, all different from each other.
ENOUGH_ANSWERS = 3
#: Answers that are remembered for comparison, and parameters of a URL that are looked at.
MOST_ANSWERS = 10_000
MOST_PARAMETERS = 6
#: Parameters that are told apart.
MOST_NAMES = 1_000
#: Years that a calendar of real events has.
FIRST_YEAR, YEARS_AHEAD = 1990, 2

_PAGING_NAMES = """
    page p pg paged pagina pag seite pageno pagenumber page_no pagenum currentpage start offset
    from first skip limit rows begin cursor startindex start_index
"""
_PAGING = frozenset(_PAGING_NAMES.split())
_TAG = re.compile(rb"<[^<>]*>")
_TAG_OR_NUMBER = re.compile(rb"<[^<>]*>|[\d\s]+")
_VALUE = re.compile(rb"(?<!\w....)\s{0,9}=\s{0,9}[\"']?([^\"'>\s]+)", re.DOTALL)
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
    named = [segment for segment in segments if segment]
    if len(named) < 3 or len(set(named)) == len(named):
        return False
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
    return b" ".join(filter(None, _TAG_OR_NUMBER.split(text)))


def family(url: str) -> str:
    """Return what pages of one kind share: their folder, or path and names of parameters.

    >>> family("http://a.org/x/1"), family("http://a.org/x?b=1&a=2")
    ('http://a.org/x/', 'http://a.org/x?a&b')
    """
    path, question, query = url.partition("?")
    if not question:
        return path[: path.rfind("/") + 1]
    return f"{path}?{'&'.join(sorted(piece.partition('=')[0] for piece in query.split('&')))}"


# Of the number by which an answer is counted that a parameter did not change.
_ANSWER_BITS = 2**32 - 1
_VALUE_BITS = _ANSWER_BITS << 32


class Noise(Stateful):
    """Learns which parameters change nothing: session ids under any name, tracking, sort orders.

    Two URLs that differ in the value of one parameter only, and whose answers say the same, are
    evidence; a pair of files that differ, or of pages that lead elsewhere, is proof of the
    contrary. Pages that only say something else, the time perhaps, are neither. Answers that all
    say the same, "not found" or "please log in", count once.

    A URL with a parameter that is answered with the very bytes of the one without is evidence too,
    each value and each answer once: a list is the same as its page 1, and a script says "no such
    file" of files that are gone as it does of none.
    """

    STATE = (
        version(1),
        stored("_same", table(LIST)),
        stored("_matters", KEYS),
        stored("_answers", flat(TUPLE)),
    )

    def __init__(self) -> None:
        self._same: dict[str, list[int]] = {}  # by parameter: answers that it did not change
        self._matters: dict[str, None] = {}  # parameters that change an answer
        self._answers: OrderedDict[str, tuple[str, int, int]] = OrderedDict()
        self.changes = 0  # of what is known to be noise

    def note(self, url: str, body: bytes, *, is_page: bool) -> list[str]:
        """Compare an answer with others that differ in one parameter; return what it shows."""
        path, _, query = url.partition("?")
        pieces = query.split("&") if query else []
        if len(pieces) > MOST_PARAMETERS or not (pieces or self._answers):
            return []  # where nothing has a parameter, nothing is remembered
        before, whole = self.names, _hash(body)
        self._compare_bare(url, "", whole)
        content = _hash(_content(body)) if pieces and is_page else whole
        leads = b"\n".join(sorted(_hrefs(body))) if pieces and is_page else b""
        for place, piece in enumerate(pieces):
            name, _, value = piece.partition("=")
            rest = "&".join(pieces[:place] + pieces[place + 1 :])
            goals = _hash(_stripped(leads, name)) if is_page else content
            self._compare(f"{path}?{rest}#{name}", name, (value, content, goals))
            self._compare_bare(f"{path}?{rest}" if rest else path, piece, whole)
        return [name for name in self.names if name not in before]

    def _compare_bare(self, bare: str, piece: str, whole: int) -> None:
        """Compare the answers of a URL with a parameter and without; piece "": the latter."""
        known = self._known(f"{bare}#", (piece, whole, 0))
        if not piece:
            self._answers[f"{bare}#"] = (piece, whole, 0)
        name, _, value = (piece or known[0]).partition("=")
        if bool(piece) != bool(known[0]) and known[1] == whole and name not in self._matters:
            number = _hash(value.encode()) & _VALUE_BITS | whole & _ANSWER_BITS
            counted = self._same.get(name, ())
            if all(
                (one ^ number) & _VALUE_BITS and (one ^ number) & _ANSWER_BITS for one in counted
            ):
                self._count(name, number)

    def _known(self, group: str, answer: tuple[str, int, int]) -> tuple[str, int, int]:
        """Return the answer of a group that is remembered; else remember this one."""
        known = self._answers.setdefault(group, answer)
        if len(self._answers) > MOST_ANSWERS:
            self._answers.popitem(last=False)
        return known

    def _count(self, name: str, number: int) -> None:
        """Count an answer that a parameter did not change, if it is another one."""
        if len(self._same) < MOST_NAMES or name in self._same:
            prints = self._same.setdefault(name, [])
            if len(prints) < ENOUGH_ANSWERS and number not in prints:
                prints.append(number)
                self.changes += len(prints) == ENOUGH_ANSWERS

    def _compare(self, group: str, name: str, answer: tuple[str, int, int]) -> None:
        known = self._known(group, answer)
        if known[0] == answer[0] or name in self._matters:
            return
        if known[1:] == answer[1:]:
            self._count(name, answer[1] ^ answer[2] >> 1)
        elif known[2] != answer[2] and len(self._matters) < MOST_NAMES:
            self._matters[name] = None
            self.changes += self._is_noise(name)
            self._same.pop(name, None)

    def without(self, url: str) -> str:
        """Return a URL without the parameters that are known to be noise."""
        if not self._same or "?" not in url:
            return url
        path, _, query = url.partition("?")
        kept = [p for p in query.split("&") if not self._is_noise(p.partition("=")[0])]
        return f"{path}?{'&'.join(kept)}" if kept else path

    def met(self, name: str) -> Iterator[str]:
        """Return the URLs with a parameter that were answered, without it."""
        for group in self._answers:
            url, _, parameter = group.rpartition("#")
            if parameter == name:
                yield url.removesuffix("?")

    def _is_noise(self, name: str) -> bool:
        return len(self._same.get(name, ())) >= ENOUGH_ANSWERS

    @property
    def names(self) -> list[str]:
        """The parameters that are known to be noise."""
        return sorted(filter(self._is_noise, self._same))


def has(url: str, name: str) -> bool:
    """Tell whether a URL has a parameter."""
    return any(p.partition("=")[0] == name for p in url.partition("?")[2].split("&"))


def _hrefs(body: bytes) -> list[bytes]:
    """Return where a page leads, as it is written there; a search is faster than an expression.

    >>> _hrefs(b"<a href=x>, <A HREF = 'y'>, <a xhref=z>")
    [b'x', b'y']
    """
    low, name = body.lower(), b"href"
    found, at = [], low.find(name)
    while at >= 0:
        at += len(name)
        if value := _VALUE.match(body, at):
            found.append(value[1])
            at = value.end()
        at = low.find(name, at)
    return found


def _content(body: bytes) -> bytes:
    """Return what a page says, in an order that no sort order changes."""
    first, *scripts = body.split(b"<script")
    seen = [first, *(script.partition(b"</script")[2] for script in scripts)]
    return b"\n".join(sorted(map(bytes.strip, _TAG.split(b" ".join(seen)))))


def _stripped(leads: bytes, name: str) -> bytes:
    """Return links without a parameter's value."""
    # The name comes first, since a search for a plain text is fast.
    named = re.escape(name.encode()) + b"="
    return re.sub(rb"%s(?<=[?&;]%s)[^&\n]*" % (named, named), b"", leads)


def _hash(text: bytes) -> int:
    return mmh3.hash64(text, signed=False)[0]
