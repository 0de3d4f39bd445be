"""The search engine of Orvania, which answers as SearXNG does and does not know every page."""

import json
from functools import cache

from filon.demo.answer import Answer, Query, text
from filon.demo.choice import draw
from filon.demo.country import pages
from filon.demo.country.bodies import BODIES
from filon.page.text import page_text
from filon.services.search.index import Document, Index

HOST = "search.test"
PAGE = 10
#: Pages of results in reach, as with the real ones.
DEEPEST = 5


def answer(path: str, query: Query) -> Answer:
    """Answer a search."""
    if path != "/search" or query.get("format") != "json":
        return text("text/html", "<p>Ask me at /search?q=…&amp;format=json", 404)
    number = query.get("pageno", "1")
    if not number.isdecimal() or not 1 <= int(number) <= DEEPEST:
        return _said(query.get("q", ""), [])
    found = _index().search(query.get("q", ""), (int(number) - 1) * PAGE, PAGE)
    results = [
        {"url": hit.url, "title": hit.title, "content": hit.snippet, "engine": "orvania"}
        for hit in found.hits
    ]
    return _said(query.get("q", ""), results)


def _said(query: str, results: list[dict[str, str]]) -> Answer:
    reply = {"query": query, "results": results, "unresponsive_engines": []}
    return text("application/json", json.dumps(reply))


@cache
def _index() -> Index:
    index = Index()
    index.fill(_documents())
    return index


def _documents() -> list[Document]:
    """Read two pages in three of those that the engine has heard of."""
    found = []
    for body in BODIES:
        for url in pages.where(body) if body.known else ():
            if draw(3, "indexed", url):
                content = page_text(pages.answer(body, url.removeprefix(body.home[:-1])).body)
                found.append(Document(url=url, title=content.title, text=content.text))
    return found
