"""Questions on suspicion: is there a VoID description, is a sitemap any good? They must pay.

Each domain is asked at most once of each kind, and only when so much of it is known that a
catalogue would save more requests than the question costs, by what earlier questions brought.
"""

from collections import Counter

from filon.core.state import Stateful

#: Where a VoID description stands if there is one; a sitemap is asked for where it is named.
VOID = "/.well-known/void"
KINDS = ("void", "sitemap")
#: What is believed of a kind of question before the first: one in twenty pays.
HITS, TRIES = 1.0, 20.0
#: The part of a domain's documents that a catalogue is expected to save or to make known.
SAVES = 0.5
#: Domains that are counted; beyond, nothing is asked on suspicion.
MOST_DOMAINS = 200_000


class Probes(Stateful):
    """Which questions are due, and whether those asked have paid."""

    STATE = ("tries", "hits", "_known", "_asked")

    def __init__(self) -> None:
        self.tries: Counter[str] = Counter()
        self.hits: Counter[str] = Counter()
        self._known: Counter[str] = Counter()
        self._asked: set[str] = set()

    def due(self, domain: str, kinds: tuple[str, ...] = KINDS) -> list[str]:
        """Count a new document of a domain; return the questions of these kinds that are due."""
        if len(self._known) >= MOST_DOMAINS and domain not in self._known:
            return []
        self._known[domain] += 1
        known = self._known[domain]
        asked = [
            kind
            for kind in kinds
            if self.chance(kind) * SAVES * known >= 1 and f"{kind} {domain}" not in self._asked
        ]
        self._asked.update(f"{kind} {domain}" for kind in asked)
        return asked

    def chance(self, kind: str) -> float:
        """Return the chance that a question of a kind pays."""
        return (self.hits[kind] + HITS) / (self.tries[kind] + TRIES)

    def note(self, kind: str, *, paid: bool) -> None:
        """Take note of what a question brought."""
        self.tries[kind] += 1
        self.hits[kind] += paid

    def told(self) -> dict[str, list[int]]:
        """Return, by kind, how many questions paid and how many were asked."""
        return {kind: [self.hits[kind], self.tries[kind]] for kind in sorted(self.tries)}
