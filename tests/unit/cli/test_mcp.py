"""`filon mcp` before it speaks: what is wrong is said in a sentence."""

import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

from filon.cli import mcp as command
from filon.cli import run


@pytest.fixture(autouse=True)
def _never_speaks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(work: Coroutine[Any, Any, None]) -> None:
        work.close()
        raise AssertionError("it speaks")

    monkeypatch.setattr(command, "run_here", refuse)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    code = run(["mcp", *words])
    told = capsys.readouterr()
    return code, told.out + told.err


def test_check_tells_what_holds_and_ends(capsys: pytest.CaptureFixture[str]) -> None:
    code, told = said(capsys, "--check")
    assert code == 0
    assert "hosts: none" in told
    assert "budget of 24 hours: 500req" in told
    assert "a file that is not there yet" in told


def test_limits_that_are_not_understood_are_the_users_mistake(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "mcp.toml"
    file.write_text("hosts = 3")
    assert said(capsys, "--config", str(file)) == (
        2,
        f"filon: {file}: hosts must be a list of texts.\n",
    )
    assert said(capsys, "--config", str(tmp_path / "none"))[0] == 2


def test_a_folder_that_is_a_file_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "mcp.toml"
    file.write_text('folder = "mcp.toml"')
    code, told = said(capsys, "--config", str(file))
    assert code == 2
    assert "is no folder" in told


def test_a_token_that_can_be_guessed_is_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "filon").mkdir()
    (tmp_path / "filon" / "mcp.toml").write_text('folder = "runs"')
    monkeypatch.setenv(command.TOKEN, "short")
    code, told = said(capsys, "--http")
    assert code == 2
    assert "too short" in told


def test_without_the_extra_it_says_what_to_install(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "mcp.server.mcpserver", None)
    code, told = said(capsys)
    assert code == 2
    assert told == ("filon: Agents need the SDK of the protocol: pip install 'filon[mcp]'.\n")
