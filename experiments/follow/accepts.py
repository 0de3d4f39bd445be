"""How many identifiers of w3id.org end in RDF, by the Accept header that is sent.

    python -m experiments.follow.accepts ../shared/data/follow

Each identifier is asked for once, in an order by chance, and its redirects are followed with the
header that it was asked for with: fixed ones, and the one that is learnt on the way. Where the
documents are at hand, they say whether they have RDF; for all others the name of what the first
hop leads to must do. What was chosen on a part of the identifiers is measured on the rest.
"""

import random
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from experiments.follow.w3id import MOST_HOPS, W3idWeb
from filon.verbs.follow.strategies.easy import by_name
from filon.verbs.follow.strategies.negotiation import VARIANTS, Negotiation

SEEDS = 5


@dataclass(slots=True)
class Tally:
    """Identifiers that were asked for, requests that this took, and those that ended in RDF."""

    asked: int = 0
    requests: int = 0
    hits: int = 0

    @property
    def per_request(self) -> float:
        """How many ended in RDF per request."""
        return self.hits / max(1, self.requests)


Walk = Callable[[W3idWeb, str, str, Tally], bool | None]


def to_the_end(web: W3idWeb, uri: str, accept: str, tally: Tally) -> bool | None:
    """Follow one identifier; return whether it ends in RDF, None where nothing is to be learnt."""
    tally.asked += 1
    url, code = uri, 0
    for _ in range(MOST_HOPS):
        tally.requests += 1
        code, target = web.hop(url, accept)
        if target is None:
            break
        url = target
    page = web.page(url) if code == 200 else None
    hit = page is not None and page.strict
    tally.hits += hit
    return hit if page or code == 406 or url != uri else None


def first_hop(web: W3idWeb, uri: str, accept: str, tally: Tally) -> bool | None:
    """Ask for one identifier; return whether what it leads to is called RDF."""
    tally.asked += 1
    tally.requests += 1
    code, target = web.rules.resolve(uri, accept)
    hit = target is not None and by_name(target.partition("#")[0]) == "rdf"
    tally.hits += hit
    return hit if target or code == 406 else None


def fixed(web: W3idWeb, uris: list[str], accept: str, walk: Walk) -> Tally:
    """Ask for all with one header."""
    tally = Tally()
    for uri in uris:
        walk(web, uri, accept, tally)
    return tally


def learnt(web: W3idWeb, uris: list[str], seed: int, walk: Walk) -> Tally:
    """Ask for all with the header that has paid so far, in an order by chance."""
    tally, negotiation = Tally(), Negotiation()
    for uri in random.Random(seed).sample(uris, len(uris)):
        name = negotiation.choose(uri)
        hit = walk(web, uri, VARIANTS[name], tally)
        if hit is not None:
            negotiation.learn(uri, name, hit=hit)
    return tally


def best(web: W3idWeb, uris: list[str], walk: Walk) -> Tally:
    """Ask for each with the header that is best for it: what cannot be surpassed."""
    tally = Tally()
    for uri in uris:
        good = [one for one in VARIANTS.values() if walk(web, uri, one, Tally())]
        walk(web, uri, (good or list(VARIANTS.values()))[0], tally)
    return tally


def of_part(uri: str, part: str) -> bool:
    """Say whether an identifier is of "tune", about three in ten, or of "report"."""
    name = uri.partition("w3id.org/")[2].partition("/")[0]
    return (sum(name.encode()) % 10 < 3) == (part == "tune")


def main(folder: str) -> None:
    """Print a table for each measure."""
    web = W3idWeb(Path(folder))
    reachable = [uri for uri in web.reachable if of_part(uri, "report")]
    every = [uri for uri in web.answers if of_part(uri, "report")]
    _table("documents at hand, all hops", web, reachable, to_the_end)
    _table("all identifiers, name of the first hop", web, every, first_hop)


def _table(title: str, web: W3idWeb, uris: list[str], walk: Walk) -> None:
    print(f"{title}: {len(uris)} identifiers")
    print(f"{'Accept':16}{'RDF':>8}{'requests':>10}{'per request':>13}")
    headers = {**VARIANTS, "any": web.accepts["any"], "browser": web.accepts["browser"]}
    for name, accept in headers.items():
        _row(name, [fixed(web, uris, accept, walk)])
    _row("learnt", [learnt(web, uris, seed, walk) for seed in range(SEEDS)])
    _row("best of each", [best(web, uris, walk)])
    print()


def _row(name: str, tallies: list[Tally]) -> None:
    hits = sum(one.hits for one in tallies) / len(tallies)
    requests = sum(one.requests for one in tallies) / len(tallies)
    print(f"{name:16}{hits:8.0f}{requests:10.0f}{hits / requests:13.3f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
