import csv
import io
import json

from filon.demo.library import PAGE, SOURCE
from filon.demo.library.books import BOOKS
from filon.demo.library.reading_list import HEADER, KNOWN, UNKNOWN, reading_list
from filon.demo.sites import answer
from filon.services.describe import describe


def search(query: str, page: int = 1) -> dict[str, object]:
    found = answer(f"http://library.test/search?q={query}&page={page}")
    assert found.status == 200
    said: dict[str, object] = json.loads(found.body)
    return said


def test_a_search_shows_books_that_hold_all_words_page_by_page() -> None:
    said = search("atlas+lakes")
    books = said["books"]
    assert isinstance(books, list)
    assert len(books) == PAGE
    assert all("atlas" in book["title"] and "Lakes" in book["title"] for book in books)
    second = search("atlas+lakes", 2)["books"]
    assert isinstance(second, list)
    assert not {book["signature"] for book in books} & {book["signature"] for book in second}
    assert search("nonesuch") == {"total": 0, "page": 1, "books": []}


def test_what_is_no_search_is_refused() -> None:
    assert answer("http://library.test/").status == 404
    assert answer("http://library.test/search?q=a&page=x").status == 400


def test_no_two_books_have_the_same_signature_or_title() -> None:
    assert len({book.title for book in BOOKS}) == len(BOOKS)
    assert len({book.record()["signature"] for book in BOOKS}) == len(BOOKS)


def test_the_list_is_the_same_every_time_and_partly_unknown_to_the_library() -> None:
    rows = list(csv.DictReader(io.StringIO(reading_list())))
    assert reading_list() == reading_list()
    assert tuple(rows[0]) == HEADER
    assert len(rows) == KNOWN + UNKNOWN
    titles = {book.title for book in BOOKS}
    right = sum(row["title"] in titles for row in rows)
    assert 0.5 * KNOWN < right < KNOWN


def test_the_description_of_the_library_is_understood() -> None:
    assert describe(SOURCE, "library.toml").paging.size == PAGE
