"""How alike two texts are by their rare words alone: for names that sources put in their own words.

The cosine of tf-idf, over both tables. The order of the words does not count. A code that one side
writes in one word and the other in two ("PSLX350", "PS-LX350") is one word. A word that only one
side has may be spelt otherwise on the other ("Philipp", "Philip"; "Canadians", "Canadian"): near
words count as far as they are alike (the soft tf-idf of Cohen, Ravikumar and Fienberg, 2003).
"""

import math
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import product

from rapidfuzz.distance import JaroWinkler

from filon.verbs.enrich.match.kinds import Text

#: Letters and digits of a code that two words may make together.
LONG = 5
#: Words of so many letters that begin alike are near if they are as alike as two family names with
#: a slip of the pen. Figures are never near: another year is another thing.
LETTERS, NEAR = 3, 0.9


class Cosine:
    """Weighs the words of texts by how rare they are among them.

    near: whether near words count, and not equal ones alone.

    >>> texts = [Text("nova tv 32"), Text("nova radio"), Text("vega tv psl 350"), Text("psl350")]
    >>> alike = Cosine(texts)
    >>> [round(alike.similarity(texts[at], texts[at + 1]), 2) for at in (0, 2)]
    [0.28, 0.5]
    >>> counts = [Text("philipp i count of hanau"), Text("philip count of hanau")]
    >>> [round(Cosine(counts, near).similarity(*counts), 2) for near in (False, True)]
    [0.47, 0.83]
    """

    def __init__(self, texts: Iterable[Text], near: bool = True) -> None:
        self._counts_near = near
        held = list(texts)
        self._known = {word for text in held for word in text.words}
        counts = Counter(word for text in held for word in self._words(text))
        self._size = 1 + len(held)
        self._weights = {word: self._weigh(count) for word, count in counts.items()}
        self._whole = lru_cache(maxsize=1 << 16)(self._weighed)

    def similarity(self, a: Text, b: Text) -> float:
        """Return the cosine of the angle between two texts: 1 where they have the same words."""
        if a.line == b.line:
            return 1.0
        (ours, whole), (theirs, other) = self._whole(a), self._whole(b)
        shared = math.fsum(self._weight(word) for word in ours & theirs)
        if self._counts_near:
            shared += self._near(ours - theirs, theirs - ours)
        return min(1.0, shared / math.sqrt(whole * other))

    def _near(self, ours: frozenset[str], theirs: frozenset[str]) -> float:
        """Return what near words weigh together; a word is near to one other at most."""
        pairs = [
            (alike * math.sqrt(self._weight(a) * self._weight(b)), a, b)
            for a, b in product(ours, theirs)
            if a[0] == b[0] and (alike := _alike(a, b))
        ]
        if len(pairs) < 2:
            return pairs[0][0] if pairs else 0.0
        taken, found = set[str](), list[float]()
        for weight, a, b in sorted(pairs, reverse=True):
            if a not in taken and b not in taken:  # no word is on both sides
                taken |= {a, b}
                found.append(weight)
        return math.fsum(found)

    def _weigh(self, count: int) -> float:
        return math.log(1 + self._size / count) ** 2

    def _weight(self, word: str) -> float:
        return self._weights.get(word) or self._weigh(1)

    def _weighed(self, text: Text) -> tuple[frozenset[str], float]:
        words = self._words(text)
        return words, math.fsum(map(self._weight, words))

    def _words(self, text: Text) -> frozenset[str]:
        """The words of a text; two that together are one code of another text are one."""
        held, found, at = text.words, set[str](), 0
        while at < len(held):
            both = "".join(held[at : at + 2])
            if len(both) >= LONG and both in self._known and not both.isalpha():
                found.add(both)
                at += 2
            else:
                found.add(held[at])
                at += 1
        return frozenset(found)


@lru_cache(maxsize=1 << 16)
def _alike(a: str, b: str) -> float:
    if min(len(a), len(b)) < LETTERS or not (a.isalpha() and b.isalpha()):
        return 0.0
    return float(JaroWinkler.similarity(a, b, score_cutoff=NEAR))
