"""What the pages of the catalog share: the catalog, the sandbox, pieces that are pages too."""

import asyncio
from collections.abc import Sequence
from typing import Any

from aiohttp import web

from filon.catalog.open_catalog import OpenCatalog
from filon.catalog.sandbox import Sandbox
from filon.run.export import EXPORTS
from filon.serve.home import HOME
from filon.serve.page import fragment, page

CATALOG = web.AppKey("catalog", OpenCatalog)
SANDBOX = web.AppKey("sandbox", Sandbox)
DOWNLOADS = web.AppKey("downloads", asyncio.Semaphore)
EXPORTING = web.AppKey("exporting", asyncio.Semaphore)
#: Downloads at the same time: each holds some rows in memory.
_AT_ONCE = 4


def set_up(app: web.Application) -> None:
    """Give an application its catalog."""
    folder = app[HOME].folder
    app[CATALOG], app[SANDBOX] = OpenCatalog(folder), Sandbox(folder)
    app[DOWNLOADS], app[EXPORTING] = asyncio.Semaphore(_AT_ONCE), asyncio.Semaphore(1)
    app.on_cleanup.append(_close)


async def _close(app: web.Application) -> None:
    app[SANDBOX].close()
    app[CATALOG].close()


async def piece(
    request: web.Request,
    template: str,
    title: str,
    back: str,
    command: Sequence[str] = (),
    **values: Any,
) -> web.Response:
    """Return a piece of a page for htmx, and for who comes without script a page with it alone.

    back: the address of the page that it belongs to. command: that does the same in a shell.
    """
    if "HX-Request" in request.headers:
        return await fragment(request, template, alone=False, **values)
    shown: dict[str, Any] = {"piece": template, "heading": title, "back": back, "alone": True}
    return await page(request, "look/piece.html", command=command, **shown, **values)


def number(request: web.Request, name: str, default: int = 0, most: int = 2**31) -> int:
    """Return a whole number of an address; the default where it is none."""
    text = request.query.get(name, "")
    return min(int(text), most) if text.isascii() and text.isdecimal() else default


def formats() -> dict[str, str]:
    """Return the formats that hold data sets, by name, with what a file's name ends with."""
    every = EXPORTS.sound().items()
    return {name: one.ending for name, one in every if one.kind == "datasets"}
