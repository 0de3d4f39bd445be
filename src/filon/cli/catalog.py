"""`filon catalog`: search, show, similar, sql, union, join, drop, export."""

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from filon.catalog.address import find_table, names_table
from filon.catalog.answer import checked_out, records, write
from filon.catalog.search import Hit, Results
from filon.catalog.search import search as find
from filon.catalog.similar import Joinable, Unionable, advised
from filon.catalog.store import CatalogStore
from filon.catalog.views import View, Views, checked
from filon.catalog.words import words as split
from filon.cli import options as o
from filon.cli.catalog_common import Folder, TableId
from filon.cli.catalog_common import opened as _opened
from filon.cli.catalog_common import say as _say
from filon.cli.catalog_keep import dedupe, disk, forget, gc
from filon.cli.catalog_show import shown
from filon.core import UserError
from filon.run.text import count, counted, plain, span
from filon.verbs.session import RUNS

catalog = typer.Typer(
    name="catalog",
    add_completion=False,
    help="Search, look at and query the files of all runs of a folder.",
    no_args_is_help=True,
)
for command in (disk, dedupe, forget, gc):
    catalog.command()(command)


Site = Annotated[str, typer.Option(help="Only files of this host.")]
Format = Annotated[str, typer.Option(help="Only files of this format, as csv.")]
Year = Annotated[str, typer.Option(help="Only tables that cover this year.")]
Place = Annotated[str, typer.Option(help="Only tables that name this place.")]
Licence = Annotated[str, typer.Option(help="Only files under this licence.")]


@catalog.command()
def search(
    words: Annotated[
        list[str] | None, typer.Argument(metavar="WORDS", help="What it should be about.")
    ] = None,
    folder: Folder = RUNS,
    site: Site = "",
    format: Format = "",
    year: Year = "",
    place: Place = "",
    licence: Licence = "",
    run: Annotated[
        str, typer.Option(metavar="NAME", help="Only files of this run, or of those within it.")
    ] = "",
    sort: Annotated[
        str,
        typer.Option(
            metavar="ORDER",
            help="newest, title, rows or size, in place of the best first; with it, words may be "
            "left out.",
        ),
    ] = "",
    limit: Annotated[int, typer.Option(min=1, help="Show so many.")] = 10,
    skip: Annotated[int, typer.Option(min=0, help="Leave out so many of the first.")] = 0,
    store: Annotated[
        str,
        typer.Option(
            metavar="DIR|FILE|URL",
            help="Search what a fleet has found: its folder, or its store, as postgresql://….",
        ),
    ] = "",
    json_: o.Json = False,
) -> int:
    """Find files by titles, headings, column names and values, the best first, with why.

    Example: filon catalog search unemployment region --year 2020
    """
    text = " ".join(words or ())
    if store:
        from filon.cli.fleet_search import searched  # it knows the rooms of a fleet

        others = {"format": format, "year": year, "place": place, "licence": licence, "run": run}
        others |= {"sort": sort, "skip": str(skip or "")}
        return searched(text, store, site, limit, others, as_json=json_)
    if not any(split(text)) and (text.strip() or not sort):
        raise UserError("A search needs words: say what the files should be about.")
    facets = {"site": site, "format": format, "year": year, "place": place, "licence": licence}
    with _opened(folder) as opened:
        results = find(opened, text, facets, limit, skip=skip, run=run, sort=sort)
        hint = "" if results.hits else _hint(opened, text, facets)
    return _say(json_, asdict(results), [*_results(results), *filter(None, [hint])])


@catalog.command()
def show(id: TableId, folder: Folder = RUNS, json_: o.Json = False) -> int:
    """Show one file: what it holds, a sample, where it was found, its versions and doubles.

    Of a file with several tables, ID#2 shows the second, and ID:NAME the one of that name.

    Example: filon catalog show 3fa2b8
    """
    with _opened(folder) as opened:
        found = shown(opened, id)
    return _say(json_, found.value(), found.lines())


@catalog.command()
def sql(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="In DuckDB's SQL.")],
    folder: Folder = RUNS,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write it as .csv or .parquet.")
    ] = None,
    json_: o.Json = False,
) -> int:
    """Ask the catalog and any file of it in SQL, read-only and without the network.

    The tables are files, sightings, tables, columns and views; f_ and the first six or more letters
    of an id is the first table of that file, with _2 behind it the second, and "ID:NAME" in double
    quotes one by its name; a view of union or join is called by its name.

    Example: filon catalog sql "SELECT format, count(*) FROM files GROUP BY 1"
    """
    from filon.catalog.query import sql as ask  # DuckDB and pyarrow are extras, and slow to load

    out = out and checked_out(out)
    with _opened(folder) as opened:
        answer = ask(opened, query)
    if out is not None:
        write(answer, out)
        typer.echo(json.dumps({"out": str(out), "rows": answer.num_rows}) if json_ else out)
        return 0
    return _say(json_, {"rows": records(answer)} if json_ else {}, _grid(answer))


@catalog.command()
def similar(id: TableId, folder: Folder = RUNS, json_: o.Json = False) -> int:
    """Tell which tables go with one: by values of a column (join), or by equal columns (union).

    Of a file with several tables all are meant; ID#2 is the second, and ID:NAME one by its name.

    Example: filon catalog similar 3fa2b8
    """
    with _opened(folder) as opened:
        chosen = find_table(opened, id)
        table = chosen.number if names_table(id) else None
        unions, joins = advised(opened, chosen.file, table=table)
        several = table is None and opened.find(chosen.id)["tables"] > 1
    value = {"joins": [asdict(one) for one in joins], "unions": [asdict(one) for one in unions]}
    lines = ["The same columns (union):"] if unions else []
    for union in unions:
        columns = plain(", ".join(union.columns), 60)
        lines.append(f"  {_address(union, several)}  {plain(union.title, 70)}")
        lines.append(f"                {union.shared:.0%} of the columns: {columns}")
    lines += ["The same values (join):"] if joins else []
    for join in joins:
        pair = f"{plain(join.column, 30)} = {plain(join.other, 30)}"
        lines.append(f"  {_address(join, several)}  {plain(join.title, 70)}")
        share = f"about {join.overlap:.0%} of the values there, {join.back:.0%} of those here"
        lines.append(f"                {pair}: {share}")
    return _say(json_, value, lines or ["No other table goes with it."])


def _address(found: Joinable | Unionable, several: bool) -> str:
    """Return which table it is, and of which of this file's it is told, where those are several."""
    return found.address + (f" with #{found.of}" if several else "")


Made = Annotated[
    Path | None, typer.Option("--out", metavar="FILE", help="The table to write: .csv or .parquet.")
]
Named = Annotated[
    str,
    typer.Option("--as", metavar="NAME", help="Keep it as a view for filon catalog sql."),
]


@catalog.command()
def union(
    ids: Annotated[
        list[str],
        typer.Argument(
            metavar="ID", help="Of two files or more; ID#2 or ID:NAME: of a table of one."
        ),
    ],
    out: Made = None,
    named: Named = "",
    folder: Folder = RUNS,
    json_: o.Json = False,
) -> int:
    """Put the tables of files with the same columns below each other, with the source of each row.

    Example: filon catalog union 3fa2b8 77c01d --out all-years.parquet
    """
    return _make(folder, View("union", tuple(ids)), out, named, json_)


@catalog.command()
def join(
    id: TableId,
    other: Annotated[
        str, typer.Argument(metavar="ID", help="Of the file, or table, to join with it.")
    ],
    out: Made = None,
    named: Named = "",
    on: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN",
            help="That both have, or ONE=OTHER; several times for several. Else the best pair.",
        ),
    ] = None,
    folder: Folder = RUNS,
    json_: o.Json = False,
) -> int:
    """Put the columns of a second table beside those of the first, where a column is equal.

    Example: filon catalog join 3fa2b8 77c01d --out both.parquet
    """
    return _make(folder, View("join", (id, other), tuple(on or ())), out, named, json_)


@catalog.command()
def drop(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Of a view of union or join.")],
    folder: Folder = RUNS,
    json_: o.Json = False,
) -> int:
    """Forget a view that union or join has kept with --as; no file is deleted.

    Example: filon catalog drop all_years
    """
    with _opened(folder) as opened:
        Views(opened.folder).drop(name.lower())
    return _say(json_, {"dropped": name.lower()}, [f"{plain(name.lower())} is dropped."])


@catalog.command()
def export(
    ids: Annotated[
        list[str] | None, typer.Argument(metavar="ID", help="Of files; by default all are.")
    ] = None,
    to: Annotated[
        str,
        typer.Option(
            metavar="FORMAT",
            help="frictionless, croissant, dcat, schema-org, ro-crate, lake, duckdb, datasette; "
            "csv, jsonl, json, parquet or sqlite for a list of them; warc or wacz for an archive "
            "of what their runs were answered.",
        ),
    ] = ...,  # type: ignore[assignment]  # required
    out: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="Where to write; by default beside the folder."),
    ] = None,
    folder: Folder = RUNS,
    words: Annotated[
        str, typer.Option("--search", metavar="WORDS", help="Only files with all of these.")
    ] = "",
    site: Site = "",
    format: Format = "",
    year: Year = "",
    place: Place = "",
    licence: Licence = "",
    json_: o.Json = False,
) -> int:
    """Hand the files of the catalog on, or some of them, in a format that other tools take.

    Example: filon catalog export --to frictionless --site www.example.org --out prices
    """
    from filon.catalog.handon.choose import hand_on

    facets = {"site": site, "format": format, "year": year, "place": place, "licence": licence}
    with _opened(folder) as opened:
        written = hand_on(opened, to, out, ids=ids or (), words=words, facets=facets)
    typer.echo(json.dumps({"to": to, "written": str(written)}) if json_ else written)
    return 0


def _make(folder: Path, view: View, out: Path | None, name: str, json_: bool) -> int:
    """Put a table together, and write it, or keep it by a name, or both."""
    from filon.catalog.combine import combined

    if out is None and not name:
        raise UserError("Where to? --out FILE writes the table, --as NAME keeps it for queries.")
    out, name = out and checked_out(out), name and checked(name)
    with _opened(folder) as opened:
        view = replace(view, ids=tuple(find_table(opened, id).whole for id in view.ids))
        whole = combined(opened, view)
        made = whole.table
        if out is not None:
            write(made, out)
        if name:
            Views(opened.folder).keep(name, view)
    value = {"out": str(out or ""), "as": name, "rows": made.num_rows, "columns": made.schema.names}
    value["notes"] = list(whole.notes)
    shape = f"{counted(made.num_rows, 'row')}, {counted(len(made.schema.names), 'column')}"
    lines = [f"{one}: {shape}" for one in (out, name) if one]
    return _say(json_, value, [*lines, *(plain(note) for note in whole.notes)])


def _hint(opened: CatalogStore, words: str, facets: dict[str, str]) -> str:
    """Return why nothing was found, where it is not for the words."""
    if not opened.db.execute("SELECT 1 FROM files LIMIT 1").fetchone():
        return f"The runs in {plain(str(opened.folder))} have no files."
    flags = " ".join(f"--{name} {plain(value)}" for name, value in facets.items() if value)
    total = find(opened, words, {}, 1).total if flags else 0
    return f"Without {flags} there are {count(total)}." if total else ""


def _results(results: Results) -> list[str]:
    lines = [
        f"No file has {plain(word)}: searched for {plain(term)}."
        for word, term in results.corrected.items()
    ]
    lines += [f"No file has {plain(word)}, nor a word that is near." for word in results.unknown]
    if not results.hits:
        return [*lines, "No file is about that."]
    lines += [line for hit in results.hits for line in _hit(hit)]
    shown = f", {len(results.hits)} shown" if len(results.hits) < results.total else ""
    lines.append(f"{counted(results.total, 'file')}{shown}")
    for name, values in results.facets.items():
        if len(values) > 1:
            lines.append(f"  {name}: " + ", ".join(f"{plain(v)} ({count(n)})" for v, n in values))
    return lines


def _hit(hit: Hit) -> list[str]:
    covers = f", {span(hit.since, hit.until)}" if hit.since else ""
    rows = f", {counted(hit.rows, 'row')}" if hit.rows else ""
    why = f"; {plain(hit.reason)}" if hit.why else ""
    return [
        f"{hit.id[:12]}  {plain(hit.title)}",
        f"              {plain(hit.site)}, {hit.format}{rows}{covers}{why}",
    ]


def _grid(answer: Any, most: int = 50, widest: int = 40) -> list[str]:
    """Return a table for a terminal: its first rows, its cells cut."""
    names = [str(name) for name in answer.schema.names]
    columns = (column.to_pylist() for column in answer.slice(0, most).columns)
    rows = [
        ["" if cell is None else plain(str(cell)) for cell in row]
        for row in zip(*columns, strict=True)
    ]
    cells = [[_cut(cell, widest) for cell in row] for row in [names, *rows]]
    widths = [max(len(row[n]) for row in cells) for n in range(len(names))]
    lines = [
        "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    ]
    if answer.num_rows > most:
        lines.append(f"{count(answer.num_rows)} rows, {most} shown: --out FILE writes all")
    return lines


def _cut(cell: str, widest: int) -> str:
    """Return a cell as wide as it may be; it is seen where something is left out."""
    return cell if len(cell) <= widest else f"{cell[: widest - 1]}…"
