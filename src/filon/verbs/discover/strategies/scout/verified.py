"""The repositories that were verified, their mirrors, and their order."""

from collections.abc import Container
from dataclasses import replace
from typing import Any

from filon.core.forms import LIST, pairs, table
from filon.core.state import Stateful, stored
from filon.verbs.discover.strategies.found import Found, found_site
from filon.verbs.discover.strategies.operators import all_words
from filon.verbs.discover.strategies.scout.check import CHECK, Check
from filon.verbs.discover.strategies.scout.mirrors import Mirrors
from filon.verbs.discover.strategies.scout.topic import Topic


class Verified(Stateful):
    """Checks that ended well, by site."""

    STATE = (
        "topic",
        "mirrors",
        stored("_found", pairs(CHECK)),
        stored("_copies", table(LIST)),
    )

    def __init__(self, topic: str) -> None:
        self.topic = Topic(topic)
        self.mirrors = Mirrors()
        self._found: dict[str, Check] = {}
        self._copies: dict[str, list[str]] = {}

    def __len__(self) -> int:
        return len(self._found)

    def __contains__(self, site: str) -> bool:
        return site in self._found

    def add(self, check: Check) -> float:
        """Take in a repository; return how near it is to the topic. What is not told is let go."""
        entry, haul = check.entry, check.haul
        check.links, check.met, check.features = [], {}, []
        self._found[entry.site] = check
        self.mirrors.add(entry.site, entry.title, all_words(entry), haul.titles.values())
        return self.topic.add(entry, haul.words)

    def copy_of(self, check: Check) -> str:
        """Return the other site that lists the same datasets; "" if there is none."""
        copied = self.mirrors.of_titles(check.haul.titles.values())
        return copied if copied != check.entry.site else ""

    def fold(self, check: Check, copied: str) -> None:
        """Take note of another address of a site."""
        if copied != check.entry.site:
            self.mirrors.forget(check.entry.site)
        self._copies.setdefault(copied, []).append(check.entry.url)

    def forget(self, site: str) -> None:
        """Forget a site that was no repository."""
        self.mirrors.forget(site)
        self._copies.pop(site, None)

    def found(self, known: Container[str], most: int) -> list[Found]:
        """Return the repositories, best first."""
        told = []
        for site, score in self.topic.ranked()[:most]:
            check = self._found[site]
            one = replace(found_site(check.entry, score), url=check.home, kind="repository")
            mirrors = tuple(self._copies.get(site, ()))
            told.append(replace(one, mirrors=mirrors, known=site in known, **check.haul.told()))
        return told

    def summary(self) -> dict[str, Any]:
        """Return counts for people."""
        return {
            "verified": len(self._found),
            "by their API": sum(bool(check.haul.software) for check in self._found.values()),
            "mirrors": sum(len(urls) for site, urls in self._copies.items() if site in self),
        }
