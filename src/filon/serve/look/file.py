"""The pages of one file: its profile, rows, charts, map, way, versions, and what goes with it."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from aiohttp import web

from filon.catalog.grid import ROWS, Grid
from filon.core import FilonError, UserError
from filon.core.background import in_thread
from filon.serve.home import HOME
from filon.serve.look import about as told
from filon.serve.look import sheet as sheets
from filon.serve.look.about import About
from filon.serve.look.area import CATALOG, formats, number, piece
from filon.serve.look.charts import Chart, chart, connected
from filon.serve.look.charts import told as told_of
from filon.serve.look.download import file_name
from filon.serve.look.map import Map, map_of
from filon.serve.look.sheet import Sheet, attached
from filon.serve.page import page
from filon.serve.words import t

routes = web.RouteTableDef()
_AT = "/catalog/files/{id}"
#: How long pictures are drawn before those that are done are sent, and the others asked for.
_DRAWING_S = 0.06


async def _about(request: web.Request) -> About:
    id, table = request.match_info["id"], max(1, number(request, "table", 1))
    return await request.app[CATALOG].ask(lambda store: told.about(store, id, table))


def _sheet(request: web.Request, found: About, table: told.Table, path: Path) -> Sheet:
    more = f"table={table.number}" if table.number > 1 else ""
    name = f" {table.name}" if len(found.tables) > 1 else ""
    query = f"SELECT * FROM {table.sql} LIMIT {ROWS}"
    return Sheet(
        path=path,
        title=f"{found.file['title']}{name}",
        address=found.address,
        page=found.address + (f"?{more}" if more else ""),
        command=["filon", "catalog", "sql", query, "--in", str(request.app[HOME].folder)],
        more=more,
    )


async def _ready(request: web.Request, found: About, wait_s: float | None = None) -> Sheet | None:
    """Return the table that is looked at; None while it is being read."""
    if found.table is None:
        raise UserError(t("file.no_table"))
    catalog = request.app[CATALOG]
    waiting = {} if wait_s is None else {"wait_s": wait_s}
    path = await catalog.table(found.id, found.table.number, **waiting)
    return _sheet(request, found, found.table, path) if path else None


async def _waited(request: web.Request, found: About) -> Sheet:
    """Return the table that is looked at, for who wants it and nothing else."""
    sheet = await _ready(request, found, 30.0)
    if sheet is None:
        raise UserError(t("file.reading"))
    return sheet


@routes.get(_AT)
async def file(request: web.Request) -> web.Response:
    """Show a file."""
    found = await _about(request)
    return await page(
        request,
        "look/file.html",
        command=_show(request, found),
        formats=list(formats()),
        **await _rows(request, found),
    )


def _show(request: web.Request, found: About) -> list[str]:
    """Return the command line that shows the profile of a file."""
    number = found.table.number if found.table else 1
    short = found.id[:12] + (f"#{number}" if number > 1 else "")
    return ["filon", "catalog", "show", short, "--in", str(request.app[HOME].folder)]


async def _rows(request: web.Request, found: About) -> dict[str, Any]:
    """Return the rows that a page shows, or why there are none."""
    values: dict[str, Any] = {"about": found, "sheet": None, "window": None, "problem": ""}
    if found.table is None or found.path is None:
        return values
    try:
        sheet = await _ready(request, found)
    except FilonError as error:
        return {**values, "problem": str(error)}
    if sheet is None:
        return values
    window = await sheets.window(request, sheet)
    parts = sheets.column_pages(window)
    return {**values, "sheet": sheet, "window": window, "parts": parts}


@routes.get(f"{_AT}/grid")
async def grid(request: web.Request) -> web.Response:
    """Show the rows, or that they are being read."""
    found = await _about(request)
    values = await _rows(request, found)
    values["command"] = values["sheet"].command if values["sheet"] else _show(request, found)
    return await piece(request, "look/rows.html", t("file.rows"), found.address, **values)


@routes.get(f"{_AT}/rows")
async def rows(request: web.Request) -> web.Response:
    """Answer with some rows."""
    return await sheets.rows(request, await _waited(request, await _about(request)))


@routes.get(f"{_AT}/rows/{{row:\\d{{1,9}}}}")
async def row(request: web.Request) -> web.Response:
    """Show one row."""
    sheet = await _waited(request, await _about(request))
    return await sheets.row(request, sheet, int(request.match_info["row"]) - 1)


@routes.get(f"{_AT}/download")
async def download(request: web.Request) -> web.StreamResponse:
    """Send a table of the file."""
    return await sheets.download(request, await _waited(request, await _about(request)))


@routes.get(f"{_AT}/original")
async def original(request: web.Request) -> web.StreamResponse:
    """Send the file as it came."""
    found = await _about(request)
    if found.path is None:
        raise UserError(t("file.gone"))
    name = file_name(found.sightings[0]["name"] or found.file["title"], "")
    headers = {**attached(name), "Content-Type": "application/octet-stream"}
    return web.FileResponse(found.path, headers=headers)


@routes.get(f"{_AT}/charts")
async def charts(request: web.Request) -> web.Response:
    """Show pictures of the columns, as many as are drawn soon; the page asks for the others."""
    found = await _about(request)
    first = number(request, "from")
    sheet = await _ready(request, found)
    drawn: list[tuple[str, Chart, str]] = []
    after = first
    if sheet:
        drawn, after = await request.app[CATALOG].known(
            ("charts", found.id, sheet.more, first), lambda _: _drawn(found, sheet, first)
        )
    values: dict[str, Any] = {
        "about": found,
        "drawn": drawn,
        "first": first,
        "after": after,
        "ready": bool(sheet),
        "command": _show(request, found),
    }
    return await piece(request, "look/charts.html", t("file.charts"), found.address, **values)


def _drawn(found: About, sheet: Sheet, first: int) -> tuple[list[tuple[str, Chart, str]], int]:
    """Return pictures from a column on, and the column after the last; 0 where that was all."""
    described: Sequence[told.Described] = found.table.columns if found.table else ()
    columns = described[: told.MOST_COLUMNS]
    drawn: list[tuple[str, Chart, str]] = []
    grid = Grid(sheet.path)
    if len(grid.names) != len(described):
        return [], 0
    with connected() as connection:
        began_s = time.thread_time()
        for place in range(first, len(columns)):
            column = columns[place].column
            kind, name = grid.kinds[place], grid.names[place]
            made = chart(connection, sheet.path, name, kind, column.distinct)
            if made:
                drawn.append((column.name, made, told_of(column.name, made)))
            if time.thread_time() - began_s > _DRAWING_S:
                return drawn, place + 1 if place + 1 < len(columns) else 0
    return drawn, 0


@routes.get(f"{_AT}/map")
async def map(request: web.Request) -> web.Response:
    """Show where the rows are."""
    found = await _about(request)
    sheet = await _ready(request, found)
    drawn: Map | None = None
    if sheet:
        drawn = await request.app[CATALOG].known(
            ("map", found.id, sheet.more), lambda _: _mapped(found, sheet)
        )
    values: dict[str, Any] = {"about": found, "map": drawn, "ready": bool(sheet)}
    values["command"] = _show(request, found)
    return await piece(request, "look/map.html", t("file.map"), found.address, **values)


def _mapped(found: About, sheet: Sheet) -> Map | None:
    if found.table is None:
        return None
    columns = [one.column for one in found.table.columns]
    with connected() as connection:
        return map_of(connection, sheet.path, Grid(sheet.path).names, columns, found.table.box)


@routes.get(f"{_AT}/way")
async def way(request: web.Request) -> web.Response:
    """Show the pages that led to it."""
    found = await _about(request)
    folder = request.app[HOME].folder
    ways = await in_thread(told.ways, folder, found)
    first = found.sightings[0]
    command = ["filon", "why", str(folder / first["run"]), first["url"]]
    values: dict[str, Any] = {"about": found, "ways": ways, "command": command}
    return await piece(request, "look/way.html", t("file.way"), found.address, **values)


@routes.get(f"{_AT}/similar")
async def similar(request: web.Request) -> web.Response:
    """Show tables that go with it, or with the one of its tables that is looked at."""
    found = await _about(request)
    table = found.table.number if found.table and len(found.tables) > 1 else None
    alike = await request.app[CATALOG].found(
        ("similar", found.id, table), lambda store: told.similar(store, found.id, table)
    )
    unions, joins = alike or ((), ())
    folder = str(request.app[HOME].folder)
    short = found.id[:12] + (f"#{table}" if table else "")
    command = ["filon", "catalog", "similar", short, "--in", folder]
    values: dict[str, Any] = {"about": found, "unions": unions, "joins": joins, "command": command}
    values["ready"] = alike is not None
    values["address"] = f"{found.address}/similar" + (f"?table={table}" if table else "")
    return await piece(request, "look/similar.html", t("file.similar"), found.address, **values)


@routes.get(f"{_AT}/since/{{old}}")
async def difference(request: web.Request) -> web.Response:
    """Show how it differs from another version."""
    found = await _about(request)
    catalog = request.app[CATALOG]
    old = await catalog.ask(lambda store: store.find(request.match_info["old"])["id"])
    changed = await catalog.difference(old, found.id)
    run = found.sightings[0]["run"].partition("/")[0]  # rounds lie in the folder of their run
    command = ["filon", "diff", str(request.app[HOME].folder / run)]
    values: dict[str, Any] = {"about": found, "old": old, "changed": changed, "command": command}
    return await piece(request, "look/difference.html", t("file.changed"), found.address, **values)
