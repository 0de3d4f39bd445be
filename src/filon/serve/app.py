"""The application: its areas, and what stands before all of them."""

from collections.abc import Callable, Sequence

from aiohttp import web

from filon.core.background import end_threads
from filon.serve import (
    api,
    changes,
    decide,
    enter,
    fleets,
    keys,
    page,
    schedules,
    start,
    watch,
)
from filon.serve.access import ACCESS, FORM_BYTES, Access, add_headers, guard
from filon.serve.errors import told
from filon.serve.home import HOME, Home
from filon.serve.look import area, ask, file, find, handing

#: The routes of each area.
AREAS: Sequence[web.RouteTableDef] = (
    page.static_routes,
    enter.routes,
    start.routes,
    watch.routes,
    api.routes,
    changes.routes,
    decide.routes,
    schedules.routes,
    fleets.routes,
    keys.routes,
    find.routes,
    file.routes,
    ask.routes,
    handing.routes,
)
#: What areas need besides, as long as the application lives.
BESIDES: Sequence[Callable[[web.Application], None]] = (
    watch.set_up,
    decide.set_up,
    schedules.set_up,
    area.set_up,
)


def make_app(home: Home, access: Access) -> web.Application:
    """Return the application that serves a folder of runs."""
    app = web.Application(middlewares=[told, guard], client_max_size=FORM_BYTES)
    app[HOME], app[ACCESS] = home, access
    for routes in AREAS:
        app.add_routes(routes)
    for set_up in BESIDES:
        set_up(app)
    app.on_response_prepare.append(add_headers)
    app.on_cleanup.append(_let_go)  # the last: what areas do at their end is done aside, too
    return app


async def _let_go(_: web.Application) -> None:
    end_threads()
