"""What a file is called: by the words near its link that are not those of many others, too."""

import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Sequence

#: Words that so many files of a run have say what a link does, not what it leads to.
_SHARED = 3
_LONGEST = 120


class Titles:
    """Knows which words the files of a run share."""

    def __init__(self, sightings: Sequence[sqlite3.Row]) -> None:
        self._files: defaultdict[str, set[int]] = defaultdict(set)
        for seen in sightings:
            for part in _parts(seen):
                self._files[part].add(seen["file"])

    def of(self, seen: sqlite3.Row) -> str:
        """Return the title of a file; where all is shared, the rarest words and its name."""
        parts = list(_parts(seen))
        for part in parts:
            if len(self._files[part]) < _SHARED:
                return part[:_LONGEST]
        rarest = min(parts, key=lambda part: len(self._files[part]), default="")
        named = " · ".join(filter(None, (rarest, seen["name"])))
        return (named or seen["url"])[:_LONGEST]


def _parts(seen: sqlite3.Row) -> Iterator[str]:
    """Yield what could be the title, the nearest to the link first."""
    above = reversed(seen["headings"].split(" > "))
    for text in (seen["link_text"], seen["around"], *above, seen["page_title"]):
        text = " ".join(text.split())
        if len(text) > 3:
            yield text
