"""Turns that processes share: really other processes, also such as are killed."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from command import environment
from filon.web.turns import VARIABLE, Turn, Turns

_HOLDS = """
import sys
from pathlib import Path
from filon.web.turns import Turn, Turns
turns = Turns(Path(sys.argv[1]))
for host in ("a.org", "b.org"):
    assert turns.take(host) == Turn()
turns.give("b.org", Turn(5.0, 7.0))
print("held", flush=True)
sys.stdin.read()
"""


@contextmanager
def other(path: Path) -> Iterator[subprocess.Popen[str]]:
    """Give a process that holds a.org, and has been at b.org."""
    process = subprocess.Popen(
        [sys.executable, "-c", _HOLDS, str(path)],
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout
        assert process.stdout.readline() == "held\n"
        yield process
    finally:
        process.kill()
        process.communicate()


def test_a_host_is_held_by_one_process_until_it_is_given_or_its_process_dies(
    tmp_path: Path,
) -> None:
    turns = Turns(tmp_path / "own" / "hosts")
    with other(tmp_path / "own" / "hosts") as process:
        assert turns.take("a.org") is None
        assert turns.take("b.org") == Turn(5.0, 7.0)
        assert turns.take("c.org") == Turn()
        process.kill()
        process.wait()
        assert turns.take("a.org") == Turn()
    turns.close()


def test_the_environment_names_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert Turns.shared() is None
    monkeypatch.setenv(VARIABLE, str(tmp_path / "hosts"))
    found = Turns.shared()
    assert found
    found.close()
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv(VARIABLE, str(tmp_path / "file" / "hosts"))
    assert Turns.shared() is None
