"""A real PostgreSQL on loopback, with files of its own that are gone in the end."""

import asyncio
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from filon.core.extras import extra

#: Nothing of it has to survive the machine; what was acknowledged does survive the server.
FAST = {"fsync": "off", "full_page_writes": "off"}
#: As a server is set up that holds what is true.
DURABLE = {"shared_buffers": "256MB", "max_wal_size": "2GB"}
START_S = 60


class NoPostgreSQLError(Exception):
    """There are no programs of PostgreSQL, or nobody to run them as."""


class PostgreSQL:
    """A server, of which `empty` returns the address of a part that nobody else has."""

    def __init__(self, folder: Path, settings: dict[str, str]) -> None:
        self._bin, self._user = _programs(), _user()
        self._data, self._settings = folder / "data", settings
        self.port = free_port()
        self._server: subprocess.Popen[bytes] | None = None
        self._made = 0
        if self._user:
            os.chown(folder, self._user.pw_uid, self._user.pw_gid)
        self._run("initdb", "-D", str(self._data), "-U", "filon", "-A", "trust", "-E", "UTF8", "-N")

    def _command(self, program: str, *words: str) -> list[str]:
        return [str(self._bin / program), *words]

    def _as_user(self) -> dict[str, Any]:
        """Return how a process is started: the server refuses to run as root."""
        if not self._user:
            return {}
        return {"user": self._user.pw_uid, "group": self._user.pw_gid, "extra_groups": []}

    def _run(self, program: str, *words: str) -> None:
        subprocess.run(  # noqa: S603, programs of PostgreSQL
            self._command(program, *words),
            check=True,
            capture_output=True,
            cwd="/",
            **self._as_user(),
        )

    def start(self) -> None:
        """Start it, and wait until it lets somebody in."""
        said = {"listen_addresses": "127.0.0.1", "port": str(self.port), "fsync": "on"}
        said |= {"unix_socket_directories": "", "max_connections": "100", **self._settings}
        options = [word for name, value in said.items() for word in ("-c", f"{name}={value}")]
        self._server = subprocess.Popen(  # noqa: S603, the same
            self._command("postgres", "-D", str(self._data), *options),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            **self._as_user(),
        )
        until_s = time.monotonic() + START_S
        while True:
            try:
                return asyncio.run(self.say("SELECT 1"))
            except Exception:  # any of a dozen, while it starts
                if time.monotonic() > until_s or self._server.poll() is not None:
                    raise
                time.sleep(0.05)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop it: SIGINT breaks connections off, SIGQUIT is a crash, after which it recovers."""
        if self._server:
            self._server.send_signal(how)
            self._server.wait(START_S)
            self._server = None

    def empty(self) -> str:
        """Return the address of a new schema without tables."""
        self._made += 1
        asyncio.run(self.say(f"CREATE SCHEMA fleet{self._made}"))
        return f"{self.address}?search_path=fleet{self._made}"

    @property
    def address(self) -> str:
        """Where it is."""
        return f"postgresql://filon@127.0.0.1:{self.port}/postgres"

    async def say(self, statement: str) -> None:
        """Send it a statement."""
        asyncpg = extra("fleet", "asyncpg is missing", "asyncpg")
        connection = await asyncpg.connect(self.address, timeout=5)
        try:
            await connection.execute(statement)
        finally:
            await connection.close()


def _programs() -> Path:
    """Return the folder with the programs; the newest version where there are several."""
    installed = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3])
    )
    on_path = shutil.which("initdb")
    found = [*([Path(on_path).resolve()] if on_path else []), *reversed(installed)]
    for path in found:
        if (path.parent / "postgres").exists():
            return path.parent
    raise NoPostgreSQLError("There is no PostgreSQL")


def _user() -> pwd.struct_passwd | None:
    """Return whom the server runs as; None: as who runs the tests."""
    if os.getuid():
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise NoPostgreSQLError("There is no user to run PostgreSQL as")


def free_port() -> int:
    """Return a port of loopback that nobody listens on now."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@contextmanager
def serving(settings: dict[str, str] | None = None) -> Iterator[PostgreSQL]:
    """Have a server for a while."""
    # Not in the folder of a test: that is its owner's alone, and the server is somebody else.
    with tempfile.TemporaryDirectory(prefix="filon-postgresql-") as folder:
        server = PostgreSQL(Path(folder), FAST if settings is None else settings)
        server.start()
        try:
            yield server
        finally:
            server.stop()
