"""Kinds of URIs: which URIs are of one, what each has brought, and what its next one is worth.

A kind is what one host publishes under one prefix, in one form. A publisher decides once for all
URIs of a kind how they answer, so a kind is the unit of which something can be learnt for sure; its
features say what to expect before the first answer.
"""

import re
from collections import deque
from collections.abc import Collection
from functools import lru_cache
from itertools import pairwise
from typing import Any

import mmh3
import numpy as np
from numpy.typing import NDArray

from filon.learn.platt import Platt
from filon.page.domain import registered_domain
from filon.page.url import extension, split
from filon.verbs.follow.strategies.brief import Candidate

_NUMBER = re.compile(r"\d+")
_WORDS = re.compile(r"[^\W\d_]{2,}")
#: The size of the model.
WEIGHTS = 1 << 18
#: A longer name is no code.
MOST_CODE = 8
#: Properties, words and folders that count as features of one candidate.
MOST_PROPERTIES, MOST_WORDS, MOST_FOLDERS = 4, 6, 3
#: Characters of an n-gram, and the part of a path that they are taken from.
GRAM, MOST_PATH = 4, 60


@lru_cache(maxsize=65_536)
def kind(url: str) -> str:
    """Return the kind of a URL: host, folder, form of the name, and names of query parameters.

    >>> kind("http://a.org/id/thing/Quartz"), kind("http://a.org/page/17.html")
    ('a.org/id/thing/A', 'a.org/page/#.html')
    >>> kind("http://a.org/x?id=7&lang=de")
    'a.org/x?id&lang'
    """
    parts = split(url)
    if not parts.scheme:
        return url
    folder, _, name = parts.path.rpartition("/")
    ending = extension(url)
    if parts.query:
        names = "&".join(part.partition("=")[0] for part in parts.query.split("&"))
        return f"{parts.netloc}{_NUMBER.sub('#', parts.path)}?{names}"
    stem = name.removesuffix(f".{ending}") if ending else name
    form = f"{shape(stem)}.{ending}" if ending else shape(stem)
    return f"{parts.netloc}{_NUMBER.sub('#', folder)}/{form}"


def shape(name: str) -> str:
    """Return the form of a local name: a code with its letters, or how words are written.

    >>> [shape(name) for name in ("IAO_0000030", "Q42", "17", "hasPart", "Quartz_vein", "a-b")]
    ['IAO_#', 'Q#', '#', 'aA', 'A_', 'a-']
    """
    if not name:
        return ""
    letters = _NUMBER.sub("#", name)
    if "#" in letters and len(letters) <= MOST_CODE:
        return letters
    first = "A" if name[0].isupper() else "a" if name[0].islower() else "."
    second = "A" if first == "a" and not name.islower() else ""
    return first + second + "".join(mark for mark in "#_-%." if mark in letters)


@lru_cache(maxsize=16_384)  # the first of each kind is asked about again and again
def features(candidate: Candidate) -> tuple[int, ...]:
    """Return the numbers of a candidate's traits among the weights of the model, each once."""
    return tuple(sorted({mmh3.hash(one, signed=False) % WEIGHTS for one in traits(candidate)}))


def traits(candidate: Candidate) -> list[str]:
    """Return what is seen of a candidate before it is asked for: the features of the model."""
    parts = split(candidate.document)
    host = parts.netloc
    folder = parts.path.rpartition("/")[0]
    ending = extension(candidate.document)
    local = "home" if split(candidate.referrer).netloc == host else "away"
    found = [
        "",
        f"host={host}",
        f"domain={registered_domain(parts.hostname or '')}",
        f"shape={shape(parts.path.rpartition('/')[2])}",
        f"ending={ending}",
        f"local={local}",
        f"query={bool(parts.query)}",
        f"depth={min(6, parts.path.count('/'))}",
        f"scheme={parts.scheme}",
        f"hops={min(2, candidate.hops)}",
        f"fragment={'#' in candidate.uri}",
    ]
    found.extend(f"word={word}" for word in _WORDS.findall(folder.lower())[:MOST_WORDS])
    found.extend(_prefixes(host, folder))
    found.extend(_grams(parts.path.lower()[:MOST_PATH]))
    found.extend(f"role={role}" for role in candidate.roles)
    for uri in candidate.properties[:MOST_PROPERTIES]:
        found.append(f"property={uri}")
        found.append(f"property={uri}&{local}")
    return found


def _prefixes(host: str, folder: str) -> list[str]:
    """Return the first folders of a path, each with all before it.

    >>> _prefixes("a.org", "/id/thing")
    ['prefix=a.org/id', 'prefix=a.org/id/thing']
    """
    parts = folder.split("/")[1 : 1 + MOST_FOLDERS]
    return [f"prefix={host}/{'/'.join(parts[: n + 1])}" for n in range(len(parts))]


def _grams(path: str) -> list[str]:
    """Return all runs of so many characters: what names have in common beyond whole words.

    >>> _grams("/id/7")
    ['gram=/id/', 'gram=id/7']
    """
    return [f"gram={path[at : at + GRAM]}" for at in range(len(path) - GRAM + 1)]


#: What is expected of a kind before its first answer counts as so many answers of its own.
TRUST = 0.5
#: What is expected from farther off counts as so many answers from nearer by; and a kind tells its
#: neighbours as much as one answer, however many it has: a publisher decides once for all of it.
SHRINK, MOST_TOLD = 4.0, 1.0
#: So many misses in a row are thought of when a kind is tried.
TRIALS = 8
#: So many bytes cost as much as a request more: a polite pause lasts about as long.
REQUEST_BYTES = 1_000_000.0
#: Answers of the mean cost, and finds of the mean gain, that are added to a kind's own.
MEAN_COSTS, MEAN_GAINS = 1.0, 2.0
#: An answer changes the values of its kind and of so many beside it; those of all after so many.
NEXT_TO, REVALUE = 200, 25
#: Nothing is quite sure: a Beta distribution needs some of both.
_DOUBT = 0.005
_COLUMNS = 10
#: Levels above a kind: its host, its first folder, its whole folder.
_LEVELS = 3

_Floats = NDArray[np.float64]


def rate(hits: _Floats, misses: _Floats, waiting: _Floats) -> _Floats:
    """Return the finds a request that pools of candidates promise to who gives them up in time.

    The chance of a find is Beta(hits, misses). Some misses in a row are put up with; after the
    first find all that wait are taken. What is promised is the best over the number of misses:

    >>> few, many = np.array([1.0, 1.0]), np.array([1.0, 1000.0])
    >>> [round(float(one), 2) for one in rate(0.1 * few, 0.9 * few, many)]
    [0.1, 0.55]
    """
    best, none = np.zeros(len(hits)), np.ones(len(hits))
    found, spent = np.zeros(len(hits)), np.zeros(len(hits))
    for tried in range(TRIALS):
        known = hits + misses + tried
        first = none * hits / known * (tried < waiting)
        found += first * (1.0 + (waiting - tried - 1.0) * (hits + 1.0) / (known + 1.0))
        spent += first * waiting
        none -= first
        tries = np.minimum(tried + 1.0, waiting)
        best = np.maximum(best, found / np.maximum(_DOUBT, spent + none * tries))
    return best


def above(name: str) -> tuple[str, str, str]:
    """Return the host of a kind, its first folder, and its whole folder.

    >>> above("a.org/id/thing/Aa"), above("a.org/#")
    (('a.org', 'a.org/id', 'a.org/id/thing'), ('a.org', 'a.org', 'a.org'))
    """
    folder = name.partition("?")[0].rpartition("/")[0] or name
    parts = folder.split("/")
    return parts[0], "/".join(parts[:2]), folder


class Kinds:
    """Kinds by number: candidates that wait, answers, and finds.

    The chance of a kind is what the model guesses, corrected by the other kinds of its host, of its
    first folder and of its folder in turn, by what came of such chances before, and then by its own
    answers. Its worth is the finds a
    request that all that wait in it promise (`rate`), times their mean gain, by what one costs.

    >>> kinds = Kinds()
    >>> for url in ("http://a.org/id/1", "http://a.org/id/2", "http://a.org/id/Opal"):
    ...     kinds.add(kind(url), Candidate(uri=url, document=url), 0.5)
    >>> kinds.note("a.org/id/#", hit=True, gain=1.0)
    >>> round(kinds.expected_finds(3), 2), round(kinds.chance(0), 2), round(kinds.chance(1), 2)
    (2.27, 0.83, 0.6)
    """

    WAITING, TRIES, HITS, REQUESTS, GAIN, GUESS, BYTES, TOLD, CHANCE, VALUE = range(_COLUMNS)

    def __init__(self) -> None:
        self.names: list[str] = []
        self.numbers: dict[str, int] = {}
        self.queues: list[deque[Candidate]] = []
        self._counts = np.zeros((16, _COLUMNS))
        self._total = np.zeros(_COLUMNS)
        self._nodes: dict[str, int] = {}
        self._below: list[list[int]] = []  # by node: its kinds
        self._above = np.zeros((16, _LEVELS), dtype=np.int64)  # by kind: its nodes
        self._told = np.zeros((16, 2))  # by node: what its kinds tell
        self._line = Platt()
        self._changed: set[int] = set()
        self._notes = 0

    def add(self, name: str, candidate: Candidate, chance: float | None = None) -> None:
        """Let a candidate wait in its kind; chance: what the model expects of it, if asked."""
        number = self.numbers.get(name)
        if number is None:
            number = self._new(name)
        self.queues[number].append(candidate)
        row = self._counts[number]
        row[self.WAITING] += 1
        if chance is not None:
            row[self.GUESS] += (chance - row[self.GUESS]) / min(10.0, row[self.WAITING])
        self._changed.add(number)

    def _new(self, name: str) -> int:
        number = self.numbers[name] = len(self.names)
        self.names.append(name)
        self.queues.append(deque())
        self._counts, self._above = _room(self._counts, number), _room(self._above, number)
        for level, node in enumerate(above(name)):
            at = self._nodes.setdefault(node, len(self._nodes))
            if at == len(self._below):
                self._below.append([])
                self._told = _room(self._told, at)
            if not self._below[at] or self._below[at][-1] != number:
                self._below[at].append(number)
            self._above[number, level] = at
        return number

    def take(self, number: int) -> Candidate:
        """Take the first candidate that waits in a kind."""
        self._counts[number, self.WAITING] -= 1
        self._changed.add(number)
        return self.queues[number].popleft()

    def clear(self) -> None:
        """Let nobody wait any more; what was learnt stays."""
        for number, queue in enumerate(self.queues):
            if queue:
                queue.clear()
                self._changed.add(number)
        self._counts[:, self.WAITING] = 0.0

    def note(self, name: str, *, hit: bool, gain: float = 0.0) -> None:
        """Take note of what a candidate of a kind came to."""
        number = self.numbers[name]
        row = self._counts[number]
        before = _tells(row[self.HITS], row[self.TRIES])
        if not row[self.TRIES]:
            self._line.note(float(row[self.TOLD]), hit=hit)
        for counts in (row, self._total):
            counts[self.TRIES] += 1
            counts[self.HITS] += hit
            counts[self.GAIN] += gain
        for node in dict.fromkeys(self._above[number].tolist()):
            self._told[node] += _tells(row[self.HITS], row[self.TRIES]) - before
        self._changed.add(number)
        self._changed.update(self._below[self._above[number, -1]][-NEXT_TO:])
        self._notes += 1

    def spend(self, name: str, wire_bytes: int = 0) -> None:
        """Take note of a request for a candidate of a kind, redirects included."""
        for counts in (self._counts[self.numbers[name]], self._total):
            counts[self.REQUESTS] += 1
            counts[self.BYTES] += wire_bytes

    def guess(self, number: int, chance: float) -> None:
        """Set what the model expects of a kind by now."""
        self._counts[number, self.GUESS] = chance
        self._changed.add(number)

    def calibrate(self) -> None:
        """Learn what comes of chances that are told before the first answer of a kind."""
        self._line.fit()

    def values(self, busy: Collection[str] = ()) -> _Floats:
        """Return what the next candidate of each kind is worth a request; -1 where none waits.

        busy: hosts that must not be asked now, and are worth nothing.
        """
        self._value()
        counts = self._counts[: len(self.names)]
        value = np.where(counts[:, self.WAITING] > 0, counts[:, self.VALUE], -1.0)
        for host in busy:
            if host in self._nodes:
                value[self._below[self._nodes[host]]] = -1.0
        return value

    def _value(self) -> None:
        """Value the kinds of which something has changed."""
        at = np.array(sorted(self._changed), dtype=np.int64)
        if self._notes >= REVALUE:
            self._notes = 0
            at = np.flatnonzero(self._counts[: len(self.names), self.WAITING])
        self._changed.clear()
        counts = self._counts[at]
        tries, hits = counts[:, self.TRIES], counts[:, self.HITS]
        told = self._expected(at)
        expected = np.clip(self._line(told), _DOUBT, 1.0 - _DOUBT)
        good, bad = hits + TRUST * expected, tries - hits + TRUST * (1.0 - expected)
        mean_cost = (self._cost(self._total) + 1.0) / (self._total[self.TRIES] + 1.0)
        cost = (self._cost(counts) + MEAN_COSTS * mean_cost) / (tries + MEAN_COSTS)
        mean_gain = (self._total[self.GAIN] + 1.0) / (self._total[self.HITS] + 1.0)
        worth = (counts[:, self.GAIN] / mean_gain + MEAN_GAINS) / (hits + MEAN_GAINS)
        promised = rate(good, bad, counts[:, self.WAITING])
        self._counts[at, self.TOLD] = told
        self._counts[at, self.CHANCE] = good / (good + bad)
        self._counts[at, self.VALUE] = promised * worth / np.maximum(1.0, cost)

    def _expected(self, at: NDArray[np.int64]) -> _Floats:
        """Return the chances of kinds by what the model and the kinds around them say."""
        counts = self._counts[at]
        told = [self._told[self._above[at, level]] for level in range(_LEVELS)]
        told.append(_tells(counts[:, self.HITS], counts[:, self.TRIES]))
        chance = counts[:, self.GUESS]
        for outer, inner in pairwise(told):
            # Of each level those that are not of the next: nothing is heard twice.
            hits, tries = np.maximum(0.0, outer - inner).T
            chance = (hits + SHRINK * chance) / (tries + SHRINK)
        return chance

    def _cost(self, counts: _Floats) -> Any:
        return counts[..., self.REQUESTS] + counts[..., self.BYTES] / REQUEST_BYTES

    def chance(self, number: int) -> float:
        """Return the chance that the next candidate of a kind has RDF, when it was last valued."""
        return float(self._counts[number, self.CHANCE])

    def expected_finds(self, ahead: int) -> float:
        """Return how many finds are expected of so many candidates, those with the best chances."""
        self._value()
        counts = self._counts[: len(self.names)]
        chance = counts[:, self.CHANCE]
        order = np.argsort(-chance, kind="stable")
        waiting = counts[order, self.WAITING]
        taken = np.clip(ahead - (np.cumsum(waiting) - waiting), 0.0, waiting)
        return float((chance[order] * taken).sum())

    def record(self, number: int) -> tuple[int, int]:
        """Return how often a kind was tried, and how often it had RDF."""
        row = self._counts[number]
        return int(row[self.TRIES]), int(row[self.HITS])

    @property
    def waiting(self) -> int:
        """How many candidates wait."""
        return int(self._counts[:, self.WAITING].sum())

    def state(self) -> dict[str, Any]:
        """Return plain data, without the candidates."""
        # By hand: arrays that grow are stored without the room that is kept free.
        return {
            "names": list(self.names),
            "counts": self._counts[: len(self.names)].copy(),
            "total": self._total.copy(),
            "told": self._told[: len(self._nodes)].copy(),
            "line": self._line.state(),
            "changed": sorted(self._changed),
            "notes": self._notes,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from there; the candidates follow."""
        self.__init__()  # type: ignore[misc]
        for name in state["names"]:
            self._new(name)
        self._counts[: len(self.names)] = np.asarray(state["counts"]).reshape(-1, _COLUMNS)
        self._told[: len(self._nodes)] = np.asarray(state["told"]).reshape(-1, 2)
        self._total = np.array(state["total"])
        self._line.restore(state["line"])
        self._changed, self._notes = set(state["changed"]), int(state["notes"])

    def recall(self, names: list[str], counts: _Floats) -> None:
        """Take over what was told in a run of older kinds, by the columns of both.

        Those kinds had a folder and an ending, but no form: they tell the new ones beside them.
        """
        for name, row in zip(names, counts, strict=True):
            number = self._new(name)
            kept = row.copy()
            kept[self.WAITING] = 0.0
            self._counts[number, : self.TOLD] = kept[: self.TOLD]
            self._total[: self.TOLD] += kept[: self.TOLD]
            for node in dict.fromkeys(self._above[number].tolist()):
                self._told[node] += _tells(row[self.HITS], row[self.TRIES])


def _room(table: NDArray[Any], number: int) -> NDArray[Any]:
    """Return a table that has a row of a number."""
    return table if number < len(table) else np.vstack([table, np.zeros_like(table)])


def _tells(hits: Any, tries: Any) -> _Floats:
    """Return what the answers of kinds tell their neighbours: hits and tries."""
    share = np.minimum(1.0, MOST_TOLD / np.maximum(1.0, tries))
    return np.stack([hits * share, tries * share], axis=-1)
