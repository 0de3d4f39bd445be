"""A small HTTP server on loopback, for programs on the same machine that want our data.

Pages of strangers that a browser on this machine shows can send requests here too. They get
nothing: a request that names another host is refused (a name of theirs may lead to loopback), and
one from a page is answered where that page is on this machine, or the user named its origin.
"""

import asyncio
import errno
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

from aiohttp import web

from filon.core import FilonError, MachineError
from filon.page.url import host, origin
from filon.page.values import read_json

LOOPBACK = "127.0.0.1"
#: What this machine is called on itself.
_HERE = frozenset({LOOPBACK, "localhost", "[::1]"})
#: Says that pages of all origins may ask.
ANYBODY = "*"
#: A batch of a thousand names is a tenth of it.
MAX_BYTES = 8 << 20
#: What pages that may ask may send.
_PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, POST",
    "Access-Control-Allow-Headers": "Content-Type, Accept-Language",
}


@dataclass(frozen=True, slots=True)
class Reply:
    """What is sent back."""

    body: bytes
    mime: str = "application/json"
    status: int = 200


Handler = Callable[[str, Mapping[str, str]], Awaitable[Reply]]


@dataclass(frozen=True, slots=True)
class Visitors:
    """Who may ask: programs and pages of this machine, and pages of the origins that are named.

    >>> Visitors(("https://refine.example.org",)).welcome("https://refine.example.org/x")
    True
    >>> Visitors().welcome("https://example.org"), Visitors().welcome("http://localhost:3333")
    (False, True)
    """

    origins: Collection[str] = ()

    def welcome(self, page: str) -> bool:
        """Say whether a page at that address may read what is answered."""
        return (
            ANYBODY in self.origins or host(origin(page)) in _HERE or origin(page) in self.origins
        )

    def refusal(self, headers: Mapping[str, str]) -> Reply | None:
        """Return why a request is not answered; None where it is."""
        if host(f"http://{headers.get('Host', '').lower()}/") not in _HERE:
            return _error(421, "this service answers to 127.0.0.1 and localhost only")
        if "Origin" in headers and not self.welcome(headers["Origin"]):
            return _error(403, "pages of this origin were not allowed to ask")
        return None

    def headers(self, asked: Mapping[str, str]) -> dict[str, str]:
        """Return the headers of an answer: who may read it besides programs."""
        page = asked.get("Origin", "")
        may = {"Access-Control-Allow-Origin": page} if page and self.welcome(page) else {}
        return {"Vary": "Origin", "X-Content-Type-Options": "nosniff", **may}

    def may_call_back(self, headers: Mapping[str, str]) -> bool:
        """Say whether an answer may be a script: any page could run it, so we must know which."""
        page = headers.get("Origin") or headers.get("Referer")
        return bool(page) and self.welcome(page or "")


def _error(status: int, message: str) -> Reply:
    return Reply(json.dumps({"error": message}).encode(), status=status)


async def serve(
    handler: Handler,
    port: int,
    *,
    ready: Callable[[int], None],
    halt: asyncio.Event,
    origins: Collection[str] = (),
) -> None:
    """Hand each request to a handler, as its path and its parameters, until halted.

    ready: called with the port, once requests are taken.
    origins: whose pages may ask besides those of this machine; "*" for all.
    """
    visitors = Visitors(origins)

    async def answer(request: web.Request) -> web.Response:
        reply = visitors.refusal(request.headers)
        if reply is None:
            try:
                given = await _given(request)
            except (ValueError, LookupError):  # not of the form or the charset that it claims
                reply = _error(400, "the body is not what its type says")
            else:
                if not visitors.may_call_back(request.headers):
                    given.pop("callback", None)
                reply = await handler(request.path, given)
        return web.Response(
            body=reply.body,
            status=reply.status,
            content_type=reply.mime,
            charset="utf-8",
            headers=visitors.headers(request.headers),
        )

    async def preflight(request: web.Request) -> web.Response:
        """Tell a browser that asks before its page sends JSON whether it may."""
        refused = visitors.refusal(request.headers)
        if refused:
            return web.Response(status=refused.status)
        allowed = visitors.headers(request.headers)
        return web.Response(status=204, headers={**allowed, **_PREFLIGHT})

    app = web.Application(client_max_size=MAX_BYTES)
    app.router.add_route("GET", "/{path:.*}", answer)
    app.router.add_route("POST", "/{path:.*}", answer)
    app.router.add_route("OPTIONS", "/{path:.*}", preflight)

    def taken(why: str) -> MachineError:
        return MachineError(f"Port {port} cannot be had: {why}. Choose another with --port.")

    async with listening(app, LOOPBACK, port, taken) as at:
        ready(at)
        await halt.wait()


@asynccontextmanager
async def listening(
    app: web.Application, host: str, port: int, refused: Callable[[str], FilonError]
) -> AsyncIterator[int]:
    """Answer requests for as long as the block lasts; gives the port, which 0 leaves open.

    refused: makes the error where the machine does not let us, of what it says.
    """
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, host, port).start()
        except OSError as error:
            raise refused(unheard(error)) from error
        yield int(runner.addresses[0][1])
    finally:
        await runner.cleanup()


def unheard(error: OSError) -> str:
    """Say why a port cannot be listened at: asyncio's own sentence tells of sockets and calls.

    >>> unheard(OSError(errno.EADDRINUSE, "error while attempting to bind on address"))
    'it is in use by another program'
    """
    if error.errno == errno.EADDRINUSE or "in use" in str(error):
        return "it is in use by another program"
    return error.strerror or str(error)


async def _given(request: web.Request) -> dict[str, str]:
    """Return the parameters, of the address, a form or JSON; ValueError where they are none."""
    given = dict(request.query)
    if request.method != "POST":
        return given
    if request.content_type != "application/json":
        form = await request.post()
        return given | {name: str(value) for name, value in form.items()}
    fields = read_json(await request.read())
    if not isinstance(fields, dict):
        raise ValueError("not an object")
    others = {name: value for name, value in fields.items() if not isinstance(value, str)}
    texts = {name: json.dumps(value) for name, value in others.items()}
    return given | fields | texts
