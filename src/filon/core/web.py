"""The one seam to the network."""

from typing import Protocol

from filon.core.request import Request
from filon.core.response import Response


class Web(Protocol):
    """Answers requests: live, from a recording, or by way of another Web."""

    async def fetch(self, request: Request) -> Response:
        """Answer a request. A remote failure is a Response, never an exception."""

    async def close(self) -> None:
        """Let go of connections and files."""
