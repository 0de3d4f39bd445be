"""Early stopping: stop when finds have long been rare."""

from filon.core.state import Stateful, group, version


class EarlyStop(Stateful):
    """Watches the growth of a count; says stop when its moving average stays low.

    every (nu): iterations between two looks. floor (epsilon): finds an iteration below which
    growth is low. decay (gamma): weight of the newest slope. patience (kappa): low looks in a
    row that mean stop. The average starts at the first slope, so a slow start is not a stop.

    A site has one find an iteration for 1,000 iterations and none after:

    >>> stop = EarlyStop(every=50, patience=15)
    >>> last = next(t for t in range(10_000) if stop.look(t, min(t, 1000)))
    >>> print(f"stops at iteration {last:,}")
    stops at iteration 3,300

    Reference: SB-CLASSIFIER (see filon.learn.auer), section 4.8; the defaults are its own.
    """

    STATE = (version(1), group("now", "_last_t", "_last_count", "_average", "_low"))

    def __init__(
        self, every: int = 1000, floor: float = 0.2, decay: float = 0.05, patience: int = 15
    ) -> None:
        self.every, self.floor, self.decay, self.patience = every, floor, decay, patience
        self._last_t = 0
        self._last_count = 0
        self._average: float | None = None
        self._low = 0

    def look(self, t: int, count: int) -> bool:
        """Tell whether to stop, at iteration t with so many finds."""
        if t - self._last_t >= self.every:
            slope = (count - self._last_count) / (t - self._last_t)
            average = slope if self._average is None else self._average
            self._average = self.decay * slope + (1 - self.decay) * average
            self._low = self._low + 1 if self._average < self.floor else 0
            self._last_t, self._last_count = t, count
        return self._low >= self.patience
