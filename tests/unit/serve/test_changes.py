"""What changed in a run, as a page and as JSON."""

import json
from pathlib import Path

import pytest

import filon
from filon.run.disk import Lock
from filon.verbs.refresh.changes import changes_of
from golden.folders import unpack
from loopback import csv, html, serving
from unit.serve.visitor import Browser, visiting


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A harvest of two files that was looked at again: one has changed, and one is new."""
    pages = {"/": html("/a.csv", "/b.csv"), "/a.csv": csv("a"), "/b.csv": csv("b")}
    with serving(pages) as server:
        with filon.harvest(server.url, out=tmp_path / "run", delay=0):
            pages |= {
                "/": html("/a.csv", "/b.csv", "/c.csv"),
                "/a.csv": csv("x"),
                "/c.csv": csv("c"),
            }
        filon.refresh(tmp_path / "run", delay=0)
    return tmp_path


def test_the_page_tells_what_filon_diff_tells(home: Path) -> None:
    found = changes_of(home / "run")
    assert {(one["what"], one["name"]) for one in found} == {("changed", "a.csv"), ("new", "c.csv")}

    async def visit(browser: Browser) -> None:
        page = await browser.text("/runs/run/changes")
        assert "Changed: 1 file" in page
        assert "New: 1 file" in page
        for change in found:
            assert change["name"] in page
        assert f"filon diff {home / 'run'}" in page
        told = json.loads(await browser.text("/runs/run/changes?as=json"))
        assert [one["url"] for one in told["changes"]] == [one["url"] for one in found]
        assert "Nothing has changed" in await browser.text("/runs/run/changes?since=2199-01-01")

    visiting(visit, home)


def test_a_run_that_was_not_looked_at_again_says_so(tmp_path: Path) -> None:
    unpack("harvest", tmp_path)

    async def visit(browser: Browser) -> None:
        assert "not looked at again yet" in await browser.text("/runs/harvest/changes")
        lock = Lock(tmp_path / "harvest")
        try:
            page = await browser.text("/runs/harvest/changes")
        finally:
            lock.release()
        assert "more may come" in page
        assert "not looked at again yet" not in page
        wrong = await browser.get("/runs/harvest/changes?since=yesterday")
        assert wrong.status == 400
        assert "is not a date" in await wrong.text()

    visiting(visit, tmp_path)
