"""Texts as rows of numbers: words and pairs of words that enough of them share.

The one tokeniser of classifiers and rankers: words of two characters or more, accents kept, as the
papers' experiments and the models that ship were made with. What is asked of a search service is
taken apart elsewhere (page/words.py), as services do.
"""

import re
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

#: A sparse matrix of scipy, whose types are not known.
Matrix = Any
_TOKEN = re.compile(r"\w\w+")
#: A character on its own; "a" and "i" are stop words.
_SINGLE = re.compile(r"\b[^\Wai]\b")
#: English words that tell nothing of a topic.
STOP_WORDS = frozenset(
    _TOKEN.findall(
        "about above across after afterwards again against all almost alone along already also "
        "although always am among amongst an and another any anyhow anyone anything anyway "
        "anywhere are around as at back be became because become becomes becoming been before "
        "beforehand behind being below beside besides between beyond both but by can cannot "
        "could do done down due during each eg either else elsewhere enough etc even ever every "
        "everyone everything everywhere except few first for former formerly from further get "
        "give go had has have he hence her here hereby herein hers herself him himself his how "
        "however ie if in indeed into is it its itself keep last latter latterly least less "
        "made many may me meanwhile might mine more moreover most mostly move much must my "
        "myself namely neither never nevertheless next no nobody none nor not nothing now "
        "nowhere of off often on once one only onto or other others otherwise our ours ourselves "
        "out over own part per perhaps please put rather re same see seem seemed seeming seems "
        "several she should show side since so some somehow someone something sometime "
        "sometimes somewhere still such take than that the their them themselves then thence "
        "there thereafter thereby therefore therein thereupon these they this those though "
        "through throughout thru thus to together too top toward towards two under until up "
        "upon us very via was we well were what whatever when whence whenever where whereas "
        "whereby wherein whereupon wherever whether which while whither who whoever whole whom "
        "whose why will with within without would yet you your yours yourself yourselves "
        "amount bill bottom call cant co con couldnt cry de describe detail eight eleven "
        "empty fifteen fifty fill find fire five forty found four front full hasnt hereafter "
        "hereupon hundred inc interest ltd mill name nine noone serious sincere six sixty system "
        "ten thick thin third three twelve twenty un whereafter"
    )
)


def tokens(text: str) -> list[str]:
    """Return the words of a text that may tell its topic, in small letters."""
    return [word for word in _TOKEN.findall(text.lower()) if word not in STOP_WORDS]


def grams(text: str, pairs: Container[str] | None = None) -> list[str]:
    """Return words, pairs of neighbours, and what stands there as a single character.

    pairs: those that are wanted; all where it is None.

    >>> grams("Open data of the city, part B")
    ['open', 'data', 'city', 'open data', 'data city', 'b']
    """
    found = tokens(text)
    joined = (f"{one} {two}" for one, two in pairwise(found))
    wanted = (pair for pair in joined if pairs is None or pair in pairs)
    return [*found, *wanted, *_SINGLE.findall(text.lower())]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Grams by number, and the idf of each where it was learnt: ln((1 + n) / (1 + n with it)) + 1.

    Single characters are left out: only the Jaccard index counts them.

    >>> words = Vocabulary.learn([["bee", "hive"], ["bee"], ["car"]], least=1)
    >>> {gram: round(float(words.idf[number]), 2) for gram, number in words.numbers.items()}
    {'bee': 1.29, 'car': 1.69, 'hive': 1.69}
    """

    numbers: dict[str, int]
    idf: NDArray[np.float64]

    @classmethod
    def learn(cls, texts: Iterable[Sequence[str]], least: float) -> "Vocabulary":
        """Take the grams that at least a share (or, above 1, a number) of the texts have."""
        held = [set(text) for text in texts]
        counts = Counter(gram for text in held for gram in text)
        bound = least if least >= 1 else least * len(held) - 1e-9
        kept = sorted(gram for gram, count in counts.items() if count >= bound and len(gram) > 1)
        frequency = np.array([counts[gram] for gram in kept], dtype=float)
        idf = np.log((1 + len(held)) / (1 + frequency)) + 1
        return cls({gram: number for number, gram in enumerate(kept)}, idf)

    def counts(self, texts: Sequence[Sequence[str]]) -> Matrix:
        """Return how often each text has each gram."""
        rows: list[int] = []
        columns: list[int] = []
        values: list[float] = []
        for row, text in enumerate(texts):
            known = Counter(self.numbers[gram] for gram in text if gram in self.numbers)
            rows += [row] * len(known)
            columns += known.keys()
            values += map(float, known.values())
        shape = (len(texts), len(self.numbers))
        return sparse.csr_matrix((values, (rows, columns)), shape=shape)

    def weighted(self, texts: Sequence[Sequence[str]], *, sublinear: bool = False) -> Matrix:
        """Return counts times rarity, each text of length 1."""
        counted = self.counts(texts)
        if sublinear:
            counted.data = 1 + np.log(counted.data)
        return normed(self.rarer(counted))

    def rarer(self, counted: Matrix) -> Matrix:
        """Return counts times the rarity of what is counted."""
        return _with(counted, counted.data * self.idf[counted.indices])


def normed(matrix: Matrix, power: int = 2) -> Matrix:
    """Return rows divided by their length (2) or by their sum (1); empty rows stay empty.

    >>> normed(sparse.csr_matrix([[3.0, 4.0], [0.0, 0.0]])).toarray().round(1).tolist()
    [[0.6, 0.8], [0.0, 0.0]]
    """
    if power == 1:
        lengths = _with(matrix, np.abs(matrix.data)).sum(axis=1).A1
    else:
        lengths = np.sqrt(_with(matrix, matrix.data**2).sum(axis=1)).A1
    shares = 1 / np.where(lengths > 0, lengths, 1.0)
    return _with(matrix, matrix.data * np.repeat(shares, np.diff(matrix.indptr)))


def _with(matrix: Matrix, values: NDArray[np.float64]) -> Matrix:
    """Return a matrix that has other values in the same places."""
    return sparse.csr_matrix((values, matrix.indices, matrix.indptr), shape=matrix.shape)
