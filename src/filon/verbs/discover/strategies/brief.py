"""What a discovery is asked to do."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from filon.core.portal import Portal, Recognise
from filon.core.service import Searcher


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much is taken of everything: section 5.3 of DISCO.

    k: sites that an operator starts from. terms: new keywords of a round.
    keyword, related, backlinks, seeds: results that are taken of one search.
    links: other sites that are taken of one page.
    pages: pages that are looked at in all.
    """

    k: int = 20
    terms: int = 20
    keyword: int = 50
    related: int = 50
    backlinks: int = 5
    seeds: int = 20
    links: int = 10
    pages: int = 50_000

    def __post_init__(self) -> None:
        for name in self.__slots__:
            if getattr(self, name) < 1:
                raise ValueError(f"the limit {name} must be 1 or more")

    def results(self, operator: str) -> int:
        """Return how many results are taken of one search."""
        known = {
            "keyword": self.keyword,
            "related": self.related,
            "seeds": self.seeds,
            "outlinks": self.links,
        }
        return known.get(operator, self.backlinks)


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """The topic, examples of it, and who can be asked.

    topic: words that describe the domain: the seed keyword of DISCO, the domain of DSDD.
    seeds: pages of sites that are of the domain.
    searchers: in the order in which they are asked; the next stands in for one that fails.
    others: texts that are known to be of something else.
    training: for DSDD: texts, and whether they are of dataset repositories; empty: what ships.
    sites: what makes two pages one site: "domain" (the registered one) or "host".
    calls: requests that the budget allows; 0: no bound.
    accepted, rejected: pages of sites on which the user has passed judgement.
    languages: other languages in which to ask, as codes ("fr"); empty: as the topic and what is
        found suggest.
    at_least: data files, or datasets of a portal, that make a repository, where the strategy lets
        the user choose; the papers' have their own number.
    portals, recognise: software whose API can be asked, and what tells it from a page.
    options: a strategy's own parameters by name.
    """

    topic: str = ""
    seeds: tuple[str, ...] = ()
    searchers: Sequence[Searcher] = ()
    seed: int = 0
    limits: Limits = field(default_factory=Limits)
    others: Sequence[str] = ()
    training: Sequence[tuple[str, bool]] = ()
    sites: str = "domain"
    calls: int = 0
    accepted: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    at_least: int = 3
    portals: Mapping[str, Portal] = field(default_factory=dict)
    recognise: Recognise | None = None
    options: Mapping[str, str | float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.sites not in ("domain", "host"):
            raise ValueError(f"sites are told apart by domain or host, not by {self.sites}")
        names = [searcher.name for searcher in self.searchers]
        if len(names) != len(set(names)):
            raise ValueError("two searchers have the same name")
