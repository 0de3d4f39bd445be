"""Every page that links lead to from the first one: no violation, no script of a stranger."""

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urldefrag, urljoin, urlsplit

import pytest

import filon
from browser.conftest import Served
from browser.looks import check
from browser.site import csv, ministry, table
from golden.folders import unpack
from loopback import serving
from unit.serve.test_fleets import make

if TYPE_CHECKING:
    from playwright.sync_api import Page

#: Numbers, ids and names of runs and files: pages that differ in these alone are of one kind.
_NAMED = re.compile(r"(?<=/)(?:[0-9a-f]{8,}|\d+|[^/?]*-\d+|(?<=runs/|cide/)[^/?]+)(?=[/?]|$)")
#: More kinds of pages than that there are not.
MOST = 60


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Runs of all verbs, one with a round in which a table has changed, and a fleet."""
    home = tmp_path / "runs"
    home.mkdir()
    for name in ("discover", "enrich", "follow", "acquire"):
        unpack(name, home)
    pages = ministry()
    with serving(pages) as site:
        filon.harvest(site.url, out=home / "labour", delay=0).close()
        pages["/data/2021.csv"] = csv(table(2021) + b"Efeu,51.0,7.0,2021,4.4\n")
        filon.refresh(home / "labour", delay=0)
    with ThreadPoolExecutor() as aside:  # Playwright has a loop in this one
        aside.submit(make, home).result()
    return home


def kind(url: str) -> tuple[str, tuple[str, ...]]:
    """Return what a page is, whatever it is about."""
    parts = urlsplit(url)
    names = sorted({pair.partition("=")[0] for pair in parts.query.split("&") if pair})
    return _NAMED.sub("*", parts.path), tuple(names)


def _is_page(path: str) -> bool:
    """Say whether a link leads to a page of ours: no file, and no answer for programs."""
    return path.startswith("/") and "/kept/" not in path and not path.startswith("/api/")


def test_every_page_can_be_used_by_everybody(page: "Page", served: Served) -> None:
    page.goto(f"{served.root}/catalog")
    page.locator(".state.running").wait_for(state="detached")
    waiting = [f"{served.root}/"]
    seen: set[tuple[str, tuple[str, ...]]] = set()
    while waiting and len(seen) < MOST:
        url = waiting.pop(0)
        if kind(url) in seen:
            continue
        seen.add(kind(url))
        page.goto(url)
        page.wait_for_load_state("networkidle")
        check(page, "light", "dark")
        assert "caught" not in page.title()
        hrefs: list[str] = page.eval_on_selector_all(
            "a[href]:not([download]):not([target])", "links => links.map(a => a.href)"
        )
        own = [urldefrag(urljoin(url, href))[0] for href in hrefs]
        waiting += [href for href in own if _is_page(href.removeprefix(served.root))]
    assert len(seen) > 15, seen
    assert ("/fleets/*", ()) in seen
    assert len(seen) < MOST
