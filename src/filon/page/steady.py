"""Learns what moves on a page at every look: adverts, quotes and figures that no name betrays.

Two looks within minutes differ by noise. Where a block has moved at most of several such pairs, it
is left out of the gist of that page, or of all pages of its kind (page/gist.py).
"""

from collections import Counter

from filon.core.state import Stateful, version
from filon.page.gist import Block, blocks, place_name, skeleton_name

#: So many times a block must have moved: once may be news.
LEAST_MOVES = 2
#: No kind of page has more that moves; what comes later is not learnt.
MOST_NAMES = 1_000


class Steady(Stateful):
    """What moves on pages of one kind, learnt from pairs of looks at the same page.

    >>> from filon.page.gist import gist, same
    >>> steady, page = Steady(), "<div id=x>{}</div><p>Figures of 2026"
    >>> steady.see(page.format("Sun").encode(), page.format("Rain").encode())
    >>> steady.see(page.format("Fog").encode(), page.format("Snow").encode())
    >>> sky = [gist(page.format(one).encode(), noise=steady.noise) for one in ("Hail", "Wind")]
    >>> same(*sky)
    True
    """

    STATE = (version(1), "_moved", "_stood")

    def __init__(self) -> None:
        self._moved: Counter[str] = Counter()
        self._stood: Counter[str] = Counter()

    @property
    def noise(self) -> frozenset[str]:
        """The names of blocks that `gist` is to leave out."""
        return frozenset(
            name
            for name, moves in self._moved.items()
            if moves >= LEAST_MOVES and moves > self._stood[name]
        )

    def see(self, old: bytes, new: bytes, mime: str = "", *, url: str = "") -> None:
        """Learn from two looks at a page, so soon after each other that nothing can be new."""
        before, after = _by_place(blocks(old, mime, url=url)), _by_place(blocks(new, mime, url=url))
        moved: set[str] = set()
        stood: set[str] = set()
        for place in before.keys() & after.keys():
            was, now = before[place], after[place]
            common = was & now
            (stood if common else moved).add(place)
            gone, come = (set(map(skeleton_name, side - common)) for side in (was, now))
            moved |= gone & come
            stood.update(map(skeleton_name, common))
        self._stood.update(name for name in stood if name in self._moved)
        room = MOST_NAMES - len(self._moved)
        fresh = sorted(name for name in moved if name not in self._moved)[: max(0, room)]
        self._moved.update(name for name in moved if name in self._moved)
        self._moved.update(fresh)


def _by_place(found: list[Block]) -> dict[str, Counter[Block]]:
    by_place: dict[str, Counter[Block]] = {}
    for block in found:
        if not block.held:
            by_place.setdefault(place_name(block), Counter())[block] += 1
    return by_place
