"""Questions in SQL, and tables put together: asked in the sandbox, shown as files are."""

from typing import Any, Literal
from urllib.parse import urlencode

from aiohttp import web

from filon.catalog import sandbox as sandboxes
from filon.catalog.address import find_table
from filon.catalog.sandbox import LONGEST, SECONDS, Made
from filon.catalog.store import CatalogStore
from filon.catalog.views import View, Views, checked
from filon.core import FilonError, UserError
from filon.core.background import in_thread
from filon.serve.home import HOME
from filon.serve.look import sheet as sheets
from filon.serve.look.area import CATALOG, SANDBOX
from filon.serve.look.sheet import Sheet
from filon.serve.page import page
from filon.serve.words import t

routes = web.RouteTableDef()
#: Files that are put together at the same time.
MOST_FILES = 20
#: How long a question waits for the files that it is about.
_PATIENCE_S = 20.0
#: What the box proposes.
FIRST = "SELECT format, count(*) AS files, sum(rows) AS rows\nFROM files GROUP BY 1 ORDER BY 2 DESC"


def _sheet(request: web.Request, made: Made) -> Sheet:
    folder = str(request.app[HOME].folder)
    if isinstance(made.asked, View):
        shown, command = f"/catalog/combine?{urlencode(_said(made.asked))}", _making(made.asked)
        title = " ".join([t(f"combine.{made.asked.how}"), *map(_short, made.asked.ids)])
    else:
        shown = f"/catalog/sql?{urlencode({'q': made.asked})}"
        command, title = ["filon", "catalog", "sql", made.asked], t("sql.answer")
    return Sheet(
        path=made.path,
        title=title,
        address=f"/catalog/answers/{made.key}",
        page=shown,
        command=[*command, "--in", folder],
    )


def _making(view: View) -> list[str]:
    """Return the command line that puts tables together, but for the folder."""
    on = [part for column in view.on for part in ("--on", column)]
    ids = map(_short, view.ids)
    return ["filon", "catalog", view.how, *ids, *on, "--out", f"{view.how}.parquet"]


def _short(id: str) -> str:
    """Return the address of a table with the first letters of its id."""
    id, sign, table = id.partition("#")
    return f"{id[:12]}{sign}{table}"


async def _read(request: web.Request, ids: list[str]) -> None:
    """Wait until files are read; an error that says so where that takes long."""
    for id in ids:
        if await request.app[CATALOG].tables(id, _PATIENCE_S) is None:
            raise UserError(t("sql.reading"))


async def ask(request: web.Request, query: str) -> Made:
    """Return the answer to a question."""
    catalog, sandbox = request.app[CATALOG], request.app[SANDBOX]
    made = await sandboxes.ask(sandbox, catalog, query, _PATIENCE_S)
    if made is None:
        raise UserError(t("sql.reading"))
    return made


@routes.get("/catalog/sql")
async def sql(request: web.Request) -> web.Response:
    """Show the box for a question, and its answer."""
    query = request.query.get("q", "").strip().replace("\r\n", "\n")  # as forms send lines
    catalog = request.app[CATALOG]
    values: dict[str, Any] = {"made": None, "sheet": None, "problem": ""}
    if query and not catalog.is_empty:
        try:
            values |= await _shown(request, await ask(request, query))
        except FilonError as error:
            values["problem"] = str(error)
    else:
        request.app[SANDBOX].warm()
    names = [] if catalog.is_empty else await in_thread(lambda: list(Views(catalog.folder)))
    query = query or FIRST
    return await page(
        request,
        "look/sql.html",
        command=["filon", "catalog", "sql", query, "--in", str(request.app[HOME].folder)],
        query=query,
        views=names,
        longest=LONGEST,
        seconds=int(SECONDS),
        **values,
    )


async def _shown(request: web.Request, made: Made) -> dict[str, Any]:
    sheet = _sheet(request, made)
    window = await sheets.window(request, sheet)
    parts = sheets.column_pages(window)
    return {"made": made, "sheet": sheet, "window": window, "parts": parts}


def _view(request: web.Request) -> View:
    how: Literal["union", "join"] = "join" if request.query.get("how") == "join" else "union"
    ids = tuple(request.query.getall("id", []))[:MOST_FILES]
    return View(how, ids, tuple(request.query.getall("on", [])))


def whole(store: CatalogStore, view: View) -> tuple[View, list[tuple[str, str]]]:
    """Return a view with whole ids, and the id and title of each file."""
    if len(view.ids) < 2 or (view.how == "join" and len(view.ids) != 2):
        raise UserError(t("combine.two"))
    tables = [find_table(store, id) for id in view.ids]
    titles = [(one.short, store.find(one.id)["title"]) for one in tables]
    return View(view.how, tuple(one.whole for one in tables), view.on), titles


async def combined(request: web.Request, view: View) -> Made:
    """Return tables put together. view: with whole ids."""
    catalog, sandbox = request.app[CATALOG], request.app[SANDBOX]
    await _read(request, [id.partition("#")[0] for id in view.ids])
    return await sandbox.beside(lambda: sandbox.combine(view, catalog.stamp))


@routes.get("/catalog/combine")
async def combine(request: web.Request) -> web.Response:
    """Show tables below each other, or side by side."""
    catalog = request.app[CATALOG]
    view, titles = await catalog.ask(lambda store: whole(store, _view(request)))
    values: dict[str, Any] = {"made": None, "sheet": None, "problem": ""}
    try:
        values |= await _shown(request, await combined(request, view))
    except FilonError as error:
        values["problem"] = str(error)
    return await page(
        request,
        "look/combine.html",
        command=[*_making(view), "--in", str(request.app[HOME].folder)],
        view=view,
        said=_said(view),
        titles=titles,
        **values,
    )


def _said(view: View) -> list[tuple[str, str]]:
    ids, on = (("id", id) for id in view.ids), (("on", column) for column in view.on)
    return [("how", view.how), *ids, *on]


@routes.post("/catalog/views")
async def keep(request: web.Request) -> web.Response:
    """Keep a table that was put together, by a name, for questions."""
    form = await request.post()
    catalog = request.app[CATALOG]
    how: Literal["union", "join"] = "join" if form.get("how") == "join" else "union"
    ids, on = (tuple(str(value) for value in form.getall(name, [])) for name in ("id", "on"))
    view, _ = await catalog.ask(lambda store: whole(store, View(how, ids[:MOST_FILES], on)))
    name = await in_thread(checked, str(form.get("name", "")))
    await in_thread(lambda: Views(catalog.folder).keep(name, view))
    query = urlencode({"q": f"SELECT * FROM {name} LIMIT 1000"})
    raise web.HTTPSeeOther(f"/catalog/sql?{query}")


@routes.post("/catalog/views/drop")
async def drop(request: web.Request) -> web.Response:
    """Forget a view."""
    name = str((await request.post()).get("name", ""))
    await in_thread(lambda: Views(request.app[CATALOG].folder).drop(name))
    raise web.HTTPSeeOther("/catalog/sql")


async def _answer(request: web.Request) -> Sheet:
    return _sheet(request, request.app[SANDBOX].made(request.match_info["key"]))


@routes.get("/catalog/answers/{key}/rows")
async def rows(request: web.Request) -> web.Response:
    """Answer with some rows."""
    return await sheets.rows(request, await _answer(request))


@routes.get("/catalog/answers/{key}/rows/{row:\\d{1,9}}")
async def row(request: web.Request) -> web.Response:
    """Show one row."""
    place = int(request.match_info["row"]) - 1
    return await sheets.row(request, await _answer(request), place)


@routes.get("/catalog/answers/{key}/download")
async def download(request: web.Request) -> web.StreamResponse:
    """Send an answer as a file."""
    return await sheets.download(request, await _answer(request))
