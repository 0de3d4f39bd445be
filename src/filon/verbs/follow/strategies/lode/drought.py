"""When to stop: nothing was found for long, and what waits promises next to nothing."""

from collections.abc import Callable

#: Answers without a find before an end is thought of, and the part of all answers on top: who has
#: found much over a long time has reason to wait longer.
PATIENCE, SHARE = 200, 0.05
#: So many of the best leads that wait are looked at, and must promise so many finds together.
AHEAD, LEAST = 200, 1.0


class Drought:
    """Counts answers, and those since the last find."""

    def __init__(self) -> None:
        self.answers = 0
        self.last_find = 0

    def note(self, *, found: bool) -> None:
        """Take note of an answer."""
        self.answers += 1
        if found:
            self.last_find = self.answers

    def is_over(self, promise: Callable[[int], float]) -> bool:
        """Say whether to stop; promise: tells the finds that so many of the best leads promise.

        >>> drought = Drought()
        >>> for _ in range(300): drought.note(found=False)
        >>> drought.is_over(lambda ahead: 0.001 * ahead), drought.is_over(lambda ahead: 1.5)
        (True, False)
        """
        if self.answers - self.last_find < PATIENCE + SHARE * self.answers:
            return False
        return promise(AHEAD) < LEAST
