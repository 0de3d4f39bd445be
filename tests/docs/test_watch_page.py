"""What docs/refresh.md says of watching: its file is understood, its line for cron works."""

import configparser
import re
import subprocess
import sys
import tomllib
from pathlib import Path

from command import environment
from docs.pages import ROOT
from filon.verbs.refresh.schedule import Schedule
from loopback import csv, html, serving
from patience import PATIENCE_S

PAGE = (ROOT / "docs/refresh.md").read_text("utf-8")


def block(kind: str) -> str:
    """Return the text of the page's first block of a kind."""
    found = re.search(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)
    assert found, kind
    return found[1]


def test_the_file_is_understood(tmp_path: Path) -> None:
    first, second = Schedule.of(tomllib.loads(block("toml")), tmp_path).sites
    assert (first.interval_s, second.interval_s) == (6 * 3600.0, 24 * 3600.0)
    assert second.run == tmp_path / "runs/example"


def test_the_line_of_cron_does_its_work(tmp_path: Path) -> None:
    program = tmp_path / "data/.venv/bin/filon"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m filon "$@"\n')
    program.chmod(0o755)
    line = block("text").split(maxsplit=5)[5].strip().replace("~/data", f"{tmp_path}/data")
    with serving({"/": html("/a.csv"), "/a.csv": csv()}) as server:
        (tmp_path / "data/sites.toml").write_text(f'[[site]]\nurl = "{server.url}"\n')
        ended = subprocess.run(
            ["/bin/sh", "-c", line], env=environment(), check=False, timeout=PATIENCE_S
        )
    log = (tmp_path / "data/watch.log").read_text()
    assert ended.returncode == 0, log
    assert "1 new" in log


def test_the_unit_of_systemd_starts_the_same_command() -> None:
    unit = configparser.ConfigParser(interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read_string(block("ini"))
    assert unit["Service"]["ExecStart"] == "%h/data/.venv/bin/filon watch sites.toml"
    assert unit["Service"]["SuccessExitStatus"] == "130"
