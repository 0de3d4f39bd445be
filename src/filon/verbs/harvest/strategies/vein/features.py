"""What is known of a link before it is followed, and what links at the same place have brought.

As numbers: some forty binary features. Groups of them can be switched off by name: path (where the
link stands in the page), url, numbers (in the URL), text (the anchor's words), relation (of its URL
to the page's), siblings (links at the same place of the same page), parent (the kind of page it
stands on), crowd (how many new links that page has). Nothing here depends on a language.

A place is the end of a tag path. Choosing goes by the regressions; but when nothing has been found
for long, kinds of links that were hardly ever followed come first, and a crawl is not over before.
"""

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

import mmh3
import numpy as np

from filon.learn.ridge import Rows
from filon.page.links import Link
from filon.page.url import extension, masked

#: Features are hashed to this many numbers; 0 is none.
SIZE = 2**16
#: Features of one link at most.
WIDTH = 48
GROUPS = ("path", "url", "numbers", "text", "relation", "siblings", "parent", "crowd")
#: A feature in several copies weighs more in the regressions: where files of some years are dead,
#: the year must outweigh the many features that all years share.
COPIES = 3
#: Texts whose features are remembered; pages of a site repeat theirs.
MOST_CACHED = 50_000

_DIGITS = re.compile(r"\d+")
_WORD = re.compile(r"[^\W_]+")
_LETTERS = re.compile(r"[^\W\d_]+")


def number(*parts: str) -> int:
    """Return the number of a feature."""
    return mmh3.hash("\0".join(parts), signed=False) % (SIZE - 1) + 1


class Features:
    """Turns links into rows of feature numbers.

    off: groups that are left out.
    """

    def __init__(self, off: frozenset[str] = frozenset()) -> None:
        self._on = {group: group not in off for group in (*GROUPS, "hints")}
        self._cache: dict[tuple[str, str], list[int]] = {}

    def rows(self, links: list[Link], page: str, likely: int) -> Rows:
        """Return a row for each of the new links of a page.

        likely: how many of them look like files.
        """
        rows = np.zeros((len(links), WIDTH), dtype=np.uint16)
        shared = self._of_page(page, len(links), likely)
        for row, link in zip(rows, links, strict=True):
            found = [*shared, *self._of_link(link, page)][:WIDTH]
            row[: len(found)] = found
        return rows

    def _of_page(self, page: str, new: int, likely: int) -> list[int]:
        found = [number("bias")]
        if self._on["parent"]:
            found.append(number("parent", masked(page)))
        if self._on["crowd"]:
            found.append(number("crowd", str(new.bit_length()), str(likely.bit_length())))
        return found

    def _of_link(self, link: Link, page: str) -> list[int]:
        found: list[int] = []
        if self._on["path"]:
            found += self._cached("path", link.path, _of_path)
        if self._on["url"]:
            found += _of_url(link.url)
        if self._on["numbers"]:
            found += _of_numbers(link.url)
        if self._on["text"]:
            found += self._cached("text", link.text, _of_text)
        if self._on["hints"] and link.hint:
            found.append(number("hint", link.hint))
        if self._on["relation"]:
            found.append(_relation(link.url, page))
        if self._on["siblings"]:
            found.append(number("siblings", page, link.path))
        if self._on["parent"]:
            found.append(number("place", masked(page), link.path.rpartition("/")[2]))
        return found

    def _cached(self, group: str, text: str, of: Callable[[str], list[int]]) -> list[int]:
        found = self._cache.get((group, text))
        if found is None:
            if len(self._cache) >= MOST_CACHED:
                self._cache.clear()
            found = self._cache[group, text] = of(text)
        return found


def _of_path(path: str) -> list[int]:
    """The whole tag path, its end in several lengths, and its last steps with a class or id."""
    steps = path.split("/")[1:]
    found = [number("path", path)]
    found += [number("end", *steps[-length:]) for length in (1, 2, 3, 5)]
    marked = [step for step in steps if "." in step or "#" in step]
    return found + [number("step", step) for step in marked[-3:]]


def _of_url(url: str) -> list[int]:
    """The URL with masked numbers, its folders, its depth, its extension, its words and shape."""
    path, _, query = masked(url).partition("?")
    _, *segments = path.split("/")
    last, ending = (segments[-1] if segments else "").lower(), extension(url)
    found = [
        number("url", path),
        number("ending", ending),
        number("depth", str(len(segments))),
        number("folder", "/".join(segments[:-1]), ending),
        number("shape", _LETTERS.sub("a", last)),
    ]
    found += [number("above", *segments[:depth]) for depth in range(1, min(4, len(segments)))]
    found += [number("word", word) for word in _WORD.findall(last)[:6]]
    if query:
        names = sorted(piece.partition("=")[0] for piece in query.split("&"))
        found.append(number("query", *names))
    return found


def _of_numbers(url: str) -> list[int]:
    """The last two numbers of a URL, roughly: a decade of years, tens of a counter."""
    numbers = _DIGITS.findall(url.partition("://")[2])[-2:]
    short = [(each[:-1], str(len(each))) for each in numbers if len(each) <= 4]
    return [number("about", *each, str(copy)) for each in short for copy in range(COPIES)]


def _of_text(text: str) -> list[int]:
    """The anchor text with masked numbers, whole and by its first words."""
    plain = _DIGITS.sub("0", text.lower())
    return [number("text", plain)] + [number("says", word) for word in _WORD.findall(plain)[:6]]


def _relation(url: str, page: str) -> int:
    """How far up from the page, and how far down again, the link's URL is."""
    there, here = url.split("/")[3:], page.split("/")[3:]
    common = 0
    for one, other in zip(there, here, strict=False):
        if one != other:
            break
        common += 1
    return number("relation", str(len(there) - common), str(len(here) - common))


#: Places that are told apart: a site whose every link has an id of its own has more. The last
#: stands for all further ones.
MOST = 20_000
MOST_TOLD = 200


class Tracks:
    """Counts by place: links followed, targets behind them, their squares."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._numbers: dict[str, int] = {}
        self._sums = np.zeros((3, 64))

    def number(self, path: str) -> int:
        """Return the number of the place where a tag path ends."""
        steps = path.split("/")
        name = ("…/" if len(steps) > 4 else "") + "/".join(steps[-3:])[:110]
        alike = _DIGITS.sub("0", name)  # an element with a number of its own is no place of its own
        known = self._numbers.get(alike)
        if known is None:
            if len(self._names) >= MOST:
                return MOST - 1
            known = self._numbers[alike] = len(self._names)
            self._names.append(name)
            if known == self._sums.shape[1]:
                self._sums = np.concatenate([self._sums, np.zeros_like(self._sums)], axis=1)
        return known

    def name(self, arm: int) -> str:
        """Return what a place is called."""
        return self._names[arm]

    def note(self, arm: int, brought: float) -> None:
        """Count a link that was followed."""
        self._sums[:, arm] += (1.0, brought, brought * brought)

    def say(self, arm: int) -> str:
        """Tell in plain words what links at a place brought, and how sure that is."""
        followed, total, squares = self._sums[:, arm]
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
        tried = np.flatnonzero(self._sums[0]).tolist()
        paid = sorted((-self._sums[1, arm], self._names[arm], arm) for arm in tried)
        return [
            {
                "name": name,
                "pulls": int(self._sums[0, arm]),
                "mean": float(-negative / self._sums[0, arm]),
                "left": left.get(arm, 0),
                "example": name,
            }
            for negative, name, arm in paid[:MOST_TOLD]
        ]

    def state(self) -> dict[str, Any]:
        """Return plain data."""
        # By hand: an array that grows is stored without the room that is kept free.
        size = len(self._names)
        return {"version": 1, "names": list(self._names), "told": self._sums[:, :size].copy()}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        self._names = list(state["names"])
        numbers = range(
            len(self._names) - 1, -1, -1
        )  # where older runs have more, the first counts
        self._numbers = {_DIGITS.sub("0", self._names[each]): each for each in numbers}
        room = 64
        while room < len(self._names):
            room *= 2
        self._sums = np.zeros((3, room))
        self._sums[:, : len(self._names)] = state["told"]
