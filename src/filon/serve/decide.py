"""Decide: what only a person can tell of a discovery or an enrichment, by keys or clicks."""

from functools import partial
from pathlib import Path
from typing import Any

from aiohttp import web

from filon.core.background import in_thread
from filon.dispatch.dispatcher import shown
from filon.run.listing import Entry
from filon.serve.home import HOME, Home
from filon.serve.page import fragment, page
from filon.serve.reviews import Reviews, View, is_open_to_review
from filon.serve.words import catalogue, t

routes = web.RouteTableDef()
#: The reviews that are open: `request.app[REVIEWS]`.
REVIEWS = web.AppKey("reviews", Reviews)


def set_up(app: web.Application) -> None:
    """Give the application its reviews, which are used when it ends."""
    app[REVIEWS] = Reviews()

    async def end(app: web.Application) -> None:
        await in_thread(app[REVIEWS].close)

    app.on_cleanup.append(end)


@routes.get("/decide")
async def runs(request: web.Request) -> web.Response:
    """Show the runs of which something can be decided."""
    found = await in_thread(reviewable, request.app[HOME])
    command = ["filon", "list", shown(request.app[HOME].folder)]
    return await page(request, "decide/runs.html", command=command, runs=found)


@routes.get("/decide/{run}")
async def review(request: web.Request) -> web.Response:
    """Show a question and the list beside it."""
    run = request.app[HOME].run(request.match_info["run"])
    view = await in_thread(request.app[REVIEWS].view, run)
    return await _shown(request, run, view, said=request.query.get("said", ""))


@routes.post("/decide/{run}")
async def answer(request: web.Request) -> web.Response:
    """Take an answer, take one back, or use them all."""
    run, reviews = request.app[HOME].run(request.match_info["run"]), request.app[REVIEWS]
    form = await request.post()
    match said := str(form.get("said", "")):
        case "undo":
            view = await in_thread(reviews.undo, run)
        case "use":
            view = await in_thread(reviews.use, run)
        case _:
            view = await in_thread(reviews.answer, run, str(form.get("key", "")), said)
    if request.headers.get("HX-Request"):
        return await fragment(request, "decide/question.html", **_values(run, view), said=said)
    if view.stale:
        return await _shown(request, run, view, status=409)
    raise web.HTTPSeeOther(request.rel_url.path + ("?said=use" if said == "use" else ""))


def reviewable(home: Home) -> list[Entry]:
    """Return the runs of which something can be decided."""
    return [run for run in home.runs() if not run.problem and is_open_to_review(run.run)]


async def _shown(
    request: web.Request, run: Path, view: View, *, status: int = 200, said: str = ""
) -> web.Response:
    command, values = ["filon", "review", str(run)], _values(run, view)
    return await page(
        request, "decide/review.html", status=status, command=command, **values, said=said
    )


def _values(run: Path, view: View) -> dict[str, Any]:
    return {
        "run": run.name,
        "view": view,
        "asked": partial(_in_words, "decide.ask"),
        "named": partial(_in_words, "decide.fact"),
    }


def _in_words(table: str, name: str) -> str:
    """Return the words for a name; a verb that a package adds may have names of its own."""
    return t(f"{table}.{name}") if f"{table}.{name}" in catalogue() else name
