"""Webs that send what is for some places by another way than the rest.

Split: a search service on the user's own machine may be asked there; pages of the web that name
the same machine must not lead to it. Local has some hosts on this machine: what is asked of them
is answered and never sent. It goes round all others: nothing is spaced, keyed or counted that
costs nobody anything.
"""

from collections.abc import Callable, Collection, Mapping

from filon.core import Request, Response, Web
from filon.core.clock import now_s
from filon.page.url import host, origin

#: Returns the body for a URL, which is JSON; None for what is not there.
Respond = Callable[[str], bytes | None]


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


class Local:
    """Answers for hosts at hand; all else goes on. responds: by the name of the host."""

    def __init__(self, web: Web, responds: Mapping[str, Respond]) -> None:
        self.web = web
        self._responds = dict(responds)

    async def fetch(self, request: Request) -> Response:
        """Answer a request."""
        respond = self._responds.get(host(request.url))
        if respond is None:
            return await self.web.fetch(request)
        body = respond(request.url)
        return Response(
            url=request.url,
            status=404 if body is None else 200,
            headers=(("Content-Type", "application/json"),),
            body=body or b"",
            size_bytes=len(body or b""),
            at_s=now_s(),
            sent="cached",
        )

    async def close(self) -> None:
        """Close the web within."""
        await self.web.close()
