"""The links that are known and not yet followed, and the rules by which two addresses are one.

The links are in arrays, so that all are re-ranked at once. What is not worth a request:

- /x, where a site answers it with a redirect to /x/. Learnt by folder: a site may do so in one
  place and serve /x in another. Where /x/ fails, /x is tried, so no page is lost; as many failures
  as successes end the rule, one dead link does not.
- A URL that differs from a known one in a parameter that changes nothing: session ids under any
  name, tracking, sort orders. Two URLs that differ in the value of one parameter only, and whose
  answers say the same, are evidence; a pair of files that differ, or of pages that lead elsewhere,
  is proof of the contrary. Pages that only say something else, the time perhaps, are neither.
  Answers that all say the same, "not found" or "please log in", count once.
"""

import re
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import mmh3
import numpy as np
from numpy.typing import NDArray

from filon.core.forms import KEYS, LIST, TUPLE, flat, table
from filon.core.state import Stateful, stored, version
from filon.learn.ridge import Rows, Vector
from filon.page.url import split
from filon.verbs.harvest.strategies.vein.features import masked

#: The value of a slot that holds no link.
EMPTY = -1.0
#: Rows that are kept together: a checkpoint packs them one such block at a time.
BLOCK = 16_384


class Candidate(NamedTuple):
    """A link taken out of the frontier, with what was thought of it."""

    url: str
    parent: str
    arm: int
    row: Rows
    prior: float
    chance: float
    promise: float
    value: float


class Links(NamedTuple):
    """Links of the frontier with what is thought of each."""

    arms: NDArray[np.int32]
    priors: Vector
    chances: Vector
    promises: Vector


class Frontier:
    """Slots of links with what is thought of each.

    chance: that it is a live target. promise: targets expected of it, itself or behind it. value:
    what the choice goes by; EMPTY where the slot is free.
    """

    def __init__(self) -> None:
        self._urls: list[str] = []
        self._parents: list[str] = []
        self._free: list[int] = []
        self._rows: Rows = np.zeros((0, 0), dtype=np.uint16)
        self._arms = np.zeros(0, dtype=np.int32)
        self._priors = np.zeros(0, dtype=np.float32)
        self._chances = np.zeros(0, dtype=np.float32)
        self._promises = np.zeros(0, dtype=np.float32)
        self._values = np.zeros(0, dtype=np.float32)

    def __len__(self) -> int:
        return len(self._urls) - len(self._free)

    def put(self, url: str, parent: str, arm: int, row: Rows, prior: float) -> int:
        """Add a link, whose value is still to be told; return its slot."""
        if self._free:
            slot = self._free.pop()
            self._urls[slot], self._parents[slot] = url, parent
        else:
            slot = len(self._urls)
            self._grow(slot + 1, len(row))
            self._urls.append(url)
            self._parents.append(parent)
        self._rows[slot] = row
        self._arms[slot] = arm
        self._priors[slot] = prior
        self._values[slot] = 0.0
        return slot

    def taken(self) -> np.ndarray[Any, np.dtype[np.intp]]:
        """Return the slots that hold a link."""
        return np.flatnonzero(self._values[: len(self._urls)] > EMPTY)

    def look(self, slots: Any) -> tuple[Rows, Vector]:
        """Return what is known of links: their features and priors."""
        return self._rows[slots], self._priors[slots].astype(np.float64)

    def rate(self, slots: Any, chances: Vector, promises: Vector, values: Vector) -> None:
        """Set what is thought of links."""
        self._chances[slots] = chances
        self._promises[slots] = promises
        self._values[slots] = values

    def untried(self, barren: NDArray[np.bool_]) -> bool:
        """Tell whether there is a link of an arm that is not known to be barren."""
        return not barren[self._arms[self.taken()]].all()

    def best(self, barren: NDArray[np.bool_] | None = None) -> Candidate | None:
        """Take out the link with the highest value, the oldest slot among equals.

        barren: arms whose links come last.
        """
        if not len(self):
            return None
        values = self._values[: len(self._urls)]
        slot = int(np.argmax(values))
        if barren is not None:
            fresh = np.where(barren[self._arms[: len(values)]], np.float32(EMPTY), values)
            slot = int(np.argmax(fresh)) if fresh.max() > EMPTY else slot
        candidate = Candidate(
            self._urls[slot],
            self._parents[slot],
            int(self._arms[slot]),
            self._rows[slot].copy(),
            float(self._priors[slot]),
            float(self._chances[slot]),
            float(self._promises[slot]),
            float(self._values[slot]),
        )
        self._clear(slot)
        return candidate

    def drop(self, unwanted: Callable[[str], bool]) -> None:
        """Forget the links whose URLs are unwanted."""
        for slot in self.taken().tolist():
            if unwanted(self._urls[slot]):
                self._clear(slot)

    def _clear(self, slot: int) -> None:
        self._urls[slot] = self._parents[slot] = ""
        self._values[slot] = EMPTY
        self._free.append(slot)

    def promises(self) -> Vector:
        """Return the promises of all links, in no order."""
        promises: Vector = self._promises[self.taken()].astype(np.float64)
        return promises

    def links(self) -> Links:
        """Return what is thought of all links, in no order."""
        taken = self.taken()
        told = (self._priors, self._chances, self._promises)
        return Links(self._arms[taken], *(each[taken].astype(np.float64) for each in told))

    def _grow(self, size: int, width: int) -> None:
        room = len(self._values)
        if size <= room:
            return
        more = max(1024, room // 4)
        rows = np.zeros((room + more, width), dtype=np.uint16)
        rows[:room] = self._rows if room else 0
        self._rows = rows
        self._arms = np.concatenate([self._arms, np.zeros(more, dtype=np.int32)])
        self._priors = np.concatenate([self._priors, np.zeros(more, dtype=np.float32)])
        self._chances = np.concatenate([self._chances, np.zeros(more, dtype=np.float32)])
        self._promises = np.concatenate([self._promises, np.zeros(more, dtype=np.float32)])
        empty = np.full(more, EMPTY, dtype=np.float32)
        self._values = np.concatenate([self._values, empty])

    def state(self) -> dict[str, Any]:
        """Return plain data."""
        # By hand: a million links: arrays without their room, each parent once.
        size = len(self._urls)
        rows = self._rows[:size]
        return {
            "version": 1,
            "urls": list(self._urls),
            "parents": _once(self._parents),
            "arms": self._arms[:size].copy(),
            "free": list(self._free),
            "rows": [rows[i : i + BLOCK].copy() for i in range(0, size, BLOCK)],
            "told": np.stack([self._priors, self._chances, self._promises, self._values])[:, :size],
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        self._urls, self._free = list(state["urls"]), list(state["free"])
        self._parents = [state["parents"][0][number] for number in state["parents"][1].tolist()]
        self._arms = np.array(state["arms"])
        self._rows = np.concatenate(state["rows"]) if state["rows"] else self._rows[:0]
        told = np.array(state["told"])
        self._priors, self._chances, self._promises, self._values = told


def _once(texts: list[str]) -> list[Any]:
    """Return texts that repeat as a list of those that differ, and the number of each."""
    numbers: dict[str, int] = {}
    told = (numbers.setdefault(text, len(numbers)) for text in texts)
    which = np.fromiter(told, dtype=np.int32, count=len(texts))
    return [list(numbers), which]


#: Redirects that make a rule.
ENOUGH_REDIRECTS = 3


class SlashRule(Stateful):
    """Counts redirects that add a slash; `apply` uses what it knows."""

    STATE = (version(1), "_adds")

    def __init__(self) -> None:
        self._adds: dict[
            str, int
        ] = {}  # by folder: redirects less failures, or -1 where it does not hold

    def note(self, url: str, goal: str) -> None:
        """Take note of where a redirect leads; goal "": the URL was answered as it is."""
        if not _bare(url):
            return
        folder = _folder(url)
        known = self._adds.get(folder, 0)
        if goal == f"{url}/" and known >= 0:
            self._adds[folder] = known + 1
        elif not goal:
            self._adds[folder] = -1

    def apply(self, url: str) -> str:
        """Return the address that a URL is known to redirect to, or the URL itself."""
        if _bare(url) and self._adds.get(_folder(url), 0) >= ENOUGH_REDIRECTS:
            return f"{url}/"
        return url

    def tried(self, url: str, *, failed: bool) -> None:
        """Take note of how an address by the rule was answered."""
        folder = _folder(url.removesuffix("/"))
        known = self._adds.get(folder, 0)
        if known >= 0:
            self._adds[folder] = max(known - 1, 0) if failed else known + 1


def _bare(url: str) -> bool:
    """A last segment without a dot, no slash after it, no query."""
    parts = split(url)
    last = parts.path.rpartition("/")[2]
    return bool(last) and "." not in last and not parts.query


def _folder(url: str) -> str:
    return masked(url).rpartition("/")[0]


#: Answers that make a rule, all different from each other.
ENOUGH_ANSWERS = 3
#: Answers that are remembered for comparison, and parameters of a URL that are looked at.
MOST_ANSWERS = 5_000
MOST_PARAMETERS = 6
#: Parameters that are told apart.
MOST_NAMES = 1_000

_TAG = re.compile(rb"<[^<>]*>")
_HREF = re.compile(rb"\bhref\s{0,9}=\s{0,9}[\"']?([^\"'>\s]+)", re.IGNORECASE)


class Noise(Stateful):
    """Compares answers; `without` leaves out what is known to be noise."""

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

    def note(self, url: str, body: bytes, *, is_page: bool) -> list[str]:
        """Compare an answer with others that differ in one parameter; return what it shows."""
        path, _, query = url.partition("?")
        pieces = query.split("&") if query else []
        if not pieces or len(pieces) > MOST_PARAMETERS:
            return []
        before, said = self.names, _hash(_said(body) if is_page else body)
        leads = b"\n".join(sorted(_HREF.findall(body))) if is_page else b""
        for place, piece in enumerate(pieces):
            name, _, value = piece.partition("=")
            rest = "&".join(pieces[:place] + pieces[place + 1 :])
            goals = _hash(_stripped(leads, name)) if is_page else said
            self._compare(f"{path}?{rest}#{name}", name, (value, said, goals))
        return [name for name in self.names if name not in before]

    def _compare(self, group: str, name: str, answer: tuple[str, int, int]) -> None:
        known = self._answers.setdefault(group, answer)
        if len(self._answers) > MOST_ANSWERS:
            self._answers.popitem(last=False)
        if known[0] == answer[0] or name in self._matters:
            return
        if known[1:] == answer[1:]:
            if len(self._same) < MOST_NAMES or name in self._same:
                prints, said = self._same.setdefault(name, []), answer[1] ^ answer[2] >> 1
                if len(prints) < ENOUGH_ANSWERS and said not in prints:
                    prints.append(said)
        elif known[2] != answer[2] and len(self._matters) < MOST_NAMES:
            self._matters[name] = None
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
            url, _, told = group.rpartition("#")
            if told == name:
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


def _said(body: bytes) -> bytes:
    """Return what a page says, in an order that no sort order changes."""
    first, *scripts = body.split(b"<script")
    seen = [first, *(script.partition(b"</script")[2] for script in scripts)]
    return b"\n".join(sorted(map(bytes.strip, _TAG.split(b" ".join(seen)))))


def _stripped(leads: bytes, name: str) -> bytes:
    """Return links without a parameter's value."""
    return re.sub(rb"(?<=[?&;])" + re.escape(name.encode()) + rb"=[^&\n]*", b"", leads)


def _hash(text: bytes) -> int:
    return mmh3.hash64(text, signed=False)[0]
