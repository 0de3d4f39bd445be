"""Sections of a site: the parts of its addresses that hold enough things to be compared."""

import re
from collections import Counter
from collections.abc import Sequence

from filon.page.url import masked, split

#: A part with fewer things is told by the one that it lies in.
ENOUGH = 5
#: Parts of a file's name that are looked at: folders may hold all files of a site.
MOST_NAMED = 3
_NAMED = re.compile(r"[^-_. ]*[-_. ]+")


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
    """Return the folders that an address lies in, the widest first, and how its name begins.

    A query's form is the last.

    >>> _parts("http://a.org/data/school_roll-2023.csv")[1:]
    ['a.org/data/', 'a.org/data/school_', 'a.org/data/school_roll-', 'a.org/data/school_roll-2023.']
    """
    place = split(url)
    parts = [f"{place.hostname or ''}/"]
    for name in place.path.split("/")[1:-1]:
        parts.append(f"{parts[-1]}{name}/")
    if not place.query:
        for beginning in _NAMED.findall(place.path.rpartition("/")[2])[:MOST_NAMED]:
            parts.append(parts[-1] + beginning)
    else:
        parts.append(masked(url))
    return parts
