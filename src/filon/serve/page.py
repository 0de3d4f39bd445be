"""Templates made into answers. What comes from the web is text, and Jinja escapes it.

    return await page(request, "file.html", file=file, command=["filon", "catalog", "show", id])

A page's template extends layout.html; a fragment, which htmx puts into a page, extends nothing.
Both may import macros from parts.html.
"""

import hashlib
import mimetypes
import shlex
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from importlib import resources
from typing import Any

from aiohttp import web
from jinja2 import Environment, PackageLoader, StrictUndefined

from filon.run.html import SCRIPT
from filon.run.text import count, duration, plain, size
from filon.serve.access import ACCESS, csrf_of, session_of
from filon.serve.home import HOME
from filon.serve.words import said, t

#: The navigation: words of [nav], and an address; shown once an area answers there.
NAV = (
    ("start", "/"),
    ("runs", "/runs"),
    ("catalog", "/catalog"),
    ("decide", "/decide"),
    ("schedules", "/schedules"),
    ("fleets", "/fleets"),
    ("keys", "/keys"),
)

static_routes = web.RouteTableDef()


async def page(
    request: web.Request,
    template: str,
    *,
    status: int = 200,
    command: Sequence[str] = (),
    **values: Any,
) -> web.Response:
    """Return a whole page.

    command: the words of the command line that does the same; quoted here.
    """
    shown = await _render(request, template, command=shlex.join(command), **values)
    return web.Response(text=shown, status=status, content_type="text/html")


async def fragment(
    request: web.Request, template: str, *, status: int = 200, **values: Any
) -> web.Response:
    """Return a piece of a page."""
    shown = await _render(request, template, **values)
    return web.Response(text=shown, status=status, content_type="text/html")


async def rendered(request: web.Request, template: str, **values: Any) -> str:
    """Return a piece of a page as text, for an event that is sent to it."""
    return await _render(request, template, **values)


async def _render(request: web.Request, template: str, **values: Any) -> str:
    about = {
        "csrf": csrf_of(request),
        "entered": session_of(request) is not None,
        "by_password": request.app[ACCESS].password is not None,
        "path": request.path,
        "folder": str(request.app[HOME].folder),
        "nav": [(name, path) for name, path in NAV if path in _paths(request.app)],
    }
    return await _templates().get_template(template).render_async(**{**about, **values})


def _paths(app: web.Application) -> set[str]:
    return {resource.canonical for resource in app.router.resources()}


@cache
def _templates() -> Environment:
    made = Environment(
        loader=PackageLoader("filon.serve"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        enable_async=True,
        auto_reload=False,
    )
    made.globals |= {"t": t, "static": static}
    made.filters |= {"count": count, "size": size, "duration": duration, "plain": plain}
    made.filters |= {"moment": moment, "shell": shlex.join, "said": said}
    made.tests["web_address"] = is_web_address
    return made


def moment(seconds: float) -> str:
    """Return a time since 1970 as people here read it; "" of none.

    >>> moment(0)
    ''
    """
    return datetime.fromtimestamp(seconds).strftime("%Y-%m-%d %H:%M") if seconds else ""


def is_web_address(url: object) -> bool:
    """Say whether a link may lead there: http and https only, no script in disguise.

    >>> is_web_address("https://example.org/"), is_web_address("javascript:alert(1)")
    (True, False)
    """
    return isinstance(url, str) and url.lower().startswith(("http://", "https://"))


@cache
def _files() -> dict[str, tuple[bytes, str, str]]:
    """Return the static files by name: what is in them, of which type, and a word for the version.

    All are small, and known beforehand: an address is looked up among names, never on the disk.
    """
    found = {}
    own = (resources.files("filon.serve") / "static").iterdir()
    for file in (*own, resources.files("filon.run") / SCRIPT):
        body = file.read_bytes()
        mime = mimetypes.guess_type(file.name, strict=False)[0] or "text/plain"
        mime = "text/javascript" if file.name.endswith(".js") else mime  # whatever a system thinks
        found[file.name] = (body, mime, hashlib.sha256(body).hexdigest()[:12])
    return found


def static(name: str) -> str:
    """Return the address of a static file, with its version."""
    return f"/static/{name}?v={_files()[name][2]}"


@static_routes.get("/static/{name}")
async def _static(request: web.Request) -> web.Response:
    if request.match_info["name"] not in _files():
        raise web.HTTPNotFound
    body, mime, version = _files()[request.match_info["name"]]
    lasting = request.query.get("v") == version
    kept = "public, max-age=31536000, immutable" if lasting else "no-cache"
    headers = {"Cache-Control": kept, "ETag": f'"{version}"'}
    if request.headers.get("If-None-Match") == f'"{version}"':
        return web.Response(status=304, headers=headers)
    charset = "utf-8" if mime.startswith(("text/", "image/svg")) else None
    return web.Response(body=body, content_type=mime, charset=charset, headers=headers)
