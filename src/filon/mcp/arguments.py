"""What an agent may say of a run, verb by verb: these words, and no others.

What is not here cannot be said: no file to be read, no folder to be written, no other way to the
network, no code to be loaded. All else is as the user has fixed it, or as it is by default.
"""

from collections.abc import Sequence
from typing import Any

from filon.mcp.limits import LimitError, Limits
from filon.services.search.service import SEARCHERS
from filon.verbs.discover.job import parse_spec

#: Letters and items of what an agent says: more is no search, and no list of addresses.
_LONGEST, _MOST = 2000, 1000


def harvest(limits: Limits, *, urls: Sequence[str], **more: Any) -> dict[str, Any]:
    """Return what is typed for a harvest."""
    first, *others = _urls(limits, urls)
    return _typed(url=first, more_urls=others, **more)


def discover(limits: Limits, *, topic: str, seeds: Sequence[str], **more: Any) -> dict[str, Any]:
    """Return what is typed for a discovery, which asks the allowed services alone."""
    pages = _urls(limits, seeds) if seeds else []
    return _typed(topic=_topic(topic), seeds=pages, search=_searchers(limits), **more)


def follow(limits: Limits, *, seeds: Sequence[str], **more: Any) -> dict[str, Any]:
    """Return what is typed to follow Linked Data."""
    return _typed(seeds=_urls(limits, seeds), **more)


def enrich(limits: Limits, *, table: str, source: str, **more: Any) -> dict[str, Any]:
    """Return what is typed for an enrichment."""
    name, parameters = parse_spec(limits.check_service(source))
    given = [f"{one}={value}" for one, value in parameters.items()]
    said = {"source": name, "source_set": given}
    return _typed(table=str(limits.check_table(table)), **said, **more)


def acquire(limits: Limits, *, topic: str, **more: Any) -> dict[str, Any]:
    """Return what is typed for an acquisition, which asks the allowed services alone."""
    if not topic.strip():
        raise LimitError("What is to be acquired? Say it in words, as topic.")
    return _typed(topic=_topic(topic), search=_searchers(limits), **more)


def _searchers(limits: Limits) -> list[str]:
    """Return the allowed services that search the web, and those with an address of the user's."""
    found = [spec for spec in limits.services if ":" in spec or spec in SEARCHERS]
    if not found:
        raise LimitError(
            "No search service is allowed, so that nobody could be asked. Only the user can allow "
            f"one, by services in {limits.file}."
        )
    return found


def _urls(limits: Limits, urls: Sequence[str]) -> list[str]:
    if not urls:
        raise LimitError("Where to start? Name an address.")
    if len(urls) > _MOST:
        raise LimitError(f"At most {_MOST:,} addresses.")
    return [limits.check_url(_short(url)) for url in urls]


def _topic(topic: str) -> list[str]:
    return [_short(topic)] if topic.strip() else []


def _short(text: str) -> str:
    if len(text) > _LONGEST or "\0" in text:
        raise LimitError(f"A text may have {_LONGEST:,} letters at most.")
    return text


def _typed(**said: Any) -> dict[str, Any]:
    """Return words by the names of `filon.verbs.option.name_of`; what is empty was not said."""
    typed = {}
    for name, value in said.items():
        for one in value if isinstance(value, list) else [value]:
            _short(one) if isinstance(one, str) else None
        if value not in ("", [], None, 0, False):
            typed[f"{name}_"] = value
    return typed
