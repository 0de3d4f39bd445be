"""The probes: each yields what it found, a sentence a finding."""

import json
import re
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

from filon.page.url import split
from tools.probe.pages import CANARY, PAYLOADS, Page
from tools.probe.talk import Answer, Target

#: Pages that links lead to, and that are looked at; many differ in a number only.
MOST_PAGES = 150
HEAVIEST_BYTES = 200_000
_HEADERS = {
    "content-security-policy": (
        "default-src 'none'",
        "script-src 'self'",
        "frame-ancestors 'none'",
    ),
    "x-content-type-options": ("nosniff",),
    "referrer-policy": ("same-origin",),
    "x-frame-options": ("DENY",),
}
#: What files of this machine, programs and our own faults look like.
_LEAKS = ("root:x:", "Traceback (most recent", "[project]", 'File "/', "-----BEGIN")
#: What is put into addresses: all attacks at once, one that must be at the beginning, odd ones.
_SAID = (" ".join(PAYLOADS), PAYLOADS[1], "\0", "x" * 2000, "-1", "9" * 30)
_AWAY = ("../" * 8, "..%2f" * 8, "%2e%2e%2f" * 8, "..%5c" * 8, "....//" * 8, "%252e%252e%252f" * 8)
_FILES = ("etc/passwd", "pyproject.toml", "proc/self/environ")


def _page(address: str, answer: Answer) -> Page:
    return Page(address, answer.text, sandboxed=answer.is_sandboxed)


def _shape(path: str) -> str:
    """Return what an address is like: of those that differ in names and queries, some are enough.

    >>> _shape("/runs/a%20b/export/csv?x=1"), _shape("/catalog/sql")
    ('/runs/*/export/csv', '/catalog/sql')
    """
    parts = path.partition("?")[0].split("/")
    return "/".join("*" if re.search(r"[\d%]", part) else part for part in parts)


@dataclass
class Site:
    """A server with all that was seen of it. idle_s: after which it hangs up on who is silent."""

    target: Target
    idle_s: float = 25.0
    pages: dict[str, Page] = field(default_factory=dict)
    answers: dict[str, Answer] = field(default_factory=dict)
    operations: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict)

    def visit(self, start: str = "/", most: int = MOST_PAGES) -> None:
        """Go through all pages that links lead to, from one on."""
        base = f"http://{self.target.name}"
        waiting = [f"{base}{start}", f"{base}/api"]
        shapes: dict[str, int] = {}
        while waiting and len(self.pages) < most:
            address = waiting.pop(0)
            path = address.removeprefix(base)
            shape = _shape(path)
            shapes[shape] = shapes.get(shape, 0) + 1
            if path in self.answers or shapes[shape] > (1 if "/export/" in shape else 6):
                continue
            answer = self.answers[path] = self.target.ask(path)
            if answer.is_page:
                page = self.pages[path] = _page(address, answer)
                waiting += page.links
        told = self.target.ask("/api/openapi.json")
        if told.status == 200:
            for path, methods in json.loads(told.body)["paths"].items():
                self.operations |= {(name.upper(), path): each for name, each in methods.items()}

    @property
    def posts(self) -> dict[str, dict[str, str]]:
        """The addresses that forms and operations send to, with what they would send."""
        found = {
            split(form.action).path: form.fields
            for page in self.pages.values()
            for form in page.forms
            if form.method == "post"
        }
        return found | {
            path.replace("{", "").replace("}", ""): {}
            for method, path in self.operations
            if method == "POST"
        }


def pages_are_whole(site: Site) -> Iterator[str]:
    """Every page is there, light, has all headers, and holds nothing that would run."""
    for path, answer in site.answers.items():
        if answer.status >= 500 or answer.status == 0:
            yield f"{path}: status {answer.status}"
        for name, wanted in _HEADERS.items():
            for word in wanted:
                said = answer.headers.get(name, "")
                is_moot = word.startswith("script-src") and "sandbox; default-src 'none'" in said
                if word not in said and not is_moot:
                    yield f"{path}: {name} lacks {word}"
        if "access-control-allow-origin" in answer.headers:
            yield f"{path}: other sites may read it"
        if answer.is_page and len(answer.body) > HEAVIEST_BYTES:
            yield f"{path}: {len(answer.body):,} bytes"
        if answer.is_page and "no-store" not in answer.headers.get("cache-control", ""):
            yield f"{path}: is kept by browsers"
    for path, page in site.pages.items():
        yield from (f"{path}: {problem}" for problem in page.problems)


def queries_are_text(site: Site) -> Iterator[str]:
    """What stands in an address is shown as text: in every field of every form, and in paths."""
    asked: dict[str, dict[str, None]] = {}
    for page in site.pages.values():
        for form in page.forms:
            asked.setdefault(_shape(form_path(form)), {}).update(dict.fromkeys(form.fields))
    paths = {_shape(path): path.partition("?")[0] for path in site.answers}
    for path in site.answers:
        given = path.partition("?")[2].split("&")
        names = dict.fromkeys(part.partition("=")[0] for part in given if part)
        asked.setdefault(_shape(path), {}).update(names)
    for shape, fields in asked.items():
        if "/export/" in shape:
            continue  # a file that is saved; its address is tried elsewhere
        path = paths.get(shape, shape)
        for payload in _SAID:
            quoted = "".join(f"%{byte:02x}" for byte in payload.encode())
            for name in [*fields, "q"]:
                yield from _shown(site, f"{path}?{name}={quoted}")
            yield from _shown(site, f"{path.rstrip('/')}/{quoted}")


def form_path(form: Any) -> str:
    """Return the path that a form leads to."""
    return split(form.action).path or "/"


def _shown(site: Site, path: str) -> Iterator[str]:
    answer = site.target.ask(path)
    if answer.status >= 500:
        yield f"{path}: status {answer.status}"
    if answer.is_page:
        found = _page(f"http://{site.target.name}{path}", answer).problems
        yield from (f"{path}: {problem}" for problem in found)
    elif CANARY in answer.text and "json" not in answer.headers.get("content-type", ""):
        kind = answer.headers.get("content-type", "")
        if "attachment" not in answer.headers.get("content-disposition", ""):
            yield f"{path}: said again as {kind or 'nothing'}"


def no_other_file(site: Site) -> Iterator[str]:
    """No address leads to a file of the machine, and none tells what lies where."""
    stems = {
        path.partition("?")[0].rsplit("/", depth)[0] for path in site.answers for depth in (1, 2)
    }
    stems |= {path.partition("{")[0].rstrip("/") for _, path in site.operations}
    for stem in sorted({"/static", *stems}):
        for away in _AWAY:
            for file in _FILES:
                answer = site.target.ask(f"{stem}/{away}{file.replace('/', '%2f')}")
                yield from _leaks(f"{stem}/{away}{file}", answer)
                answer = site.target.ask(f"{stem}/{away}{file}")
                yield from _leaks(f"{stem}/{away}{file}", answer)
        for odd in (
            "%00",
            "%0d%0aX-Injected:%20yes",
            "%ff%fe",
            "a%00.csv",
            "%2fetc%2fpasswd",
            "x" * 3000,
        ):
            answer = site.target.ask(f"{stem}/{odd}")
            yield from _leaks(f"{stem}/{odd}", answer)
            if "x-injected" in answer.headers:
                yield f"{stem}/{odd}: puts a header into the answer"


def _leaks(path: str, answer: Answer) -> Iterator[str]:
    if answer.status >= 500:
        yield f"{path}: status {answer.status}"
    yield from (f"{path}: tells {word!r}" for word in _LEAKS if word in answer.text)


def nobody_else_is_let_in(site: Site) -> Iterator[str]:
    """Without a cookie, or with another one, there is no page but the way in."""
    for path in [*site.answers, *(path for _, path in site.operations)]:
        if path.startswith(("/static/", "/enter")):
            continue
        for headers in ({}, {"Cookie": f"filon-{site.target.port}=guess"}, _bearer("guess")):
            answer = site.target.ask(path, headers=headers, cookie=False)
            if answer.status != 401:
                yield f"{path}: {answer.status} for who is not in"


def _bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def forms_are_ours(site: Site) -> Iterator[str]:
    """What changes something is refused without the word of the page, and from other sites."""
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    word = next((page.forms for page in site.pages.values() if page.forms), [])
    csrf = next((each.fields["csrf"] for each in word if "csrf" in each.fields), "")
    foreign = (
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": f"http://{site.target.host}:1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    )
    for path in site.posts:
        if path == "/enter":
            continue
        for given in (b"", b"csrf=", b"csrf=guess"):
            answer = site.target.ask(path, "POST", form, given)
            if answer.status not in (403, 404):
                yield f"POST {path}: {answer.status} without its word"
        for headers in foreign:
            body = f"csrf={csrf}".encode()
            answer = site.target.ask(path, "POST", {**form, **headers}, body)
            if answer.status != 403:
                yield f"POST {path}: {answer.status} from {headers}"
        if site.target.ask(path, "GET", {"X-HTTP-Method-Override": "POST"}).status in (302, 303):
            yield f"GET {path} does what POST does"
    for page in site.pages.values():
        for each in page.forms:
            if each.method == "post" and each.fields and "csrf" not in each.fields:
                yield f"{page.address}: the form to {each.action} lacks its word"


def names_are_ours(site: Site) -> Iterator[str]:
    """A name of a stranger that leads to this machine (DNS rebinding) leads to nothing."""
    port = site.target.port
    names = (
        "evil.example",
        f"evil.example:{port}",
        f"localhost.evil.example:{port}",
        "",
        "127.0.0.1:1",
    )
    for path in list(site.answers)[:20]:
        for name in names:
            answer = site.target.ask(path, headers={"Host": name})
            if answer.status not in (400, 421):
                yield f"{path}: {answer.status} for Host {name!r}"


def methods_are_few(site: Site) -> Iterator[str]:
    """Nothing but GET and POST (and DELETE in the API) does anything."""
    for path in list(site.answers)[:20]:
        for method in ("PUT", "PATCH", "TRACE", "OPTIONS", "CONNECT", "PROPFIND"):
            answer = site.target.ask(path, method, {"Origin": "https://evil.example"})
            if answer.status not in (400, 401, 403, 404, 405, 421, 501):
                yield f"{method} {path}: {answer.status}"
            if "access-control-allow-origin" in answer.headers:
                yield f"{method} {path}: other sites may read it"


def nothing_leads_away(site: Site) -> Iterator[str]:
    """No address of ours sends a visitor to another site."""
    for path in ("//evil.example/", "/\\evil.example", "/%2f%2fevil.example", "/.//evil.example"):
        for query in ("", "?next=https://evil.example", "?token=guess&url=//evil.example"):
            answer = site.target.ask(path + query)
            where = answer.headers.get("location", "")
            if "evil" in split(where).netloc or where.startswith(("//", "/\\")):
                yield f"{path}{query}: leads to {where}"


def heads_are_bounded(site: Site) -> Iterator[str]:
    """What is too long is refused before it is read."""
    ask = site.target.ask
    long: dict[str, Callable[[], Answer]] = {
        "a long address": lambda: ask("/" + "x" * 100_000),
        "a long query": lambda: ask("/?q=" + "x" * 100_000),
        "a long header": lambda: ask("/", headers={"X-Long": "x" * 100_000}),
        "many headers": lambda: ask("/", headers={f"X-{n}": "x" for n in range(5000)}),
        "a long cookie": lambda: ask("/", headers={"Cookie": "x=" + "x" * 100_000}),
    }
    for name, send in long.items():
        if (answer := send()).status not in (0, 400, 413, 414, 431):
            yield f"{name}: {answer.status}"


def bodies_are_bounded(site: Site) -> Iterator[str]:
    """A body that is too large is refused, with its length told and without."""
    csrf = {"Content-Type": "application/x-www-form-urlencoded"}
    for path in ["/enter", *site.posts][:5]:  # they share what bounds them
        told = site.target.ask(path, "POST", {**csrf, "Content-Length": str(1 << 40)}, b"x" * 1000)
        if told.status not in (0, 400, 403, 413):
            yield f"POST {path}: {told.status} for a terabyte"
        head = (
            f"POST {path} HTTP/1.1\r\nHost: {site.target.name}\r\nConnection: close\r\n"
            f"Cookie: {site.target.cookie}\r\nTransfer-Encoding: chunked\r\n"
            "Content-Type: application/x-www-form-urlencoded\r\n\r\n"
        ).encode()
        piece = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
        endless = site.target.send(head, *([piece] * 2000))  # 128 MB, if it is let
        if endless.status not in (0, 400, 403, 413):
            yield f"POST {path}: {endless.status} for an endless body"


def requests_are_one(site: Site) -> Iterator[str]:
    """A request that can be read in two ways (smuggling) is not read at all."""
    head = f"POST /enter HTTP/1.1\r\nHost: {site.target.name}\r\n"
    hidden = f"GET /static/style.css HTTP/1.1\r\nHost: {site.target.name}\r\n\r\n"
    odd = {
        "two lengths": "Content-Length: 0\r\nContent-Length: 60\r\n\r\n" + hidden,
        "a length and chunks": "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        + hidden,
        "a folded header": "X-A: 1\r\n Transfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n",
        "a negative length": "Content-Length: -1\r\n\r\n",
        "an odd encoding": "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    }
    for name, rest in odd.items():
        answer = site.target.send((head + rest).encode())
        if answer.status not in (0, 400, 501):
            yield f"{name}: {answer.status}"


def operations_hold(site: Site) -> Iterator[str]:
    """No operation of the API breaks by what it is given, and none runs what it should not."""
    for (method, path), told in site.operations.items():
        if method != "GET":
            continue
        for payload in (*PAYLOADS, "../../etc/passwd", "-1", "9" * 400, "\u0000", "💥"):
            quoted = "".join(f"%{byte:02x}" for byte in payload.encode())
            place = path
            for each in told["parameters"]:
                place = place.replace(f"{{{each['name']}}}", quoted)
            names = [each["name"] for each in told["parameters"] if each["in"] == "query"]
            for query in ("", *(f"?{name}={quoted}" for name in names)):
                answer = site.target.ask(place + query)
                yield from _leaks(place + query, answer)
                if answer.is_page:
                    yield f"{place}{query}: answers with a page"


def silence_is_not_waited_for(site: Site) -> Iterator[str]:
    """Who says nothing, or says it slowly, is hung up on, and the others are answered meanwhile."""
    begun = (b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: x\r\nX: ")
    with ExitStack() as open_:
        lines = [
            open_.enter_context(socket.create_connection((site.target.host, site.target.port)))
            for _ in range(60)
        ]
        for number, line in enumerate(lines):
            line.sendall(begun[number % len(begun)])
            line.settimeout(0.0)
        until, slowest = time.monotonic() + site.idle_s, 0.0
        while lines and time.monotonic() < until:
            slowest = max(slowest, site.target.ask("/enter").took_s)
            lines = [line for line in lines if _is_open(line)]
            time.sleep(0.2)
        if lines:
            yield f"{len(lines)} silent connections were open after {site.idle_s:.0f} s"
        if slowest > 10:
            yield f"meanwhile a page took {slowest:.0f} s"


def _is_open(line: socket.socket) -> bool:
    try:
        line.sendall(b"x")
        return line.recv(1) != b""
    except BlockingIOError:
        return True
    except ConnectionError:
        return False


Probe = Callable[[Site], Iterator[str]]
PROBES: tuple[Probe, ...] = (
    pages_are_whole,
    queries_are_text,
    no_other_file,
    nobody_else_is_let_in,
    forms_are_ours,
    names_are_ours,
    methods_are_few,
    nothing_leads_away,
    heads_are_bounded,
    bodies_are_bounded,
    requests_are_one,
    operations_hold,
    silence_is_not_waited_for,
)
