"""The search services that can be asked; docs/searchers.md has a line for each."""

from collections.abc import Callable, Mapping
from typing import Any

from filon.core import UserError
from filon.core.suggest import did_you_mean
from filon.services.search import local, mediawiki, plan, registry
from filon.services.search.brave import Brave
from filon.services.search.commoncrawl import CommonCrawl
from filon.services.search.datacite import DataCite
from filon.services.search.described import Described, load
from filon.services.search.re3data import Re3data
from filon.services.search.searcher import SearchService
from filon.services.search.searxng import Searxng
from filon.services.search.socrata import Socrata

Build = Callable[[Mapping[str, str]], SearchService]


def _kind(kind: type[Described], name: str, **files: str) -> Build:
    return lambda parameters: kind(name, load(files, parameters, name))


def _whole(kind: Callable[[Any], SearchService], name: str, **files: str) -> Build:
    return lambda parameters: kind(load(files, parameters, name))


#: By name: how each is made from what the user says about it.
SEARCHERS: dict[str, Build] = {
    "brave": _whole(lambda told: Brave(told["keyword"]), "brave", keyword="brave"),
    "commoncrawl": _kind(CommonCrawl, "commoncrawl", seeds="commoncrawl"),
    "datacite": _kind(DataCite, "datacite", keyword="datacite", seeds="datacite-repositories"),
    "exa": _kind(Described, "exa", keyword="exa", related="exa-similar"),
    "google": _kind(Described, "google", keyword="google"),
    "local": local.build,
    "mediawiki": mediawiki.build,
    "mojeek": _kind(Described, "mojeek", keyword="mojeek"),
    "re3data": _whole(Re3data, "re3data", seeds="re3data", record="re3data-record"),
    "registry": registry.build,
    "searxng": _kind(Searxng, "searxng", keyword="searxng"),
    "serper": _kind(Described, "serper", keyword="serper"),
    "socrata": _kind(Socrata, "socrata", keyword="socrata", seeds="socrata"),
}
#: Those that are answered on this machine, by `AtHand.respond`.
AT_HAND = frozenset({"local", "registry"})


def build(name: str, parameters: Mapping[str, str] | None = None) -> SearchService:
    """Return a search service by its name.

    parameters: what the service asks for, and `rate`, `quota` and `price` of the user's own plan.

    >>> build("exa").request("related", "https://example.org/").url
    'https://api.exa.ai/findSimilar#q=https%3A%2F%2Fexample.org%2F'
    """
    if name not in SEARCHERS:
        raise UserError(f"There is no search service {name!r}: {did_you_mean(name, SEARCHERS)}")
    given = dict(parameters or {})
    if name in AT_HAND:
        return SEARCHERS[name](given)
    told = {each: given.pop(each) for each in plan.PLAN if each in given}
    searcher = SEARCHERS[name](given)
    plan.apply(searcher, told)
    return searcher


__all__ = ["AT_HAND", "SEARCHERS", "SearchService", "build"]
