"""A real site, recorded, over a real socket."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from command import filon


class Recorded:
    """The server of the recorded sites, and its log."""

    def __init__(self, port: int, log: Path) -> None:
        self.connect_to = ("--connect-to", f"::127.0.0.1:{port}")
        self._log = log

    def log(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self._log.read_text().splitlines()]


@pytest.fixture
def recorded(shared: Path, tmp_path: Path) -> Iterator[Recorded]:
    log = tmp_path / "log.jsonl"
    process = subprocess.Popen(
        [sys.executable, shared / "data/harvest/serve.py", "ipho", "--log", log],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout
        yield Recorded(json.loads(process.stdout.readline())["port"], log)
    finally:
        process.terminate()
        process.communicate()


def test_the_whole_of_a_recorded_site_is_harvested(recorded: Recorded, tmp_path: Path) -> None:
    ended = filon(
        tmp_path, "harvest", "http://ipho.test/", *recorded.connect_to, "--types", "paper",
        "--stop", "never", "--delay", 0, "--parallel", 4, "--out", "run", "--json",
    )  # fmt: skip
    assert ended.code == 0, ended.err
    log = recorded.log()
    got = {row["target"] for row in log if row["class"] == "target" and row["method"] == "GET"}
    assert len(got) == ended.json["finds"] == 28
    assert ended.json["requests"] == len(log)
    asked = [(row["method"], row["target"]) for row in log]
    assert len(asked) == len({*asked})


def test_a_budget_on_a_recorded_site_holds_by_its_log(recorded: Recorded, tmp_path: Path) -> None:
    ended = filon(
        tmp_path, "harvest", "http://ipho.test/", *recorded.connect_to, "--types", "paper",
        "--delay", 0, "--parallel", 8, "--budget", 100, "--json",
    )  # fmt: skip
    assert ended.json["stopped"] == "budget"
    assert ended.json["requests"] == len(recorded.log()) == 100
