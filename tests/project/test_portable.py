"""What can be known here of systems that these tests do not run on."""

import json
import subprocess
import sys
from pathlib import Path

from command import environment
from loopback import portal, serving
from patience import PATIENCE_S
from project import windows


def as_on_windows(folder: Path, *commands: tuple[object, ...]) -> str:
    """Run commands with what Windows lacks taken away, into a pipe with its code page."""
    ended = subprocess.run(
        [sys.executable, windows.__file__, json.dumps(commands)],
        cwd=folder,
        env={**environment(), "PYTHONIOENCODING": "cp1252"},
        capture_output=True,
        encoding="cp1252",
        timeout=PATIENCE_S,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.count("ended with 0\n") == len(commands), ended.stdout + ended.stderr
    return ended.stdout


def test_a_run_needs_nothing_that_windows_lacks(tmp_path: Path) -> None:
    with serving(portal(2, 4)) as site:
        as_on_windows(
            tmp_path,
            ("harvest", site.url, "--delay", 0, "--budget", "6req", "--out", "run"),
            ("resume", "run", "--budget", "200req"),
            ("report", "run"),
            ("export", "run", "--to", "files", "--out", "files"),
            ("why", "run", site.url),
        )
    assert (tmp_path / "run/lock").is_file()
    assert (tmp_path / "files/index.csv").is_file()


def test_a_letter_that_the_code_page_lacks_ends_nothing(tmp_path: Path) -> None:
    told = as_on_windows(tmp_path, ("discover", "łódź", "--dry-run"))
    assert "?ód?" in told
