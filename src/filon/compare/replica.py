"""A recorded site as a Web, and as the truth about itself that oracles ask for."""

import copy
from functools import cached_property
from pathlib import Path
from typing import Self

from filon.compare.census import Census, explore
from filon.compare.memory import LinkMemory
from filon.compare.recording import Recording
from filon.compare.source import Body, Head, Source
from filon.compare.static import StaticSite
from filon.core import Request, Response, UserError
from filon.core.web import hand_out
from filon.page.mime import sniff
from filon.page.types import Types
from filon.page.url import join

#: Where the clock of every run starts: the same, so that runs are.
BEGAN_S = 1_750_000_000.0


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
        self._kinds: dict[str, str] = {}

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
        if head.error:
            return Response(url=request.url, error=head.error, at_s=self._now_s)
        body = self._source.load(head)
        whole = Response(
            url=request.url,
            status=head.status,
            headers=_headers(head, body),
            body=b"" if body.cut else body.data,
            cut=body.cut,
            size_bytes=body.size_bytes,
            wire_bytes=0 if body.cut else body.size_bytes,
            at_s=self._now_s,
        )
        return hand_out(request, whole)

    def kind(self, url: str) -> str:
        """Return "html", "target", "other", "error" or "redirect"."""
        if url not in self._kinds:
            self._kinds[url] = self._kind(url)
        return self._kinds[url]

    def _kind(self, url: str) -> str:
        head = self._source.look(url)
        if head.location:
            return "redirect"
        if not 200 <= head.status < 300 or head.error:
            return "error"
        body, claimed = self._source.load(head), _media_type(head.mime)
        mime = sniff(body.data, body.mime, url) if not body.cut else claimed
        if "html" in mime:
            return "html"
        is_wanted = not body.cut and self._types.wants(mime, url, claimed)
        return "target" if is_wanted and body.size_bytes else "other"

    def targets(self) -> list[str]:
        """Return the URLs of all targets that links lead to, in breadth-first order."""
        return self.census.targets

    def leads(self, url: str) -> list[str]:
        """Return where the links of a page lead, or a redirect."""
        response = self.answer(Request(url=url))
        if response.redirects:
            return [join(url, response.header("location"))]
        is_page = self.kind(url) == "html"
        return [link.url for link in self.memory.read(response)] if is_page else []

    @cached_property
    def census(self) -> Census:
        """What a full crawl meets; made once."""
        return explore(self, self.memory.read)


def _source(path: Path) -> Source:
    if not path.exists():
        raise UserError(f"There is no replica at {path}.")
    return Recording(path) if path.is_dir() else StaticSite(path)


def _headers(head: Head, body: Body) -> tuple[tuple[str, str], ...]:
    fields = (
        ("Content-Type", body.mime),
        ("Location", head.location),
        ("Content-Length", str(body.size_bytes)),
    )
    return tuple((name, value) for name, value in fields if value)


def _media_type(mime: str) -> str:
    return mime.partition(";")[0].strip().lower()
