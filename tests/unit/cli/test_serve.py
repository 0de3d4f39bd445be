"""`filon serve` before it serves: what is wrong is said in a sentence, and nothing listens."""

import os
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

from filon.cli import run
from filon.cli import serve as command
from filon.serve.access import Access
from filon.web.turns import VARIABLE


@pytest.fixture(autouse=True)
def _never_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(work: Coroutine[Any, Any, None]) -> None:
        work.close()
        raise AssertionError("it listens")

    monkeypatch.setattr(command, "run_here", refuse)
    monkeypatch.setenv(VARIABLE, "")


@pytest.mark.parametrize(
    ("typed", "password", "sentence"),
    [
        (["--host", "0.0.0.0"], "", "--host 0.0.0.0 lets others in: say --password as well"),
        (["--host", "192.0.2.1"], "", "--host 192.0.2.1 lets others in"),
        (["--host", "::"], "", "--host :: lets others in"),
        (["--password"], "short", "A password needs at least 12 characters."),
        (["--tls-cert", "x.pem"], "", "TLS needs both --tls-cert and --tls-key."),
        (["--tls-key", "x.pem"], "", "TLS needs both --tls-cert and --tls-key."),
        ([__file__], "", "is no folder"),
        ([f"{__file__}/runs"], "", "runs cannot be made: Not a directory."),
        (["--tls-cert", "no.pem", "--tls-key", "no.pem"], "", "no.pem and no.pem make no TLS"),
    ],
)
def test_a_mistake_is_told(
    typed: list[str],
    password: str,
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("FILON_PASSWORD", password)
    assert run(["serve", "--no-open", *typed]) == 2
    assert sentence in capsys.readouterr().err


def test_without_its_guard_others_would_be_let_in_without_a_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "LOOPBACK", (*command.LOOPBACK, "0.0.0.0"))
    with pytest.raises(AssertionError, match="it listens"):
        run(["serve", "--no-open", "--host", "0.0.0.0", str(tmp_path)])


def test_what_is_begun_from_here_keeps_each_hosts_pace_together(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="it listens"):
        run(["serve", "--no-open", str(tmp_path)])
    assert Path(os.environ[VARIABLE]).is_relative_to(tmp_path)


def test_without_its_extra_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    assert run(["serve", "--no-open"]) == 2
    assert "pip install 'filon[serve]'" in capsys.readouterr().err


def test_the_password_leaves_the_environment_of_what_is_begun_from_here(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import os

    monkeypatch.setenv("FILON_PASSWORD", "correct horse battery")
    access = command._access("127.0.0.1", [], password=True)
    assert access.password
    assert "FILON_PASSWORD" not in os.environ


@pytest.mark.parametrize(
    ("access", "host", "address"),
    [
        (Access(port=1), "127.0.0.1", "http://127.0.0.1:1/"),
        (Access(port=1), "::1", "http://[::1]:1/"),
        (Access(port=1), "0.0.0.0", "http://127.0.0.1:1/"),
        (Access(port=1, names=["data.example"], secure=True), "0.0.0.0", "https://data.example:1/"),
    ],
)
def test_the_address_that_is_printed(access: Access, host: str, address: str) -> None:
    assert command._address(access, host) == address


def test_the_help_loads_no_page(tmp_path: Path) -> None:
    from unit.cli.test_app_light import commanded

    modules = commanded("serve", "--help")
    assert not modules & {"jinja2", "filon.serve"}
