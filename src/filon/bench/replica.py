"""A recorded site as a Web, and as the truth about itself that oracles ask for."""

import copy
from functools import cached_property
from pathlib import Path
from typing import Protocol, Self

from filon.bench.census import Census, explore
from filon.bench.memory import LinkMemory
from filon.bench.static import Head, StaticSite
from filon.core import Request, Response, UserError
from filon.page.types import Types

#: Where the clock of every run starts: the same, so that runs are.
BEGAN_S = 1_750_000_000.0


class Source(Protocol):
    """Where the answers of a replica lie."""

    name: str
    start: str

    def look(self, url: str) -> Head:
        """Answer all but the body."""

    def body(self, head: Head) -> bytes:
        """Read the body that belongs to an answer."""

    def close(self) -> None:
        """Let go of files."""


class Replica:
    """Answers like the recorded site; each request takes a second of its own clock.

    types: what counts as a target in `kind` and `targets`.
    memory: the links of its pages, read once for all runs.
    """

    def __init__(self, source: Source, types: Types) -> None:
        self._source = source
        self._types = types
        self._now_s = BEGAN_S
        self.memory = LinkMemory()

    @classmethod
    def open(cls, path: Path, types: Types | None = None) -> Self:
        """Open a replica; by default the 38 media types of the paper are its targets."""
        return cls(_source(Path(path)), types or Types.parse("paper"))

    @property
    def name(self) -> str:
        """What people call the site."""
        return self._source.name

    @property
    def start(self) -> str:
        """The URL to begin with."""
        return self._source.start

    def fresh(self) -> Self:
        """Return the same site with its clock at the beginning, for another run."""
        other = copy.copy(self)
        other._now_s = BEGAN_S
        return other

    async def fetch(self, request: Request) -> Response:
        """Answer a request at once."""
        return self.answer(request)

    async def close(self) -> None:
        """Let go of the file."""
        self._source.close()

    def answer(self, request: Request) -> Response:
        """Answer a request, without waiting for anything."""
        self._now_s += 1
        head = self._source.look(request.url)
        if head.status == 0:
            return Response(url=request.url, error="connect", at_s=self._now_s)
        body = self._source.body(head)
        size_bytes, cut = len(body), ""
        if request.method == "HEAD":
            body = b""
        elif _is_unwanted(head.mime, request.unwanted):
            body, cut = b"", "type"
        elif request.max_bytes and size_bytes > request.max_bytes:
            body, cut = body[: request.max_bytes], "size"
        return Response(
            url=request.url,
            status=head.status,
            headers=_headers(head, size_bytes),
            body=body,
            cut=cut,
            size_bytes=size_bytes,
            wire_bytes=len(body),
            at_s=self._now_s,
        )

    def kind(self, url: str) -> str:
        """Return "html", "target", "other", "error" or "redirect"."""
        head = self._source.look(url)
        if head.location:
            return "redirect"
        if head.status != 200:
            return "error"
        if "html" in head.mime:
            return "html"
        return "target" if self._types.wants(_media_type(head.mime)) else "other"

    def targets(self) -> list[str]:
        """Return the URLs of all targets that links lead to, in breadth-first order."""
        return self.census.targets

    @cached_property
    def census(self) -> Census:
        """What a full crawl meets; made once."""
        return explore(self, self.memory.reader())


def _source(path: Path) -> Source:
    if not path.exists():
        raise UserError(f"There is no replica at {path}.")
    if path.is_dir():
        raise UserError(f"The folder {path} is not a replica of a site.")
    return StaticSite(path)


def _headers(head: Head, size_bytes: int) -> tuple[tuple[str, str], ...]:
    fields = (
        ("Content-Type", head.mime),
        ("Location", head.location),
        ("Content-Length", str(size_bytes)),
    )
    return tuple((name, value) for name, value in fields if value)


def _is_unwanted(mime: str, unwanted: tuple[str, ...]) -> bool:
    return _media_type(mime).startswith(unwanted) if unwanted else False


def _media_type(mime: str) -> str:
    return mime.partition(";")[0].strip().lower()
