"""A Web that sends what is for some origins by another way than the rest.

A search service on the user's own machine may be asked there; pages of the web that name the same
machine must not lead to it.
"""

from collections.abc import Collection

from filon.core import Request, Response, Web
from filon.page.url import origin


class Split:
    """Two webs in one. origins: as "http://127.0.0.1:8888": what `there` is asked for."""

    def __init__(self, web: Web, there: Web, origins: Collection[str]) -> None:
        self.web = web
        self._there = there
        self._origins = frozenset(map(origin, origins))

    async def fetch(self, request: Request) -> Response:
        """Answer a request by the way that is for it."""
        there = origin(request.url) in self._origins
        return await (self._there if there else self.web).fetch(request)

    async def close(self) -> None:
        """Close both."""
        await self.web.close()
        await self._there.close()
