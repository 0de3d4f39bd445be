"""Sites that are the same site: the same words in the same order, or the same list of datasets.

A text is known by 64 bits that hardly change where little of it does (Charikar's simhash, over
three words in a row).
"""

from collections.abc import Iterable

import mmh3
import numpy as np

from filon.core.forms import Form, table
from filon.core.state import Stateful, stored

#: Texts that differ in so few bits are one text; shorter ones say too little.
NEAR_BITS, FEWEST_WORDS = 3, 40
#: Titles that must be the same, of so many at least.
ALIKE, FEWEST_TITLES = 0.8, 5
MOST_TITLES = 100


def simhash(words: list[str]) -> int:
    """Return the bits of a text; 0 where it is too short to tell."""
    if len(words) < FEWEST_WORDS:
        return 0
    grams = {" ".join(words[at : at + 3]) for at in range(len(words) - 2)}
    hashes = np.array(
        sorted(mmh3.hash64(gram.encode(), signed=False)[0] for gram in grams), dtype=np.uint64
    )
    bits = (hashes[:, None] >> np.arange(64, dtype=np.uint64)) & np.uint64(1)
    ones = bits.sum(axis=0) * 2 > len(hashes)
    return int(sum(1 << at for at in range(64) if ones[at]))


#: Bits as text, since some stores have no whole numbers so long.
BITS = Form(lambda bits: f"{bits:x}", lambda told: int(told, 16))


class Mirrors(Stateful):
    """What is known of every site that counts, to tell another address of it."""

    STATE = (
        stored("_texts", table(BITS)),
        stored("_titles", table(Form(sorted, frozenset))),
    )

    def __init__(self) -> None:
        self._texts: dict[str, int] = {}
        self._titles: dict[str, frozenset[str]] = {}

    def of_text(self, title: str, words: list[str]) -> str:
        """Return the site whose page says the same under the same title; "" if there is none."""
        bits = simhash([title.lower(), *words])
        if not bits:
            return ""
        for site, known in self._texts.items():
            if (bits ^ known).bit_count() <= NEAR_BITS:
                return site
        return ""

    def of_titles(self, titles: Iterable[str]) -> str:
        """Return the site that lists the same datasets; "" if there is none."""
        told = _told(titles)
        if len(told) < FEWEST_TITLES:
            return ""
        for site, known in self._titles.items():
            if len(told & known) >= ALIKE * max(1, len(told | known)):
                return site
        return ""

    def add(self, site: str, title: str, words: list[str], titles: Iterable[str]) -> None:
        """Take note of a site."""
        if bits := simhash([title.lower(), *words]):
            self._texts[site] = bits
        if len(told := _told(titles)) >= FEWEST_TITLES:
            self._titles[site] = told

    def forget(self, site: str) -> None:
        """Forget a site that does not count after all."""
        self._texts.pop(site, None)
        self._titles.pop(site, None)


def _told(titles: Iterable[str]) -> frozenset[str]:
    return frozenset([title.lower() for title in titles if title][:MOST_TITLES])
