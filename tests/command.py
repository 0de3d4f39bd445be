"""Runs `filon` as a person does: another process."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, Any, Protocol

from forks import Forked, Server
from patience import PATIENCE_S

FILON = [sys.executable, "-m", "filon"]


class Running(Protocol):
    """A process that was started: what `subprocess.Popen` and a fork have in common."""

    @property
    def pid(self) -> int: ...
    @property
    def stdout(self) -> IO[str] | None: ...
    @property
    def stderr(self) -> IO[str] | None: ...
    @property
    def returncode(self) -> Any: ...
    def poll(self) -> int | None: ...
    def send_signal(self, signum: int, /) -> None: ...
    def kill(self) -> None: ...
    def communicate(
        self, input: str | None = None, timeout: float | None = None
    ) -> tuple[Any, Any]: ...


@dataclass(frozen=True)
class Ended:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """The object in the last line of standard output."""
        told: dict[str, Any] = json.loads(self.out.splitlines()[-1])
        return told

    @property
    def sentence(self) -> str:
        """The one line that tells the user what is wrong."""
        lines = self.err.splitlines()
        assert len(lines) == 1, self.err
        assert lines[0].startswith("filon: "), self.err
        return lines[0].removeprefix("filon: ")


def environment() -> Mapping[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


@cache
def forks() -> Server:
    """The process that has Filon loaded, made once for all tests of this one."""
    return Server()


def start(folder: Path, *arguments: object, typing: bool = False) -> Running:
    """Start a command. typing: somebody will say something."""
    return start_python(folder, "-m", "filon", *arguments, typing=typing)


def start_python(folder: Path, *arguments: object, typing: bool = False) -> Running:
    """Start Python with arguments: where processes can fork, with Filon loaded already."""
    words = list(map(str, arguments))
    if sys.platform == "linux":
        return forks().start(words, folder, environment(), typing=typing)
    return subprocess.Popen(
        [sys.executable, *words],
        cwd=folder,
        env=environment(),
        stdin=subprocess.PIPE if typing else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def start_logged(
    arguments: Sequence[str], variables: Mapping[str, str], log: IO[bytes]
) -> "Forked | subprocess.Popen[bytes]":
    """Start Python with arguments and variables; a log takes what it says."""
    if sys.platform == "linux":
        return forks().start(arguments, None, variables, log=log)
    words = [sys.executable, *arguments]
    return subprocess.Popen(words, env=variables, stdout=log, stderr=log)


def finish(process: Running, said: str | None = None) -> Ended:
    try:
        out, err = process.communicate(said, timeout=PATIENCE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise
    return Ended(process.returncode, out, err)


def filon(folder: Path, *arguments: object, said: str | None = None) -> Ended:
    """Run a command to its end in a folder. said: what a person types."""
    return finish(start(folder, *arguments, typing=said is not None), said)
