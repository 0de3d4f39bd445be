"""The first page of a site before a run begins: asked for as a run would, shown as text only.

robots.txt comes first and is obeyed. Each request is counted, and the page says how many it took.
"""

import asyncio
from dataclasses import dataclass, field, replace
from pathlib import Path

from filon.core import Request, Response, Web
from filon.page.datafile import is_data_file
from filon.page.links import links
from filon.page.robots import Robots
from filon.page.text import PageText, page_text
from filon.page.url import host, join
from filon.serve.words import t
from filon.verbs.follow.rdf.syntaxes import ACCEPT
from filon.verbs.harvest.notes import barred
from filon.verbs.job import agent, live_options
from filon.verbs.settings import Settings
from filon.verbs.unreachable import phrase, unreachable
from filon.web.live import Live
from filon.web.polite import Polite

#: Of a page so much is read, and of its text so much is shown.
_BYTES, _CHARS = 512 * 1024, 700
_REDIRECTS = 3
#: Nobody waits longer for a look.
_LONGEST_S = 20.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What an address shows.

    requests: that left for it. problem: why there is nothing to see, in a sentence.
    moved: where it leads, where that is elsewhere. files: links that look like data files.
    """

    url: str
    requests: int = 0
    problem: str = ""
    mime: str = ""
    page: PageText = field(default_factory=PageText)
    links: int = 0
    files: int = 0
    moved: str = ""


class _Counted:
    """Asks a web, and counts what leaves."""

    def __init__(self, web: Web) -> None:
        self.web, self.requests = web, 0

    async def ask(self, request: Request) -> Response:
        self.requests += 1
        return await self.web.fetch(request)


async def look(url: str, settings: Settings, *, linked: bool = False) -> Preview:
    """Ask for an address once. linked: it is asked for as data, not as a page."""
    options = live_options(settings, url, Path())
    options = replace(options, spool_dir="", idle_s=_LONGEST_S / 2, head_s=_LONGEST_S / 2)
    live = Live(options)
    web = _Counted(Polite(live, delay_s=settings.delay))
    try:
        async with asyncio.timeout(_LONGEST_S):
            return replace(await _look(web, url, settings, linked), requests=web.requests)
    except TimeoutError:
        slow = unreachable(Response(url=url, error="timeout"))
        return Preview(url=url, requests=web.requests, problem=slow)
    finally:
        await live.close()


async def _look(web: _Counted, url: str, settings: Settings, linked: bool) -> Preview:
    headers = (("Accept", ACCEPT),) if linked else ()
    rules: dict[str, Robots] = {}
    at = url
    for _ in range(1 + _REDIRECTS):
        if settings.robots and (refused := await _refused(web, at, settings, rules)):
            return Preview(url=at, problem=refused)
        request = Request(url=at, headers=headers, max_bytes=_BYTES, begins=True)
        response = await web.ask(request)
        there = join(at, response.header("location")) if response.redirects else ""
        if not there or host(there) != host(url):
            return _shown(response, there)
        at = there
    return Preview(url=at, moved=at)


async def _refused(web: _Counted, url: str, settings: Settings, rules: dict[str, Robots]) -> str:
    """Say why robots.txt keeps us out; "" where it does not."""
    place = join(url, "/robots.txt")
    if place not in rules:
        answer = await web.ask(Request(url=place, max_bytes=_BYTES, begins=True))
        if answer.error:
            return unreachable(answer)
        rules[place] = Robots.parse(answer.status, answer.body, error=answer.error)
    name = agent(settings)
    return "" if rules[place].allows(url, name) else t("preview.forbidden", place=place, url=url)


def _shown(response: Response, there: str) -> Preview:
    if response.error:
        return Preview(url=response.url, problem=unreachable(response))
    if there:
        return Preview(url=response.url, moved=there)
    if not response.ok:
        status = f"{response.status}{phrase(response.status)}"
        return Preview(url=response.url, problem=f"{response.url} answers {status}.")
    seen = Preview(url=response.url, mime=response.mime)
    if "html" not in response.mime:
        begun = response.body[:_CHARS].decode("utf-8", "replace") if _is_text(response) else ""
        return replace(seen, page=PageText(text=begun))
    content_type = response.header("content-type")
    page = page_text(response.body, content_type)
    found = {link.url for link in links(response.body, response.url, content_type)}
    return replace(
        seen,
        problem=barred(response),
        page=replace(page, text=page.text[:_CHARS]),
        links=len(found),
        files=sum(map(is_data_file, found)),
    )


def _is_text(response: Response) -> bool:
    return b"\0" not in response.body[:_CHARS]
