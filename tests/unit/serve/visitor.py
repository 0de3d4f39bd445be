"""A browser that visits the pages, in the process of the test.

async def visit(browser: Browser) -> None: ...
visiting(visit, tmp_path)
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from aiohttp import ClientResponse
from aiohttp.test_utils import TestClient, TestServer

from filon.serve.access import ACCESS, Access
from filon.serve.app import make_app
from filon.serve.home import Home

R = TypeVar("R")


class Browser:
    """Asks a server that is up; has entered unless told otherwise."""

    def __init__(self, client: TestClient[Any, Any], access: Access) -> None:
        self.client, self.access = client, access

    async def get(self, path: str, **more: Any) -> ClientResponse:
        """Ask for a page; redirects are not followed."""
        return await self.client.get(path, allow_redirects=False, **more)

    async def text(self, path: str, **more: Any) -> str:
        """Return a page that must be there."""
        response = await self.get(path, **more)
        assert response.status == 200, (path, response.status, await response.text())
        return await response.text()

    async def csrf(self) -> str:
        """Return the word that forms carry, from a page."""
        found = re.search(r'<meta name="csrf" content="(\w+)">', await self.text("/"))
        assert found
        return found[1]

    async def post(self, path: str, data: Mapping[str, str], **more: Any) -> ClientResponse:
        """Send a form of ours."""
        form = {"csrf": await self.csrf(), **data}
        return await self.client.post(path, data=form, allow_redirects=False, **more)

    async def enter(self) -> ClientResponse:
        """Open the first address."""
        return await self.get(f"/?token={self.access.token}")


def visiting(
    visit: Callable[[Browser], Awaitable[R]],
    folder: Path,
    *,
    access: Access | None = None,
    enter: bool = True,
) -> R:
    """Serve a folder of runs on loopback while a browser visits it; return what that returns."""

    async def go() -> R:
        app = make_app(Home(folder), access or Access())
        async with TestServer(app) as server:
            client: TestClient[Any, Any] = TestClient(server)
            app[ACCESS].port = server.port or 0
            browser = Browser(client, app[ACCESS])
            async with client:
                if enter:
                    assert (await browser.enter()).status == 303
                return await visit(browser)

    return asyncio.run(go())
