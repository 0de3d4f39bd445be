"""Where the services are that an agent may ask: their hosts are allowed with them."""

from pathlib import Path

from filon.core import UserError
from filon.page.url import split
from filon.services.describe import is_file
from filon.services.shape import Key
from filon.services.source import Source
from filon.verbs.discover.job import opened_services, parse_spec

_USUAL = {"http": 80, "https": 443}


def whole(spec: str, folder: Path) -> str:
    """Return a service as a user names it, its description by a whole path where it is a file.

    folder: from which the path begins.
    """
    name = parse_spec(spec)[0]
    return f"{folder / name}{spec[len(name) :]}" if is_file(name) else spec


def places(spec: str) -> list[str]:
    """Return the hosts of a service, as a fence has them.

    spec: as --search and --from take it, such as datacite or searxng:url=http://localhost:8888.

    >>> places("openalex")
    ['api.openalex.org:443']
    """
    found = {place: None for origin in _origins(spec) for place in [_place(origin)] if place}
    if not found:
        raise UserError(f"{spec!r} is no service: filon source list names them.")
    return list(found)


def _origins(spec: str) -> list[str]:
    """Return where a searcher, a source or both of that name are."""
    name, parameters = parse_spec(spec)
    found: list[str] = []
    try:
        for searcher in opened_services([spec]).searchers:
            found += [searcher.origin, *_tokens(searcher.key)]
    except UserError:
        pass  # it may be a source alone
    try:
        source = Source.load(name, parameters)
        found += [source.origin, *_tokens(source.key)]
    except UserError:
        pass  # it may be a searcher alone
    return found


def _tokens(key: Key) -> list[str]:
    return [key.token_url] if key.how == "oauth2" else []


def _place(url: str) -> str:
    parts = split(url)
    host = parts.hostname or ""
    port = parts.port or _USUAL.get(parts.scheme, 0)
    return f"{f'[{host}]' if ':' in host else host}:{port}" if host and port else ""
