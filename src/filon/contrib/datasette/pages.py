"""The pages: the catalog of all files, the profile of one, and why it was found."""

import functools
import json
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import asdict
from typing import Any
from urllib.parse import urlencode

from datasette import Forbidden, Response
from datasette.utils import actor_matches_allow

from filon.catalog.search import FACETS, search
from filon.contrib.datasette.choices import allowed, choices, open_catalog, run_path
from filon.contrib.datasette.selection import JOBS, enriched_tables
from filon.core import FilonError, UserError
from filon.core.background import in_thread
from filon.page.url import split
from filon.run.listing import Entry, runs
from filon.run.text import plain, size, span
from filon.serve.look.about import About, about, ways
from filon.verbs.settle import settle

#: Hits of a page, runs that are listed, values of a facet.
HITS, RUNS_SHOWN, VALUES = 20, 25, 8
View = Callable[[Any, Any], Awaitable[Any]]


async def may_view(datasette: Any, actor: Any) -> bool:
    """Say whether somebody may see the pages: of those who may see the instance who is allowed."""
    if not await datasette.permission_allowed(actor, "view-instance", default=True):
        return False
    return bool(actor_matches_allow(actor, allowed(datasette)))


def _page(view: View) -> View:
    """Let only those see a page who may, and tell what is wrong in a sentence."""

    @functools.wraps(view)
    async def guarded(datasette: Any, request: Any) -> Any:
        if not await may_view(datasette, request.actor):
            raise Forbidden("You may not see what Filon has found.")
        try:
            return await view(datasette, request)
        except FilonError as error:
            status = 400 if isinstance(error, UserError) else 500
            if request.url_vars["form"]:
                return Response.json({"ok": False, "error": str(error)}, status=status)
            return await _shown(datasette, request, "problem", {"error": str(error)}, status)

    return guarded


async def _shown(
    datasette: Any, request: Any, name: str, told: dict[str, Any], status: int = 200
) -> Any:
    helpers = {"plain": plain, "weblink": _weblink, "path": datasette.urls.path}
    text = await datasette.render_template(f"filon_{name}.html", {**helpers, **told}, request)
    return Response.html(text, status=status)


def _weblink(url: str) -> str:
    """Return an address that a link may lead to; "" of any other scheme than the web's."""
    try:
        return url if split(url).scheme in ("http", "https") else ""
    except ValueError:
        return ""


@_page
async def catalog(datasette: Any, request: Any) -> Any:
    """Show the files of all runs, or those that some words and facets find."""
    chosen, held = choices(datasette), open_catalog(datasette)
    asked = {name: request.args.get(name) or "" for name in ("q", *FACETS)}
    skip = request.args.get("skip") or "0"
    skip = min(int(skip), 10**6) if skip.isascii() and skip.isdigit() else 0
    told: dict[str, Any] = {"folder": chosen.folder.name, "asked": asked, "skip": skip}
    if held.is_empty:
        return await _answered(datasette, request, "catalog", told | {"empty": True})
    held.take_in()
    facets = {name: asked[name] for name in FACETS}
    sort = "" if asked["q"] else "newest"
    found = await held.search(
        lambda store: search(store, asked["q"], facets, HITS, skip=skip, sort=sort)
    )
    more = {name: value for name, value in asked.items() if value}
    known = await in_thread(runs, chosen.folder)
    hidden = await _hidden(datasette, request.actor, [one.run.name for one in known])
    told |= {
        "total": found.total,
        "hits": [{**asdict(hit), "reason": hit.reason} for hit in found.hits],
        "facets": {name: values[:VALUES] for name, values in found.facets.items() if values},
        "corrected": found.corrected,
        "unknown": found.unknown,
        "taking_in": held.taking_in if held.taking_in not in hidden else "",
        "is_taking_in": held.is_taking_in,
        "problems": [one for one in held.problems if not any(run in one for run in hidden)],
        "runs": _told_runs([one for one in known if one.run.name not in hidden]),
        "next": f"?{urlencode(more | {'skip': skip + HITS})}" if found.total > skip + HITS else "",
        "narrowed": more,
    }
    return await _answered(datasette, request, "catalog", told)


def _told_runs(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    return [
        {
            "run": one.run.name,
            "verb": one.verb,
            "requests": one.requests,
            "finds": one.finds,
            "ending": one.ending,
        }
        for one in entries[:RUNS_SHOWN]
    ]


@_page
async def profile(datasette: Any, request: Any) -> Any:
    """Show what is in a file: its tables and columns, and where it was seen."""
    held = open_catalog(datasette)
    if held.is_empty:
        raise UserError(f"{held.folder.name} holds no run.")
    number = request.args.get("table") or "1"
    number = int(number) if number.isascii() and number.isdigit() and len(number) < 5 else 1
    found = await held.ask(lambda store: about(store, request.url_vars["id"], number))
    told = _told(found) | {
        "ways": [asdict(way) for way in await in_thread(ways, held.folder, found)]
    }
    return await _answered(datasette, request, "profile", told)


def _told(found: About) -> dict[str, Any]:
    """Return a file as plain data."""
    file, table = found.file, found.table
    told: dict[str, Any] = {name: file[name] for name in ("id", "title", "format", "size_bytes")}
    told |= {name: file[name] for name in ("problem", "detail", "encoding", "newer", "gone")}
    told["size"] = size(file["size_bytes"])
    told["tables"] = [{"number": number, "name": name} for number, name in found.tables]
    told["seen"] = [
        {name: one[name] for name in ("run", "url", "parent", "licence", "modified")}
        for one in found.sightings
    ]
    told["table"] = table and {
        "number": table.number,
        "name": table.name,
        "rows": table.rows,
        "covers": table.span,
        "places": table.places,
        "sql": table.sql,
        "columns": [
            {
                **{name: getattr(one.column, name) for name in _COLUMN},
                "range": one.range or _spread(one.column),
            }
            for one in table.columns
        ],
    }
    return told


_COLUMN = ("name", "label", "kind", "unit", "filled", "missing", "distinct", "examples")


def _spread(column: Any) -> str:
    return span(column.least, column.most) if column.least and column.distinct > 1 else ""


@_page
async def why(datasette: Any, request: Any) -> Any:
    """Tell why a run asked for something, or filled a row."""
    folder = choices(datasette).folder
    run, asked = request.args.get("run") or "", (request.args.get("asked") or "").strip()
    path = await in_thread(run_path, folder, run)
    name = path.relative_to(folder.resolve()).parts[0]
    if asked and await _hidden(datasette, request.actor, [name]):
        raise Forbidden("You may not see the table that this run has enriched.")
    told = {"run": run, "asked": asked, "told": ""}
    if asked:
        verb = await in_thread(settle, path)
        reasons = await in_thread(verb.reasons, path, asked)
        told |= {"told": await in_thread(verb.why, path, asked), "reasons": reasons}
    return await _answered(datasette, request, "why", told)


async def _hidden(datasette: Any, actor: Any, names: Collection[str]) -> set[str]:
    """Return the runs of jobs whose tables somebody may not see: names and reasons tell of them."""
    left = {name for name in names if name.startswith(JOBS)}
    hidden: set[str] = set()
    for db in datasette.databases.values() if left else ():
        for table, found in (await db.execute_fn(enriched_tables)).items():
            needed = [("view-table", (db.name, table)), ("view-database", db.name)]
            visible, _ = await datasette.check_visibility(actor, permissions=needed)
            hidden |= set() if visible else left & found
            left -= found
    # Of a job that has told of no row so far.
    if left and not await datasette.permission_allowed(actor, "enrichments", default=False):
        hidden |= left
    return hidden


async def _answered(datasette: Any, request: Any, name: str, told: dict[str, Any]) -> Any:
    """Answer with the page, or with the same as JSON."""
    if request.url_vars["form"]:
        plain_data = json.loads(json.dumps({"ok": True, **told}, default=str))
        return Response.json(plain_data)
    return await _shown(datasette, request, name, told)
