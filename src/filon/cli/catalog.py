"""`filon catalog search|show|similar|sql|union|join|export`."""

import json
import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from filon.catalog.search import Hit, Results
from filon.catalog.search import search as find
from filon.catalog.similar import joinable, unionable
from filon.catalog.store import CatalogStore
from filon.catalog.views import View, Views, checked
from filon.cli import options as o
from filon.core import UserError
from filon.run.text import count, plain, size
from filon.verbs.session import RUNS

catalog = typer.Typer(
    name="catalog",
    add_completion=False,
    help="Search, look at and query the files of all runs of a folder.",
    no_args_is_help=True,
)
Id = Annotated[str, typer.Argument(metavar="ID", help="Of a file, or the first letters of it.")]
Folder = Annotated[
    Path, typer.Option("--in", metavar="FOLDER", help="The folder that holds the runs.")
]


Site = Annotated[str, typer.Option(help="Only files of this host.")]
Format = Annotated[str, typer.Option(help="Only files of this format, as csv.")]
Year = Annotated[str, typer.Option(help="Only tables that cover this year.")]
Place = Annotated[str, typer.Option(help="Only tables that name this place.")]
Licence = Annotated[str, typer.Option(help="Only files under this licence.")]


@catalog.command()
def search(
    words: Annotated[list[str], typer.Argument(metavar="WORDS", help="What it should be about.")],
    folder: Folder = RUNS,
    site: Site = "",
    format: Format = "",
    year: Year = "",
    place: Place = "",
    licence: Licence = "",
    limit: Annotated[int, typer.Option(min=1, help="Show so many.")] = 10,
    json_: o.Json = False,
) -> int:
    """Find files by titles, headings, column names and values, the best first, with why.

    Example: filon catalog search unemployment region --year 2020
    """
    facets = {"site": site, "format": format, "year": year, "place": place, "licence": licence}
    with _opened(folder) as opened:
        results = find(opened, " ".join(words), facets, limit)
    return _say(json_, asdict(results), _results(results))


@catalog.command()
def show(id: Id, folder: Folder = RUNS, json_: o.Json = False) -> int:
    """Show one file: what it holds, and where it was found.

    Example: filon catalog show 3fa2b8
    """
    with _opened(folder) as opened:
        row = opened.find(id)
        seen = opened.sightings(row["file"])
        tables = list(opened.tables(row["file"]))
        path = opened.path(row["file"])
    value = {
        **{key: row[key] for key in row.keys() if key != "file"},  # noqa: SIM118
        "path": str(path),
        "sightings": [{key: one[key] for key in one.keys() if key != "file"} for one in seen],  # noqa: SIM118
        "tables": [
            {
                **{key: table[key] for key in ("name", "rows", "header_row", "since", "until")},
                "columns": [_column(one) for one in columns],
            }
            for table, columns in tables
        ],
    }
    lines = [f"{row['id'][:12]}  {plain(row['title'])}"]
    lines.append(f"  {row['format'] or 'unknown'}, {size(row['size_bytes'])}, {path}")
    if row["problem"]:
        lines.append(f"  {row['problem']}: {plain(row['detail'])}")
    lines += [f"  from {plain(one['url'])} in {plain(one['run'])}" for one in seen[:5]]
    if len(seen) > 5:
        lines.append(f"  and from {len(seen) - 5} places more")
    for table, columns in tables:
        name = f"{plain(table['name'])}: " if table["name"] else ""
        covers = f", {table['since']} to {table['until']}" if table["since"] else ""
        lines.append(f"  {name}{count(table['rows'])} rows, {len(columns)} columns{covers}")
        for one in columns:
            unit = f" in {plain(one['unit'])}" if one["unit"] else ""
            examples = ", ".join(json.loads(one["examples"])[:3])
            lines.append(f"    {plain(one['name'])}: {one['kind']}{unit}: {plain(examples)[:60]}")
    return _say(json_, value, lines)


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
    of an id is the first table of that file, with _2 behind it the second; a view of union or join
    is called by its name.

    Example: filon catalog sql "SELECT format, count(*) FROM files GROUP BY 1"
    """
    from filon.catalog.query import sql as ask  # DuckDB and pyarrow are extras, and slow to load

    with _opened(folder) as opened:
        answer = ask(opened, query)
    if out is not None:
        _write(answer, out)
        typer.echo(json.dumps({"out": str(out), "rows": answer.num_rows}) if json_ else out)
        return 0
    return _say(json_, {"rows": answer.to_pylist()} if json_ else {}, _grid(answer))


@catalog.command()
def similar(id: Id, folder: Folder = RUNS, json_: o.Json = False) -> int:
    """Tell which tables go with one: by values of a column (join), or by equal columns (union).

    Example: filon catalog similar 3fa2b8
    """
    with _opened(folder) as opened:
        file = opened.find(id)["file"]
        joins, unions = joinable(opened, file), unionable(opened, file)
    value = {"joins": [asdict(one) for one in joins], "unions": [asdict(one) for one in unions]}
    lines = ["The same columns (union):"] if unions else []
    for union in unions:
        shown = plain(", ".join(union.columns))[:60]
        lines.append(f"  {union.id[:12]}  {union.shared:4.0%} of the columns: {shown}")
    lines += ["The same values (join):"] if joins else []
    for join in joins:
        pair = f"{plain(join.column)} = {plain(join.other)}"
        lines.append(f"  {join.id[:12]}  about {join.overlap:4.0%} of the values: {pair[:60]}")
    return _say(json_, value, lines or ["No other table goes with it."])


Made = Annotated[
    Path | None, typer.Option("--out", metavar="FILE", help="The table to write: .csv or .parquet.")
]
Named = Annotated[
    str,
    typer.Option("--as", metavar="NAME", help="Keep it as a view for filon catalog sql."),
]


@catalog.command()
def union(
    ids: Annotated[list[str], typer.Argument(metavar="ID…", help="Of two files or more.")],
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
    id: Id,
    other: Annotated[str, typer.Argument(metavar="ID", help="Of the file to join with it.")],
    out: Made = None,
    named: Named = "",
    on: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN", help="Of both, or twice, of each; else the best pair."),
    ] = None,
    folder: Folder = RUNS,
    json_: o.Json = False,
) -> int:
    """Put the columns of a second table beside those of the first, where a column is equal.

    Example: filon catalog join 3fa2b8 77c01d --out both.parquet
    """
    if on and len(on) > 2:
        raise UserError("--on names a column of both, or one of each: not more than two.")
    return _make(folder, View("join", (id, other), tuple(on or ())), out, named, json_)


@catalog.command()
def export(
    ids: Annotated[
        list[str] | None, typer.Argument(metavar="[ID]…", help="Of files; by default all are.")
    ] = None,
    to: Annotated[
        str,
        typer.Option(
            metavar="FORMAT", help="frictionless; or csv, jsonl, parquet: a list of them."
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
    name = name and checked(name)
    with _opened(folder) as opened:
        view = replace(view, ids=tuple(str(opened.find(id)["id"]) for id in view.ids))
        made = combined(opened, view)
        if out is not None:
            _write(made, out)
        if name:
            Views(opened.folder).keep(name, view)
    value = {"out": str(out or ""), "as": name, "rows": made.num_rows, "columns": made.schema.names}
    shape = f"{count(made.num_rows)} rows, {len(made.schema.names)} columns"
    return _say(json_, value, [f"{one}: {shape}" for one in (out, name) if one])


def _say(json_: bool, value: dict[str, Any], lines: list[str]) -> int:
    """Print what was found, as an object for programs or as lines for people."""
    typer.echo(json.dumps(value, ensure_ascii=False, default=str) if json_ else "\n".join(lines))
    return 0


def _opened(folder: Path) -> CatalogStore:
    """Open the catalog of a folder, with all that is new in its runs."""
    opened = CatalogStore(folder)

    def watch(run: Path) -> None:
        if sys.stderr.isatty():
            print(f"taking in {plain(str(run))} …", file=sys.stderr)

    for problem in opened.update(watch):
        print(f"filon: left out {plain(problem)}", file=sys.stderr)
    return opened


def _results(results: Results) -> list[str]:
    lines = [
        f"No file has {plain(word)}: searched for {plain(term)}."
        for word, term in results.corrected.items()
    ]
    if not results.hits:
        return [*lines, "No file is about that."]
    lines += [line for hit in results.hits for line in _hit(hit)]
    shown = f", {len(results.hits)} shown" if len(results.hits) < results.total else ""
    lines.append(f"{count(results.total)} files{shown}")
    for name, values in results.facets.items():
        if len(values) > 1:
            lines.append(f"  {name}: " + ", ".join(f"{plain(v)} ({count(n)})" for v, n in values))
    return lines


def _hit(hit: Hit) -> list[str]:
    covers = f", {hit.since} to {hit.until}" if hit.since else ""
    rows = f", {count(hit.rows)} rows" if hit.rows else ""
    why = "; ".join(f"{' '.join(words)} in its {name}" for name, words in hit.why.items())
    return [
        f"{hit.id[:12]}  {plain(hit.title)}",
        f"              {plain(hit.site)}, {hit.format}{rows}{covers}; {plain(why)}",
    ]


def _column(one: Any) -> dict[str, Any]:
    value = {key: one[key] for key in one.keys() if key not in ("table", "sketch", "number")}  # noqa: SIM118
    value["examples"] = json.loads(value["examples"])
    return value


def _write(answer: Any, out: Path) -> None:
    from pyarrow import csv, parquet

    if not out.parent.is_dir():
        raise UserError(f"There is no folder {out.parent}.")
    if out.suffix == ".csv":
        csv.write_csv(answer, out)
    elif out.suffix == ".parquet":
        parquet.write_table(answer, out)
    else:
        raise UserError(f"{out} is neither .csv nor .parquet.")


def _grid(answer: Any, most: int = 50, widest: int = 40) -> list[str]:
    """Return a table for a terminal: its first rows, its cells cut."""
    names = [str(name) for name in answer.schema.names]
    rows = [
        ["" if cell is None else plain(str(cell)) for cell in row.values()]
        for row in answer.slice(0, most).to_pylist()
    ]
    cells = [[cell[:widest] for cell in row] for row in [names, *rows]]
    widths = [max(len(row[n]) for row in cells) for n in range(len(names))]
    lines = [
        "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    ]
    if answer.num_rows > most:
        lines.append(f"{count(answer.num_rows)} rows, {most} shown: --out FILE writes all")
    return lines
