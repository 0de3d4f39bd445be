"""Fleets in the API."""

from pathlib import Path
from typing import Any

from unit.serve.test_fleets import make
from unit.serve.visitor import Browser, visiting


def test_fleets_are_listed_shown_and_given_orders(tmp_path: Path) -> None:
    make(tmp_path)
    (tmp_path / "away").mkdir()
    (tmp_path / "away" / "fleet.toml").write_text('store = "mysql://x"\n')

    async def visit(browser: Browser) -> None:
        token = {"Authorization": f"Bearer {browser.access.token}"}

        async def got(path: str) -> Any:
            return await (await browser.get(f"/api/fleets{path}", headers=token)).json()

        async def ordered(**body: str) -> int:
            path = "/api/fleets/fleet-001/orders"
            return (await browser.client.post(path, json=body, headers=token)).status

        lines = {line["fleet"]: line for line in (await got(""))["fleets"]}
        assert lines["away"]["figures"] is None
        assert lines["away"]["problem"].startswith("The store")
        assert lines["fleet-001"]["figures"]["sites"] == 4
        shown = await got("/fleet-001")
        assert shown["workers"] == ["w1"]
        assert [one["site"] for one in shown["troubles"]] == ["site-002"]
        assert await ordered(order="pause") == 200
        assert (await got("/fleet-001"))["figures"]["is_paused"]
        assert await ordered(order="retry") == 200
        assert (await got("/fleet-001"))["troubles"] == []
        assert await ordered(order="go") == await ordered(order="drain", worker="w1") == 200
        assert await ordered(order="drain", worker="w9") == await ordered(order="end") == 400
        assert "error" in await got("/nowhere")

    visiting(visit, tmp_path, enter=False)
