"""What a service allows, and what its answers tell of it: the seam between services and guards."""

from typing import Protocol

from filon.core.response import Response


class Meter(Protocol):
    """The rate and the quota of a service.

    delay_s: the least time between two calls. quota, window_s: calls in so many seconds, or 0.
    """

    name: str
    delay_s: float
    quota: int
    window_s: float

    def judge(self, response: Response) -> tuple[str, str]:
        """Return one of core.provider.PROBLEMS, and a sentence about it."""

    def left(self, response: Response) -> int | None:
        """Return how many calls are left, as the answer says."""

    def resets_at_s(self, response: Response) -> float | None:
        """Return the Unix time from which there are calls again, as the answer says."""

    def pace_s(self, response: Response) -> float | None:
        """Return the least time between calls, as the answer says."""
