"""The API: what the pages can do, for programs, with the same rights and by the same functions.

`GET /api/openapi.json` describes it; the table of operations is all that is known of it.
"""

from collections.abc import Sequence

from aiohttp import web

from filon.serve.api import catalog, fleets, reviews, runs, schedules, work
from filon.serve.api.openapi import answered
from filon.serve.api.operation import ROOT, Operation
from filon.serve.page import page

OPERATIONS: Sequence[Operation] = (
    *runs.operations,
    *work.operations,
    *catalog.operations,
    *reviews.operations,
    *schedules.operations,
    *fleets.operations,
)

routes = web.RouteTableDef()
for _each in OPERATIONS:
    routes.route(_each.method, _each.path)(_each.answer)


@routes.get(f"{ROOT}/openapi.json")
async def document(_: web.Request) -> web.Response:
    """Describe all operations."""
    return answered(OPERATIONS)


@routes.get(ROOT)
async def overview(request: web.Request) -> web.Response:
    """Show how to call it, and what there is."""
    example = f'curl -H "Authorization: Bearer TOKEN" {request.scheme}://{request.host}{ROOT}/runs'
    return await page(request, "api.html", operations=OPERATIONS, example=example)
