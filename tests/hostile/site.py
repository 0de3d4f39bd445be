"""A site of thirty real CSV files among endless calendars, sessions, sort orders and the like.

Pure: a target in, a page out, the same on any machine.
"""

from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode, urlsplit
from zlib import crc32

FILES = tuple(f"/files/table-{number:02}.csv" for number in range(30))
ROBOTS = {
    "polite": b"User-agent: *\nDisallow: /forbidden/\nCrawl-delay: 0\n",
    "slow": b"User-agent: *\nCrawl-delay: 1\n",
    "closed": b"User-agent: *\nDisallow: /\n",
    "html": b"<!doctype html><title>Welcome</title><p>User-agent: * Disallow: /",
    "long": b"User-agent: *\nDisallow: /forbidden/\n" + b"# padding\n" * (1024 * 1024),
}


@dataclass(frozen=True, slots=True)
class Page:
    """What the site says to one request."""

    body: bytes = b""
    status: int = 200
    mime: str = "text/html; charset=utf-8"
    headers: tuple[str, ...] = ()


def page(target: str, robots: str) -> Page:
    """Answer a request for a target."""
    parts = urlsplit(target)
    room, _, rest = parts.path.lstrip("/").partition("/")
    if target == "/robots.txt":
        return _robots(robots)
    if parts.path in FILES:
        return Page(_csv(parts.path), mime="text/csv")
    if room in _ROOMS:
        return _html(room, _ROOMS[room](rest, parts.query))
    if room == "old":
        return Page(status=301, headers=("Location: /old" if rest == "x" else "Location: /old/x",))
    if parts.path == "/":
        return _html("start", [*(f"/{name}/" for name in _ROOMS), "/old", "/forbidden/x"])
    return Page(b"<h1>Not found</h1>", status=404)


def _robots(name: str) -> Page:
    if name == "none":
        return Page(status=404)
    mime = "text/html" if name == "html" else "text/plain"
    return Page(ROBOTS[name], mime=mime)


def _html(title: str, links: list[str]) -> Page:
    items = "".join(f'<li><a href="{link}">{link}</a></li>' for link in links)
    text = f"<!doctype html><title>{title}</title><h1>{title}</h1><ul class={title}>{items}</ul>"
    return Page(text.encode())


def _csv(path: str) -> bytes:
    rows = (f"{row},{crc32(f'{path}{row}'.encode()) % 1000}" for row in range(20))
    return ("row,value\n" + "\n".join(rows) + "\n").encode()


def _data(rest: str, _: str) -> list[str]:
    number = int(rest) if rest.isdigit() else 0
    following = [f"/data/{number + 1}"] if number < 3 else []
    return [*FILES[10 * (number - 1) : 10 * number], *following] if number else ["/data/1"]


def _calendar(rest: str, _: str) -> list[str]:
    year, _, month = rest.strip("/").partition("/")
    count = 12 * int(year or 2024) + int(month or 1) - 1
    return [f"/calendar/{at // 12}/{at % 12 + 1:02}" for at in (count - 1, count + 1)]


def _session(rest: str, query: str) -> list[str]:
    seed = f"{rest}?{query}"
    return [f"/session/{room}?sid={crc32(f'{seed}{room}'.encode()):08x}" for room in "abc"]


def _sort(_: str, query: str) -> list[str]:
    pairs = parse_qsl(query)
    orders = [
        [*pairs, ("by", by), ("dir", way)] for by in ("name", "date") for way in ("up", "down")
    ]
    return [f"/sort/?{urlencode(order)}" for order in orders]


def _deep(rest: str, _: str) -> list[str]:
    return [f"/deep/{rest}a/b/", f"/deep/{rest}b/a/"]


def _soft(rest: str, _: str) -> list[str]:
    return [f"/soft/{crc32(f'{rest}{way}'.encode()):08x}" for way in range(3)]


_ROOMS = {
    "data": _data,
    "calendar": _calendar,
    "session": _session,
    "sort": _sort,
    "deep": _deep,
    "soft": _soft,
}
