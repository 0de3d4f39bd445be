"""The second part of `filon demo`: a reader's list of books is filled from the library."""

from pathlib import Path

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from filon.demo.library import SOURCE
from filon.demo.library.reading_list import reading_list
from filon.demo.part import Turn, ended
from filon.demo.show import bars, table
from filon.run.text import count, plain
from filon.verbs.enrich.api import aenrich
from filon.verbs.enrich.strategies import DEFAULT
from filon.verbs.enrich.summary import NOT_FILLED, Enriched, enriched

#: A third of the rows.
CALLS = 40
HEAD = "Enriching a list of books"
#: The runs by their names, which are those of their folders and in the output.
TITLES = {DEFAULT: "queries that cover many rows at once", "naive": "a query a row"}
QUERIES_TOLD = 5


async def go(turn: Turn) -> Path:
    """Fill the list with one strategy; return the folder of the run."""
    books, source = turn.folder / "books.csv", turn.folder / "library.toml"
    books.write_text(reading_list(), "utf-8")
    source.write_text(SOURCE, "utf-8")
    wanted = {"match": "title,authors", "add": "year,publisher,isbn", "budget": CALLS}
    how = {**turn.settings("books-"), **wanted, "cache": turn.cache("answers")}
    return await ended(aenrich(books, source=source, **how))


def tell(runs: dict[str, Path]) -> RenderableType:
    """Return how many rows were filled, and by which queries."""
    results = {name: enriched(path) for name, path in runs.items()}
    return Group("", _filled(results), "", _queries(results[DEFAULT]))


def _filled(results: dict[str, Enriched]) -> RenderableType:
    size = next(iter(results.values())).size
    title = f"Rows of {count(size)} filled with {CALLS} calls"
    shown = bars(title, {name: run.filled for name, run in results.items()}, DEFAULT)
    left = results[DEFAULT].rows
    words = ", ".join(f"{count(n)} {NOT_FILLED[s]}" for s, n in left.items() if s in NOT_FILLED)
    return Group(shown, Text(f"Of the others, by {DEFAULT}: {words}.", "bold")) if words else shown


def _queries(run: Enriched) -> Table:
    shown = table("Queries that paid", "calls", "rows")
    for query in run.queries[:QUERIES_TOLD]:
        shown.add_row(Text(plain(query.words, 60)), count(query.calls), count(query.rows))
    return shown


def ways(runs: dict[str, Path]) -> dict[str, str]:
    """Return what to look at next."""
    path = runs[DEFAULT]
    return {
        "The table": f"{path / 'enriched.csv'}",
        "Its report": f"{path / 'report.html'}",
        "A row": f"filon why {path} 1",
    }
