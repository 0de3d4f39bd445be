"""The catalog in the API: search, one file, its rows, what goes with it, SQL, downloads."""

from dataclasses import asdict, dataclass
from typing import Annotated, Any, Literal

from aiohttp import web

from filon.catalog.address import names_table
from filon.catalog.grid import ROWS, Grid
from filon.catalog.sandbox import Made
from filon.catalog.search import Hit, Results, search
from filon.catalog.similar import Joinable, Unionable
from filon.catalog.views import View
from filon.core import UserError
from filon.core.background import in_thread
from filon.serve.api.operation import Between, Call, Limit, Offset, Operations
from filon.serve.look import ask
from filon.serve.look import sheet as sheets
from filon.serve.look.about import About, about, similar
from filon.serve.look.area import CATALOG, SANDBOX
from filon.serve.look.download import TYPES
from filon.serve.look.find import Question
from filon.serve.look.handing import handed
from filon.serve.look.sheet import Sheet
from filon.serve.words import t

operations = Operations("catalog")

Id = Annotated[str, "Of a file, or the first letters of it; ID#2 or ID:NAME of a table of it."]
Table = Annotated[int, "Which table of the file, from 1 on.", Between(1, 100_000)]
AnyTable = Annotated[
    int, "Which table of the file, from 1 on; without it all are meant.", Between(0, 100_000)
]
Rows = Annotated[int, "Tell so many rows at most.", Between(1, ROWS)]
Column = Annotated[int, "The first column that is told, from 0 on.", Between(0, 100_000)]
#: How long a call waits for a file that is read for the first time.
_PATIENCE_S = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class FileList:
    """Files, the best first; how many there are in all; values to narrow it by, with numbers."""

    total: int
    files: list[Hit]
    facets: dict[str, dict[str, int]]
    corrected: dict[str, str]
    unknown: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileShown:
    """What is known of a file: its profile, where it was found, its versions."""

    id: str
    title: str
    format: str
    size_bytes: int
    problem: str
    tables: list[dict[str, Any]]
    columns: list[dict[str, Any]]
    places: list[dict[str, Any]]
    versions: list[dict[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class RowList:
    """Rows of a table as text, from one on. first: from 0 on. width: how many columns it has."""

    total: int
    first: int
    width: int
    columns: list[str]
    rows: list[list[str | None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Similar:
    """Tables to put below that of a file (unions), and to put beside it (joins)."""

    unions: list[Unionable]
    joins: list[Joinable]


@dataclass(frozen=True, slots=True, kw_only=True)
class SqlAnswer:
    """The answer to a query. is_whole: there were no more rows; answer: where to download it."""

    total: int
    is_whole: bool
    seconds: float
    answer: str
    columns: list[str]
    rows: list[list[str | None]]


@operations.get("/catalog/files")
async def search_files(
    call: Call,
    words: Annotated[str, "What the files are to be about; without any it is all of them."] = "",
    site: Annotated[str, "Only files of this host."] = "",
    format: Annotated[str, "Only files of this format, as csv."] = "",
    year: Annotated[str, "Only tables that cover this year."] = "",
    place: Annotated[str, "Only tables that name this place."] = "",
    licence: Annotated[str, "Only files under this licence."] = "",
    run: Annotated[str, "Only files of this run."] = "",
    sort: Annotated[str, "The order, as newest or title; without it the best come first."] = "",
    offset: Offset = 0,
    limit: Limit = 20,
) -> FileList:
    """Find files by titles, headings, column names and values, with why."""
    catalog = call.app[CATALOG]
    catalog.take_in()
    facets = {"site": site, "format": format, "year": year, "place": place, "licence": licence}
    found = Results()
    if not catalog.is_empty:
        order = sort or ("" if words else "newest")
        found = await catalog.search(
            lambda store: search(store, words, facets, limit, skip=offset, run=run, sort=order)
        )
    return FileList(
        total=found.total,
        files=found.hits,
        facets={name: dict(values) for name, values in found.facets.items()},
        corrected=found.corrected,
        unknown=found.unknown,
    )


@operations.get("/catalog/files/{id}")
async def show_file(call: Call, id: Id, table: Table = 1) -> FileShown:
    """Tell what is known of a file, and of the columns of one of its tables."""
    found = await _about(call, id, table)
    return FileShown(
        **{name: found.file[name] for name in ("id", "title", "format", "size_bytes", "problem")},
        tables=[{"number": number, "name": name} for number, name in found.tables],
        columns=[asdict(one.column) for one in found.table.columns] if found.table else [],
        places=[_named(row) for row in found.sightings],
        versions=[asdict(one) for one in found.versions],
    )


@operations.get("/catalog/files/{id}/similar")
async def similar_files(call: Call, id: Id, table: AnyTable = 0) -> Similar:
    """Tell which tables go with those of a file, or with one of them."""
    found = await _about(call, id, table or 1)
    one = found.number if table or names_table(id) else None
    unions, joins = await call.app[CATALOG].known(
        ("similar", found.id, one), lambda store: similar(store, found.id, one)
    )
    return Similar(unions=unions, joins=joins)


@operations.get("/catalog/files/{id}/rows")
async def list_rows(
    call: Call, id: Id, table: Table = 1, offset: Offset = 0, limit: Rows = 100, column: Column = 0
) -> RowList:
    """Tell some rows of a table, and up to a hundred columns, from one on."""
    sheet = await _sheet(call, id, table)
    window = await in_thread(lambda: Grid(sheet.path).window(offset, limit, column))
    return RowList(
        total=window.total,
        first=window.first,
        width=window.width,
        columns=list(window.names),
        rows=[list(row) for row in window.rows],
    )


@operations.get("/catalog/files/{id}/download")
async def download_table(
    call: Call,
    id: Id,
    table: Table = 1,
    as_: Annotated[Literal["csv", "xlsx", "parquet"], "The format."] = "csv",
) -> Annotated[web.StreamResponse, *TYPES.values()]:
    """Send a table of a file as CSV, as a workbook for Excel, or as Parquet."""
    return await sheets.download(call.request, await _sheet(call, id, table))


@operations.post("/catalog/sql")
async def query_catalog(
    call: Call,
    query: Annotated[str, "In DuckDB's SQL: read-only, without files and network, for a while."],
    limit: Rows = 100,
) -> SqlAnswer:
    """Ask the catalog and any table of it in SQL.

    The tables are files, sightings, tables, columns and views; f_ and the first six or more letters
    of an id is the first table of that file.
    """
    if call.app[CATALOG].is_empty:
        raise UserError(t("api.empty"))
    return await _answer(await ask.ask(call.request, query), limit)


@operations.post("/catalog/combine")
async def combine_tables(
    call: Call,
    how: Annotated[Literal["union", "join"], "Below each other, or side by side."],
    ids: Annotated[list[str], "Of the files; two for a join."],
    on: Annotated[list[str], "The columns of a join, as a or a=b; without them the best."] = [],  # noqa: B006 - it is not changed
    limit: Rows = 100,
) -> SqlAnswer:
    """Put tables together, below each other or side by side."""
    if call.app[CATALOG].is_empty:
        raise UserError(t("api.empty"))
    asked = View(how, tuple(ids[: ask.MOST_FILES]), tuple(on))
    view, _ = await call.app[CATALOG].ask(lambda store: ask.whole(store, asked))
    return await _answer(await ask.combined(call.request, view), limit)


async def _answer(made: Made, limit: int) -> SqlAnswer:
    window = await in_thread(lambda: Grid(made.path).window(0, limit))
    return SqlAnswer(
        total=made.rows,
        is_whole=made.is_whole,
        seconds=round(made.seconds, 3),
        answer=f"/api/catalog/answers/{made.key}",
        columns=list(window.names),
        rows=[list(row) for row in window.rows],
    )


@operations.get("/catalog/answers/{key}")
async def download_answer(
    call: Call,
    key: Annotated[str, "As the answer to a query tells it."],
    as_: Annotated[Literal["csv", "xlsx", "parquet"], "The format."] = "csv",
) -> Annotated[web.StreamResponse, *TYPES.values()]:
    """Send the answer to a query as CSV, as a workbook for Excel, or as Parquet."""
    made = call.app[SANDBOX].made(key)
    sheet = Sheet(path=made.path, title=t("sql.answer"), address="", page="")
    return await sheets.download(call.request, sheet)


@operations.get("/catalog/export/{format}")
async def export_files(
    call: Call,
    format: Annotated[str, "As `filon catalog export --to` has it: frictionless, duckdb."],
    id: Annotated[list[str], "Of files; without any, those that the words find."] = [],  # noqa: B006 - it is not changed
    words: Annotated[str, "What the files are to be about."] = "",
) -> Annotated[web.StreamResponse, "application/octet-stream"]:
    """Hand files on in a format of other tools; a folder as a zip file."""
    return await handed(call.request, format, id, Question(words=words))


async def _about(call: Call, id: str, table: int) -> About:
    return await call.app[CATALOG].ask(lambda store: about(store, id, table))


async def _sheet(call: Call, id: str, table: int) -> Sheet:
    found = await _about(call, id, table)
    path = await call.app[CATALOG].table(found.id, found.number, _PATIENCE_S)
    if path is None:
        raise UserError(t("file.reading"))
    return Sheet(path=path, title=found.file["title"], address="", page="")


def _named(row: Any) -> dict[str, Any]:
    """Return what was seen of a file at one place, by name; the run as its folder is called."""
    names = ("run", "url", "name", "parent", "licence", "modified")
    return {name: row[name] for name in names}
