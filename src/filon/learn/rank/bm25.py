"""BM25: texts by how well they answer a query."""

import math
from collections import Counter
from collections.abc import Sequence

#: The usual saturation and length correction; a word that most texts have still counts a little.
K1, B, FLOOR = 1.5, 0.75, 0.25


def bm25(query: Sequence[str], texts: Sequence[Sequence[str]]) -> list[float]:
    """Return a score for each text, more for a better answer; all are lists of words.

    >>> titles = ["bee hives of the city", "city council", "traffic", "bee hives", "budget"]
    >>> scores = bm25(["bee", "hives"], [title.split() for title in titles])
    >>> [round(score, 2) for score in scores]
    [0.43, 0, 0, 0.7, 0]

    Reference: S. Robertson and H. Zaragoza, "The Probabilistic Relevance Framework: BM25 and
    Beyond", Foundations and Trends in Information Retrieval 3(4), 2009, doi:10.1561/1500000019; in
    DSDD (see filon.learn.rank.augmented), section 4.6.
    """
    counted = [Counter(text) for text in texts]
    mean = sum(len(text) for text in texts) / max(1, len(texts)) or 1.0
    weights = _weights(query, counted)
    scores = []
    for text, counts in zip(texts, counted, strict=True):
        length = K1 * (1 - B + B * len(text) / mean)
        found = ((weights[word], counts[word]) for word in weights if counts[word])
        scores.append(sum(weight * n * (K1 + 1) / (n + length) for weight, n in found))
    return scores


def _weights(query: Sequence[str], counted: Sequence[Counter[str]]) -> dict[str, float]:
    """Return how rare each word of a query is; below nothing, it is worth a share of the mean."""
    rarity: dict[str, float] = {}
    for word in dict.fromkeys(query):
        held = sum(word in counts for counts in counted)
        rarity[word] = math.log((len(counted) - held + 0.5) / (held + 0.5))
    mean = sum(rarity.values()) / max(1, len(rarity))
    floor = FLOOR * abs(mean)
    return {word: value if value > 0 else floor for word, value in rarity.items()}
