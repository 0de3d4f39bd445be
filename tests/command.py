"""Runs `filon` as a person does: another process."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FILON = [sys.executable, "-m", "filon.cli"]
#: No test may hang: the slowest of these takes a few seconds.
PATIENCE_S = 240


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


def start(folder: Path, *arguments: object, typing: bool = False) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*FILON, *map(str, arguments)],
        cwd=folder,
        env=environment(),
        stdin=subprocess.PIPE if typing else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process: subprocess.Popen[str], said: str | None = None) -> Ended:
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
