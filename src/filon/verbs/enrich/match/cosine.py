"""How alike two texts are by their rare words alone: for names that sources put in their own words.

The cosine of tf-idf, over both tables. Letters and the order of the words do not count. A code
that one side writes in one word and the other in two ("PSLX350", "PS-LX350") is one word.
"""

import math
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from filon.verbs.enrich.match.kinds import Text

#: Letters and digits of a code that two words may make together.
LONG = 5


class Cosine:
    """Weighs the words of texts by how rare they are among them.

    >>> texts = [Text("nova tv 32"), Text("nova radio"), Text("vega tv psl 350"), Text("psl350")]
    >>> alike = Cosine(texts)
    >>> [round(alike.similarity(texts[at], texts[at + 1]), 2) for at in (0, 2)]
    [0.28, 0.5]
    """

    def __init__(self, texts: Iterable[Text]) -> None:
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
        return min(1.0, shared / math.sqrt(whole * other))

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
