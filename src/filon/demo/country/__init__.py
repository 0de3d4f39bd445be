"""The rest of the small web: some sixty hosts of Orvania, and a search engine that knows most.

Twelve of them publish data on water, eight on something else. The others only write about it:
newspapers, consultants, clubs. Pages of links lead from some to others. Truth is what `truth` says.
"""

from functools import cache

from filon.demo.answer import Answer, Query, text
from filon.demo.country import ckan, engine, pages
from filon.demo.country.bodies import BODIES, Body

__all__ = ["SEARCH", "SITES", "TOPIC", "answer", "truth"]

#: What the demo looks for, and where it asks.
TOPIC = "water quality"
SEARCH = f"http://{engine.HOST}"
SITES = frozenset([engine.HOST, *(body.host for body in BODIES)])


def answer(host: str, path: str, query: Query) -> Answer:
    """Answer for a host."""
    if host == engine.HOST:
        return engine.answer(path, query)
    if path == "/robots.txt":
        return text("text/plain", "User-agent: *\nDisallow: /admin/\n")
    body = _bodies()[host]
    found = ckan.answer(body, path, query) if body.software == "ckan" else None
    return found or pages.answer(body, path)


def truth() -> dict[str, str]:
    """Return the hosts that publish data files, and what they are about."""
    return {body.host: body.subject for body in BODIES if body.kind == "repository"}


@cache
def _bodies() -> dict[str, Body]:
    return {body.host: body for body in BODIES}
