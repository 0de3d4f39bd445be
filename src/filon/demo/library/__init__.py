"""The library of the small web: no pages, only a search box that shows ten books at a time."""

import json
from functools import cache

from filon.demo.answer import Answer, Query, text
from filon.demo.library.books import BOOKS, Book
from filon.page.words import keywords

HOST = "library.test"
PAGE = 10
#: What `filon enrich` is told of it.
SOURCE = f"""\
name = "library"
about = "The library of Orvania, which is invented."
terms = "Runs on your own machine: ask as you like."

[request]
url = "http://{HOST}/search"
keywords = "q"

[paging]
how = "page"
parameter = "page"
size = {PAGE}

[answer]
results = "$.books"
id = "$.signature"
total = "$.total"
always = ["title"]

[answer.fields]
title = "$.title"
authors = "$.authors"
year = "$.year"
publisher = "$.publisher"
isbn = "$.isbn"

[query]
joins = "and"

[limits]
rate = "500/s"
"""


def answer(path: str, query: Query) -> Answer:
    """Answer a search: books that hold all words, those that are borrowed most first."""
    if path != "/search":
        return text("application/json", json.dumps({"error": "There is only /search."}), 404)
    page = query.get("page", "1")
    if not page.isdecimal() or not 1 <= int(page) <= 100:
        return text("application/json", json.dumps({"error": "No such page."}), 400)
    found = _matches(query.get("q", ""))
    first = (int(page) - 1) * PAGE
    shown = [book.record() for book in found[first : first + PAGE]]
    reply = {"total": len(found), "page": int(page), "books": shown}
    return text("application/json; charset=utf-8", json.dumps(reply, ensure_ascii=False))


def _matches(query: str) -> list[Book]:
    words = keywords(query)
    held = [_index().get(word, frozenset()) for word in words]
    return [BOOKS[number] for number in sorted(frozenset.intersection(*held))] if held else []


@cache
def _index() -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for number, book in enumerate(BOOKS):
        for word in keywords(" ".join(book.record().values())):
            found.setdefault(word, set()).add(number)
    return {word: frozenset(numbers) for word, numbers in found.items()}
