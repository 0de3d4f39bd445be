"""What methods found alone and what others found too: Figure 8 of DISCO, Figure 3 of DSDD."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Overlap:
    """Shares of all that any method found (equations 7 and 8 of DSDD)."""

    intersection: float
    complement: float


def overlaps(found: Mapping[str, set[str]]) -> dict[str, Overlap]:
    """Return the overlap of each method with all others.

    >>> overlaps({"a": {"x", "y"}, "b": {"y", "z"}})["a"]
    Overlap(intersection=0.3333333333333333, complement=0.3333333333333333)
    """
    union = set().union(*found.values())
    told = {}
    for name, mine in found.items():
        others = set().union(*(theirs for other, theirs in found.items() if other != name))
        shared = len(mine & others)
        size = max(1, len(union))
        told[name] = Overlap(shared / size, (len(mine) - shared) / size)
    return told
