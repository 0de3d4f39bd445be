"""The search services that can be asked; docs/searchers.md has a line for each."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from filon.core.plugins import Registry
from filon.services import shelf
from filon.services.search import plan
from filon.services.search.datacite import DataCite
from filon.services.search.described import Described, load, load_alone
from filon.services.search.engines import Brave, CommonCrawl, Searxng, Socrata
from filon.services.search.mediawiki import MediaWiki
from filon.services.search.re3data import Re3data
from filon.services.search.searcher import SearchService

#: Makes a service from what the user says about it.
Build = Callable[[Mapping[str, str]], SearchService]

#: What shipped files describe, and what it takes where they cannot say all.
_DESCRIBED: dict[str, type[Described]] = {
    "brave": Brave,
    "commoncrawl": CommonCrawl,
    "datacite": DataCite,
    "exa": Described,
    "google": Described,
    "mediawiki": MediaWiki,
    "mojeek": Described,
    "re3data": Re3data,
    "searxng": Searxng,
    "serper": Described,
    "socrata": Socrata,
}


def _build(name: str, parameters: Mapping[str, str]) -> SearchService:
    kind = _DESCRIBED[name]
    return kind(name, load(name, kind.complete(parameters)))


#: By name: how each is made. Installed packages may add to them: a function or class that takes
#: what the user says, or a description as of a source, by its path or as text.
SEARCHERS: Registry[Build | Path | str] = Registry(
    "search service",
    "filon.searchers",
    {name: partial(_build, name) for name in _DESCRIBED}
    | {
        "local": "filon.services.search.local:build",
        "registry": "filon.services.search.registry:build",
    },
)
#: Those that are answered on this machine, by `AtHand.respond`.
AT_HAND = frozenset({"local", "registry"})


def build(name: str, parameters: Mapping[str, str] | None = None) -> SearchService:
    """Return a search service by its name, or from a description: a file, or a shipped source.

    parameters: what the service asks for, and `rate`, `quota` and `price` of the user's own plan.

    >>> build("exa").request("related", "https://example.org/").url
    'https://api.exa.ai/findSimilar#q=https%3A%2F%2Fexample.org%2F'
    >>> build("ckan", {"url": "https://demo.ckan.org"}).operators
    frozenset({'keyword'})
    """
    given = dict(parameters or {})
    if name in AT_HAND:
        return _made(name, given)
    terms = {each: given.pop(each) for each in plan.PLAN if each in given}
    if shelf.is_file(name) or name in [*shelf.shipped(), *shelf.ADDED]:
        searcher: SearchService = load_alone(name, given)
    else:
        searcher = _made(name, given)
    plan.apply(searcher, terms)
    return searcher


def _made(name: str, given: Mapping[str, str]) -> SearchService:
    found = SEARCHERS.find(name)
    return found(given) if callable(found) else load_alone(name, given, shelf.text_in(found))


__all__ = ["AT_HAND", "SEARCHERS", "SearchService", "build"]
