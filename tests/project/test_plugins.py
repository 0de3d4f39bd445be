"""The template of docs/plugins.md, as a stranger has it: built, installed, found, run and checked.

One plugin of each of the six kinds, in an environment with Filon's wheel and the template's.
"""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from filon.testing import STRATEGY
from loopback import Loopback, Page, csv, html, serving
from project.checkout import ROOT
from project.clean import built, installed, run

TEMPLATE = ROOT / "docs/plugin-template"
BOOKS = {"Tides of the north": 1998, "Granite and slate": 2003, "Lamps": 2011}


@pytest.fixture(scope="module")
def house(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment with Filon and the template."""
    folder = tmp_path_factory.mktemp("template")
    shutil.copytree(TEMPLATE, folder / "project")
    plugin = built("wheel", folder / "project", folder / "built")
    return installed(folder / "environment", wheel, plugin)


class Site(dict[str, Page]):
    """Pages, and two services that search."""

    def get(self, path: str, default: Any = None) -> Any:
        parts = urlsplit(path)
        words = set(parse_qs(parts.query).get("q", [""])[0].lower().split())
        if parts.path == "/books":
            found = [title for title in BOOKS if words & set(title.lower().split())]
            rows = [{"id": title, "title": title, "year": BOOKS[title]} for title in found]
            return told({"books": rows})
        if parts.path == "/search":
            return told({"pages": [{"url": "http://light.invalid/", "title": "Lights"}]})
        return super().get(path, default)


def told(data: object) -> Page:
    return Page(body=json.dumps(data).encode(), headers={"Content-Type": "application/json"})


@pytest.fixture
def site() -> Iterator[Loopback]:
    pages = Site()
    with serving(pages) as server:
        listed = [
            {
                "id": f"{n}",
                "title": "Set",
                "file": f"{server.url}hidden/{n}.csv",
                "type": "text/csv",
            }
            for n in range(3)
        ]
        head = b'<link type="application/rss+xml" href="/news.xml">made with Quarry'
        start = html("/about", "/data")
        pages["/"] = Page(body=start.body + head)
        pages["/about"] = html("/")
        pages["/data"] = html("/linked.csv")
        pages["/linked.csv"] = csv("linked")
        pages["/quarry.json"] = pages["/quarry.json?all"] = told({"datasets": listed})
        pages["/news.xml"] = Page(body=b"<rss/>", headers={"Content-Type": "application/rss+xml"})
        for n in range(3):
            pages[f"/hidden/{n}.csv"] = csv(f"hidden{n}")
        yield server


def test_it_is_found(house: Path, tmp_path: Path) -> None:
    assert "Get the news feeds that a page names." in run(house / "filon", "--help", cwd=tmp_path)
    assert "The page to look at." in run(house / "filon", "feeds", "--help", cwd=tmp_path)


def test_its_strategy_portal_and_export_serve_a_harvest(
    house: Path, site: Loopback, tmp_path: Path
) -> None:
    asked = ("--strategy", "tide", "--set", "word=linked", "--delay", 0, "--json", "--out", "run")
    ended = json.loads(run(house / "filon", "harvest", site.url, *asked, cwd=tmp_path))
    assert ended["finds"] == 4  # three of them stand in the portal's list only
    assert 'strategy = "tide"' in (tmp_path / "run/run.toml").read_text("utf-8")
    run(house / "filon", "export", "run", "--to", "markdown", cwd=tmp_path)
    first, line, *rows = (tmp_path / "run.md").read_text("utf-8").splitlines()
    assert first.startswith("| url | name | mime |")
    assert line.startswith("| --- |")
    assert len(rows) == 4


def test_its_verb_runs_and_its_run_is_like_any_other(
    house: Path, site: Loopback, tmp_path: Path
) -> None:
    asked = (site.url, "--delay", 0, "--json", "--out", "run")
    ended = json.loads(run(house / "filon", "feeds", *asked, cwd=tmp_path))
    assert (ended["finds"], ended["stopped"]) == (1, "exhausted")
    assert "names it" in run(house / "filon", "why", "run", f"{site.url}news.xml", cwd=tmp_path)
    assert (tmp_path / "run/report.html").is_file()


def test_its_source_fills_a_table(house: Path, site: Loopback, tmp_path: Path) -> None:
    (tmp_path / "books.csv").write_text("title,year\n" + "".join(f"{t},\n" for t in BOOKS))
    asked = ("--from", "shelf", "--source-set", f"url={site.url.rstrip('/')}", "--add", "year")
    how = ("--delay", 0, "--json", "--out", "run")
    run(house / "filon", "enrich", "books.csv", *asked, *how, cwd=tmp_path)
    assert "Tides of the north,1998" in (tmp_path / "run/enriched.csv").read_text("utf-8")


def test_its_search_service_is_asked(house: Path, site: Loopback, tmp_path: Path) -> None:
    search = f"lighthouse:url={site.url.rstrip('/')}"
    how = ("--budget", 3, "--delay", 0, "--json", "--out", "run")
    run(house / "filon", "discover", "lamps", "--search", search, *how, cwd=tmp_path)
    assert any(target.startswith("/search?q=") for target in site.targets)


def test_its_own_tests_pass(house: Path, tmp_path: Path) -> None:
    shutil.copytree(TEMPLATE / "tests", tmp_path / "tests")
    asked = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "tests")
    ended = run(house / "python", *asked, cwd=tmp_path)
    passed = re.search(r"^(\d+) passed", ended, re.M)
    assert passed
    assert int(passed[1]) > len(STRATEGY)  # each check of its strategy, and the other kinds
