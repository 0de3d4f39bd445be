"""Rows as a person turns them over, and takes them home: of files, and of answers to questions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote

from aiohttp import web

from filon.catalog.grid import COLUMNS, ROWS, Grid, Window
from filon.core.background import in_thread
from filon.serve.look.area import DOWNLOADS, number
from filon.serve.look.download import TYPES, check, file_name, pieces
from filon.serve.page import page


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A table as Parquet that is looked at.

    address: of its rows and downloads. more: what stands in their query. page: where it is shown.
    command: that does the same in a shell.
    """

    path: Path
    title: str
    address: str
    page: str
    command: Sequence[str] = ()
    more: str = ""

    def at(self, part: str, **query: object) -> str:
        """Return the address of a part of it: rows, download."""
        said = "&".join([*filter(None, [self.more]), *(f"{n}={v}" for n, v in query.items())])
        return f"{self.address}/{part}" + (f"?{said}" if said else "")

    def turned(self, first: int, column: int) -> str:
        """Return the address of the page that shows it from a row and a column on."""
        sign = "&" if "?" in self.page else "?"
        return f"{self.page}{sign}first={max(0, first)}&column={max(0, column)}#rows"

    def query(self) -> list[tuple[str, str]]:
        """Return what the address of the page says besides."""
        return parse_qsl(self.page.partition("?")[2])


async def window(request: web.Request, sheet: Sheet, rows: int = ROWS) -> Window:
    """Return the rows that an address asks for."""
    first = number(request, "first") or max(0, number(request, "row") - 1)
    column = number(request, "column")
    return await in_thread(lambda: Grid(sheet.path).window(first, rows, column))


async def rows(request: web.Request, sheet: Sheet) -> web.Response:
    """Answer with some rows, for the script of the grid."""
    found = await window(request, sheet, max(1, number(request, "rows", ROWS, ROWS)))
    return web.json_response({"first": found.first, "rows": found.rows, "total": found.total})


async def row(request: web.Request, sheet: Sheet, place: int) -> web.Response:
    """Show one row as a whole."""
    cells = await in_thread(lambda: Grid(sheet.path).row(place))
    total = await in_thread(lambda: Grid(sheet.path).total)
    values: dict[str, Any] = {"cells": cells, "place": place, "total": total, "rows": ROWS}
    return await page(request, "look/row.html", command=sheet.command, sheet=sheet, **values)


async def download(request: web.Request, sheet: Sheet) -> web.StreamResponse:
    """Send a table as a file, piece by piece."""
    ending = request.query.get("as", "csv")
    await in_thread(check, sheet.path, ending)
    made = pieces(sheet.path, ending, sheet.title)
    return await sent(request, file_name(sheet.title, ending), TYPES[ending], made)


async def sent(
    request: web.Request, name: str, mime: str, made: Iterator[bytes]
) -> web.StreamResponse:
    """Send a file to be kept, piece by piece. name: under which."""
    answer = web.StreamResponse(headers=attached(name))
    answer.content_type = mime
    async with request.app[DOWNLOADS]:
        await answer.prepare(request)
        while (part := await in_thread(_next, made)) is not None:
            if part:  # what is packed comes when there is enough of it
                await answer.write(part)
    await answer.write_eof()
    return answer


def _next(made: Iterator[bytes]) -> bytes | None:
    return next(made, None)


def attached(name: str) -> dict[str, str]:
    """Return the headers that make a browser keep a file, and never show it as a page."""
    plain = name.encode("ascii", "replace").decode().replace("?", "_")
    said = f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name)}"
    return {"Content-Disposition": said, "Content-Security-Policy": "sandbox; default-src 'none'"}


def column_pages(found: Window) -> list[int]:
    """Return the first column of each part of a wide table."""
    return list(range(0, found.width, COLUMNS)) if found.width > COLUMNS else []
