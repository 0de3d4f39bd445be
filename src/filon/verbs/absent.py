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
    words = {row: frozenset(keywords(documents[row])) for row in rows}
    holding: dict[str, list[int]] = {}
    for row, held in words.items():
        for word in held:
            holding.setdefault(word, []).append(row)
    found: set[int] = set()
    for query, whole in asked:
        said = frozenset(keywords(query))
        if not said or not (whole or joins == "or"):
            continue
        rarest = min(said, key=lambda word: (len(holding.get(word, ())), word))
        for row in holding.get(rarest, ()):
            if said <= words[row] and (whole or len(said) >= MOST * len(words[row])):
                found.add(row)
    return found
