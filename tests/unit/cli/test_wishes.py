from pathlib import Path

import pytest

from filon.cli.wishes import gather, read_options
from filon.core import UserError


def test_only_what_was_given_counts() -> None:
    assert gather(None, {"types": None, "header": [], "connect_to": (), "dry_run": True}) == {}


def test_flags_are_named_as_the_settings_are() -> None:
    flags = {
        "delay": 0.5,
        "max_size": "2MB",
        "no_robots": True,
        "no_cookies": True,
        "insecure": True,
        "set_": ["alpha=1.5", "model=nb"],
        "connect_to": ["::a:1", "b::c:"],
        "ca_file": Path("roots.pem"),
    }
    assert gather(None, flags) == {
        "delay": 0.5,
        "max_size": 2_000_000,
        "robots": False,
        "cookies": False,
        "insecure": True,
        "set": {"alpha": 1.5, "model": "nb"},
        "connect_to": ("::a:1", "b::c:"),
        "ca_file": "roots.pem",
    }


def test_a_file_is_read_and_flags_win(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text(
        'budget = 300\ndelay = 2\nconnect-to = "::a:1"\nmax_size = "1kB"\nout = "here"\n'
        "robots = false\n[set]\nalpha = 2\n"
    )
    assert gather(file, {"delay": 3.0}) == {
        "budget": "300",
        "delay": 3.0,
        "connect_to": ("::a:1",),
        "max_size": 1000,
        "out": "here",
        "robots": False,
        "set": {"alpha": 2},
    }


@pytest.mark.parametrize("text", ["500", "5req", "fast", "", "-1MB"])
def test_a_size_needs_its_unit(text: str) -> None:
    with pytest.raises(UserError):
        gather(None, {"max_size": text})


def test_headers_in_a_file_stay_out_of_the_list_of_processes(tmp_path: Path) -> None:
    (tmp_path / "h").write_text("A: b\n\nC: d\n")
    assert gather(None, {"header": [f"@{tmp_path / 'h'}", "E: f"]}) == {
        "header": ("A: b", "C: d", "E: f")
    }


def test_options_of_a_strategy_are_numbers_where_they_look_so() -> None:
    assert read_options(["theta=0.5", "model=svm", "x=a=b"]) == {
        "theta": 0.5,
        "model": "svm",
        "x": "a=b",
    }
    with pytest.raises(UserError, match="NAME=VALUE"):
        read_options(["=3"])
