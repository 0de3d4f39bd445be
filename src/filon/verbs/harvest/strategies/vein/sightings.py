"""Where links that wait were met: of two places the one that promises more counts.

A table of contents and a sentence in the text lead to the same page. The first tells its title,
the second stands beside the files that the page is about. A link is looked at once more where it is
met at another place or under other words, and known by that from then on if it is worth more so.
"""

from collections.abc import Callable
from functools import lru_cache

import mmh3
import numpy as np

from filon.core.forms import Form
from filon.core.state import Stateful, stored, version
from filon.page.links import Link

#: Links that wait and are looked for: enough for any site but those of which nobody sees the end.
MOST = 20_000
#: Pages on which a link is looked at, at most: a menu says the same on each.
MOST_LOOKS = 8
#: Of a tag path and of the words of a link, what tells a place.
STEPS, LETTERS = 3, 60

_MET = Form(
    lambda met: np.array([(url, *at) for url, at in met.items()], np.uint64).reshape(-1, 4),
    lambda rows: {url: (slot, place, looks) for url, slot, place, looks in rows.tolist()},
)


class Sightings(Stateful):
    """Links that wait, each with its slot in the frontier and the place where it was met.

    holds: tells whether a slot of the frontier still holds a URL.
    """

    STATE = (version(1), stored("_met", _MET))

    def __init__(self, holds: Callable[[int, str], bool]) -> None:
        self._holds = holds
        # By URL, each as a number: its slot, the place, and pages on which it was looked at.
        self._met: dict[int, tuple[int, int, int]] = {}

    def note(self, link: Link, slot: int) -> None:
        """Take note of a link that has begun to wait."""
        if len(self._met) < MOST:
            self._met[_number(link.url)] = slot, _place(link.path, link.text), 0

    def forget(self, url: str) -> None:
        """Take note that a link is asked for."""
        self._met.pop(_number(url), None)

    def awaits(self, url: str) -> bool:
        """Say whether a link waits and may still be met elsewhere."""
        number = _number(url)
        met = self._met.get(number)
        if met is None:
            return False
        slot, place, looks = met
        if looks >= MOST_LOOKS or not self._holds(slot, url):
            del self._met[number]
            return False
        self._met[number] = slot, place, looks + 1
        return True

    def may_differ(self, url: str, path: str, text: str) -> bool:
        """Say whether this is another place than the one where a link was met, if it was."""
        met = self._met.get(_number(url))
        return met is None or met[1] != _place(path, text)

    def elsewhere(self, links: list[Link]) -> list[tuple[Link, int]]:
        """Return those links that are met at a second place, each once, with their slots."""
        found = []
        for link in links:
            number = _number(link.url)
            met = self._met.get(number)
            if met and met[1] != _place(link.path, link.text) and self._holds(met[0], link.url):
                del self._met[number]
                found.append((link, met[0]))
        return found


@lru_cache(maxsize=4096)  # the menu of a site is looked up on every page
def _number(url: str) -> int:
    number: int = mmh3.hash64(url.encode(), signed=False)[0]
    return number


def _place(path: str, text: str) -> int:
    end = path.rsplit("/", STEPS)[1:]
    number: int = mmh3.hash("/".join((*end, "", text[:LETTERS])), signed=False)
    return number
