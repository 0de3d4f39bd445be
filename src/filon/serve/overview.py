"""The first page: the runs of the folder."""

from aiohttp import web

from filon.serve.aside import aside
from filon.serve.home import HOME
from filon.serve.page import page

routes = web.RouteTableDef()


@routes.get("/")
async def overview(request: web.Request) -> web.Response:
    """Show the runs, the last at work first."""
    home = request.app[HOME]
    found = await aside(home.runs)
    command = ["filon", "list", str(home.folder)]
    return await page(request, "overview.html", runs=found, command=command)
