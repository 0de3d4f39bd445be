"""The server: tools and resources over the protocol's two transports.

Over HTTP it listens on this machine only, answers who names the token, and refuses requests that a
page in a browser could send: another Host, or an Origin.
"""

import asyncio
import contextlib
import hmac
import os
import re
import socket
from collections.abc import Callable, Sequence
from typing import Any

import anyio
import uvicorn
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError
from mcp.server.transport_security import TransportSecuritySettings
from mcp.types import Resource
from starlette.types import ASGIApp, Receive, Scope, Send

from filon.core import FilonError, MachineError
from filon.core.version import __version__
from filon.mcp.limits import LimitError
from filon.mcp.tools import add_tools
from filon.mcp.untrusted import RULE, as_data
from filon.mcp.workspace import Workspace
from filon.web.serve import unheard

LOOPBACK = "127.0.0.1"
PATH = "/mcp"
#: Runs, and files, that are listed as resources.
_LISTED = 100
_NAME = re.compile(r"[A-Za-z0-9._-]{1,200}")
_INSTRUCTIONS = (
    "Filon gets data out of the web under a budget. Begin a run (harvest, discover, follow, "
    "enrich, acquire), wait for it with show_run, then look at what it brought: search_catalog, "
    "show_file, sample_file, query, why. What may be spent and asked is set by the user: limits "
    "tells it. "
)


class FilonServer(MCPServer[Any]):
    """The protocol round a workspace: its tools, and its runs and files as resources."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(
            "filon",
            title="Filon",
            instructions=_INSTRUCTIONS + RULE,
            version=__version__,
            log_level="WARNING",
        )
        self._workspace = workspace
        add_tools(self, workspace)
        self._add_resources()

    async def list_resources(self) -> list[Resource]:
        """Return the runs and files that are there now, by names of our own."""
        runs = [one["run"] for one in await self._workspace.runs()]
        named = {f"runs/{run}": run for run in runs[:_LISTED] if _NAME.fullmatch(run)}
        named |= {f"files/{id}": id[:12] for id in await self._workspace.files(_LISTED)}
        return [
            Resource(uri=f"filon://{place}", name=name, mime_type="text/plain")
            for place, name in named.items()
        ]

    def _add_resources(self) -> None:
        workspace = self._workspace

        @self.resource("filon://runs/{run}", mime_type="text/plain")
        async def run(run: str) -> str:
            """Tell how a run stands, and what it asked for and found last."""
            with _errors_as_sentences():
                seen = await workspace.seen(run)
                return as_data({**seen.ours, **seen.theirs})

        @self.resource("filon://files/{id}", mime_type="text/plain")
        async def file(id: str) -> str:
            """Tell the profile of a file: tables, columns, where it is from."""
            with _errors_as_sentences():
                return as_data(await workspace.profile(id))

        @self.resource("filon://files/{id}/text", mime_type="text/plain")
        async def text(id: str) -> str:
            """Tell the beginning of a file, where it is a text."""
            with _errors_as_sentences():
                return as_data({"text": (await workspace.text(id)).splitlines()})


@contextlib.contextmanager
def _errors_as_sentences() -> Any:
    """Tell what is wrong in a sentence: one that may quote the web, as data."""
    try:
        yield
    except LimitError as error:
        raise ResourceNotFoundError(str(error)) from error
    except FilonError as error:
        raise ResourceError(as_data({"error": str(error)})) from error


async def serve_stdio(workspace: Workspace, halt: asyncio.Event) -> None:
    """Speak over standard input and output, until that is closed or somebody halts it."""
    async with workspace.at_work():
        speaking = asyncio.create_task(FilonServer(workspace).run_stdio_async())
        halting = asyncio.create_task(halt.wait())
        await asyncio.wait([speaking, halting], return_when=asyncio.FIRST_COMPLETED)
        halting.cancel()
    if not speaking.done():
        # A thread waits for a line, and nothing but a line ends it. All else is done.
        os._exit(0)
    await speaking


async def serve_http(
    workspace: Workspace, port: int, token: str, ready: Callable[[int], None], halt: asyncio.Event
) -> None:
    """Speak over HTTP on this machine; ready hears the port, which 0 leaves open."""
    with contextlib.closing(_listening(port)) as listener:
        number = listener.getsockname()[1]
        app = http_app(workspace, number, token)
        config = uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            timeout_graceful_shutdown=2,
            server_header=False,
        )
        server = _Quiet(config)
        async with workspace.at_work(), anyio.create_task_group() as group:
            group.start_soon(server.serve, [listener])
            ready(number)
            await halt.wait()
            server.should_exit = True


def http_app(workspace: Workspace, port: int, token: str) -> ASGIApp:
    """Return the application that answers at a port, for who has the token."""
    names = [f"{host}:{port}" for host in (LOOPBACK, "localhost")]
    security = TransportSecuritySettings(allowed_hosts=names, allowed_origins=[])
    app = FilonServer(workspace).streamable_http_app(
        streamable_http_path=PATH, transport_security=security
    )
    return Admitted(app, names, token)


class Admitted:
    """Lets in who names the token, by this machine's own name, and from no page of a browser."""

    def __init__(self, app: ASGIApp, names: Sequence[str], token: str) -> None:
        self._app, self._names = app, frozenset(name.encode() for name in names)
        self._expected = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it before anything of it is read."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if not refusal:
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await _refuse(send, *refusal)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        headers: list[tuple[bytes, bytes]] = scope.get("headers", [])
        values = {name: [v for n, v in headers if n == name] for name, _ in headers}
        host = values.get(b"host", [])
        if len(host) != 1 or host[0] not in self._names:
            return 421, "This is another host."
        if b"origin" in values:
            return 403, "Pages in a browser are not let in."
        given = values.get(b"authorization", [])
        if len(given) != 1 or not hmac.compare_digest(given[0], self._expected):
            return 401, "Say the token that filon mcp --http has printed."
        return None


async def _refuse(send: Send, status: int, sentence: str) -> None:
    body = f"{sentence}\n".encode()
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
    ]
    if status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


class _Quiet(uvicorn.Server):
    """Leaves signals to who has begun it."""

    @contextlib.contextmanager
    def capture_signals(self) -> Any:
        """Take none."""
        yield


def _listening(port: int) -> socket.socket:
    listener = socket.socket()
    if os.name == "posix":  # elsewhere it would let two programs have one port
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((LOOPBACK, port))
    except OSError as error:
        listener.close()
        raise MachineError(
            f"Port {port} cannot be had: {unheard(error)}. Choose another with --port."
        ) from error
    return listener
