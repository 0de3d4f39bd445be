"""Schedules in the API."""

from pathlib import Path
from typing import Any

from golden.folders import unpack
from unit.serve.visitor import Browser, visiting


def test_a_schedule_is_put_listed_and_dropped(tmp_path: Path) -> None:
    unpack("harvest", tmp_path)

    async def visit(browser: Browser) -> None:
        token = {"Authorization": f"Bearer {browser.access.token}"}

        async def listed() -> Any:
            answer = await browser.get("/api/schedules", headers=token)
            return (await answer.json())["schedules"]

        async def put(**body: str) -> int:
            answer = await browser.client.post("/api/schedules", json=body, headers=token)
            return answer.status

        assert await listed() == []
        assert await put(run="harvest", interval="52w", budget="30req") == 200
        (entry,) = await listed()
        assert (entry["run"], entry["budget"]) == ("harvest", "30req")
        assert await put(run="harvest", interval="now and then") == 400
        assert await put(run="nowhere") == 404
        gone = await browser.client.delete("/api/schedules/harvest", headers=token)
        assert await gone.json() == {"done": True}
        assert await listed() == []

    visiting(visit, tmp_path, enter=False)
