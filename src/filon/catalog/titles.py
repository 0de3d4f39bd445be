"""What a file is called: by the words near its link that are not those of many others, too."""

import sqlite3
from collections import defaultdict
from collections.abc import Sequence

from filon.page.readable import called, readable_name

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
        """Return the title of a file.

        Where all of it is shared: the rarest words, and the file's name as a person reads it.
        """
        parts = _parts(seen)
        for part in parts:
            if len(self._files[part]) < _SHARED:
                return part[:_LONGEST]
        rarest = min(parts, key=lambda part: len(self._files[part]), default="")
        context = {"around": seen["around"], "headings": seen["headings"]}
        name = readable_name(
            seen["name"], text=seen["link_text"], title=seen["page_title"], **context
        )
        named = " · ".join(filter(None, (rarest, name)))
        return (named or seen["url"])[:_LONGEST]


def _parts(seen: sqlite3.Row) -> list[str]:
    return called(
        text=seen["link_text"],
        around=seen["around"],
        headings=seen["headings"],
        title=seen["page_title"],
    )
