"""The time of day for a run: Unix time that never goes back, whatever is done to the clock.

Strategies and guards have no clock but `Response.at_s`, and wait until a time that they worked out
from it. A clock that is set back would make them wait for as long. It goes on from where it was;
a jump ahead is taken as it is, as a machine that slept makes one too.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class Clock:
    """Unix time that does not go back. at_least_s: where an earlier session left it.

    >>> times = iter([100.0, 101.0, 40.0, 43.0])
    >>> clock = Clock(lambda: next(times))
    >>> [clock() for _ in range(4)]
    [100.0, 101.0, 101.0, 104.0]
    """

    def __init__(self, wall: Callable[[], float] | None = None, at_least_s: float = 0.0) -> None:
        self._wall = wall or time.time
        self._ahead_s = 0.0
        self._last_s = at_least_s

    def __call__(self) -> float:
        """Return the time."""
        wall_s = self._wall()
        if wall_s + self._ahead_s < self._last_s:
            self._ahead_s = self._last_s - wall_s
        self._last_s = max(self._last_s, wall_s + self._ahead_s)
        return self._last_s


_current: ContextVar[Clock] = ContextVar("clock", default=Clock())  # noqa: B039  (shared on purpose)


def now_s() -> float:
    """Return the time by the clock of the session, or of this process where none has one."""
    return _current.get()()


@contextmanager
def going_on_from(at_s: float) -> Iterator[None]:
    """Give a session a clock that is no earlier than the last answer of the one before."""
    before = _current.set(Clock(at_least_s=at_s))
    try:
        yield
    finally:
        _current.reset(before)
