"""A run as a process of its own: begun by the command line that the page shows, paused by Ctrl-C.

What it does stands in its ledger, and what it says in a log. It outlives the server, should that be
killed; it is known again by its number and by what it was begun with.
"""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from filon.core.errors import MachineError, UserError

ENDED, MISTAKE, MACHINE, INTERRUPTED = 0, UserError.exit_code, MachineError.exit_code, 130
#: How a command tells what is wrong.
_SAYS = "filon: "
#: So much of a log's end holds its last sentence.
_TAIL_BYTES = 4096


class Child(Protocol):
    """A process that was begun."""

    @property
    def pid(self) -> int:
        """Its number."""

    def poll(self) -> int | None:
        """Return its exit code; None while it is at work."""


def begin(arguments: Sequence[str], log: Path, variables: Mapping[str, str] | None = None) -> Child:
    """Begin `filon ARGUMENTS` in the server's working folder; what it says is added to a log.

    variables: of its environment, besides the server's.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("ab") as out:
        return subprocess.Popen(  # noqa: S603  # words, never a line for a shell
            [sys.executable, "-m", "filon", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            env={**os.environ, **(variables or {})},
            **apart(),
        )


def apart() -> dict[str, Any]:
    """Return what keeps Ctrl-C in the server's terminal from the process: it is paused in turn."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


def interrupt(pid: int, *, own: bool) -> None:
    """Let a process save itself and end, as Ctrl-C does.

    own: this server began it. Windows takes such a message from nobody else: there it is ended,
    which loses nothing that was acknowledged.
    """
    if sys.platform == "win32":
        os.kill(pid, signal.CTRL_BREAK_EVENT if own else signal.SIGTERM)
    else:
        os.kill(pid, signal.SIGINT)


def is_alive(pid: int, run: Path) -> bool:
    """Say whether a process of an earlier server is still at work on a run.

    A number may have gone to another process since: its command line tells.
    """
    words = _command(pid) if pid > 0 else ""
    return "filon" in words and run.name in words


def _command(pid: int) -> str:
    """Return the command line of a process; "" where there is none, or none that can be seen."""
    with contextlib.suppress(OSError):
        words = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ")
        return words.decode("utf-8", "replace")
    if sys.platform in ("linux", "win32"):
        return ""
    asked = ["ps", "-o", "command=", "-p", str(pid)]
    told = subprocess.run(asked, capture_output=True, text=True, check=False)  # noqa: S603  # our words
    return told.stdout


def last_lines(log: Path, number: int) -> list[str]:
    """Return the end of what a command has said; nothing where it said nothing."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - _TAIL_BYTES))
            return file.read().decode("utf-8", "replace").splitlines()[-number:]
    except OSError:
        return []


def last_sentence(log: Path) -> str:
    """Return what a command said was wrong; "" where it said nothing."""
    lines = last_lines(log, _TAIL_BYTES)
    said = [line.removeprefix(_SAYS) for line in lines if line.startswith(_SAYS)]
    return said[-1] if said else ""
