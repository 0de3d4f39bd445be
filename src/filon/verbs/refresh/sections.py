"""Sections of a site: the parts of its addresses that hold enough things to be compared."""

from collections import Counter
from collections.abc import Sequence

from filon.page.url import masked, split

#: A part with fewer things is told by the one that it lies in.
ENOUGH = 20


def sections(urls: Sequence[str], enough: int = ENOUGH) -> list[str]:
    """Return for each address the deepest part of the site that holds enough others.

    >>> urls = [f"http://a.org/data/{year}/{n}.csv" for year in (2023, 2024) for n in range(3)]
    >>> sections([*urls, "http://a.org/about/"], enough=3)[2:]
    ['a.org/data/2023/', 'a.org/data/2024/', 'a.org/data/2024/', 'a.org/data/2024/', 'a.org/']
    """
    ways = [_parts(url) for url in urls]
    sizes = Counter(part for way in ways for part in way)
    return [next((part for part in reversed(way) if sizes[part] >= enough), way[0]) for way in ways]


def _parts(url: str) -> list[str]:
    """Return the folders that an address lies in, the widest first; a query's form is the last."""
    place = split(url)
    parts = [f"{place.hostname or ''}/"]
    for name in place.path.split("/")[1:-1]:
        parts.append(f"{parts[-1]}{name}/")
    if place.query:
        parts.append(masked(url))
    return parts
