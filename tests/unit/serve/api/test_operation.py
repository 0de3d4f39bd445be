"""Arguments of operations: taken from their places, checked, refused with a sentence."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from aiohttp import web

from filon.serve import app as made
from filon.serve.api.operation import Between, Call, Operation, Operations, as_json, fits
from unit.serve.visitor import Browser, visiting

operations = Operations("test")
Number = Annotated[int, "A number.", Between(1, 9)]


@operations.get("/echo/{name}")
async def echo(
    call: Call,
    name: Annotated[str, "A name."],
    number: Number = 1,
    words: Annotated[list[str], "Words."] = [],  # noqa: B006 - read only
    loud: Annotated[bool, "Loudly."] = False,
) -> dict[str, Any]:
    """Say it again."""
    return {"name": name, "number": number, "words": words, "loud": loud}


@operations.post("/make")
async def make(
    call: Call,
    kind: Annotated[Literal["a", "b"], "Which."],
    settings: Annotated[dict[str, str], "Settings."] = {},  # noqa: B006 - read only
) -> dict[str, Any]:
    """Make it."""
    return {"kind": kind, "settings": settings}


@pytest.fixture(autouse=True)
def _served(monkeypatch: pytest.MonkeyPatch) -> None:
    routes = web.RouteTableDef()
    found: Sequence[Operation] = list(operations)
    for each in found:
        routes.route(each.method, each.path)(each.answer)
    monkeypatch.setattr(made, "AREAS", [*made.AREAS, routes])


def asked(path: str, folder: Path, **body: Any) -> tuple[int, Any]:
    async def visit(browser: Browser) -> tuple[int, Any]:
        token = {"Authorization": f"Bearer {browser.access.token}"}
        if "body" in body:
            answer = await browser.client.post(path, headers=token, **body["body"])
        else:
            answer = await browser.get(path, headers=token)
        return answer.status, await answer.json()

    return visiting(visit, folder, enter=False)


def test_arguments_come_from_the_path_and_the_query(tmp_path: Path) -> None:
    found = asked("/api/echo/it?number=3&words=a&words=b&loud=true", tmp_path)
    assert found == (200, {"name": "it", "number": 3, "words": ["a", "b"], "loud": True})
    assert asked("/api/echo/it", tmp_path)[1]["number"] == 1


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("number=x", "The argument number is to be: integer."),
        ("number=10", "The argument number is to be from 1 to 9."),
        ("number=1e3", "The argument number is to be: integer."),
        ("number=" + "9" * 5000, "The argument number is to be: integer."),
        ("loud=1", "The argument loud is to be: boolean."),
        ("other=1", "There is no argument other."),
        ("name=other", "The argument name"),
    ],
)
def test_a_wrong_query_is_refused(query: str, sentence: str, tmp_path: Path) -> None:
    if query == "name=other":  # what stands in the path is taken from there
        assert asked(f"/api/echo/it?{query}", tmp_path)[1]["name"] == "it"
    else:
        assert asked(f"/api/echo/it?{query}", tmp_path) == (400, {"error": sentence})


@pytest.mark.parametrize(
    ("body", "status", "error"),
    [
        ({"json": {"kind": "a", "settings": {"x": "1"}}}, 200, ""),
        ({"json": {"kind": "c"}}, 400, "The argument kind is to be: a, b."),
        ({"json": {"kind": "a", "settings": {"x": 1}}}, 400, "The argument settings"),
        ({"json": {}}, 400, "The argument kind is missing."),
        ({}, 400, "The argument kind is missing."),
        ({"json": ["a"]}, 400, "The body is to be an object"),
        ({"data": b"{", "headers_": "application/json"}, 400, "The body is to be an object"),
        ({"data": {"kind": "a"}}, 415, "The body is to be an object"),
        ({"json": {"kind": "a", "more": 1}}, 400, "There is no argument more."),
    ],
)
def test_a_body_is_checked(body: dict[str, Any], status: int, error: str, tmp_path: Path) -> None:
    async def visit(browser: Browser) -> tuple[int, Any]:
        headers = {"Authorization": f"Bearer {browser.access.token}"}
        sent = dict(body)
        if kind := sent.pop("headers_", ""):
            headers["Content-Type"] = kind
        answer = await browser.client.post("/api/make", headers=headers, **sent)
        return answer.status, await answer.json()

    got, answer = visiting(visit, tmp_path, enter=False)
    assert got == status
    assert answer.get("error", "").startswith(error)


def test_types_of_json() -> None:
    assert fits(None, str | None)
    assert fits({"a": ["b"]}, dict[str, list[str]])
    assert not fits({"a": "b"}, dict[str, list[str]])
    assert fits(1, float)
    assert not fits(True, float)
    assert as_json({"path": Path("x")}) == '{"path": "x"}'
