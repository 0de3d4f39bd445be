"""A verb of another package: its own folder, an entry point, and nothing else is touched."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from command import FILON, Ended
from loopback import Page, serving
from patience import PATIENCE_S

#: The whole of the package: what a stranger would write.
PACKAGE = '''
"""`filon peek`: the numbered pages of a site."""

from dataclasses import dataclass
from typing import Literal

from filon.core import Find, Reason, Request, Step
from filon.guards.stack import guarded
from filon.verbs.option import start_url
from filon.verbs.job import Job
from filon.verbs.job import agent, live_options
from filon.verbs.option import option
from filon.verbs.settings import Settings
from filon.verbs.verb import Verb
from filon.web.live import Live
from filon.web.polite import Polite


@dataclass(frozen=True, slots=True, kw_only=True)
class PeekSettings(Settings):
    """One look. pages: how many. order: which first."""

    url: str = option(..., "Where the site starts.", metavar="URL", argument=True)
    verb: str = "peek"
    strategy: str = "count"
    pages: int = option(3, "How many pages are looked at; 3 by default.", metavar="N")
    order: Literal["up", "down"] = option("up", "The first or the last first.", noun="order")

    def __post_init__(self):
        Settings.__post_init__(self)
        object.__setattr__(self, "url", start_url(self.url))


class Count:
    """Counts up or down."""

    def __init__(self, settings):
        numbers = range(1, settings.pages + 1)
        self.left = list(numbers if settings.order == "up" else reversed(numbers))
        self.url = settings.url

    def propose(self):
        if not self.left:
            return None
        request = Request(url=f"{self.url}{self.left.pop(0)}")
        return Step(request=request, reason=Reason(kind="page", text="it is the next"))

    def observe(self, step, response):
        if response.status != 200:
            return []
        name = response.url.rpartition("/")[2]
        return [Find(kind="file", url=response.url, name=name, mime="text/plain")]

    def state(self):
        return {"version": 1, "left": self.left}

    def restore(self, state):
        self.left = list(state["left"])

    def summary(self):
        return {}


class PeekJob(Job):
    def choose(self):
        return Count(self.settings)

    def guard(self, chosen):
        robots = agent(self.settings) if self.settings.robots else ""
        return guarded(chosen, robots=robots, retries=self.settings.retries)

    def web(self, spool_dir):
        options = live_options(self.settings, self.settings.url, spool_dir)
        return Polite(Live(options), delay_s=self.settings.delay)


class Peek(Verb):
    """Look at the numbered pages of a site.

    Example: filon peek https://www.example.org/ --pages 9
    """

    name = "peek"
    nouns = ("request", "page")
    settings = PeekSettings

    def prepare(self, settings):
        return PeekJob(settings)

    def reopen(self, folder, settings):
        return PeekJob(settings)
'''
PAGES = {f"/{number}": Page(body=b"%d" % number) for number in range(1, 6)}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a folder with the package as pip installs one."""
    site = tmp_path / "site"
    (site / "filon_peek").mkdir(parents=True)
    (site / "filon_peek/__init__.py").write_text(PACKAGE)
    (site / "filon_peek-1.0.dist-info").mkdir()
    (site / "filon_peek-1.0.dist-info/METADATA").write_text(
        "Metadata-Version: 2.1\nName: filon-peek\nVersion: 1.0\n"
    )
    (site / "filon_peek-1.0.dist-info/entry_points.txt").write_text(
        "[filon.verbs]\npeek = filon_peek:Peek\n"
    )
    return tmp_path


def filon(home: Path, *arguments: str) -> Ended:
    path = os.pathsep.join([str(home / "site"), *filter(None, sys.path)])
    ended = subprocess.run(
        [*FILON, *arguments],
        cwd=home,
        env={**os.environ, "PYTHONPATH": path, "COLUMNS": "120"},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    return Ended(ended.returncode, ended.stdout, ended.stderr)


def test_it_has_a_command_and_a_help(home: Path) -> None:
    listed = filon(home, "--help").out
    assert "peek" in listed
    assert "Look at the numbered pages of a site." in listed
    told = filon(home, "peek", "--help").out
    for word in ("--pages", "How many pages are looked at", "up|down", "--budget", "--delay"):
        assert word in told, word
    assert "did you mean up?" in filon(home, "peek", "a.test", "--order", "upp").sentence


def test_it_is_run_resumed_reported_exported_and_explained(home: Path) -> None:
    with serving(PAGES) as site:
        typed = ("peek", site.url, "--pages", "5", "--delay", "0", "--out", "run", "--json")
        ended = filon(home, *typed, "--order", "down", "--budget", "3")  # robots.txt, 5 and 4
        assert (ended.code, ended.json["verb"], ended.json["finds"]) == (0, "peek", 2), ended.err
        went_on = filon(home, "resume", "run", "--budget", "10", "--json")
        assert (went_on.code, went_on.json["finds"]) == (0, 5), went_on.err
        assert site.targets == ["/robots.txt", "/5", "/4", "/3", "/2", "/1"]
    assert filon(home, "report", "run").code == 0
    assert "peek" in (home / "run/report.html").read_text("utf-8")
    assert filon(home, "export", "run", "--to", "csv", "--out", "finds.csv").code == 0
    assert len((home / "finds.csv").read_text("utf-8").splitlines()) == 6
    assert "it is the next" in filon(home, "why", "run", f"{site.url}4").out


def test_its_settings_stand_in_a_file_and_in_the_run_folder(home: Path) -> None:
    (home / "mine.toml").write_text('pages = 1\norder = "down"\ndelay = 0\n')
    with serving(PAGES) as site:
        assert filon(home, "peek", site.url, "--config", "mine.toml", "--out", "run").code == 0
    written = (home / "run/run.toml").read_text("utf-8")
    assert 'verb = "peek"' in written
    assert "pages = 1" in written
