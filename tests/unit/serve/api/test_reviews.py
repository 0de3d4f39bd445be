"""Reviews in the API."""

from pathlib import Path
from typing import Any

from golden.folders import unpack
from unit.serve.visitor import Browser, visiting


def test_a_review_is_asked_answered_and_undone(tmp_path: Path) -> None:
    unpack("discover", tmp_path)

    async def visit(browser: Browser) -> None:
        token = {"Authorization": f"Bearer {browser.access.token}"}

        async def post(path: str, **body: Any) -> Any:
            answer = await browser.client.post(f"/api/reviews/{path}", json=body, headers=token)
            return await answer.json()

        listed = await browser.get("/api/reviews", headers=token)
        assert await listed.json() == {"runs": ["discover"]}
        asked = await (await browser.get("/api/reviews/discover", headers=token)).json()
        key = asked["question"]["key"]
        after = await post("discover", key=key, said="no")
        assert after["answers"] == 1
        assert after["question"]["key"] != key
        assert {one["key"]: one["said"] for one in after["standings"]}[key] == "rejected"
        assert (await post("discover/undo"))["question"]["key"] == key
        assert not (await post("discover/use"))["unused"]
        assert "error" in await post("discover", key=key, said="perhaps")
        assert "error" in await post("nowhere/undo")

    visiting(visit, tmp_path, enter=False)
