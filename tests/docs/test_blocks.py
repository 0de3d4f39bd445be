"""Every command of every page is typed in a test, or stands in not_run.toml with a reason."""

import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from command import Ended, filon, finish, start_python
from docs.pages import PAGES, ROOT, blocks
from docs.reader import Reader, typed
from filon.demo import country, linked
from filon.demo.server import Server, serving

#: Commands that no test types, by page, and why.
NOT_RUN: dict[str, dict[str, str]] = tomllib.loads(
    Path(__file__).with_name("not_run.toml").read_text("utf-8")
)
WITH_COMMANDS = [page for page in PAGES if any(block.kind == "sh" for block in blocks(page))]
_CONFIG = ("--config", "practice.toml")
_DEMO = "filon demo --all"


def _name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.fixture
def small_web() -> Iterator[Server]:
    with serving() as server:
        yield server


def _practice(folder: Path, web: Server) -> None:
    (folder / "practice.toml").write_text(f'connect-to = "::127.0.0.1:{web.port}"\ndelay = 0\n')


def _harvested(folder: Path, web: Server, out: str) -> None:
    _practice(folder, web)
    site = ("http://statistics.test/", "--budget", "60", "--out", out)
    assert filon(folder, "harvest", *site, *_CONFIG).code == 0


def _papers(folder: Path) -> None:
    (folder / "papers.csv").write_text("title,authors,year,doi\nWar and Peace,Tolstoy,,\n")


def _clubs(folder: Path, _: Server) -> None:
    (folder / "clubs.txt").write_text("https://clubs.example.org/\n")


def _sites(folder: Path, _: Server) -> None:
    (folder / "sites.txt").write_text("https://www.example.org/\nhttps://data.example.com/\n")


def _readme(folder: Path, web: Server) -> None:
    _harvested(folder, web, "filon-runs/www.example.org-001")
    _papers(folder)


def _library(folder: Path, web: Server) -> None:
    """A source of the reader's own: the library, under the names that the pages give it."""
    _practice(folder, web)
    finish(start_python(folder, "-m", "filon.demo.library"))
    (folder / "mine.toml").write_text((folder / "library.toml").read_text())


def _searched(folder: Path, _: Server) -> None:
    """A searcher of the reader's own: the example of docs/sources.md."""
    (example,) = (b.text for b in blocks(ROOT / "docs/sources.md") if b.kind == "toml")
    (folder / "library.toml").write_text(example, "utf-8")


#: What the reader of a page has already.
BEFORE: dict[str, Callable[[Path, Server], None]] = {
    "README.md": _readme,
    "docs/enrich.md": lambda folder, _: _papers(folder),
    "docs/acquire.md": _sites,
    "docs/discover.md": _clubs,
    "docs/catalog.md": lambda folder, web: _harvested(folder, web, "first"),
    "docs/hand-on.md": lambda folder, web: _harvested(folder, web, "first"),
    "docs/profile.md": lambda folder, web: _harvested(folder, web, "first"),
    "docs/run-folder.md": lambda folder, web: _harvested(folder, web, "first"),
    "docs/sources.md": _library,
    "docs/searchers.md": _searched,
}


def _discovered(folder: Path) -> None:
    urls = (folder / "water/harvest.txt").read_text().split()
    assert len(urls) >= 10
    assert {urlsplit(url).hostname for url in urls} <= set(country.truth())
    assert (folder / "water.ttl").is_file()
    assert "accepted" in (folder / "water/sites.csv").read_text()
    assert len(list((folder / "filon-runs").iterdir())) > 1


def _followed(folder: Path) -> None:
    quads = (folder / "walk/graph.nq").read_text().splitlines()
    assert len(quads) == sum(linked.truth().values())
    assert (folder / "walk.nq").is_file()
    assert (folder / "store").is_dir()


def _compared(folder: Path) -> None:
    shown = (ROOT / "docs/tutorial.md").read_text("utf-8")
    (row,) = re.findall(r"^\| statistics.test \|.+$", shown, re.M)
    compared = (folder / "compared/comparison.md").read_text("utf-8")
    assert row in compared.splitlines()
    (requests,) = re.findall(r"all pages\s+take ([\d,]+)\.", shown)
    assert f"\n| statistics.test | {requests.replace(',', '')} |" in compared
    assert f" of {requests} requests." in (ROOT / "docs/experiments.md").read_text("utf-8")
    again = filon(folder, "harvest", "http://statistics.test/", *_CONFIG, "--out", "first")
    assert f"```text\n{again.err}```" in shown


def _put_together(folder: Path) -> None:
    assert len((folder / "nitrate.csv").read_text().splitlines()) == 1 + 128
    filled = (folder / "enriched/enriched.csv").read_text()
    assert "altitude" in filled.splitlines()[0]
    assert (folder / "water-package/datapackage.json").is_file()


def _enriched(folder: Path) -> None:
    assert (folder / "books-records.csv").is_file()


#: What the reader of a page has then.
AFTER: dict[str, Callable[[Path], None]] = {
    "docs/discover.md": _discovered,
    "docs/enrich.md": _enriched,
    "docs/follow.md": _followed,
    "docs/topic-to-table.md": _put_together,
    "docs/tutorial.md": _compared,
}


@pytest.fixture
def shown(request: pytest.FixtureRequest, page: Path) -> dict[str, Ended]:
    """What was typed once in the session of tests, where a page shows it: the demo is long."""
    if _DEMO not in {line for block in blocks(page) for line in typed(block)}:
        return {}
    ended: Ended = request.getfixturevalue("demo")[1]
    assert ended.code == 0, ended.err
    return {_DEMO: ended}


@pytest.mark.parametrize("page", WITH_COMMANDS, ids=_name)
def test_a_page_does_what_it_says(
    page: Path,
    shown: dict[str, Ended],
    small_web: Server,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("FILON_CACHE", str(tmp_path / "cache.sqlite"))
    for key in ("OPENALEX_API_KEY", "LIBRARY_KEY"):
        monkeypatch.setenv(key, "none")
    if before := BEFORE.get(_name(page)):
        before(tmp_path, small_web)
    not_run = NOT_RUN.get(_name(page), {})
    reader = Reader(tmp_path, small_web.port, not_run, shown)
    reader.do(page)
    assert reader.ran or not_run
    if after := AFTER.get(_name(page)):
        after(tmp_path)


def test_what_is_not_run_is_on_its_page_and_has_a_reason() -> None:
    told = {
        (_name(page), line) for page in PAGES for block in blocks(page) for line in typed(block)
    }
    assert {(name, line) for name, table in NOT_RUN.items() for line in table} <= told
    assert all(reason for table in NOT_RUN.values() for reason in table.values())


def test_a_block_with_commands_is_called_sh() -> None:
    """Only the reference shows commands otherwise: as usage, made from the program."""
    other = re.compile(r"^(\$ |filon |python3? -m |pip |make |xargs )", re.M)
    assert [
        (_name(page), block.text)
        for page in PAGES
        for block in blocks(page)
        if page.name != "reference.md"
        and block.kind != "sh"
        and other.search(block.text)
        and not block.text.startswith("1. ")  # what the demo prints, which shows what it does
    ] == []


def test_every_page_practises_with_the_same_file() -> None:
    practice = {
        re.sub(r" *#.*\n", "\n", block.text).strip()
        for page in PAGES
        for block in blocks(page)
        if block.kind == "toml" and "connect-to" in block.text
    }
    assert practice == {'connect-to = ["::127.0.0.1:8000"]\ndelay = 0'}
