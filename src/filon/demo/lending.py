"""The second part of `filon demo`: a reader's list of books is filled from the library."""

from pathlib import Path

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from filon.core.loop import Watch
from filon.demo.library import SOURCE
from filon.demo.library.shelf import shelf
from filon.run.enriched import NOT_FILLED, Enriched, enriched
from filon.run.plain import count, plain
from filon.strategies.enrich import DEFAULT
from filon.verbs.enrich import aenrich

#: A third of the rows.
CALLS = 40
#: The names of the runs: of their folders, and in the output.
LEARNT, PLAIN = DEFAULT, "naive"
TITLES = {
    LEARNT: "queries that cover many rows at once",
    PLAIN: "a query a row",
}
QUERIES_TOLD = 5
BAR_WIDTH = 40


async def lend(folder: Path, name: str, connect_to: str, watch: Watch | None) -> Path:
    """Fill the list with one strategy; return the folder of the run."""
    table, source = folder / "books.csv", folder / "library.toml"
    table.write_text(shelf(), "utf-8")
    source.write_text(SOURCE, "utf-8")
    run = await aenrich(
        table,
        source=source,
        match="title,authors",
        add="year,publisher,isbn",
        budget=CALLS,
        strategy=name,
        out=folder / f"books-{name}",
        delay_s=0,
        connect_to=(connect_to,),
        # Not the user's: the figures are the same every time.
        cache=str(folder / f"answers-{name}.sqlite"),
        watch=watch,
    )
    run.close()
    return folder / f"books-{name}"


def tell(runs: dict[str, Path]) -> RenderableType:
    """Return how many rows were filled, and by which queries."""
    told = {name: enriched(path) for name, path in runs.items()}
    return Group("", _filled(told), "", _queries(told[LEARNT]))


def _filled(told: dict[str, Enriched]) -> RenderableType:
    size = next(iter(told.values())).size
    table = _table(f"Rows of {count(size)} filled with {CALLS} calls", "", "")
    most = max(max((run.filled for run in told.values()), default=0), 1)
    for name, run in told.items():
        bar = "█" * max(1, round(BAR_WIDTH * run.filled / most))
        style = "green" if name == LEARNT else "red"
        table.add_row(name, count(run.filled), Text(bar, style, justify="left"))
    left = told[LEARNT].rows
    words = ", ".join(f"{count(n)} {NOT_FILLED[s]}" for s, n in left.items() if s in NOT_FILLED)
    return Group(table, Text(f"Of the others, by {LEARNT}: {words}.", "bold")) if words else table


def _queries(run: Enriched) -> Table:
    table = _table("Queries that paid", "calls", "rows")
    for query in run.queries[:QUERIES_TOLD]:
        table.add_row(Text(plain(query.words, 60)), count(query.calls), count(query.rows))
    return table


def _table(title: str, *columns: str) -> Table:
    table = Table(box=None, pad_edge=False, show_header=True, header_style="dim")
    table.add_column(Text(title, "bold not dim"), no_wrap=True)
    for column in columns:
        table.add_column(column, justify="right", no_wrap=True)
    return table
