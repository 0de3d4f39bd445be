"""What changed in a run since it was first made: files, and in tables rows, columns and cells."""

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from aiohttp import web

from filon.core.background import in_thread
from filon.run import readonly
from filon.run.history import rounds
from filon.serve.home import HOME
from filon.serve.page import page
from filon.verbs.refresh import changes as told

routes = web.RouteTableDef()
#: Of each kind of change, and of each change of a table, so many are shown.
MOST_SHOWN, MOST_CELLS = 200, 20


@routes.get("/runs/{run}/changes")
async def changes(request: web.Request) -> web.StreamResponse:
    """Show what the rounds of a run have found, since a day or at all."""
    run = request.app[HOME].run(request.match_info["run"])
    since = request.query.get("since", "").strip()
    found = await in_thread(told.changes_of, run, told.moment(since))
    command = ["filon", "diff", str(run), *(["--since", since] if since else [])]
    if request.query.get("as") == "json":
        answer = web.json_response({"run": run.name, "since": since, "changes": found})
        answer.headers["Content-Disposition"] = 'attachment; filename="changes.json"'
        return answer
    return await page(
        request,
        "changes.html",
        run=run.name,
        since=since,
        kinds=[(what, len(all_), list(_shown(all_))) for what, all_ in told.by_kind(found)],
        rounds=len(await in_thread(rounds, run)),
        at_work=await in_thread(readonly.running, run),
        command=command,
    )


def _shown(changes: list[told.Change]) -> Iterator[dict[str, Any]]:
    for change in changes[:MOST_SHOWN]:
        seen = datetime.fromtimestamp(change["at_s"], UTC)
        yield {
            "url": change["url"],
            "name": change["name"] or change["url"],
            "what": told.told_of(change),
            "cells": list(islice(told.examples(change), MOST_CELLS)),
            "seen": f"{seen:%Y-%m-%d %H:%M}",
            "round": change["round"],
        }
