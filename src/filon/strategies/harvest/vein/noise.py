"""Learns which URL parameters change nothing: session ids under any name, tracking, views.

Two URLs that differ in the value of one parameter only, and whose pages say the same word for
word, are evidence; a pair that says something different is proof of the contrary.
"""

from collections import OrderedDict
from typing import Any

import mmh3

#: Pairs that make a rule.
ENOUGH = 3
#: Pages that are remembered for comparison, and parameters of a URL that are looked at.
MOST_PAGES = 5_000
MOST_PARAMETERS = 6


class Noise:
    """Compares pages by their text; `without` leaves out what is known to be noise."""

    def __init__(self) -> None:
        self._same: dict[str, int] = {}  # by parameter: pairs that agreed, or -1: it matters
        self._pages: OrderedDict[str, tuple[str, int]] = OrderedDict()

    def note(self, url: str, text: bytes) -> None:
        """Compare a page with others that differ in one parameter."""
        path, _, query = url.partition("?")
        pieces = query.split("&") if query else []
        if not pieces or len(pieces) > MOST_PARAMETERS:
            return
        print_ = mmh3.hash64(text, signed=False)[0]
        for place, piece in enumerate(pieces):
            name, _, value = piece.partition("=")
            rest = "&".join(pieces[:place] + pieces[place + 1 :])
            self._compare(f"{path}?{rest}#{name}", name, value, print_)

    def _compare(self, group: str, name: str, value: str, print_: int) -> None:
        known = self._pages.get(group)
        if known is None:
            self._pages[group] = value, print_
            if len(self._pages) > MOST_PAGES:
                self._pages.popitem(last=False)
        elif known[0] != value:
            agreed = known[1] == print_ and self._same.get(name, 0) >= 0
            self._same[name] = self._same.get(name, 0) + 1 if agreed else -1

    def without(self, url: str) -> str:
        """Return a URL without the parameters that are known to be noise."""
        if not self._same or "?" not in url:
            return url
        path, _, query = url.partition("?")
        kept = [
            piece
            for piece in query.split("&")
            if self._same.get(piece.partition("=")[0], 0) < ENOUGH
        ]
        return f"{path}?{'&'.join(kept)}" if kept else path

    @property
    def names(self) -> list[str]:
        """The parameters that are known to be noise."""
        return sorted(name for name, pairs in self._same.items() if pairs >= ENOUGH)

    def state(self) -> dict[str, Any]:
        """Return plain data."""
        pages = [[group, *told] for group, told in self._pages.items()]
        return {"version": 1, "same": dict(self._same), "pages": pages}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        self._same = dict(state["same"])
        pages = ((group, (value, print_)) for group, value, print_ in state["pages"])
        self._pages = OrderedDict(pages)
