"""SEEDFINDER's relevance model: which words pages of the kind have, and others have not."""

from collections import Counter
from collections.abc import Iterable, Sequence

from filon.core.state import Stateful

#: What a word of a query is worth that no page had.
UNKNOWN = 0.01
#: Words that are kept: the best.
MOST_TERMS = 20_000


class Relevance(Stateful):
    """Words with what they are worth. What pages teach waits until it is kept or dropped.

    >>> model = Relevance()
    >>> model.teach(["bee", "hive", "bee"], good=True)
    >>> model.keep()
    >>> model.best(1, used=())
    ['bee']
    """

    STATE = ("_worth", "_lesson")

    def __init__(self) -> None:
        self._worth: dict[str, float] = {}
        self._lesson: dict[str, float] = {}

    def teach(self, words: Sequence[str], good: bool) -> None:
        """Let the words of a page gain, or lose, by their share of it."""
        for word, count in Counter(words).items():
            gain = count / len(words)
            self._lesson[word] = self._lesson.get(word, 0.0) + (gain if good else -gain)

    def keep(self) -> None:
        """Learn what was taught since; of too many words the worst are forgotten."""
        for word, gain in self._lesson.items():
            self._worth[word] = self._worth.get(word, 0.0) + gain
        self._lesson = {}
        if len(self._worth) > MOST_TERMS:
            self._worth = {word: self._worth[word] for word in self._order()[:MOST_TERMS]}

    def drop(self) -> None:
        """Forget what was taught since."""
        self._lesson = {}

    def charge(self, query: Iterable[str], precision: float) -> None:
        """Let the words of a query be worth as much less as it was imprecise."""
        for word in query:
            self._worth[word] = self._worth.get(word, UNKNOWN) * precision

    def best(self, size: int, used: Iterable[str]) -> list[str]:
        """Return the best words, the last of them one that is not used; none if there is none."""
        order, tried = self._order(), set(used)
        new = next((word for word in order if word not in tried), "")
        if not new or self._worth[new] <= 0:
            return []
        return [*[word for word in order[:size] if word != new][: size - 1], new]

    def _order(self) -> list[str]:
        # Equal to nine digits is equal: sums differ in the last one by the order of answers.
        return sorted(self._worth, key=lambda word: (-round(self._worth[word], 9), word))
