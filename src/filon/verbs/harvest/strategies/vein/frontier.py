"""The links that are known and not yet followed, and what is to be expected of them in all.

`Frontier` has the links in arrays. The best of them, and one of a given kind, are found without
looking at all: a choice costs the same with a thousand links and with a million.

`Kinds` counts by kind of link. A kind is where in a page links stand, on which kind of page, and
whether they look like files. Of each kind it is known how many links wait, how many were followed,
how many of these were targets, and which kinds of new links the pages behind them had. That gives
the targets that a waiting link of a kind leads to, by the pages behind it too, and so how many are
left in all. A kind of which n links were followed in vain pays at the next one with a chance of
about c / (n + 1), however large n is; c is learnt from all kinds of the site.
"""

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from filon.learn.dense import dot
from filon.learn.ridge import Rows, Vector
from filon.page.url import masked
from filon.verbs.harvest.strategies.vein.shelves import (
    EMPTY,
    ROWS,
    SHELF,
    TEXTS,
    THOUGHTS,
    Shelves,
    shelved,
)

Slots = NDArray[np.intp]

#: Links of a kind, the oldest, among which the best is looked for.
SAMPLE = 256


class Candidate(NamedTuple):
    """A link taken out of the frontier, with what was thought of it; arm: its kind."""

    url: str
    parent: str
    arm: int
    row: Rows
    prior: float
    chance: float
    expected: float
    value: float


class Frontier(Shelves):
    """Slots of links with what is thought of each.

    chance: that it is a live target. expected: targets that it brings, itself or behind it. value:
    what the choice goes by; EMPTY where the slot is free.
    kinds: told of every link that comes and goes.
    """

    def __init__(self, kinds: "Kinds") -> None:
        self._kinds = kinds
        self._urls: list[str] = []
        self._parents: list[str] = []
        self._free: list[int] = []
        self._rows: Rows = np.zeros((0, 0), dtype=np.uint16)
        self._arms = np.zeros(0, dtype=np.int32)
        self._told = np.zeros((4, 0), dtype=np.float32)  # prior, chance, expected, value
        self._chain = np.zeros((2, 0), dtype=np.int32)  # by slot: the next of its kind, the last
        self._ends: dict[int, list[int]] = {}  # by kind: its first slot, and its last
        self._tops = np.zeros(0, dtype=np.float32)  # by shelf: its highest value
        self._rated = np.zeros(0, dtype=np.int64)  # by shelf: with which models
        self._marks: tuple[list[int], ...] = ([], [], [])  # by shelf: how often it has changed
        self._models = 0
        self._turn = 0  # the shelf that is rated next

    def __len__(self) -> int:
        return len(self._urls) - len(self._free)

    def put(
        self, urls: list[str], parent: str, arms: list[int], rows: Rows, priors: list[float]
    ) -> Slots:
        """Add links of a page, whose values are still to be told; return their slots."""
        again = [self._free.pop() for _ in range(min(len(self._free), len(urls)))]
        for slot, url in zip(again, urls, strict=False):
            self._urls[slot], self._parents[slot] = url, parent
        fresh, first = urls[len(again) :], len(self._urls)
        self._grow(first + len(fresh), rows.shape[1])
        self._urls += fresh
        self._parents += [parent] * len(fresh)
        slots = [*again, *range(first, len(self._urls))]
        # New slots stand side by side: that costs less than to name each, and few are used again.
        places: list[int | slice] = [*again, slice(first, len(self._urls))]
        some: list[int | slice] = [*range(len(again)), slice(len(again), None)]
        for at, of in zip(places, some, strict=True):
            self._rows[at], self._arms[at] = rows[of], arms[of]
            self._told[0, at], self._told[1:, at] = priors[of], 0.0
        self._enchain(slots, arms)
        for shelf in {slot // SHELF for slot in slots}:
            for marks in self._marks:
                marks[shelf] += 1
        return np.array(slots)

    def _enchain(self, slots: list[int], arms: list[int]) -> None:
        following, last = self._chain
        for slot, arm in zip(slots, arms, strict=True):
            ends = self._ends.setdefault(arm, [slot, -1])
            following[slot], last[slot] = -1, ends[1]
            if ends[1] >= 0:
                following[ends[1]] = slot
                self._marks[THOUGHTS][ends[1] // SHELF] += 1
            ends[1] = slot
        for arm, count in Counter(arms).items():
            self._kinds.wait(arm, count)

    def _unchain(self, slot: int, arm: int) -> None:
        following, last = self._chain[:, slot].tolist()
        ends, marks = self._ends[arm], self._marks[THOUGHTS]
        if last >= 0:
            self._chain[0, last] = following
            marks[last // SHELF] += 1
        else:
            ends[0] = following
        if following >= 0:
            self._chain[1, following] = last
            marks[following // SHELF] += 1
        else:
            ends[1] = last
        if ends[0] < 0:
            del self._ends[arm]

    def mark(self, slot: int, url: str, twin: list[int]) -> bool:
        """Give a link, if it still waits, the features of one whose page was read by another."""
        if self._urls[slot] != url:
            return False
        self._rows[slot, -3:-1] = twin
        self._marks[ROWS][slot // SHELF] += 1
        return True

    def holds(self, slot: int, url: str) -> bool:
        """Say whether a link still waits in its slot."""
        return self._urls[slot] == url

    def worse(self, one: int, other: int) -> int:
        """Return which of two slots is worth less; among equals the second."""
        return one if self._told[3, one] < self._told[3, other] else other

    def waiting(self) -> Iterator[tuple[int, str]]:
        """Return all links: the slot and the URL of each."""
        return ((slot, self._urls[slot]) for slot in self.taken().tolist())

    def taken(self) -> Slots:
        """Return the slots that hold a link."""
        return np.flatnonzero(self._told[3, : len(self._urls)] > EMPTY)

    def look(self, slots: Slots) -> tuple[Rows, Vector]:
        """Return what is known of links: their features and priors."""
        return self._rows.take(slots, axis=0), self._told[0].take(slots).astype(np.float64)

    def rate(self, slots: Slots, chances: Vector, expected: Vector, values: Vector) -> None:
        """Set what is thought of links."""
        told = self._told
        told[1, slots], told[2, slots], told[3, slots] = chances, expected, values
        for shelf in dict.fromkeys((slots // SHELF).tolist()):
            self._top(shelf)
            self._marks[THOUGHTS][shelf] += 1

    def _top(self, shelf: int) -> None:
        self._tops[shelf] = np.maximum.reduce(self._told[3, shelf * SHELF : (shelf + 1) * SHELF])

    # Rating anew, a part at a time.

    def outdate(self, most: int) -> Iterator[Slots]:
        """The models have changed: return the slots to rate now, about so many links, by shelf."""
        self._models += 1
        shelves = -(-len(self._urls) // SHELF)
        for _ in range(min(shelves, -(-most // SHELF))):
            self._turn = (self._turn + 1) % shelves
            yield self._renew(self._turn)

    def doubtful(self, most: int) -> Iterator[Slots]:
        """Return the slots of the shelf with the best link, while it was rated by older models.

        most: shelves at most.
        """
        for _ in range(most if len(self) else 0):
            best = int(self._tops.argmax())
            if self._rated[best] == self._models:
                return
            yield self._renew(best)

    def _renew(self, shelf: int) -> Slots:
        self._rated[shelf] = self._models
        start = shelf * SHELF
        return start + np.flatnonzero(self._told[3, start : start + SHELF] > EMPTY)

    # Taking out.

    def best(self) -> Candidate | None:
        """Take out the link with the highest value, the oldest slot among equals."""
        if not len(self):
            return None
        start = int(self._tops.argmax()) * SHELF
        return self.take(start + int(self._told[3, start : start + SHELF].argmax()))

    def best_of(self, arm: int) -> Candidate | None:
        """Take out the link with the highest value among the oldest of a kind."""
        slots = list(islice(self._members(arm), SAMPLE))
        return self.take(slots[int(np.argmax(self._told[3, slots]))]) if slots else None

    def _members(self, arm: int) -> Iterator[int]:
        slot = self._ends.get(arm, (-1,))[0]
        while slot >= 0:
            yield slot
            slot = self._chain.item(0, slot)

    def take(self, slot: int) -> Candidate:
        """Take out a link."""
        candidate = Candidate(
            self._urls[slot],
            self._parents[slot],
            int(self._arms[slot]),
            self._rows[slot].copy(),
            *self._told[:, slot].tolist(),
        )
        self._clear(slot)
        return candidate

    def drop(self, unwanted: Callable[[str], bool]) -> None:
        """Forget the links whose URLs are unwanted."""
        for slot in [slot for slot, url in self.waiting() if unwanted(url)]:
            self._clear(slot)

    def _clear(self, slot: int) -> None:
        arm = int(self._arms[slot])
        self._unchain(slot, arm)
        self._kinds.wait(arm, -1)
        self._urls[slot] = self._parents[slot] = ""
        self._told[3, slot] = EMPTY
        self._free.append(slot)
        self._top(slot // SHELF)
        for group in (TEXTS, THOUGHTS):
            self._marks[group][slot // SHELF] += 1

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        if state["version"] < 3:
            state = shelved(state)
        size, width = state["size"], state["rows"][0].shape[1] if state["rows"] else 0
        self._grow(size, width)
        self._urls, self._parents, self._free = [], [], list(state["free"])
        parts = zip(state["texts"], state["rows"], state["told"], strict=True)
        for (urls, (parents, which), arms), rows, (told, chain) in parts:
            at = slice(len(self._urls), len(self._urls) + len(urls))
            self._urls += urls
            self._parents += [parents[number] for number in which.tolist()]
            self._arms[at], self._rows[at] = arms, rows
            self._told[:, at], self._chain[:, at] = told, chain
        self._tops = self._told[3].reshape(-1, SHELF).max(axis=1)
        if "ends" in state:
            self._ends = {arm: ends for arm, *ends in state["ends"]}
            rated, self._models, self._turn = state["rated"]
            self._rated[: len(rated)] = rated
        else:
            taken = self.taken()
            self._enchain(taken.tolist(), self._arms[taken].tolist())


#: Kinds that are told apart, the last standing for all further ones; pairs of kinds of which it is
#: known that one leads to the other; and folders at each level of a site, the rest being one.
MOST, MOST_PAIRS, MOST_FOLDERS = 20_000, 100_000, 8
#: Pairs that are gone through at each answer.
PAIRS_AT_ONCE = 2000
#: Levels of folders that tell kinds of pages apart: the host, and two more.
LEVELS = 3
#: Chances by look (`Prior`) between which kinds are told apart: page, unknown, hinted, file.
LOOKS = (0.05, 0.25, 0.65)
#: What was seen of a kind weighs by the power of its number: yields fall as a site is known. With
#: 3, the last quarter of a kind's links has two thirds of the say.
POWER = 3.0
#: c of a site of which nothing is known, and the exposure that it counts for; and that which c of
#: the whole site counts for in each doubling of links in vain.
USUAL, EXPOSURE, SHARED = 0.3, 5.0, 3.0
DOUBLINGS = 40
#: Pages behind pages, so many in a row, that count for a link.
STEPS = 3
#: Pages whose targets are credited to their kind: files are mostly fetched right after.
PAGES = 1000


class Kinds:
    """Numbers of kinds, and what came of their links."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, str, int], int] = {}
        self._places: list[int] = []
        self._sums = np.zeros((4, 64))  # by kind: waiting, followed, targets (weighed), has paid
        self._pairs: dict[tuple[int, int], int] = {}
        self._ends = np.zeros((2, 64), dtype=np.intp)  # by pair: from which kind to which
        self._leads = np.zeros(64)  # by pair: new links, weighed
        self._folders: dict[str, list[str]] = {}
        self._pages: dict[str, int] = {}  # opened of late: the kind of link that led there
        # By the logarithm of links of a kind in vain: kinds that paid at last; what was tried.
        self._firsts = np.zeros((2, DOUBLINGS))
        self._targets = 0
        self._worth, self._age = np.zeros(0), 0  # of kinds, and answers since

    def shape(self, page: str) -> str:
        """Return the kind of a page by its URL: its upper folders, depth and extension."""
        path, _, query = masked(page).partition("?")
        *folders, last = path.split("/")
        known = ""
        for folder in folders[:LEVELS]:
            inner = self._folders.setdefault(known, [])
            if folder not in inner and len(inner) < MOST_FOLDERS:
                inner.append(folder)
            known += f"/{folder if folder in inner else '*'}"
        ending = last.rpartition(".")[2] if "." in last else "-" * bool(last)
        return f"{known} {len(folders)} {ending} {'?' * bool(query)}"

    def number(self, place: int, shape: str, prior: float) -> int:
        """Return the number of a kind of link: its place, its page, and how it looks."""
        kind = place, shape, bisect_left(LOOKS, prior)
        known = self._numbers.get(kind)
        return self._add(kind) if known is None else known

    def _add(self, kind: tuple[int, str, int]) -> int:
        number = len(self._places)
        if number >= MOST:
            return MOST - 1
        self._numbers[kind] = number
        self._places.append(kind[0])
        if number == self._sums.shape[1]:
            self._sums = np.concatenate([self._sums, np.zeros_like(self._sums)], axis=1)
        return number

    def place(self, kind: int) -> int:
        """Return the place of a kind."""
        return self._places[kind]

    def wait(self, kind: int, change: int) -> None:
        """Count a link that comes, or goes."""
        self._sums[0, kind] += change

    def note(self, link: Candidate, page: str, is_target: bool, new: Sequence[int]) -> None:
        """Take note of what a link was.

        page: where it led, if that is a page. new: the kinds of the new links there.
        """
        kind = link.arm
        self._targets += is_target
        self._age += 1
        if is_target and link.parent in self._pages:
            self._pay(self._pages[link.parent])
        if kind < 0:
            return
        _, followed, _, has_paid = self._sums[:, kind].tolist()
        if not has_paid:
            self._firsts[1, int(math.log2(followed + 1))] += 1 / (followed + 1)
        self._sums[1, kind] = followed + 1
        if is_target:
            self._pay(kind)
            self._sums[2, kind] += (followed + 1) ** POWER
        if new:
            for other, links in Counter(new).items():
                self._lead(kind, other, links * (followed + 1) ** POWER)
        if page:
            self._pages[page] = kind
            if len(self._pages) > PAGES:
                del self._pages[next(iter(self._pages))]

    def _pay(self, kind: int) -> None:
        if not self._sums[3, kind]:
            self._sums[3, kind] = 1
            self._firsts[0, int(math.log2(max(self._sums[1, kind], 1)))] += 1

    def _lead(self, kind: int, other: int, weight: float) -> None:
        if len(self._pairs) >= MOST_PAIRS and (kind, other) not in self._pairs:
            return
        pair = self._pairs.setdefault((kind, other), len(self._pairs))
        if pair == len(self._leads):
            self._leads = np.concatenate([self._leads, np.zeros_like(self._leads)])
            self._ends = np.concatenate([self._ends, np.zeros_like(self._ends)], axis=1)
        if not self._leads[pair]:
            self._ends[:, pair] = kind, other
        self._leads[pair] += weight

    def _worths(self, usual: Vector) -> Vector:
        """Return how many targets a waiting link of each kind leads to, by estimate.

        usual: c of each kind.

        Where there are very many kinds, the estimate may be some answers old.
        """
        if self._age > len(self._pairs) // PAIRS_AT_ONCE or len(self._worth) != self._sums.shape[1]:
            self._worth, self._age = self._estimate(usual), 0
        return self._worth

    def _estimate(self, usual: Vector) -> Vector:
        _, followed, targets, _ = self._sums
        norm = (POWER + 1) / np.maximum(followed, 1) ** POWER / (followed + 1)
        own = targets * norm + usual / (followed + 1)
        (start, goal), size = self._ends[:, : len(self._pairs)], len(own)
        leads = self._leads[: len(self._pairs)] * norm[start]
        worth = own
        for _ in range(STEPS):
            worth = own + np.bincount(start, leads * worth[goal], size)
        return worth

    def _usual(self) -> Vector:
        """Return c of this site for each kind, by how many of its links were followed."""
        firsts, exposed = self._firsts
        paid, tried = np.add.reduce(self._firsts, axis=1).tolist()
        if not paid:
            return np.full(self._sums.shape[1], USUAL)  # before the first find nothing is known
        whole = (paid + EXPOSURE * USUAL) / (tried + EXPOSURE)
        usual = (firsts + SHARED * whole) / (exposed + SHARED)
        by_kind: Vector = usual[np.log2(self._sums[1] + 1).astype(np.intp)]
        return by_kind

    def left(self) -> float:
        """Return how many targets the waiting links lead to, by estimate."""
        usual = self._usual()
        waiting = dot(self._sums[0], self._worths(usual))
        return waiting + float(np.add.reduce(self._surprise(usual)))

    def _surprise(self, usual: Vector) -> Vector:
        """Return what each kind may hold as a whole, if it is as good as those that paid."""
        waiting, followed = self._sums[:2]
        whole = self._targets / max(float(np.add.reduce(self._firsts[0])), 1.0)
        surprise: Vector = (waiting > 0) * usual * whole / (followed + 1) ** 2
        return surprise

    def doubtful(self) -> int:
        """Return the kind whose next link tells most about what is left; -1: none waits."""
        (waiting, followed), usual = self._sums[:2], self._usual()
        share = 1 + waiting / (followed + 1)
        gain = (waiting > 0) * self._worths(usual) * share + self._surprise(usual)
        best = int(np.argmax(gain))
        return best if waiting[best] else -1

    def waiting(self) -> dict[int, int]:
        """Return how many links wait, by place."""
        counts = Counter[int]()
        for kind in np.flatnonzero(self._sums[0]).tolist():
            counts[self._places[kind]] += int(self._sums.item(0, kind))
        return counts

    def state(self) -> dict[str, Any]:
        """Return plain data."""
        # By hand: arrays that grow are stored without the room that is kept free.
        kinds, pairs = len(self._places), len(self._pairs)
        return {
            "version": 1,
            "kinds": [list(kind) for kind in self._numbers],
            "sums": self._sums[:, :kinds].copy(),
            "ends": self._ends[:, :pairs].copy(),
            "leads": self._leads[:pairs].copy(),
            "folders": {above: list(inner) for above, inner in self._folders.items()},
            "pages": dict(self._pages),
            "firsts": [self._firsts.copy(), self._targets],
            "worth": [self._worth[:kinds].copy(), self._age],
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        for place, shape, look in state["kinds"]:
            self._add((place, shape, look))
        self._sums[:, : len(self._places)] = state["sums"]
        pairs = (*state["ends"].tolist(), state["leads"].tolist())
        for start, goal, weight in zip(*pairs, strict=True):
            self._lead(start, goal, weight)
        self._folders = {above: list(inner) for above, inner in state["folders"].items()}
        self._pages = dict(state["pages"])
        self._firsts, self._targets = np.array(state["firsts"][0]), state["firsts"][1]
        worth, self._age = state["worth"]
        if len(worth):
            self._worth = np.zeros(self._sums.shape[1])
            self._worth[: len(worth)] = worth

    @staticmethod
    def of_places(followed: Sequence[float], paid: Sequence[float]) -> dict[str, Any]:
        """Return a state by what was known of places, when kinds were not told apart."""
        kinds = Kinds()
        for place, (count, brought) in enumerate(zip(followed, paid, strict=True)):
            kind = kinds._add((place, "", 0))
            kinds._sums[1:, kind] = count, 0.0, brought > 0
        return kinds.state()
