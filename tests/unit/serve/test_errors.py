"""What goes wrong: a page with a sentence, an object for programs, nothing of our insides."""

import asyncio
import errno
import logging
from pathlib import Path

import pytest
from aiohttp import ClientError, web

from filon.core import MachineError, UserError
from filon.serve import app as made
from filon.serve.access import Access, Refusal
from filon.serve.home import Home
from filon.serve.server import listening
from patience import until
from unit.serve.visitor import Browser, visiting

routes = web.RouteTableDef()
FAULTS = {
    "refusal": Refusal(409, "Not <now>."),
    "user": UserError("There is no <b>such</b> thing."),
    "machine": MachineError("The disk is full."),
    "disk": OSError(errno.ENOSPC, "No space left on device", "secret insides"),
    "bug": KeyError("secret insides"),
    "missing": web.HTTPNotFound(),
}


@routes.get("/fail/{how}")
@routes.get("/api/fail/{how}")
async def _fail(request: web.Request) -> web.Response:
    raise FAULTS[request.match_info["how"]]


@routes.get("/half")
async def _half(request: web.Request) -> web.StreamResponse:
    answer = web.StreamResponse()
    await answer.prepare(request)
    await answer.write(b"half of it")
    raise MachineError("The disk is full.")


@pytest.fixture(autouse=True)
def _served(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(made, "AREAS", [*made.AREAS, routes])


@pytest.mark.parametrize(
    ("how", "status", "sentence"),
    [
        ("refusal", 409, "Not &lt;now&gt;."),
        ("user", 400, "There is no &lt;b&gt;such&lt;/b&gt; thing."),
        ("machine", 500, "The disk is full."),
        ("disk", 500, "The folder cannot be written: No space left on device."),
        ("bug", 500, "This is a fault of Filon."),
        ("missing", 404, "There is no such page here."),
    ],
)
def test_a_page_says_what_is_wrong(
    how: str, status: int, sentence: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def visit(browser: Browser) -> None:
        answer = await browser.get(f"/fail/{how}")
        text = await answer.text()
        assert answer.status == status
        assert sentence in text
        assert "insides" not in text
        told = await browser.get(f"/api/fail/{how}")
        assert told.status == status
        assert "insides" not in (await told.json())["error"]

    visiting(visit, tmp_path)
    assert ("insides" in caplog.text) is (how == "bug")  # who started it can read it


def test_what_breaks_in_the_middle_is_cut_short(tmp_path: Path) -> None:
    """No error page behind half of a download, and no end that looks like a good one."""

    async def visit(browser: Browser) -> None:
        answer = await browser.get("/half")
        assert answer.status == 200
        with pytest.raises(ClientError):
            await answer.read()

    visiting(visit, tmp_path)


def test_who_leaves_is_not_told_of_in_the_terminal(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    more = web.RouteTableDef()
    begun, ended = asyncio.Event(), asyncio.Event()

    @more.get("/static/endless")
    async def _(request: web.Request) -> web.StreamResponse:
        answer = web.StreamResponse()
        await answer.prepare(request)
        try:
            while True:
                await answer.write(b"x" * 10_000)
                begun.set()
                await asyncio.sleep(0)
        finally:
            ended.set()

    monkeypatch.setattr(made, "AREAS", [more])

    async def visit() -> None:
        app = made.make_app(Home(tmp_path), Access())
        async with listening(app, "127.0.0.1", 0) as port:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(f"GET /static/endless HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
            await writer.drain()
            await until(begun.is_set)
            writer.transport.abort()
            await until(ended.is_set)

    with caplog.at_level(logging.WARNING):
        asyncio.run(visit())
    assert [record for record in caplog.records if record.name.startswith("filon")] == []


@pytest.mark.parametrize(
    ("before", "is_offered"),
    [
        ("{root}/runs/a?x=1", True),
        ("{root}//evil.test/", False),
        ("http://evil.test/runs/a", False),
        ("http://[", False),
        ("javascript:alert(1)", False),
    ],
)
def test_the_page_that_led_to_a_mistake_can_be_gone_back_to(
    before: str, is_offered: bool, tmp_path: Path
) -> None:
    async def visit(browser: Browser) -> str:
        root = str(browser.client.make_url("/")).rstrip("/")
        headers = {"Referer": before.format(root=root)}
        return await (await browser.get("/runs/none", headers=headers)).text()

    told = visiting(visit, tmp_path)
    assert ('href="/runs/a?x=1"' in told) == is_offered
    assert ("Back to where you were" in told) == is_offered
    assert "evil" not in told
