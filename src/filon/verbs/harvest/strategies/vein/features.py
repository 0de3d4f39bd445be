"""What is known of a link before it is followed, and what links at the same place have brought.

As numbers: some fifty features. Groups of them can be switched off by name: path (where the
link stands in the page), url, numbers (in the URL), text (the anchor's words), relation (of its URL
to the page's), siblings (links at the same place of the same page), parent (the kind of page it
stands on), crowd (how many new links that page has), around (words and marks of the largest part of
the page that leads nowhere else). Nothing here depends on a language.

A place is the end of a tag path; what links there brought is counted for people. Choosing goes by
the regressions, and in a drought by kinds of links (see `frontier`).
"""

import math
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import mmh3
import numpy as np
from numpy.typing import NDArray

from filon.core.state import Stateful, stored, version
from filon.learn.arrays import NUMBERS
from filon.learn.ridge import Rows
from filon.page.links import Link
from filon.page.url import extension, masked

#: Features are hashed to this many numbers; 0 is none.
SIZE = 2**16
#: Features of one link at most; the last three are set apart: two of twins, and what the prior over
#: sites says.
WIDTH, SET_APART = 80, 3
GROUPS = ("path", "url", "numbers", "text", "relation", "siblings", "parent", "crowd", "around")
#: Texts of each kind whose features are remembered.
MOST_CACHED = 20_000
#: Features whose numbers are remembered, of each kind that repeats.
MOST_NUMBERS = 10_000
#: Words and marks around a link that become features.
MOST_NEAR, MOST_MARKS = 12, 12

#: Links whose twins are known by their slot: enough for any site with few pages under many names.
MOST_WAITING = 50_000
#: What the prior over sites says becomes one of so many numbers, this far apart.
HUNCHES, HUNCH_STEP = 129, 0.02
#: Twins are told apart by the names of their parameters.
TWINS = 64
#: The numbers of the prior, of twins, of strong features, of weak ones and of all others.
AT_HUNCH, AT_TWIN, AT_STRONG = 1, 1 + HUNCHES, 1 + HUNCHES + TWINS
AT_WEAK, AT_OTHERS = SIZE // 4, SIZE // 2
#: How much features weigh. Where files of some years are dead, the year must outweigh the many
#: features that all years share; there are many words around a link, and most say nothing.
TWIN, STRONG, WEAK = 4.0, 1.8, 0.4
_STRONG = frozenset({"about"})
_WEAK = frozenset({"near", "mark", "crowd"})

_DIGITS = re.compile(r"\d+")
_WORD = re.compile(r"[^\W_]+")
_LETTERS = re.compile(r"[^\W\d_]+")
# The same in plain lower-case text, where they are found in half the time.
_PLAIN_WORD, _PLAIN_LETTERS = re.compile("[a-z0-9]+"), re.compile("[a-z]+")
_INDEX = re.compile(r"(?:index|default|home)\.\w{3,5}$")
_INDEX_NAMES = ("index", "default", "home")


def _range(kind: str) -> tuple[int, int]:
    """Return which numbers features of a kind have: the first, and how many there are."""
    if kind in _STRONG:
        return AT_STRONG, AT_WEAK - AT_STRONG
    if kind in _WEAK:
        return AT_WEAK, AT_OTHERS - AT_WEAK
    return AT_OTHERS, SIZE - AT_OTHERS


def number(kind: str, *parts: str) -> int:
    """Return the number of a feature."""
    first, count = _range(kind)
    return first + mmh3.hash("\0".join((kind, *parts)), signed=False) % count


class Numbers(dict[str, int]):
    """The numbers of features of one kind, by what they say; the same words come again and again.

    >>> Numbers("word")["data"] == number("word", "data")
    True
    """

    def __init__(self, kind: str) -> None:
        super().__init__()
        self._kind = f"{kind}\0"
        self._first, self._count = _range(kind)

    def __missing__(self, text: str) -> int:
        if len(self) >= MOST_NUMBERS:
            self.clear()
        found = self[text] = self.of(text)
        return found

    def of(self, text: str) -> int:
        """Return a number that hardly comes again."""
        return self._first + mmh3.hash(self._kind + text, signed=False) % self._count


class Known(dict[str, list[int]]):
    """The features of texts of one kind; pages of a site repeat theirs.

    of: what the features of a text are.
    """

    def __init__(self, of: Callable[[str], list[int]]) -> None:
        super().__init__()
        self._of = of

    def __missing__(self, text: str) -> list[int]:
        if len(self) >= MOST_CACHED:
            self.clear()
        found = self[text] = self._of(text)
        return found


def values() -> NDArray[np.float32]:
    """Return by feature how much it weighs in a row that has it."""
    weights = np.ones(SIZE, dtype=np.float32)
    weights[AT_TWIN:AT_STRONG], weights[AT_STRONG:AT_WEAK] = TWIN, STRONG
    weights[AT_WEAK:AT_OTHERS] = WEAK
    return weights


def padded(rows: Rows) -> Rows:
    """Return rows, of an older version maybe, as wide as those of today."""
    return np.pad(rows, ((0, 0), (0, WIDTH - rows.shape[1])))


def hunch(yields: NDArray[np.float64]) -> NDArray[np.uint16]:
    """Return the features that stand for what the prior over sites says, in logarithms."""
    half = HUNCHES // 2
    steps = np.minimum(np.maximum(np.rint(yields / HUNCH_STEP), -half), half)
    return (steps + half + AT_HUNCH).astype(np.uint16)


class Twins(Stateful):
    """Knows addresses that differ from that of a page that was read in their query alone.

    Or in a final slash, in the case of letters, in an `index.html`. Mostly such a page was read
    before; where a query turns pages, the regressions soon know better.
    """

    STATE = (version(1), stored("_read", NUMBERS))

    def __init__(self) -> None:
        self._read: set[int] = set()
        self._waiting: dict[int, list[tuple[int, str]]] = {}

    def features(self, url: str) -> list[int]:
        """Return the features of a link as a twin of a page that was read; none: it is none."""
        return _twin(url) if _base(url) in self._read else []

    def mark(self, rows: Rows, urls: list[str]) -> None:
        """Give rows of links that are twins of pages that were read the features of such."""
        for place, url in enumerate(urls):
            if found := self.features(url):
                rows[place, -3:-1] = found

    def wait(self, url: str, slot: int) -> None:
        """Take note of a link that waits."""
        if len(self._waiting) < MOST_WAITING:
            self._waiting.setdefault(_base(url), []).append((slot, url))

    def read(self, url: str) -> list[tuple[int, str, list[int]]]:
        """Take note of a page that was read; return its twins that waited: slot, URL, features."""
        base = _base(url)
        self._read.add(base)
        return [(slot, known, _twin(known)) for slot, known in self._waiting.pop(base, ())]


@lru_cache(maxsize=1024)  # the links of a page, each looked up and then kept
def _base(url: str) -> int:
    path = url.partition("://")[2].partition("?")[0].lower().rstrip("/;")
    if path.rpartition(".")[0].endswith(_INDEX_NAMES):
        path = _INDEX.sub("", path).rstrip("/")
    return mmh3.hash64(path, signed=False)[0]


def _twin(url: str) -> list[int]:
    query = masked(url).partition("?")[2]
    names = "\0".join(sorted(piece.partition("=")[0] for piece in query.split("&")))
    return [AT_TWIN, AT_TWIN + 1 + mmh3.hash(names, signed=False) % (TWINS - 1)]


class Features:
    """Turns links into rows of feature numbers.

    off: groups that are left out.
    """

    def __init__(self, off: frozenset[str] = frozenset()) -> None:
        self._on = {group: group not in off for group in (*GROUPS, "hints")}
        self._paths, self._texts, self._around = map(Known, (_of_path, _of_text, _of_around))

    def rows(self, links: list[Link], page: str, likely: int) -> Rows:
        """Return a row for each of the new links of a page.

        likely: how many of them look like files.
        """
        shared = self._of_page(page, len(links), likely)
        here, places = page.split("/")[3:], _Places(page)
        rows, most = np.zeros((len(links), WIDTH), dtype=np.uint16), WIDTH - SET_APART
        for row, link in zip(rows, links, strict=True):
            found = (shared + self._of_link(link, here, places))[:most]
            row[: len(found)] = found
        return rows

    def _of_page(self, page: str, new: int, likely: int) -> list[int]:
        found = [number("bias")]
        if self._on["parent"]:
            found.append(number("parent", masked(page)))
        if self._on["crowd"]:
            found.append(number("crowd", str(new.bit_length()), str(likely.bit_length())))
        return found

    def _of_link(self, link: Link, here: list[str], places: "_Places") -> list[int]:
        """Return the features of a link by itself; here: the path of its page."""
        found, on, path, url = list[int](), self._on, link.path, link.url
        siblings, place = places[path]
        if on["path"]:
            found += self._paths[path]
        if on["url"]:
            found += _of_url(url)
        if on["numbers"]:
            found += _of_numbers(url)
        if on["text"]:
            found += self._texts[link.text]
        if on["hints"] and link.hint:
            found.append(number("hint", link.hint))
        if on["relation"]:
            found.append(_relation(url, here))
        if on["siblings"]:
            found.append(siblings)
        if on["around"]:
            found += self._around[link.around]
        if on["parent"]:
            found.append(place)
        return found


class _Places(dict[str, tuple[int, int]]):
    """What links of one page share by their tag path: the numbers of their siblings and place."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self._page, self._alike = page, masked(page)

    def __missing__(self, path: str) -> tuple[int, int]:
        place = _PLACE[f"{self._alike}\0{path[path.rfind('/') + 1 :]}"]
        found = self[path] = _SIBLINGS.of(f"{self._page}\0{path}"), place
        return found


# Numbers of features that repeat, by kind.
_ENDING, _DEPTH, _FOLDER, _SHAPE = map(Numbers, ("ending", "depth", "folder", "shape"))
_WITHIN, _ABOVE, _WORDS, _ABOUT = map(Numbers, ("within", "above", "word", "about"))
_SAYS, _NEAR, _MARK = map(Numbers, ("says", "near", "mark"))
_URL, _TEXT, _NAMED = map(Numbers, ("url", "text", "named"))
_RELATION, _SIBLINGS, _PLACE = map(Numbers, ("relation", "siblings", "place"))


def _of_path(path: str) -> list[int]:
    """The whole tag path, its end in several lengths, and its last steps with a class or id."""
    steps = path.split("/")[1:]
    found = [number("path", path)]
    found += [number("end", *steps[-length:]) for length in (1, 2, 3, 5)]
    marked = [step for step in steps if "." in step or "#" in step]
    return found + [number("step", step) for step in marked[-3:]]


def _of_url(url: str) -> list[int]:
    """The URL with masked numbers, its folders, its depth, its extension, its words and shape."""
    path, _, query = url.partition("?")
    cut = path.rfind("/")
    folder, last, ending = _of_folder(path[:cut]), _DIGITS.sub("0", path[cut + 1 :]), extension(url)
    low = last.lower()
    found = [
        _URL.of(f"{folder.name}/{last}"),
        _ENDING[ending],
        folder.depth,
        _FOLDER[f"{folder.inner}\0{ending}"],
        _SHAPE[(_PLAIN_LETTERS if low.isascii() else _LETTERS).sub("a", low)],
        folder.within if last else folder.above_within,
    ]
    found += folder.above
    found += [_WORDS[word] for word in _words(low)[:6]]
    if query:
        names = sorted(piece.partition("=")[0] for piece in _DIGITS.sub("0", query).split("&"))
        found.append(number("query", *names))
    return found


class Folder(NamedTuple):
    """What the URLs in a folder share; most new links of a page are in few of them.

    name: with masked numbers and its host. inner: the same without the host. within: the number of
    the folder as such. above_within: that of the folder above it, where it stands for itself.
    """

    name: str
    inner: str
    depth: int
    within: int
    above_within: int
    above: list[int]


@lru_cache(maxsize=1024)
def _of_folder(folder: str) -> Folder:
    name = masked(folder)
    _, *segments = name.split("/")
    return Folder(
        name,
        "/".join(segments),
        _DEPTH[str(len(segments) + 1)],
        _WITHIN[folder],
        _WITHIN[folder.rstrip("/").rpartition("/")[0]],
        [_ABOVE["\0".join(segments[: count + 1])] for count in range(min(3, len(segments)))],
    )


def _of_numbers(url: str) -> list[int]:
    """The last two numbers of a URL, roughly: a decade of years, tens of a counter.

    And the name of a page that has some, as it is: in another language or year it is the same.
    """
    numbers = _DIGITS.findall(url, url.find("://") + 3)[-2:]
    found = [_ABOUT[f"{each[:-1]}\0{len(each)}"] for each in numbers if len(each) <= 4]
    name = url.partition("?")[0].rpartition("/")[2].lower() if numbers else ""
    return [*found, _NAMED[name]] if _DIGITS.search(name) else found


def _of_text(text: str) -> list[int]:
    """The anchor text with masked numbers, whole and by its first words."""
    plain = _DIGITS.sub("0", text.lower())
    return [_TEXT.of(plain)] + [_SAYS[word] for word in _words(plain)[:6]]


def _of_around(around: str) -> list[int]:
    """Words and marks around a link, with masked numbers."""
    plain = _DIGITS.sub("0", around)
    at = 0 if plain[:1] == "." else plain.find(" .")
    said, marked = (plain[:at], plain[at:].split()) if at >= 0 else (plain, [])
    if len(marked) > f" {plain}".count(" ."):  # words stand behind the first mark
        said += " " + " ".join([mark for mark in marked if mark[0] != "."])
        marked = [mark for mark in marked if mark[0] == "."]
    words = list(dict.fromkeys(_words(said.lower())))[:MOST_NEAR]
    marks = list(dict.fromkeys(marked))[:MOST_MARKS]
    return [_NEAR[word] for word in words] + [_MARK[mark] for mark in marks]


def _words(text: str) -> list[str]:
    """Return the words of a text in lower case."""
    return (_PLAIN_WORD if text.isascii() else _WORD).findall(text)


def _relation(url: str, here: list[str]) -> int:
    """How far up from the page, and how far down again, the link's URL is."""
    there = url.split("/")[3:]
    common = shared(there, here)
    return _RELATION[f"{len(there) - common}\0{len(here) - common}"]


def shared(one: list[str], other: list[str]) -> int:
    """Return how many parts two paths begin with alike."""
    for number, (mine, theirs) in enumerate(zip(one, other, strict=False)):
        if mine != theirs:
            return number
    return min(len(one), len(other))


#: Places that are told apart: a site whose every link has an id of its own has more. The last
#: stands for all further ones.
MOST = 20_000
MOST_TOLD = 200


class Tracks:
    """Counts by place: links followed, targets behind them, their squares."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._numbers: dict[str, int] = {}
        self._by_path: dict[str, int] = {}  # what was asked for of late
        # By place: links followed, what they brought, and its squares.
        self._sums: tuple[list[float], ...] = ([], [], [])

    def number(self, path: str) -> int:
        """Return the number of the place where a tag path ends."""
        found = self._by_path.get(path)
        if found is None:
            if len(self._by_path) >= MOST:
                self._by_path.clear()
            found = self._by_path[path] = self._number(path)
        return found

    def _number(self, path: str) -> int:
        steps = path.split("/")
        name = ("…/" if len(steps) > 4 else "") + "/".join(steps[-3:])[:110]
        alike = _DIGITS.sub("0", name)  # an element with a number of its own is no place of its own
        known = self._numbers.get(alike)
        if known is None:
            if len(self._names) >= MOST:
                return MOST - 1
            known = self._numbers[alike] = len(self._names)
            self._names.append(name)
            for sums in self._sums:
                sums.append(0.0)
        return known

    def name(self, arm: int) -> str:
        """Return what a place is called."""
        return self._names[arm]

    def note(self, arm: int, brought: float) -> None:
        """Count a link that was followed."""
        followed, total, squares = self._sums
        followed[arm] += 1.0
        total[arm] += brought
        squares[arm] += brought * brought

    def say(self, arm: int) -> str:
        """Tell in plain words what links at a place brought, and how sure that is."""
        followed, total, squares = (sums[arm] for sums in self._sums)
        if not followed:
            return "no link at such a place was followed before"
        mean = total / followed
        spread = math.sqrt(max(squares / followed - mean * mean, 0.0) / followed)
        links = "link" if followed == 1 else "links"
        sure = f" ± {spread:.2f}" if followed > 1 else ""
        return (
            f"{followed:.0f} {links} at such a place led to about {mean:.2f}{sure} new files each"
        )

    def summary(self, left: Mapping[int, int]) -> list[dict[str, Any]]:
        """Return the places that were tried, those that paid most first.

        left: by place, the links that wait.
        """
        followed, total, _ = self._sums
        tried = [arm for arm, count in enumerate(followed) if count]
        paid = sorted((-total[arm], self._names[arm], arm) for arm in tried)
        return [
            {
                "name": name,
                "pulls": int(followed[arm]),
                "mean": -negative / followed[arm],
                "left": left.get(arm, 0),
                "example": name,
            }
            for negative, name, arm in paid[:MOST_TOLD]
        ]

    def state(self) -> dict[str, Any]:
        """Return plain data."""
        # By hand: an array takes less room.
        return {"version": 1, "names": list(self._names), "told": np.array(self._sums)}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        self._names, self._by_path = list(state["names"]), {}
        numbers = range(
            len(self._names) - 1, -1, -1
        )  # where older runs have more, the first counts
        self._numbers = {_DIGITS.sub("0", self._names[each]): each for each in numbers}
        followed, total, squares = np.asarray(state["told"]).tolist()
        self._sums = followed, total, squares
