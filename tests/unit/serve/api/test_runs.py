"""Runs in the API."""

from pathlib import Path
from typing import Any

import filon
from fake_run import FakeRun
from loopback import csv, html, serving
from unit.serve.visitor import Browser, visiting


def asked(path: str, folder: Path) -> Any:
    async def visit(browser: Browser) -> Any:
        answer = await browser.get(path)
        return await answer.json()

    return visiting(visit, folder)


def test_runs_are_listed_and_shown(tmp_path: Path) -> None:
    with FakeRun(tmp_path / "example.org-001") as run:
        run.step("http://example.org/")
    found = asked("/api/runs", tmp_path)
    assert found["total"] == 1
    assert found["runs"][0]["run"] == "example.org-001"
    shown = asked("/api/runs/example.org-001", tmp_path)
    assert {"run", "verb", "strategy", "stopped", "requests", "bytes", "finds"} <= {*shown}
    assert asked("/api/runs?offset=1", tmp_path) == {"total": 1, "runs": []}


def test_a_folder_that_is_not_there_yet_has_no_runs(tmp_path: Path) -> None:
    assert asked("/api/runs", tmp_path / "later") == {"total": 0, "runs": []}


def test_what_is_no_run_is_missing(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    for name in ("other", "nowhere", "..%2f..", "%2e%2e", "a%00b"):
        assert "error" in asked(f"/api/runs/{name}/finds", tmp_path), name


def test_finds_are_paged_through(tmp_path: Path) -> None:
    with FakeRun(tmp_path / "example.org-001") as run:
        for number in range(3):
            run.find(f"http://example.org/{number}.csv", f"a,b\n{number},2\n".encode())
    first = asked("/api/runs/example.org-001/finds?limit=2", tmp_path)
    rest = asked("/api/runs/example.org-001/finds?offset=2", tmp_path)
    assert first["total"] == 3
    urls = [find["url"] for find in [*first["finds"], *rest["finds"]]]
    assert urls == [f"http://example.org/{number}.csv" for number in range(3)]


def test_changes_are_told(tmp_path: Path) -> None:
    pages = {"/": html("/a.csv"), "/a.csv": csv("a")}
    with serving(pages) as server:
        filon.harvest(server.url, out=tmp_path / "run", delay=0)
        pages["/a.csv"] = csv("x")
        filon.refresh(tmp_path / "run", delay=0)
    (change,) = asked("/api/runs/run/changes", tmp_path)["changes"]
    assert (change["what"], change["name"]) == ("changed", "a.csv")
    assert asked("/api/runs/run/changes?since=2999-01-01", tmp_path) == {"changes": []}
    assert "error" in asked("/api/runs/run/changes?since=soon", tmp_path)
