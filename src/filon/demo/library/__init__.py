"""The library of the small web: no pages, only a search box that shows ten books at a time."""

from functools import cache

from filon.demo.answer import Answer, Query
from filon.demo.library.books import BOOKS
from filon.demo.search_box import PAGE, SearchBox

__all__ = ["HOST", "PAGE", "SOURCE", "answer"]

HOST = "library.test"
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
    return _box().answer(path, query)


@cache
def _box() -> SearchBox:
    return SearchBox([book.record() for book in BOOKS], "books")
