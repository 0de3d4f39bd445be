"""Kinds of URIs: which URIs are of one, what each has brought, and what its next one is worth.

A kind is what one host publishes under one prefix, in one form. A publisher decides once for all
URIs of a kind how they answer, so a kind is the unit of which something can be learnt for sure; its
features say what to expect before the first answer.
"""

import re
from collections import deque
from collections.abc import Collection
from functools import lru_cache
from random import Random
from typing import Any

import mmh3
import numpy as np
from numpy.typing import NDArray

from filon.core.forms import RANDOM
from filon.page.domain import registered_domain
from filon.page.url import extension, split
from filon.verbs.follow.strategies.brief import Candidate

_NUMBER = re.compile(r"\d+")
_WORDS = re.compile(r"[^\W\d_]{2,}")
#: The size of the model.
WEIGHTS = 1 << 18
#: Properties, words and folders that count as features of one candidate.
MOST_PROPERTIES, MOST_WORDS, MOST_FOLDERS = 4, 6, 3
#: Characters of an n-gram, and the part of a path that they are taken from.
GRAM, MOST_PATH = 4, 60


@lru_cache(maxsize=65_536)
def kind(url: str) -> str:
    """Return the kind of a URL: host, folder, form of the name, and names of query parameters.

    >>> kind("http://a.org/id/thing/Quartz"), kind("http://a.org/page/17.html")
    ('a.org/id/thing/*', 'a.org/page/*.html')
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
    form = f"*.{ending}" if ending else "*" if name else ""
    return f"{parts.netloc}{_NUMBER.sub('#', folder)}/{form}"


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


#: A kind that was never tried is believed what the model says, as if from so many answers.
TRUST = 1.5
#: Chances are drawn as if answers had said so many times as much: drawn from the plain posterior,
#: some of a thousand hopeless kinds always looks best.
SHARPNESS = 16.0
#: A chance is drawn anew after an answer of the kind, and after so many answers of any.
REDRAW = 50
#: So many bytes cost as much as a request more: a polite pause lasts about as long.
REQUEST_BYTES = 1_000_000.0
#: The model is never quite sure: a Beta distribution needs some of both.
_DOUBT = 0.001
_COLUMNS = 8


class Kinds:
    """Kinds by number: candidates that wait, answers, and finds.

    The worth of a kind is its chance of RDF, times the mean gain of its finds, by what one costs:
    c g / max(1, r). A kind that was never tried is believed what the model says, as if from TRUST
    answers, and chances are drawn from a Beta posterior (Thompson sampling).

    >>> kinds = Kinds()
    >>> for url in ("http://a.org/id/1", "http://a.org/id/2", "http://a.org/page/1"):
    ...     kinds.add(kind(url), Candidate(uri=url, document=url), 0.5)
    >>> kinds.note("a.org/id/*", hit=True, gain=1.0)
    >>> round(kinds.chance(0), 2), round(kinds.chance(1), 2), round(kinds.expected_finds(3), 2)
    (0.7, 0.5, 1.9)
    """

    def __init__(self, random: Random | None = None) -> None:
        self.names: list[str] = []
        self.numbers: dict[str, int] = {}
        self._of_host: dict[str, list[int]] = {}
        self.queues: list[deque[Candidate]] = []
        self._random = random or Random(0)
        self._counts = np.zeros((16, _COLUMNS))

    WAITING, TRIES, HITS, REQUESTS, GAIN, PRIOR, BYTES, DRAWN = range(_COLUMNS)

    def add(self, name: str, candidate: Candidate, chance: float) -> None:
        """Let a candidate wait in its kind; chance: what the model expects of it."""
        number = self.numbers.get(name)
        if number is None:
            number = self.numbers[name] = len(self.names)
            self.names.append(name)
            self._of_host.setdefault(name.partition("/")[0], []).append(number)
            self.queues.append(deque())
            if number >= len(self._counts):
                self._counts = np.vstack([self._counts, np.zeros_like(self._counts)])
            self.reprior(number, chance)
        self.queues[number].append(candidate)
        row = self._counts[number]
        row[self.WAITING] += 1
        row[self.PRIOR] += 0.1 * (chance - row[self.PRIOR])

    def take(self, number: int) -> Candidate:
        """Take the first candidate that waits in a kind."""
        self._counts[number, self.WAITING] -= 1
        return self.queues[number].popleft()

    def note(self, name: str, *, hit: bool, gain: float = 0.0) -> None:
        """Take note of what a candidate of a kind came to."""
        row = self._counts[self.numbers[name]]
        row[self.TRIES] += 1
        row[self.HITS] += hit
        row[self.GAIN] += gain
        self._draw(self.numbers[name])

    def spend(self, name: str, wire_bytes: int = 0) -> None:
        """Take note of a request for a candidate of a kind, redirects included."""
        row = self._counts[self.numbers[name]]
        row[self.REQUESTS] += 1
        row[self.BYTES] += wire_bytes

    def reprior(self, number: int, chance: float) -> None:
        """Set what the model expects of a kind by now."""
        self._counts[number, self.PRIOR] = chance
        self._draw(number)

    def redraw(self) -> None:
        """Draw the chances of all kinds anew."""
        for number, queue in enumerate(self.queues):
            if queue:
                self._draw(number)

    def _draw(self, number: int) -> None:
        """Draw a chance from what is known of a kind, and take it where it is the better one.

        So a kind that is little known is tried as often as it may be the best, and none is put off
        because of a bad draw.
        """
        row = self._counts[number]
        known, chance = row[self.TRIES] + TRUST, self.chance(number)
        sure = min(1 - _DOUBT, max(_DOUBT, chance))
        weight = SHARPNESS * known
        row[self.DRAWN] = max(chance, self._random.betavariate(weight * sure, weight * (1 - sure)))

    def values(self, busy: Collection[str] = ()) -> NDArray[np.float64]:
        """Return what the next candidate of each kind is worth a request; -1 where none waits.

        busy: hosts that must not be asked now, and are worth nothing.
        """
        counts = self._counts[: len(self.names)]
        tries, hits = counts[:, self.TRIES], counts[:, self.HITS]
        spent = counts[:, self.REQUESTS] + counts[:, self.BYTES] / REQUEST_BYTES
        cost = (spent + 1) / (tries + 1)
        worth = (counts[:, self.GAIN] + 2.0) / (hits + 2.0)
        value = counts[:, self.DRAWN] * worth / np.maximum(1.0, cost)
        value = np.where(counts[:, self.WAITING] > 0, value, -1.0)
        for host in busy:
            value[self._of_host.get(host, [])] = -1.0
        return value

    def chance(self, number: int) -> float:
        """Return the chance that the next candidate of a kind has RDF."""
        row = self._counts[number]
        return float((row[self.HITS] + TRUST * row[self.PRIOR]) / (row[self.TRIES] + TRUST))

    def expected_finds(self, ahead: int) -> float:
        """Return how many finds are expected of so many candidates, those with the best chances."""
        counts = self._counts[: len(self.names)]
        chance = (counts[:, self.HITS] + TRUST * counts[:, self.PRIOR]) / (
            counts[:, self.TRIES] + TRUST
        )
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
        # By hand: an array that grows is stored without the room that is kept free.
        counts = self._counts[: len(self.names)].copy()
        return {"names": list(self.names), "told": counts, "dice": RANDOM.write(self._random)}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from there; the candidates follow."""
        self.names = list(state["names"])
        self.numbers = {name: number for number, name in enumerate(self.names)}
        self._of_host = {}
        for number, name in enumerate(self.names):
            self._of_host.setdefault(name.partition("/")[0], []).append(number)
        counts = np.array(state["told"]).reshape(len(self.names), _COLUMNS)
        self._counts = np.vstack([counts, np.zeros((16, _COLUMNS))])
        self._random = RANDOM.read(state["dice"])
