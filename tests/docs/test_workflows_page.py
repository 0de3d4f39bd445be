"""What docs/workflows.md shows is done: by a shell, by systemd's own check, and by dlt."""

import configparser
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
import yaml

from command import environment
from docs.pages import ROOT, blocks
from filon.verbs.refresh.schedule import Schedule
from loopback import Loopback, csv, html, serving
from patience import PATIENCE_S

SHOWN = {
    kind: [block.text for block in blocks(ROOT / "docs/workflows.md") if block.kind == kind]
    for kind in ("toml", "text", "ini", "yaml", "python")
}
SITE = {"/": html("/rain.csv", "/snow.csv"), "/rain.csv": csv("r"), "/snow.csv": csv("s")}


@pytest.fixture
def data(tmp_path: Path) -> Iterator[Path]:
    """The reader's folder, with the files of the page and the programs that it names."""
    folder = tmp_path / "data"
    programs = folder / ".venv/bin"
    programs.mkdir(parents=True)
    for name, words in (("filon", "-m filon "), ("python", "")):
        (programs / name).write_text(f'#!/bin/sh\nexec {sys.executable} {words}"$@"\n')
        (programs / name).chmod(0o755)
    (folder / "load.py").write_text(SHOWN["python"][0])
    with serving(SITE) as site:
        (folder / "sites.toml").write_text(sites(site))
        yield folder


def sites(site: Loopback) -> str:
    return SHOWN["toml"][0].replace("https://www.example.org/statistics", site.url)


def type_in(folder: Path, line: str) -> None:
    """Type a line into a shell that knows the programs of the folder."""
    env = {
        **environment(),
        "PATH": f"{folder}/.venv/bin:{os.environ['PATH']}",
        "HOME": str(folder.parent),
        "RUNTIME__DLTHUB_TELEMETRY": "false",
        "DLT_DATA_DIR": str(folder.parent / ".dlt"),
    }
    ended = subprocess.run(
        ["/bin/sh", "-c", line],
        cwd=folder, env=env, capture_output=True, text=True, timeout=PATIENCE_S, check=False,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stdout + ended.stderr


def loaded(folder: Path) -> list[tuple[int, int]]:
    with duckdb.connect(str(folder / "found.duckdb")) as db:
        query = "SELECT (SELECT count(*) FROM web.files), (SELECT count(*) FROM web.rain)"
        return db.execute(query).fetchall()


def test_the_file_is_understood(tmp_path: Path) -> None:
    (site,) = Schedule.of(tomllib.loads(SHOWN["toml"][0]), tmp_path).sites
    assert site.interval_s == 24 * 3600.0


def test_the_line_of_cron_fetches_and_loads(data: Path) -> None:
    *when, line = SHOWN["text"][0].split(maxsplit=5)
    assert when == ["17", "3", "*", "*", "*"]
    type_in(data, line)
    assert "2 new" in (data / "watch.log").read_text()
    assert loaded(data) == [(2, 30)]


def test_the_steps_of_the_job_fetch_and_load(data: Path) -> None:
    """All but those that install or belong to others, whose inputs are looked at."""
    job = yaml.safe_load(SHOWN["yaml"][0])
    assert job[True]["schedule"] == [{"cron": "17 3 * * *"}]  # to YAML 1.1, "on" is yes
    steps = job["jobs"]["data"]["steps"]
    lines = [step["run"] for step in steps if "run" in step]
    assert lines[0] == "pip install 'filon[dlt]'"
    for line in lines[1:]:
        type_in(data, line)
    assert loaded(data) == [(2, 30)]
    given = {
        step["uses"].partition("@")[0]: step.get("with", {}) for step in steps if "uses" in step
    }
    assert (data / given["actions/cache"]["path"]).is_dir()
    assert (data / given["actions/upload-artifact"]["path"]).is_file()
    assert given["actions/cache"]["key"].startswith(given["actions/cache"]["restore-keys"])


def test_the_units_of_systemd_are_right(tmp_path: Path) -> None:
    service, timer = SHOWN["ini"]
    unit = configparser.ConfigParser(interpolation=None)
    unit.read_string(service)
    program, *words = unit["Service"]["ExecStart"].split()
    assert (program, words) == ("%h/data/.venv/bin/filon", ["watch", "sites.toml", "--once"])
    systemd = shutil.which("systemd-analyze")
    if not systemd:
        pytest.skip("needs systemd-analyze")
    # The program of the reader is not where systemd looks for it; one that is will do.
    here = {"%h/data/.venv/bin/filon": sys.executable, "%h/data": str(tmp_path)}
    for old, new in here.items():
        service = service.replace(old, new)
    for name, text in (("filon.service", service), ("filon.timer", timer)):
        (tmp_path / name).write_text(text)
    ended = subprocess.run(
        [systemd, "verify", "--user", "--recursive-errors=no", "./filon.service", "./filon.timer"],
        env={**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)},
        cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE_S, check=False,
    )  # fmt: skip
    assert (ended.returncode, ended.stderr) == (0, "")
    calendar = timer.partition("OnCalendar=")[2].splitlines()[0]
    told = subprocess.run(
        [systemd, "calendar", calendar],
        capture_output=True, text=True, timeout=PATIENCE_S, check=True,
    )  # fmt: skip
    assert "Normalized form: *-*-* 03:17:00" in told.stdout
