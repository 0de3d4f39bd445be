"""Which sites belong to an acquisition, and what each is called."""

import re
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from typing import Any

from filon.core import UserError
from filon.page.url import Globs, host
from filon.page.url import Site as Scope
from filon.verbs.acquire.index import DISCOVER, FOUND, Site

#: Why a site is here that the user gave.
NAMED = "you named it"
_ODD = re.compile(r"[^a-z0-9.-]+")


class Only:
    """What sites must fit: a host stands for itself and all below it.

    >>> only = Only(["example.org", "//data.*/*"])
    >>> [only.fits(f"https://{name}/x") for name in ("www.example.org", "data.gov", "b.org")]
    [True, True, False]
    """

    def __init__(self, patterns: Iterable[str]) -> None:
        patterns = list(patterns)
        if any(not one.strip(". ") for one in patterns):
            raise UserError("--only must name a host, as example.org, or an address.")
        self._hosts = [one.lower().strip(".") for one in patterns if "/" not in one]
        self._globs = Globs([one for one in patterns if "/" in one])

    def fits(self, url: str) -> bool:
        """Say whether a site that starts there is wanted; all are where nothing was said."""
        if not (self._hosts or self._globs):
            return True
        name = host(url).lower()
        below = any(fnmatchcase(name, one) or name.endswith(f".{one}") for one in self._hosts)
        return below or bool(self._globs.fits(url))


class Sites:
    """The sites that are known, each once, by their names."""

    def __init__(self, only: Iterable[str] = ()) -> None:
        self._only = Only(only)
        self._known: dict[str, str] = {}  # by name: where it starts
        self._starts: set[str] = set()
        self._scopes: dict[str, Scope] = {}
        self.left_out = 0  # sites that were found and are not wanted

    def __contains__(self, name: str) -> bool:
        return name in self._known

    def keep(self, site: Site) -> None:
        """Take note of a site that is known from before."""
        self._known[site.name] = site.url
        self._starts.add(site.url)
        if site.kind == "site":
            self._scopes[site.name] = Scope(site.url)

    def given(self, url: str) -> Site | None:
        """Return a site that the user named; None where it is known or not wanted."""
        return self._new(url, NAMED, 1.0)

    def found(self, row: Mapping[str, Any], promise: float) -> Site | None:
        """Return a site that was discovered; None where it is known or not wanted.

        row: of a ranked list. promise: its score against the best, from 0 to 1.
        """
        if row.get("kind") != "repository" or row.get("apart"):
            return None
        seen = row.get("files") or row.get("datasets") or 0
        why = f"{FOUND}, with {seen} files or datasets seen" if seen else FOUND
        return self._new(str(row["url"]), why, promise)

    def _new(self, url: str, why: str, promise: float) -> Site | None:
        if url in self._starts:
            return None
        self._starts.add(url)
        if not self._only.fits(url):
            self.left_out += 1
            return None
        if any(url in scope for scope in self._scopes.values()):
            return None
        site = Site(name=self._name(url), url=url, why=why, promise=max(0.0, min(1.0, promise)))
        self.keep(site)
        return site

    def _name(self, url: str) -> str:
        """Return a name for a folder that no other has, on file systems without capitals too."""
        bare = _ODD.sub("-", host(url).lower().removeprefix("www."))[:80].strip("-.") or "site"
        names = (bare if number == 1 else f"{bare}-{number}" for number in range(1, 1 << 30))
        return next(name for name in names if name not in self._known and name != DISCOVER)
