import gc
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from command import FILON, environment
from filon import cli


@pytest.fixture
def _garbage() -> Iterator[None]:
    usual, interrupt = gc.get_threshold(), signal.getsignal(signal.SIGINT)
    gc.unfreeze()  # what the tests themselves have frozen
    yield
    gc.unfreeze()
    gc.set_threshold(*usual)
    signal.signal(signal.SIGINT, interrupt)


@pytest.mark.usefixtures("_garbage")
def test_what_is_left_at_the_end_is_not_looked_through(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["filon", "--version"])
    monkeypatch.delitem(sys.modules, "duckdb", raising=False)  # of another test
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 0
    assert "filon" in capsys.readouterr().out
    assert gc.get_freeze_count() > 1000
    assert gc.get_threshold()[0] == cli.MANY_OBJECTS


def in_a_shell(line: str) -> subprocess.CompletedProcess[str]:
    """Run a line of a shell in which `$FILON` is the command."""
    command = {"FILON": shlex.join(FILON)}
    return subprocess.run(
        ["/bin/sh", "-c", line],
        env={**environment(), **command},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.skipif(os.name == "nt", reason="a shell of Unix")
@pytest.mark.parametrize("closed", [">&-", "<&- >&- 2>&-"])
def test_a_stream_that_the_shell_has_closed_changes_nothing(closed: str) -> None:
    ended = in_a_shell(f"$FILON source list {closed}")
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.skipif(os.name == "nt", reason="a shell of Unix")
def test_who_reads_no_further_does_not_make_it_a_failure() -> None:
    ended = in_a_shell("{ sleep 0.2; $FILON --help; echo code $? >&2; } | :")
    assert ended.stderr == "code 0\n"


def test_a_group_without_a_command_says_its_help_and_no_empty_sentence(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.run(["catalog"]) == cli.USAGE
    told = capsys.readouterr()
    assert "Usage: filon catalog" in told.out
    assert told.err == ""
