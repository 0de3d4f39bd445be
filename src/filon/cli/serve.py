"""`filon serve`."""

import asyncio
import os
import ssl
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from filon.cli.session import interruptible
from filon.core import UserError
from filon.core.extras import extra
from filon.verbs.session import RUNS, run_here

if TYPE_CHECKING:
    from filon.serve.access import Access

PORT = 8765
LOOPBACK = ("127.0.0.1", "::1", "localhost")
#: Listens on every address of the machine; no name for others to use.
_EVERYWHERE = ("0.0.0.0", "::", "")  # noqa: S104 - listened on where the user says so
PASSWORD = "FILON_PASSWORD"  # noqa: S105 - the name of a variable
_PLAIN = (
    "Without --tls-cert and --tls-key everything travels as it is, the password too: "
    "only where you trust the whole way, or behind a proxy that speaks TLS."
)


def serve(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help=f"That holds the runs; {RUNS} by default.")
    ] = RUNS,
    port: Annotated[
        int, typer.Option(metavar="N", min=0, max=65535, help="The port to listen on; 0: any.")
    ] = PORT,
    host: Annotated[
        str,
        typer.Option(
            metavar="HOST",
            help="The address to listen on; any but this machine's own needs --password.",
        ),
    ] = LOOPBACK[0],
    name: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A name by which others reach this machine. Repeatable."),
    ] = None,
    password: Annotated[
        bool,
        typer.Option(
            "--password", help=f"Let in who knows a password: {PASSWORD}, or asked for now."
        ),
    ] = False,
    tls_cert: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Speak TLS: the certificate, as PEM.")
    ] = None,
    tls_key: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The key of the certificate, as PEM.")
    ] = None,
    at_once: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=0,
            help="Runs that may be at work at the same time, each on hosts of its own; "
            "0: as many as there are cores.",
        ),
    ] = 0,
    open_: Annotated[bool, typer.Option("--open/--no-open", help="Open a browser.")] = True,
) -> int:
    """Show Filon as pages in a browser: start runs, watch them, search what they brought.

    It listens on this machine only, and lets in who opens the address that it prints. Ctrl-C ends
    it; runs and what they brought stay.

    Example: filon serve
    """
    extra("serve", "The pages need Jinja2", "jinja2")
    from filon.catalog.sandbox import let_go
    from filon.dispatch.dispatcher import OWN_FOLDER
    from filon.serve.app import make_app
    from filon.serve.home import Home
    from filon.serve.server import serve as go
    from filon.serve.watch import warm
    from filon.web.turns import VARIABLE as TURNS

    access = _access(host, name or [], password=password)
    tls = _tls(tls_cert, tls_key)
    access.secure = tls is not None
    if host not in LOOPBACK and tls is None:
        typer.echo(_PLAIN, err=True)
    _make(folder)
    # Runs that are begun from here keep each host's pace together.
    own = folder.absolute() / OWN_FOLDER
    os.environ[TURNS] = os.environ.get(TURNS) or str(own / "hosts")
    let_go()
    app = make_app(Home(folder.absolute(), at_once), access)

    def ready() -> None:
        address = _address(access, host)
        token = "" if access.password else f"?token={access.token}"
        typer.echo(f"{address}{token}  (Ctrl-C ends it)")
        if access.password:
            typer.echo(f"For programs: Authorization: Bearer {access.token}")
        asyncio.get_running_loop().run_in_executor(None, warm)
        if open_ and os.isatty(1):
            # The command line of a browser can be read by others on this machine: a token for once.
            once = "" if access.password else f"?token={access.ticket()}"
            asyncio.get_running_loop().run_in_executor(None, webbrowser.open, f"{address}{once}")

    async def foreground() -> None:
        halt = asyncio.Event()
        with interruptible(halt, lambda _: None):
            await go(app, host, port, tls=tls, ready=ready, halt=halt)

    run_here(foreground())
    return 0


def _make(folder: Path) -> None:
    """Make the folder where it is not there; who cannot write there is told before all else."""
    if folder.exists() and not folder.is_dir():
        raise UserError(f"{folder} is no folder: name one that holds runs, or is to hold them.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(
            f"{folder} cannot be made: {error.strerror}. Name another folder."
        ) from error
    if not os.access(folder, os.W_OK | os.X_OK):
        typer.echo(f"{folder} cannot be written: its runs can be looked at, no more.", err=True)


def _access(host: str, names: list[str], *, password: bool) -> "Access":
    from filon.serve.access import Access
    from filon.serve.password import Password

    if host not in LOOPBACK and not password:
        raise UserError(
            f"--host {host} lets others in: say --password as well, and give the password in "
            f"{PASSWORD} or when it is asked for."
        )
    known = [*names, *([host] if host not in (*LOOPBACK, *_EVERYWHERE) else [])]
    word = Password(_password()) if password else None
    return Access(
        names=frozenset(each.lower() for each in known),
        literals=host in _EVERYWHERE,
        password=word,
    )


def _password() -> str:
    given = os.environ.pop(PASSWORD, "")  # runs that are begun from here need not know it
    return given or str(typer.prompt("Password", hide_input=True, confirmation_prompt=True))


def _tls(certificate: Path | None, key: Path | None) -> ssl.SSLContext | None:
    from filon.serve.server import tls_of

    if certificate is None and key is None:
        return None
    if certificate is None or key is None:
        raise UserError("TLS needs both --tls-cert and --tls-key.")
    return tls_of(certificate, key)


def _address(access: "Access", host: str) -> str:
    named = next(iter(access.names), "") if host in _EVERYWHERE else host
    shown = named or LOOPBACK[0]
    shown = f"[{shown}]" if ":" in shown else shown
    return f"{'https' if access.secure else 'http'}://{shown}:{access.port}/"
