"""Which Accept header pays where: learnt by host and path prefix.

Servers decide about whole prefixes, and many look for a word in the header rather than weigh
it. Where the usual header brought a page without RDF, the next URI of that prefix is asked for
with another one; what paid is kept. What is known of a host is believed of its prefixes until
they say otherwise.
"""

from filon.core import Request
from filon.core.forms import LIST, pairs
from filon.core.state import Stateful, stored
from filon.page.url import split
from filon.verbs.follow.rdf.syntaxes import ACCEPT

VARIANTS = {
    "rdf": ACCEPT,
    "turtle": "text/turtle",
    "rdfxml": "application/rdf+xml",
    "jsonld": "application/ld+json",
    "html": f"{ACCEPT.rpartition(',')[0]}, text/html;q=0.3, */*;q=0.1",
}
_NAMES = tuple(VARIANTS)
_HTML = _NAMES.index("html")
_BY_ACCEPT = {accept: name for name, accept in VARIANTS.items()}
#: What is believed of each at first: the usual header before the narrow ones.
_PRIOR = (0.5, 0.42, 0.4, 0.38, 0.35)
#: What is believed at first weighs as so many answers of a host, and what holds of a level as so
#: many of the one below: a host's prefixes differ, so a few answers say little of all of it.
TRUST = (10.0, 1.0, 1.0)
#: After so many answers without RDF, whatever the header, a prefix has none, or none that a header
#: would bring: the odd one out is most likely to be had with the usual one.
HOPELESS = 8
#: Levels of the path that are told apart, and prefixes that are remembered.
LEVELS, MOST = 2, 100_000


class Negotiation(Stateful):
    """Counts of hits and tries by prefix and header.

    >>> headers = Negotiation()
    >>> for _ in range(3): headers.learn("http://a.org/id/1", "rdf", hit=False)
    >>> headers.choose("http://a.org/id/2"), headers.choose("http://b.org/id/2")
    ('turtle', 'rdf')
    >>> headers.summary()["rdf"]
    [0, 3]
    """

    STATE = (stored("_counts", pairs(LIST)),)

    def __init__(self) -> None:
        self._counts: dict[str, list[int]] = {}  # by prefix: hits and tries by header; refusals

    def choose(self, uri: str) -> str:
        """Return the name of the header with the best chance for a URI."""
        chances, hopeless, refused = list(_PRIOR), False, False
        for prefix, trust in zip(prefixes(uri), TRUST, strict=False):
            counts = self._counts.get(prefix)
            if counts is None:
                break
            refused = counts[-1] > 0
            hopeless = not any(counts[:-1:2]) and sum(counts[1:-1:2]) >= HOPELESS
            for at, chance in enumerate(chances):
                hits, tries = counts[2 * at], counts[2 * at + 1]
                chances[at] = (hits + trust * chance) / (tries + trust)
        if not refused:
            # Who names HTML gets it, from many that would have had RDF.
            chances[_HTML] = 0.0
        return _NAMES[0 if hopeless else chances.index(max(chances))]

    def learn(self, uri: str, name: str, *, hit: bool, refused: bool = False) -> None:
        """Take note of whether a URI had RDF for who asked with a header.

        refused: the server said that it has nothing of what the header names (406).
        """
        at = 2 * _NAMES.index(name)
        for prefix in prefixes(uri):
            if prefix not in self._counts and len(self._counts) >= MOST:
                return
            counts = self._counts.setdefault(prefix, [0] * (2 * len(_NAMES) + 1))
            counts[at] += hit
            counts[at + 1] += 1
            counts[-1] += refused

    def summary(self) -> dict[str, list[int]]:
        """Return, by header, how many answers had RDF and how many were asked for."""
        total = [0] * (2 * len(_NAMES) + 1)
        for prefix, counts in self._counts.items():
            if "/" not in prefix:
                total = [one + other for one, other in zip(total, counts, strict=True)]
        return {name: total[2 * at : 2 * at + 2] for at, name in enumerate(_NAMES)}


def variant_of(request: Request) -> str:
    """Return the name of the header that a request was sent with; "" for others."""
    for name, value in request.headers:
        if name == "Accept":
            return _BY_ACCEPT.get(value, "")
    return ""


def prefixes(uri: str) -> list[str]:
    """Return the host of a URI and its first folders, the widest first.

    >>> prefixes("https://w3id.org/bot/core/Zone")
    ['w3id.org', 'w3id.org/bot', 'w3id.org/bot/core']
    """
    whole = split(uri)
    if not whole.scheme:
        return []
    parts = [part for part in whole.path.split("/") if part]
    found = [whole.netloc]
    for part in parts[:LEVELS]:
        found.append(f"{found[-1]}/{part}")
    return found
