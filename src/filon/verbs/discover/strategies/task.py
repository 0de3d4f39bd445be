"""What is to be asked of the web next, as plain data."""

from dataclasses import dataclass

from filon.core.forms import record


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One request to make, and on whose behalf.

    kind: "seed", "search", "hub" (a page that links to a known one), "page" (a candidate),
        "look" (a page within a site that is being looked at), or "collect" (within one that was
        found to be a repository).
    url: the page; empty for a search.
    operator: the one of this round.
    searcher, query, cursor: who is asked for what, and for which page of the results.
    got: results that the search has brought so far; barren: pages in a row that brought none.
    parent: the page, or the search, that led here. hops: redirects that led here.
    entry: of the last two, the page where it began; depth: how far this is from there. Of a page
        that a search brought, the address it gave.
    clue, score: of a link, the words by which it was judged, and how much it promises.
    """

    kind: str
    url: str = ""
    operator: str = ""
    searcher: str = ""
    query: str = ""
    cursor: str = ""
    got: int = 0
    barren: int = 0
    parent: str = ""
    hops: int = 0
    entry: str = ""
    depth: int = 0
    clue: str = ""
    score: float = 0.0


#: A task in a declared state.
TASK = record(Task)
