"""Runs in the API."""

from pathlib import Path
from typing import Any

from fake_run import FakeRun
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
