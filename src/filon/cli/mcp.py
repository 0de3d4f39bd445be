"""`filon mcp`."""

import asyncio
import os
import secrets
import sys
from pathlib import Path
from typing import Annotated

import typer

from filon.cli.session import interruptible
from filon.core import UserError
from filon.core.extras import extra
from filon.verbs.session import run_here

PORT = 8766
TOKEN = "FILON_MCP_TOKEN"  # noqa: S105 - the name of a variable
_SHORTEST = 16
_WAITS = (
    "A client is waited for on standard input, which most begin this command for by themselves; "
    "--check tells what an agent may do, --http speaks over HTTP. Ctrl-C ends it."
)


def mcp(
    config: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="What an agent may do, as TOML; ~/.config/filon/mcp.toml by default.",
        ),
    ] = None,
    http: Annotated[
        bool, typer.Option("--http", help="Speak over HTTP on this machine, not over stdio.")
    ] = False,
    port: Annotated[
        int, typer.Option(metavar="N", min=0, max=65535, help="With --http; 0: any that is free.")
    ] = PORT,
    check: Annotated[
        bool, typer.Option("--check", help="Tell what an agent may do, and end.")
    ] = False,
) -> int:
    """Let an agent use Filon by the Model Context Protocol, within limits that you set.

    Which hosts it may ask, what it may spend and which folders it may read stands in a file of
    yours; without one, no host at all. A client begins it by itself, over stdio; with --http it
    prints an address and a token.

    Example: filon mcp --check
    """
    extra("mcp", "Agents need the SDK of the protocol", "mcp.server.mcpserver", "duckdb", "uvicorn")
    from filon.mcp.limits import Limits

    limits = Limits.load(config)
    if check:
        for line in limits.rows():
            typer.echo(line)
        return 0
    if limits.folder.exists() and not limits.folder.is_dir():
        raise UserError(f"{limits.folder} is no folder: name another one in {limits.file}.")
    from filon.mcp.server import LOOPBACK, PATH, serve_http, serve_stdio
    from filon.mcp.workspace import Workspace

    workspace, token = Workspace(limits), _token() if http else ""

    def ready(number: int) -> None:
        typer.echo(f"http://{LOOPBACK}:{number}{PATH}  (Ctrl-C ends it)")
        typer.echo(f"Authorization: Bearer {token}")

    async def foreground() -> None:
        halt = asyncio.Event()
        with interruptible(halt, lambda _: None):
            if http:
                await serve_http(workspace, port, token, ready, halt)
            else:
                if sys.stdin.isatty():
                    typer.echo(_WAITS, err=True)
                await serve_stdio(workspace, halt)

    run_here(foreground())
    return 0


def _token() -> str:
    given = os.environ.pop(TOKEN, "")  # runs that are begun from here need not know it
    if given and (len(given) < _SHORTEST or not given.isascii() or not given.isprintable()):
        raise UserError(f"The token in {TOKEN} is too short: {_SHORTEST} letters at the least.")
    return given or secrets.token_urlsafe(24)
