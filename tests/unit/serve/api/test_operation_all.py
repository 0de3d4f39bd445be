"""Every operation, given nonsense: it is refused with a sentence, and never breaks."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from fake_run import FakeRun
from filon.serve.api import OPERATIONS
from filon.serve.api.operation import Operation
from unit.serve.visitor import Browser, visiting

NONSENSE: Sequence[Any] = (
    None,
    True,
    -1,
    1e300,
    "",
    "\0",
    "x" * 5000,
    "../..",
    [],
    [1],
    {},
    {"a": 1},
)
CHANGING = [each for each in OPERATIONS if each.method != "GET"]


@pytest.mark.usefixtures("begun")
@pytest.mark.parametrize("operation", CHANGING, ids=lambda each: each.name)
def test_nonsense_is_refused(operation: Operation, tmp_path: Path) -> None:
    with FakeRun(tmp_path / "run", url="https://example.org/") as run:
        run.step("https://example.org/")
        run.end("budget")
    names = [each.name for each in operation.arguments if each.place == "body"]
    sound = {"run": "run", "verb": "harvest", "settings": {}, "query": "SELECT 1", "key": "x"}
    base = {name: sound[name] for name in names if name in sound}
    bodies: list[Any] = [{}, [], "x", None, {"other": 1}]
    bodies += [{**base, name: value} for name in names for value in NONSENSE]
    fields = ("url", "budget", "delay", "strategy", "types", "connect_to", "seed")
    if "settings" in names:
        url = {"url": "https://example.org/"}
        bodies += [{**base, "settings": {**url, f: v}} for f in fields for v in NONSENSE]

    async def visit(browser: Browser) -> dict[str, int]:
        token = {"Authorization": f"Bearer {browser.access.token}"}
        path = operation.path.replace("{run}", "run")
        told = {}
        for body in bodies:
            answer = await browser.client.request(operation.method, path, json=body, headers=token)
            told[str(body)[:200]] = answer.status
            assert answer.content_type == "application/json"
            if answer.status >= 400:
                assert (await answer.json())["error"]
        return told

    broken = visiting(visit, tmp_path, enter=False)
    assert {body: status for body, status in broken.items() if status >= 500} == {}


def test_a_run_with_a_name_of_nonsense_is_missing(tmp_path: Path) -> None:
    async def visit(browser: Browser) -> set[int]:
        token = {"Authorization": f"Bearer {browser.access.token}"}
        return {
            (
                await browser.client.request(
                    each.method, each.path.replace("{run}", name), headers=token, json={}
                )
            ).status
            for each in CHANGING
            if "{run}" in each.path
            for name in ("nowhere", "..", "%2e%2e%2frun", "a%00b", "x" * 300)
        }

    assert visiting(visit, tmp_path, enter=False) <= {400, 404, 405}
