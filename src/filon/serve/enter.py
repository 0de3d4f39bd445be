"""The way in and out: the page of the password, and log out."""

from aiohttp import web

from filon.serve.access import ACCESS
from filon.serve.page import page
from filon.serve.words import t

routes = web.RouteTableDef()


@routes.get("/enter")
async def ask(request: web.Request) -> web.Response:
    """Show the page that asks for the password, or tells where the address stands."""
    return await enter_page(request)


@routes.post("/enter")
async def enter(request: web.Request) -> web.Response:
    """Let a browser in that knows the password."""
    access = request.app[ACCESS]
    if access.password is None:
        return await enter_page(request, status=403)
    visitor = request.remote or ""
    word = str((await request.post()).get("password", ""))
    if await access.password.is_right(word, visitor):
        answer = web.Response(status=303, headers={"Location": "/"})
        access.enter(answer)
        return answer
    wait_s = access.password.wait_s(visitor)
    problem = t("enter.wait", n=wait_s) if wait_s else t("enter.wrong")
    return await enter_page(request, status=429 if wait_s else 401, problem=problem)


@routes.post("/leave")
async def leave(request: web.Request) -> web.Response:
    """Log out."""
    answer = web.Response(status=303, headers={"Location": "/enter"})
    request.app[ACCESS].leave(request, answer)
    return answer


async def enter_page(request: web.Request, status: int = 200, problem: str = "") -> web.Response:
    """Return the page for who is not in."""
    return await page(request, "enter.html", status=status, problem=problem)
