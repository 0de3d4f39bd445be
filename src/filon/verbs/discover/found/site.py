"""A site or a repository as a run folder tells it, with its place and what led to it."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from filon.run.text import counted
from filon.verbs.discover.strategies.found import Found
from filon.verbs.discover.strategies.page import Met

#: What the user said of a site.
VERDICTS = ("accepted", "rejected", "")


#: The fields of a site in the order of the table: what it is, what was seen there, what led to it.
_MET = [entry.name for entry in fields(Met)]
_SEEN = [entry.name for entry in fields(Found) if entry.name not in (*_MET, "apart")]
COLUMNS = ("rank", *_SEEN[:5], "verdict", *_SEEN[5:], *_MET, "place")


@dataclass(frozen=True, slots=True, kw_only=True)
class Site(Found):
    """One result in its place in the list.

    rank: its place in the list, from 1. place: its place as the strategy ordered them.
    verdict: one of VERDICTS. parent: the page that linked to it, a hub or an example.
    """

    rank: int = 0
    verdict: str = ""
    place: int = 0

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> "Site":
        """Return the site that plain data describes; what is not known here is left out."""
        known = {entry.name for entry in fields(cls)}
        plain = {name: value for name, value in row.items() if name in known}
        lists = {name: tuple(value) for name, value in plain.items() if isinstance(value, list)}
        # A strategy may tell the question here where no page led to it.
        parent = str(row.get("parent", ""))
        hub = parent if parent.startswith(("http://", "https://")) else ""
        return cls(**(plain | lists | {"parent": hub}))

    def row(self) -> dict[str, Any]:
        """Return plain data, with why and what was verified in words."""
        row: dict[str, Any] = {name: getattr(self, name) for name in COLUMNS}
        row |= {"why": self.why, "verified": self.verified}
        return row | {"apart": self.apart} if self.apart else row

    @property
    def wanted(self) -> bool:
        """It is a repository on the list, or the user took it for one, and did not turn it down."""
        if self.apart:
            return False
        return self.verdict != "rejected" and (
            self.kind == "repository" or self.verdict == "accepted"
        )

    @property
    def why(self) -> str:
        """What led to it, in a clause."""
        asked = f" of {self.searcher}" if self.searcher else ""
        hub = self.parent
        match self.operator:
            case "keyword":
                return f"a search{asked} for “{self.query}” brought it"
            case "seeds":
                return f"{self.searcher or 'a registry'} lists it under “{self.query}”"
            case "related":
                return f"a search{asked} for sites like {hub or self.query} brought it"
            case "backward" if self.searcher:
                return f"it links to {hub or self.query}, as a search{asked} tells"
        if hub:
            return f"{hub} links to it"
        return f"a search{asked} for “{self.query}” brought it" if self.query else "it was given"

    @property
    def verified(self) -> str:
        """What was seen there, in words; empty where nothing was looked for."""
        formats = f" ({', '.join(self.formats[:5])})" if self.formats else ""
        parts = [
            f"{counted(self.files, 'file')}{formats}" if self.files else "",
            f"{counted(self.datasets, 'dataset')}" if self.datasets else "",
            self.software,
            f"licence {self.licence}" if self.licence else "",
            f"changed {self.modified}" if self.modified else "",
            *self.markup,
            "in the registry" if self.known else "",
            counted(len(self.mirrors), "mirror") if self.mirrors else "",
        ]
        return ", ".join(filter(None, parts))
