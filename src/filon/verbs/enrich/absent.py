"""Which rows the service probably does not have: a query that must show them showed all it has."""

from collections.abc import Iterable, Sequence

from filon.core import Answer
from filon.page.words import keywords

#: Where words are joined by "or", a query of so much of a row ranks its record on the first page.
MOST = 0.6


def shows_all(answer: Answer, page_size: int) -> bool:
    """Say whether an answer holds every record that matches its query."""
    if answer.problem:
        return False
    if answer.total is not None:
        return answer.total <= len(answer.records)
    return len(answer.records) < page_size and not answer.more


def absent(
    documents: Sequence[str], rows: Iterable[int], asked: Iterable[tuple[str, bool]], joins: str
) -> set[int]:
    """Return those of the rows that were asked for in vain.

    documents: the text of each row. rows: those that were not found.
    asked: each query that was answered, and whether all its records were shown.
    """
    queries = [
        (frozenset(keywords(query)), whole) for query, whole in asked if whole or joins == "or"
    ]
    # Of a million rows only the words that were asked for are held.
    holding: dict[str, set[int]] = {word: set() for words, _ in queries for word in words}
    sizes: dict[int, int] = {}
    for row in rows:
        held = keywords(documents[row])
        sizes[row] = len(held)
        for word in held:
            if word in holding:
                holding[word].add(row)
    found: set[int] = set()
    for words, whole in queries:
        if words:
            fit = set.intersection(*sorted((holding[word] for word in words), key=len))
            found.update(row for row in fit if whole or len(words) >= MOST * sizes[row])
    return found
