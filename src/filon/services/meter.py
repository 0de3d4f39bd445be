"""What a service allows, as its description and the headers of its answers tell it."""

import re
from collections.abc import Callable
from email.utils import parsedate_to_datetime

from filon.core import Response
from filon.services.describe import rate
from filon.services.shape import Limits

_SECONDS = re.compile(r"(\d+(?:\.\d+)?)\s*s?")
#: A number this large is a time, whatever the description says: 2001 and later.
_UNIX_S = 1e9


class HeaderMeter:
    """Rate, quota and price of a source: a core.service.Meter.

    delay_s: the least time between two calls. quota, window_s: calls in so many seconds, or 0.
    judge: returns the problem of an answer ("" for none) and a sentence about it.
    tells: its answers say how many calls are left.
    """

    def __init__(
        self, name: str, limits: Limits, judge: Callable[[Response], tuple[str, str]]
    ) -> None:
        self.name = name
        self.judge = judge
        self.price, self.currency = limits.price, limits.currency
        calls, seconds = rate(limits.rate)
        self.delay_s = seconds / calls if calls else 0.0
        quota, self.window_s = rate(limits.quota)
        self.quota = int(quota)
        self.tells = bool(limits.remaining)
        self._limits = limits

    def left(self, response: Response) -> int | None:
        """Return how many calls the answer says are left; None where it does not."""
        left = _number(self._header(response, self._limits.remaining))
        return None if left is None else int(left / self._limits.cost + 1e-9)

    def resets_at_s(self, response: Response) -> float | None:
        """Return the Unix time from which there are calls again, as the answer says."""
        text = self._header(response, self._limits.reset)
        if not text:
            return None
        if self._limits.reset_is == "date":
            return _date(text)
        number = _number(text)
        if number is None:
            return _date(text)
        is_time = self._limits.reset_is == "unix" or number > _UNIX_S
        return number if is_time else response.at_s + number

    def pace_s(self, response: Response) -> float | None:
        """Return the least time between calls that the answer asks for."""
        calls = _number(self._header(response, self._limits.limit))
        seconds = _number(self._header(response, self._limits.interval))
        return seconds / calls if calls and seconds else None

    def _header(self, response: Response, name: str) -> str:
        return response.header(name.lower()).strip() if name else ""


def _number(text: str) -> float | None:
    match = _SECONDS.fullmatch(text)
    return float(match[1]) if match else None


def _date(text: str) -> float | None:
    try:
        return parsedate_to_datetime(text).timestamp()
    except (ValueError, TypeError, OverflowError):
        return None
