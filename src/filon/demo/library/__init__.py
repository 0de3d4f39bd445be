"""The library of the small web: no pages, only a search box that shows ten books at a time."""

from functools import cache

from filon.demo.answer import Answer, Query
from filon.demo.library.books import BOOKS
from filon.demo.search_box import PAGE, SearchBox, described

__all__ = ["HOST", "PAGE", "SOURCE", "answer"]

HOST = "library.test"
_FIELDS = ("title", "authors", "year", "publisher", "isbn")
#: What `filon enrich` is told of it.
SOURCE = described(
    HOST,
    "The library of Orvania, which is invented.",
    results="books",
    id="signature",
    always="title",
    fields=dict(zip(_FIELDS, _FIELDS, strict=True)),
)


def answer(path: str, query: Query) -> Answer:
    """Answer a search: books that hold all words, those that are borrowed most first."""
    return _box().answer(path, query)


@cache
def _box() -> SearchBox:
    return SearchBox([book.record() for book in BOOKS], "books")
