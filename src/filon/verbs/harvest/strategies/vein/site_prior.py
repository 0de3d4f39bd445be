"""What links mean on other sites: a prior over sites, learnt from recorded ones.

A link is looked at as a bag of hashed features: words of its URL and of the folders above, its
form, its anchor text, where it stands, what stands around it, and the page that it is on. Each has
two weights: for "is a file", in chance, and for "leads to files", in the logarithm of their number.
Their sums are the mean that the regressions of `vein` start from on a new site. A prior holds
numbers only: no address, no text, nothing that could be read back.
"""

import re
from collections.abc import Callable
from functools import cached_property, lru_cache
from itertools import islice
from typing import Any

import mmh3
import numpy as np
from numpy.typing import NDArray

from filon.learn.ridge import Rows
from filon.page.links import Link
from filon.page.url import extension
from filon.verbs.harvest.strategies.vein.features import hunch, shared

Weights = NDArray[np.float32]

#: Features are hashed to this many numbers.
SIZE = 2**15
#: How much a feature of each group counts: names of classes mean little on another site.
SCALES = {"path": 0.3, "text": 1.0, "around": 0.3, "url": 1.0, "page": 0.5}
#: Texts of each group whose sums are remembered; pages of a site repeat theirs.
MOST_CACHED = 20_000
#: Features of each kind whose numbers are remembered.
MOST_NUMBERS = 10_000
#: No prior says more than this.
MOST_CHANCE, MOST_YIELD = 0.3, 1.5
#: Nor that a link is less or more likely a file than by the best and the worst look.
LEAST_CHANCE, CHANCE_OF_FILE = 0.02, 0.9

# The first letters of a word; of plain text they are found in half the time.
_WORD, _PLAIN_WORD = re.compile(r"([^\W\d_]{2,20})[^\W\d_]*"), re.compile("([a-z]{2,20})[a-z]*")
_DIGITS = re.compile(r"\d+")
_LETTERS = re.compile(r"[^\W\d_]+")

#: A feature's number, and how much it counts.
Feature = tuple[int, float]
#: What features say in all: in chance, and in the logarithm of files behind a link.
Sums = tuple[float, float]
_MOST = np.array([[MOST_CHANCE], [MOST_YIELD]])


class Numbers(dict[str, int]):
    """The numbers of features of one kind, by what they say."""

    def __init__(self, kind: str) -> None:
        super().__init__()
        self._kind = f"{kind}\0"

    def __missing__(self, text: str) -> int:
        if len(self) >= MOST_NUMBERS:
            self.clear()
        found = self[text] = _number(self._kind + text)
        return found

    def words(self, text: str, most: int) -> list[int]:
        """Return what the words of a text say."""
        return [self[word] for word in islice(_words(text), most)]


def _words(text: str) -> dict[str, None]:
    """Return the words of a text, each once."""
    pattern = _PLAIN_WORD if text.isascii() else _WORD
    return dict.fromkeys(pattern.findall(text.lower()))


def _number(feature: str) -> int:
    return mmh3.hash(feature, signed=False) % SIZE


_TAG, _NAME, _END, _SAYS = map(Numbers, ("tag", "name", "end", "says"))
_LENGTH, _NEAR, _MARK, _LAST, _FOLDER = map(Numbers, ("length", "near", "mark", "word", "folder"))
_ENDING, _DEPTH, _COUNT, _SHAPE = map(Numbers, ("ending", "depth", "numbers", "shape"))
_FROM, _QUERY, _ON, _NEW, _HOME = map(Numbers, ("relation", "query", "on", "new", "home"))
_COUNTS, _ASKS = _number("counts"), _number("query")


def of_path(path: str) -> list[int]:
    """Tags above a link, words of their classes and ids, and its last tags in order."""
    tags: list[str] = []
    names: list[int] = []
    for step in path.split("/")[1:][-10:]:
        tag, _, named = step.replace("#", ".").partition(".")
        tags.append(tag)
        names += _NAME.words(named, 8) if named else ()
    ends = [_END["\0".join(tags[-2:])], _END["\0".join(tags[-3:])]]
    return [_TAG[tag] for tag in tags] + names + ends


def of_text(text: str) -> list[int]:
    """Words of the anchor text, how many there are, and whether there is a number."""
    words = list(islice(_words(text), 8))
    found = [_SAYS[word] for word in words]
    found.append(_LENGTH[str(min(len(text.split()), 6))])
    found.append(_number("\0".join(["text", *words])))
    if _DIGITS.search(text):
        found.append(_COUNTS)
    return found


def of_around(around: str) -> list[int]:
    """Words and marks around the link."""
    parts = around.split()
    said = " ".join([word for word in parts if word[0] != "."])
    marked = " ".join([word for word in parts if word[0] == "."])
    return _NEAR.words(said, 16) + _MARK.words(marked, 16)


def of_url(url: str, page: str) -> list[int]:
    """Words of the URL's end and of the folders above, its form, and where it is from the page."""
    return _of_url(url, _path(page))


def _path(url: str) -> list[str]:
    return url.partition("?")[0].split("/")[3:]


def _of_url(url: str, here: list[str]) -> list[int]:
    path, _, query = url.partition("?")
    there = path.split("/")[3:]
    segments = there.copy()
    last = segments.pop() if segments else ""
    last = segments.pop() if segments and not last else last
    found = [
        *_LAST.words(last, 6),
        *_of_folders("/".join(segments[-3:])),
        _ENDING[extension(url)],
        _DEPTH[str(min(len(there), 8))],
        _COUNT[str(min(len(_DIGITS.findall(last)), 3))],
        _SHAPE[_LETTERS.sub("a", _DIGITS.sub("0", last))],
        _relation(there, here),
    ]
    if query:
        names = [piece.partition("=")[0] for piece in query.split("&")[:4]]
        found += [_ASKS, *(_QUERY[name] for name in names)]
    return found


@lru_cache(maxsize=1024)  # most new links of a page are in few folders
def _of_folders(folders: str) -> list[int]:
    return _FOLDER.words(folders, 6)


def _relation(there: list[str], here: list[str]) -> int:
    common = shared(there, here)
    return _FROM[f"{min(len(there) - common, 4)}\0{min(len(here) - common, 4)}"]


def of_page(page: str, new: int) -> list[int]:
    """Words of the page's URL, how many new links it has, and whether it is a start page."""
    segments = _path(page)
    words = _ON.words("/".join(segments[-2:]), 5)
    return [*words, _NEW[str(new.bit_length())], _HOME[str(len(segments) < 2)]]


def features_of(link: Link, page: str, new: int) -> list[Feature]:
    """Return all features of a link; new: links of the page that were not known before."""
    groups = {
        "path": of_path(link.path),
        "text": of_text(link.text),
        "around": of_around(link.around),
        "url": of_url(link.url, page),
        "page": of_page(page, new),
    }
    return [
        (number, SCALES[group])
        for group, found in groups.items()
        for number in dict.fromkeys(found)  # each once
    ]


class SitePrior:
    """Weights of hashed features: a row for "is a file", a row for "leads to files".

    source: where they come from, asked when they are needed: a run that goes on has its own.
    """

    def __init__(self, source: Callable[[], Weights]) -> None:
        self._source = source
        # By group, of texts that repeat.
        self._cache: dict[str, dict[str, Sums]] = {"path": {}, "text": {}, "around": {}}

    @cached_property
    def weights(self) -> Weights:
        """The weights, by kind and feature."""
        return self._source()

    def of(self, links: list[Link], page: str) -> NDArray[np.float64]:
        """Return for links of a page what each is worth elsewhere: two rows, chances and yields."""
        chances, yields = list[float](), list[float]()
        shared, here = self._sums("page", of_page(page, len(links))), _path(page)
        paths, texts, arounds = (self._cache[group] for group in ("path", "text", "around"))
        for link in links:
            path = paths.get(link.path) or self._keep("path", link.path, of_path)
            text = texts.get(link.text) or self._keep("text", link.text, of_text)
            around = arounds.get(link.around) or self._keep("around", link.around, of_around)
            url = self._sums("url", _of_url(link.url, here))
            chances.append(shared[0] + path[0] + text[0] + around[0] + url[0])
            yields.append(shared[1] + path[1] + text[1] + around[1] + url[1])
        found = np.array([chances, yields])
        np.minimum(np.maximum(found, -_MOST, out=found), _MOST, out=found)
        return found

    def inform(self, rows: Rows, priors: list[float], links: list[Link], page: str) -> list[float]:
        """Put what links of a page lead to elsewhere into their rows; return corrected chances."""
        chances, yields = self.of(links, page)
        rows[:, -1] = hunch(yields)
        raised = np.maximum(priors + chances, LEAST_CHANCE)
        corrected: list[float] = np.minimum(raised, CHANCE_OF_FILE).tolist()
        return corrected

    def _keep(self, group: str, text: str, of: Callable[[str], list[int]]) -> Sums:
        cache = self._cache[group]
        if len(cache) >= MOST_CACHED:
            cache.clear()
        found = cache[text] = self._sums(group, of(text))
        return found

    def _sums(self, group: str, features: list[int]) -> Sums:
        chances, yields = self._lists[group]
        each = dict.fromkeys(features)
        return (
            sum([chances[number] for number in each]) if chances else 0.0,
            sum([yields[number] for number in each]) if yields else 0.0,
        )

    @cached_property
    def _lists(self) -> dict[str, list[list[float]]]:
        """The weights, as much as they count in each group, for who takes a few at a time.

        A list is empty where all its weights are 0: what proved wrong on sites left out.
        """
        weights = self.weights.astype(np.float64)
        lists = {
            scale: [(scale * kind).tolist() if kind.any() else [] for kind in weights]
            for scale in set(SCALES.values())
        }
        return {group: lists[scale] for group, scale in SCALES.items()}

    def state(self) -> dict[str, Any]:
        """Return plain data: the weights that are not zero, so that a run goes on with its own."""
        at = np.flatnonzero(self.weights.any(axis=0))
        return {"version": 1, "at": at.astype(np.int32), "weights": self.weights[:, at]}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        self.weights = np.zeros((2, SIZE), dtype=np.float32)
        self.weights[:, state["at"]] = state["weights"]
        self.__dict__.pop("_lists", None)
        for cache in self._cache.values():
            cache.clear()
