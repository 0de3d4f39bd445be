"""Lengths of time as people write them: 30min, 6h, 1d 12h, 2w."""

import re

from filon.core import UserError

_LENGTH = re.compile(r"(\d+(?:\.\d+)?)\s*(min|[smhdw])")
_SECONDS = {"s": 1, "m": 60, "min": 60, "h": 3600, "d": 86_400, "w": 7 * 86_400}
#: The shortest time between two looks at a site: politeness has an end somewhere.
SHORTEST_S = 60.0


def seconds(text: str) -> float:
    """Return the length of an interval.

    >>> seconds("6h"), seconds("1d 12h")
    (21600.0, 129600.0)
    """
    parts = _LENGTH.findall(text)
    if not parts or _LENGTH.sub("", text).strip():
        raise UserError(f"the interval {text!r} is not understood: write it like 6h or 1d.")
    length_s = sum(float(number) * _SECONDS[unit] for number, unit in parts)
    if length_s < SHORTEST_S:
        raise UserError(f"the interval {text!r} is too short: {SHORTEST_S:g}s is the least.")
    return length_s
