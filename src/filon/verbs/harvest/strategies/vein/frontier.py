"""The links that are known and not yet followed, and what is to be expected of them in all.

`Frontier` has the links in arrays, so that all are re-ranked at once.

`Forecast` tells when to stop. Of each link of the frontier some targets are expected; how many of
those expected came of late says what that is worth. A crawl is over when nothing was found for
long, in proportion to how long it has lasted, and next to nothing is expected of the best links
left.

`Remainder` tells how many targets are left: those expected of the links of the frontier, by how
many of such came. It knows nothing of choosing and stopping, and neither goes by it. Links that
stand at like places and look alike are of one kind. Of each kind it is counted what was expected of
its links when they were followed, and what came: the link itself was a target, or a target that
was first shown by the page behind it. The best kinds are followed first, so one that was not tried
yet is worth less than those that were.
"""

import math
from bisect import bisect_left
from collections import deque
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from filon.core.forms import TUPLE, each
from filon.core.state import Stateful, group, stored, version
from filon.learn.ridge import Rows, Vector

#: The value of a slot that holds no link.
EMPTY = -1.0
#: Rows that are kept together: a checkpoint packs them one such block at a time.
BLOCK = 16_384

#: Promises that are compared with what came.
RECENT = 200
#: A drought that ends a crawl: so many requests, plus a share of all so far, plus more while
#: hardly anything was found, since the first target may be deep.
DROUGHT, SHARE, UNPROVEN = 50, 0.15, 2000
#: What the next requests, as many as such a drought has, may bring at most: targets, or a share
#: of those found.
NOTHING, NEXT_TO_NOTHING = 0.5, 0.005

#: Chances by look (`Prior`) between which kinds are told apart: page, unknown, hinted, file.
LOOKS = (0.05, 0.25, 0.65)
#: Links of a kind after which what was seen of it counts half: yields fall as a site is known.
HALF_LIFE = 50
DECAY = 0.5 ** (1 / HALF_LIFE)
#: Promises of a kind that weigh as much as what is known of all kinds, and those that a kind needs
#: to say half of what it could say about them.
PULL, SAY = 2.0, 3.0
#: What untried kinds are worth against tried ones.
UNTRIED = 0.3
#: Targets that must have been expected in vain before a drought shrinks the estimate.
PATIENCE = 1.0
#: The error that is usual, as a share of the estimate; and how many targets stand together: where
#: one was missed, so were its neighbours.
UNSURE, AT_ONCE = 0.7, 3.0
#: Nobody knows of more than so many times what was found.
MOST = 2.0
#: Pages whose targets are still credited to their kind: files are mostly fetched right after.
PAGES = 1000
#: Answers after which what is known of all kinds is summed up again.
EVERY = 20


class Candidate(NamedTuple):
    """A link taken out of the frontier, with what was thought of it."""

    url: str
    parent: str
    arm: int
    row: Rows
    prior: float
    chance: float
    expected: float
    value: float


class Links(NamedTuple):
    """Links of the frontier with what is thought of each."""

    arms: NDArray[np.int32]
    priors: Vector
    chances: Vector
    expected: Vector


class Frontier:
    """Slots of links with what is thought of each.

    chance: that it is a live target. expected: targets that it brings, itself or behind it. value:
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
        self._expected = np.zeros(0, dtype=np.float32)
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

    def rate(self, slots: Any, chances: Vector, expected: Vector, values: Vector) -> None:
        """Set what is thought of links."""
        self._chances[slots] = chances
        self._expected[slots] = expected
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
            float(self._expected[slot]),
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

    def expected(self) -> Vector:
        """Return how many targets each link is expected to bring, in no order."""
        expected: Vector = self._expected[self.taken()].astype(np.float64)
        return expected

    def links(self) -> Links:
        """Return what is thought of all links, in no order."""
        taken = self.taken()
        columns = (self._priors, self._chances, self._expected)
        return Links(self._arms[taken], *(each[taken].astype(np.float64) for each in columns))

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
        self._expected = np.concatenate([self._expected, np.zeros(more, dtype=np.float32)])
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
            "told": np.stack([self._priors, self._chances, self._expected, self._values])[:, :size],
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        self._urls, self._free = list(state["urls"]), list(state["free"])
        self._parents = [state["parents"][0][number] for number in state["parents"][1].tolist()]
        self._arms = np.array(state["arms"])
        self._rows = np.concatenate(state["rows"]) if state["rows"] else self._rows[:0]
        columns = np.array(state["told"])
        self._priors, self._chances, self._expected, self._values = columns


def _once(texts: list[str]) -> list[Any]:
    """Return texts that repeat as a list of those that differ, and the number of each."""
    numbers: dict[str, int] = {}
    repeated = (numbers.setdefault(text, len(numbers)) for text in texts)
    which = np.fromiter(repeated, dtype=np.int32, count=len(texts))
    return [list(numbers), which]


class Forecast(Stateful):
    """Watches what is expected and what is found."""

    STATE = (
        version(1),
        group("counts", "requests", "finds", "_last_find"),
        "_vain",
        stored("_recent", each(TUPLE)),
    )

    def __init__(self) -> None:
        self.requests = 0
        self.finds = 0
        self._last_find = 0
        self._vain = 0.0  # expected since the last find
        self._recent: deque[tuple[float, float]] = deque(maxlen=RECENT)

    def note(self, expected: float, brought: float, is_find: bool) -> None:
        """Take note of an answer: what was expected of its link, and what it brought."""
        self.requests += 1
        self._recent.append((expected, brought))
        self._vain = 0.0 if is_find else self._vain + expected
        if is_find:
            self.finds += 1
            self._last_find = self.requests

    @property
    def kept(self) -> float:
        """The part of what was expected that came, of late or for as long as nothing was found."""
        expected = max(sum(one for one, _ in self._recent), self._vain)
        brought = sum(came for _, came in self._recent)
        return (brought + 1.0) / (expected + 1.0)

    @property
    def drought(self) -> int:
        """Requests since the last find."""
        return self.requests - self._last_find

    @property
    def is_dry(self) -> bool:
        """Tell whether nothing was found for a while."""
        return self.drought >= DROUGHT

    def is_over(self, expected: Callable[[], Vector], untried: Callable[[], bool]) -> bool:
        """Tell whether to stop.

        expected: tells what is expected of the links left, if it matters. untried: tells whether
        there are kinds of links that were hardly ever followed; they are waited for, twice as long.
        """
        drought = self.drought
        patience = DROUGHT + SHARE * self.requests + UNPROVEN / (1 + self.finds)
        if drought < patience or (drought < 2 * patience and untried()):
            return False
        values, ahead = expected(), int(patience)
        if ahead < len(values):
            values = np.partition(values, len(values) - ahead)[-ahead:]
        return self.kept * float(values.sum()) < max(NOTHING, NEXT_TO_NOTHING * self.finds)


class Remainder(Stateful):
    """Watches what was expected of links and what came of it."""

    STATE = (
        version(1),
        stored("_sums", key="told"),
        "_kinds",
        group("sums", "_base", "_vain", "_page"),
        group("counts", "_answers", "_finds", "_drought"),
    )

    def __init__(self) -> None:
        self._sums = np.zeros((2, 256))  # by kind: expected, brought
        self._kinds: dict[str, int] = {}  # of pages that were opened of late
        self._base = UNTRIED / 2  # the part that comes of a kind of which nothing is known
        self._vain = 0.0  # expected since the last find, the last page left out
        self._page = 0.0  # expected of that page: its files are still to come
        self._answers = self._finds = self._drought = 0

    def follow(self, link: Candidate, page: str, is_target: bool) -> None:
        """Take note of what a link was; page: where it led, if that is a page."""
        self._count(is_target)
        if not link.parent:
            return
        kind = link.arm * (len(LOOKS) + 1) + bisect_left(LOOKS, link.prior)
        self._grow(kind)
        targets = link.chance + (1 - link.chance) * (link.expected - link.chance)
        self._break(self._kept(kind) * targets, link.chance, is_target)
        expected, brought = self._sums  # one number at a time is far quicker than a column
        expected[kind] = expected.item(kind) * DECAY + targets
        brought[kind] = brought.item(kind) * DECAY + is_target
        if is_target and link.parent in self._kinds:
            self._sums[1, self._kinds[link.parent]] += 1
        if page:
            self._remember(page, kind)

    def _remember(self, page: str, kind: int) -> None:
        self._kinds[page] = kind
        if len(self._kinds) > PAGES:
            del self._kinds[next(iter(self._kinds))]

    def _count(self, is_target: bool) -> None:
        self._answers += 1
        self._finds += is_target
        self._drought = 0 if is_target else self._drought + 1
        if self._answers < EVERY or self._answers % EVERY == 0:
            self._base = self._rebase()

    def _break(self, expected: float, chance: float, is_target: bool) -> None:
        """Add up what was expected since the last find. A page is waited for until the next."""
        if is_target:
            self._vain = self._page = 0.0
        elif chance > 0.5:
            self._vain += expected
        else:
            self._vain, self._page = self._vain + self._page, expected

    def _kept(self, kind: int) -> float:
        expected, brought = self._sums.item(0, kind), self._sums.item(1, kind)
        return (brought + PULL * self._base) / (expected + PULL)

    def _grow(self, kind: int) -> None:
        while kind >= self._sums.shape[1]:
            self._sums = np.concatenate([self._sums, np.zeros_like(self._sums)], axis=1)

    def left(self, links: Links) -> tuple[float, float]:
        """Return how many targets are left by estimate, and the estimate's spread."""
        if not len(links.arms) or not self._answers:
            return 0.0, 0.0
        kinds = _kinds(links)
        self._grow(int(kinds.max()))
        expected = np.bincount(kinds, _targets(links), self._sums.shape[1])
        patience = PATIENCE / max(self._vain, PATIENCE)
        kept = (self._sums[1] + PULL * self._base) / (self._sums[0] + PULL)
        mean = patience**2 * float(expected @ kept)
        mean = min(mean, MOST * (1 + self._finds))
        # After a drought of so many requests, a link is a find with a chance of one in as many.
        due = len(kinds) / (1 + self._drought)
        return mean, math.sqrt(mean + (UNSURE * mean) ** 2 + AT_ONCE * due)

    def _rebase(self) -> float:
        """Return the part of what is expected that comes, each kind having a say, not each link."""
        expected, brought = self._sums
        say = expected / (expected + SAY)
        kept = np.minimum(brought / np.maximum(expected, 1e-9), 1.0)
        return UNTRIED * (float(say @ kept) + 0.5) / (float(say.sum()) + 1.0)


def _kinds(links: Links) -> NDArray[np.intp]:
    """Return the kind of each link: where it stands, and what it looks like."""
    looks = np.searchsorted(LOOKS, links.priors)
    return links.arms.astype(np.intp) * (len(LOOKS) + 1) + looks


def _targets(links: Links) -> Vector:
    """Return the targets expected of each link; there is nothing behind one that is a target."""
    behind = links.expected - links.chances
    expected: Vector = links.chances + (1 - links.chances) * behind
    return expected
