"""The pages of `filon serve` in a real browser: `make browser-test`.

Chromium is the system's own. Where CI decides what is merged, a missing one is a failure; elsewhere
the tests skip, and say so.
"""

import os
import re
import shutil
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from command import Running, start
from patience import PATIENCE_S

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
#: A browser that runs as root in a container has no sandbox, and none of it calls home.
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update",
)  # fmt: skip
#: A server that was killed, and what a newer question of the page has overtaken.
_PASSING = re.compile(r"net::ERR_|htmx:(afterRequest|sendAbort)")
_ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/\S*")


def _missing(why: str) -> None:
    if os.environ.get("CI") == "true":
        pytest.fail(f"{why}, and CI does not do without")
    pytest.skip(f"{why}: make browser-test sets it up")


@pytest.fixture(scope="session")
def chromium() -> Iterator["Browser"]:
    """A browser that is open for all tests."""
    if not os.environ.get("FILON_BROWSER"):
        pytest.skip("the pages in a real browser: make browser-test")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        _missing("the package playwright is not installed")
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        _missing("there is no Chromium on this machine")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=list(FLAGS))
        yield browser
        browser.close()


@dataclass
class Served:
    """A server that was started as a person does: the process, its folder and its first address."""

    process: Running
    home: Path
    first: str

    @property
    def root(self) -> str:
        """The address without the token."""
        return self.first.partition("/?")[0].partition("/enter")[0].rstrip("/")

    def stop(self, how: int = signal.SIGINT) -> None:
        """Stop it by its own number, and wait; if that was not done before."""
        assert self.process.stdout is not None
        if self.process.stdout.closed:
            return
        if self.process.poll() is None:
            self.process.send_signal(how)
        self.process.communicate(timeout=PATIENCE_S)


def begin(home: Path, *more: str) -> Served:
    """Start `filon serve` on a folder; return when it says its address."""
    process = start(home.parent, "serve", home, "--port", "0", "--no-open", *more)
    assert process.stdout is not None
    said = []
    for line in process.stdout:
        said.append(line)
        if address := _ADDRESS.search(line):
            return Served(process, home, address[0])
    _, err = process.communicate(timeout=PATIENCE_S)
    raise AssertionError(f"the server did not begin: {''.join(said)}{err}")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The folder that is served: an empty one, unless a file of tests has its own."""
    home = tmp_path / "runs"
    home.mkdir()
    return home


@pytest.fixture
def served(home: Path) -> Iterator[Served]:
    """A server on the folder."""
    server = begin(home)
    yield server
    server.stop()


@pytest.fixture(params=["wide", "narrow"])
def page(request: pytest.FixtureRequest, chromium: "Browser", served: Served) -> Iterator["Page"]:
    """A page of that server, let in; what the browser complains of is a failure.

    wide in light colours, and narrow (400 px) in dark ones with less motion.
    """
    narrow = request.param == "narrow"
    context = chromium.new_context(
        viewport={"width": 400 if narrow else 1200, "height": 800},
        color_scheme="dark" if narrow else "light",
        reduced_motion="reduce" if narrow else "no-preference",
        accept_downloads=True,
    )
    context.set_default_timeout(PATIENCE_S * 1000 / 4)
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda told: complaints.append(told.text) if told.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(served.first)
    yield page
    context.close()
    assert [told for told in complaints if not _PASSING.search(told)] == []
