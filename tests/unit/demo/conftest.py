"""The small web walked through once: every answer that links lead to, traps left alone."""

from collections import deque
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

import pytest

from filon.demo import blog, ngo, portal
from filon.demo.answer import Answer
from filon.demo.sites import answer

Walk = dict[str, Answer]
TRAPS = ("sid=", "/calendar/", "/calendrier/")
FORBIDDEN = ("/admin", "/search")


class Hrefs(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attrs if name in ("href", "src") and value]


def hrefs(url: str, found: Answer) -> Iterator[str]:
    if "text/html" not in found.header("content-type"):
        return
    parser = Hrefs()
    parser.feed(found.body.decode())
    for href in parser.found:
        yield urljoin(url, href)


def is_walked(url: str, host: str) -> bool:
    parts = urlsplit(url)
    if parts.hostname != host or parts.path.startswith(FORBIDDEN):
        return False
    return not any(trap in url for trap in TRAPS)


def walk(start: str) -> Walk:
    host, seen, waiting = urlsplit(start).hostname or "", {start}, deque([start])
    found: Walk = {}
    while waiting:
        url = waiting.popleft()
        found[url] = answer(url)
        nexts = [*hrefs(url, found[url])]
        if location := found[url].header("location"):
            nexts.append(urljoin(url, location))
        for link in nexts:
            if link not in seen and is_walked(link, host):
                seen.add(link)
                waiting.append(link)
    return found


@pytest.fixture(scope="session")
def portal_walk() -> Walk:
    return walk(portal.START)


@pytest.fixture(scope="session")
def ngo_walk() -> Walk:
    return walk(ngo.START)


@pytest.fixture(scope="session")
def blog_walk() -> Walk:
    return walk(blog.START)


@pytest.fixture(scope="session")
def links_of() -> Callable[[str], list[str]]:
    return lambda url: list(hrefs(url, answer(url)))
