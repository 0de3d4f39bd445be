"""Runs that the API begins, pauses and goes on with: by the queue of the pages."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from command import filon
from fake_run import FakeRun
from loopback import portal, serving
from patience import PATIENCE_S
from unit.serve.visitor import Browser, visiting


async def post(browser: Browser, path: str, **body: Any) -> tuple[int, Any]:
    token = {"Authorization": f"Bearer {browser.access.token}"}
    answer = await browser.client.post(f"/api{path}", json=body, headers=token)
    return answer.status, await answer.json()


def test_a_plan_tells_the_command_and_the_cost_and_begins_nothing(
    tmp_path: Path, begun: list[list[str]]
) -> None:
    async def visit(browser: Browser) -> None:
        wanted = {"url": "https://example.org/", "budget": "120req"}
        status, plan = await post(browser, "/plans", verb="harvest", settings=wanted)
        assert status == 200
        assert plan["command"][:3] == ["filon", "harvest", "https://example.org/"]
        assert plan["estimate"]["requests"] == 120
        wrong = {"url": "https://example.org/", "budget": "many"}
        _, plan = await post(browser, "/plans", verb="harvest", settings=wrong)
        assert plan["errors"]["budget"]
        assert plan["estimate"] is None

    visiting(visit, tmp_path, enter=False)
    assert begun == []
    assert list(tmp_path.glob("example*")) == []


def test_a_run_is_begun_by_the_command_that_a_person_would_type(
    tmp_path: Path, begun: list[list[str]]
) -> None:
    async def visit(browser: Browser) -> None:
        wanted = {"url": "https://example.org/", "budget": "9req", "delay": 2}
        status, made = await post(browser, "/runs", verb="harvest", settings=wanted)
        assert (status, made["run"]) == (200, "example.org-001")

    visiting(visit, tmp_path, enter=False)
    (words,) = begun
    assert words[:2] == ["harvest", "https://example.org/"]
    assert {"--budget", "9req", "--delay", "2"} <= {*words}


@pytest.mark.parametrize(
    ("verb", "settings"),
    [
        ("harvest", {}),
        ("harvest", {"url": "https://example.org/", "colour": "red"}),
        ("harvest", {"url": "https://example.org/", "budget": "many"}),
        ("harvest", {"url": {"a": 1}}),
        ("harvest", {"url": "javascript:alert(1)"}),
        ("replicate", {"url": "https://example.org/"}),
        ("harvest", {"url": "https://example.org/", "header": ["Authorization: secret"]}),
    ],
)
def test_what_cannot_be_begun_is_refused(
    verb: str, settings: dict[str, Any], tmp_path: Path, begun: list[list[str]]
) -> None:
    async def visit(browser: Browser) -> None:
        status, told = await post(browser, "/runs", verb=verb, settings=settings)
        assert status == 400
        assert told["error"]

    visiting(visit, tmp_path, enter=False)
    assert begun == []


def test_a_run_goes_on_and_is_looked_at_again(tmp_path: Path, begun: list[list[str]]) -> None:
    with FakeRun(tmp_path / "run", url="https://example.org/") as run:
        run.step("https://example.org/")
        run.end("budget")

    async def visit(browser: Browser) -> None:
        for path in ("/runs/run/pause", "/runs/run/stop"):
            assert (await post(browser, path))[1] == {"run": "run", "standing": "idle"}
        assert (await post(browser, "/runs/run/resume", budget="900req"))[0] == 200
        assert (await post(browser, "/runs/run/resume", budget="many"))[0] == 400
        assert (await post(browser, "/runs/run/refresh", budget="30req"))[0] in (200, 409)
        for act in ("pause", "stop", "resume", "refresh"):
            assert (await post(browser, f"/runs/nowhere/{act}"))[0] == 404

    visiting(visit, tmp_path, enter=False)
    assert begun[0] == ["resume", str(tmp_path / "run"), "--budget", "900req"]


def test_a_whole_harvest_by_the_api(tmp_path: Path) -> None:
    async def visit(browser: Browser, url: str) -> Any:
        wanted = {"url": url, "delay": 0}
        _, made = await post(browser, "/runs", verb="harvest", settings=wanted)
        path = f"/api/runs/{made['run']}"
        token = {"Authorization": f"Bearer {browser.access.token}"}

        async with asyncio.timeout(PATIENCE_S):
            told: dict[str, Any] = {}
            while not told.get("stopped"):
                await asyncio.sleep(0.2)
                told = await (await browser.get(path, headers=token)).json()
        return await (await browser.get(f"{path}/finds", headers=token)).json()

    with serving(portal(2, 3)) as site:
        found = visiting(lambda browser: visit(browser, site.url), tmp_path, enter=False)
    assert found["total"] == 6
    assert filon(tmp_path, "list", str(tmp_path)).out.count("127.0.0.1") == 1
