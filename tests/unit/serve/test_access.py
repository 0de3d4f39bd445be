"""Each guard, alone: an attack is refused with it, and would succeed without it.

An attack says True where it got what it wanted. It is tried on the server as it is, and on one
from which the guard is taken: so no test here can pass because of something else.
"""

import asyncio
import io
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from aiohttp import FormData, web

from filon.serve import access as guards
from filon.serve import app as made
from filon.serve.access import Access, Session, uploads
from filon.serve.password import FREE_TRIES, Password
from patience import PATIENCE_S
from unit.serve.visitor import Browser, visiting

WORD = "correct horse battery"
Attack = Callable[[Browser], Awaitable[bool]]
Patch = Callable[[pytest.MonkeyPatch], None]

#: A page that changes something, and one that takes a file: what an attacker is after.
changing = web.RouteTableDef()
changed: list[str] = []


@changing.post("/change")
async def _change(request: web.Request) -> web.Response:
    changed.append(str((await request.post()).get("what", "")))
    return web.Response(text="changed")


@changing.post("/take")
@uploads(200_000, files=1)
async def _take(request: web.Request) -> web.Response:
    return web.json_response(sorted((await request.post()).keys()))


@changing.post("/take-much")
@uploads(10_000_000, files=1)
async def _take_much(request: web.Request) -> web.Response:
    return web.json_response(sorted((await request.post()).keys()))


@changing.get("/names/{name}")
async def _name(_: web.Request) -> web.Response:
    return web.Response(text="there it is")


@changing.get("/api/secret")
async def _secret(_: web.Request) -> web.Response:
    return web.json_response({"secret": 1})


@changing.post("/api/change")
async def _api_change(request: web.Request) -> web.Response:
    return web.json_response(json.loads(await request.text()))


@pytest.fixture(autouse=True)
def _with_a_page_that_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    changed.clear()
    monkeypatch.setattr(made, "AREAS", [*made.AREAS, changing])


@dataclass(frozen=True)
class Case:
    """An attack, the guard against it taken away, and how the server is set up."""

    attack: Attack
    without: Patch
    inside: bool = False
    password: bool = False


def got(path: str, **headers: str) -> Attack:
    """Ask for a page with headers, and get it."""

    async def attack(browser: Browser) -> bool:
        return (await browser.get(path, headers=headers)).status == 200

    return attack


def sent(headers: Mapping[str, str], *, csrf: bool = True) -> Attack:
    """Send a form, with headers; with the word that it needs unless told otherwise."""

    async def attack(browser: Browser) -> bool:
        form = {"what": "x", **({"csrf": await browser.csrf()} if csrf else {})}
        return (await browser.client.post("/change", data=form, headers=headers)).status == 200

    return attack


async def json_sent(browser: Browser) -> bool:
    """Send an object to the API by the cookie alone, as a page of a stranger might."""
    return (await browser.client.post("/api/change", json={"a": 1})).status == 200


def header(name: str, *forbidden: str, path: str = "/") -> Attack:
    """Find an answer without a header, or without what it must say."""

    async def attack(browser: Browser) -> bool:
        value = (await browser.get(path)).headers.get(name, "")
        return not all(word in value for word in forbidden) or not value

    return attack


async def cookie_readable(browser: Browser) -> bool:
    cookie = (await browser.enter()).headers["Set-Cookie"]
    return not all(word in cookie for word in ("HttpOnly", "SameSite=Strict", "Path=/"))


async def token_stays(browser: Browser) -> bool:
    return "token" in (await browser.enter()).headers.get("Location", "?token")


async def token_leads_away(browser: Browser) -> bool:
    path = f"//evil.example/?token={browser.access.token}"
    port = browser.client.server.port
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
    head = await reader.readuntil(b"\r\n\r\n")
    writer.close()
    return b"Location: //" in head


async def ticket_twice(browser: Browser) -> bool:
    address = f"/?token={browser.access.ticket()}"
    first, second = await browser.get(address), None
    browser.client.session.cookie_jar.clear()
    second = await browser.get(address)
    assert first.status == 303
    return second.status == 303


def large(path: str) -> Attack:
    async def attack(browser: Browser) -> bool:
        body = io.BytesIO(f"csrf={await browser.csrf()}&what={'x' * 2_000_000}".encode())
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        return (await browser.client.post(path, data=body, headers=kind)).status == 200

    return attack


async def large_in_pieces(browser: Browser) -> bool:
    """Without a length that could be looked at before."""

    async def pieces() -> Any:
        yield b"csrf=" + (await browser.csrf()).encode() + b"&what="
        for _ in range(40):
            yield b"x" * 50_000

    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    return (await browser.client.post("/change", data=pieces(), headers=kind)).status == 200


def uploaded(sizes: list[int], path: str = "/take") -> Attack:
    async def attack(browser: Browser) -> bool:
        form = FormData()
        form.add_field("csrf", await browser.csrf())
        for number, size in enumerate(sizes):
            form.add_field(f"file{number}", io.BytesIO(b"x" * size), filename=f"{number}.csv")
        return (await browser.client.post(path, data=form)).status == 200

    return attack


async def text_in_parts(browser: Browser) -> bool:
    """Send long texts where a file is taken, as parts that are none."""
    form = FormData(default_to_multipart=True)
    form.add_field("csrf", await browser.csrf())
    for name in ("what", "which"):
        form.add_field(name, "x" * 600_000)
    return (await browser.client.post("/take-much", data=form)).status == 200


async def guessed(browser: Browser) -> bool:
    """Try many wrong passwords, then the right one at once."""
    for _ in range(FREE_TRIES + 1):
        await browser.client.post("/enter", data={"password": "wrong"}, allow_redirects=False)
    right = await browser.client.post("/enter", data={"password": WORD}, allow_redirects=False)
    return right.status == 303


async def guessed_at_once(browser: Browser) -> bool:
    """Try many at the same time: the first wait must hold for all of them."""
    assert browser.access.password
    words = ["wrong"] * (FREE_TRIES + 5) + [WORD]
    tries = [browser.access.password.is_right(word, "10.0.0.1") for word in words]
    return any(await asyncio.gather(*tries))


def patched(name: str, value: object, where: object = guards) -> Patch:
    def patch(monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(where, name, value)

    return patch


async def _nothing(*_: object) -> None: ...


def _all_let_in(self: Access, request: web.Request) -> Session:
    return Session("")


def _unread(request: web.Request) -> Any:
    async def whole() -> web.Request:
        return request.clone(client_max_size=0)

    return whole()


def _plain_cookie(self: Access, response: web.StreamResponse) -> None:
    response.set_cookie(self.cookie, "x")


def _same_address(request: web.Request, access: Access) -> web.Response:
    return web.Response(status=303, headers={"Location": str(request.rel_url)})


def _no_headers(*names: str) -> Patch:
    left = {name: value for name, value in guards.HEADERS.items() if name not in names}
    return patched("HEADERS", left)


def _policy(name: str) -> Patch:
    whole = guards.HEADERS["Content-Security-Policy"].split("; ")
    rest = "; ".join(each for each in whole if not each.startswith(name))
    return patched("HEADERS", {**guards.HEADERS, "Content-Security-Policy": rest})


OPEN = patched("session", _all_let_in, Access)
REBOUND = patched("knows", lambda self, host: True, Access)
FOREIGN = patched("_check_origin", lambda request: None)
FORGED = patched("_check_csrf", _nothing)
ODD = patched("_check_address", lambda request: None)
CSP = "Content-Security-Policy"

CASES = {
    "a name with a zero": Case(got("/names/a%00b"), ODD, inside=True),
    "a name with a line in it": Case(got("/names/a%0db"), ODD, inside=True),
    "a name that is too long": Case(got(f"/names/{'x' * 300}"), ODD, inside=True),
    "a zero in a query": Case(got("/names/a?b=%00"), ODD, inside=True),
    "no token": Case(got("/"), OPEN),
    "a wrong token": Case(got("/?token=wrong"), OPEN),
    "a wrong cookie": Case(got("/", Cookie="filon-0=x"), OPEN),
    "api without a token": Case(got("/api/secret"), OPEN),
    "api with a wrong token": Case(got("/api/secret", Authorization="Bearer wrong"), OPEN),
    "api with an empty token": Case(got("/api/secret", Authorization="Bearer "), OPEN),
    "a form of who is not in": Case(sent({}, csrf=False), OPEN),
    "a script reads the cookie": Case(cookie_readable, patched("enter", _plain_cookie, Access)),
    "the token stays": Case(token_stays, patched("_without_token", _same_address)),
    "the token leads away": Case(token_leads_away, patched("_without_token", _same_address)),
    "a ticket twice": Case(ticket_twice, patched("admits", lambda self, token: True, Access)),
    "rebinding": Case(got("/", Host="evil.example"), REBOUND, inside=True),
    "rebinding with our port": Case(got("/", Host="evil.example:80"), REBOUND, inside=True),
    "another port": Case(got("/", Host="127.0.0.1:1"), REBOUND, inside=True),
    "no name": Case(got("/", Host=""), REBOUND, inside=True),
    "a number that is not ours": Case(got("/", Host="10.0.0.1"), REBOUND, inside=True),
    "a foreign form": Case(sent({"Origin": "https://evil.example"}), FOREIGN, inside=True),
    "a form of a sandbox": Case(sent({"Origin": "null"}), FOREIGN, inside=True),
    "a form of another port": Case(sent({"Origin": "http://127.0.0.1:1"}), FOREIGN, inside=True),
    "a cross-site form": Case(sent({"Sec-Fetch-Site": "cross-site"}), FOREIGN, inside=True),
    "a same-site form": Case(sent({"Sec-Fetch-Site": "same-site"}), FOREIGN, inside=True),
    "a foreign script reads": Case(
        got("/", **{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"}), FOREIGN, inside=True
    ),
    "a foreign picture": Case(
        got("/", **{"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "no-cors"}),
        FOREIGN,
        inside=True,
    ),
    "an old browser's foreign script": Case(
        got("/", Origin="https://evil.example"), FOREIGN, inside=True
    ),
    "a form without its word": Case(sent({}, csrf=False), FORGED, inside=True),
    "an object without its word": Case(json_sent, FORGED, inside=True),
    "a form with a wrong word": Case(
        sent({"X-CSRF-Token": "wrong"}, csrf=False), FORGED, inside=True
    ),
    "a large form": Case(large("/change"), patched("_read", _unread), inside=True),
    "a large form in place of a file": Case(
        large("/take-much"), patched("_read", _unread), inside=True
    ),
    "a large text among the parts": Case(text_in_parts, patched("_read", _unread), inside=True),
    "a large form in pieces": Case(large_in_pieces, patched("_read", _unread), inside=True),
    "a large upload": Case(uploaded([300_000]), patched("_read", _unread), inside=True),
    "many small uploads": Case(uploaded([10, 10]), patched("_read", _unread), inside=True),
    "an upload where none is taken": Case(
        uploaded([10], "/change"), patched("_read", _unread), inside=True
    ),
    "inline scripts": Case(header(CSP, "script-src 'self'"), _policy("script-src"), inside=True),
    "inline styles": Case(header(CSP, "style-src 'self'"), _policy("style-src"), inside=True),
    "things of other hosts": Case(
        header(CSP, "default-src 'none'"), _policy("default-src"), inside=True
    ),
    "another base": Case(header(CSP, "base-uri 'none'"), _policy("base-uri"), inside=True),
    "forms that lead away": Case(
        header(CSP, "form-action 'self'"), _policy("form-action"), inside=True
    ),
    "frames": Case(header(CSP, "frame-ancestors 'none'"), _policy("frame-ancestors"), inside=True),
    "policy of a page of errors": Case(
        header(CSP, "script-src 'self'", path="/nowhere"), _policy("script-src"), inside=True
    ),
    "sniffing": Case(
        header("X-Content-Type-Options", "nosniff"), _no_headers("X-Content-Type-Options")
    ),
    "old frames": Case(header("X-Frame-Options", "DENY"), _no_headers("X-Frame-Options")),
    "referrers": Case(header("Referrer-Policy", "same-origin"), _no_headers("Referrer-Policy")),
    "guesses": Case(guessed, patched("wait_s", lambda self, who: 0, Password), password=True),
    "guesses at once": Case(
        guessed_at_once, patched("wait_s", lambda self, who: 0, Password), password=True
    ),
    "a token in place of the password": Case(
        lambda browser: _entered_by_token(browser),
        patched("admits", lambda self, token: self.is_token(token), Access),
        password=True,
    ),
}


async def _entered_by_token(browser: Browser) -> bool:
    return (await browser.enter()).status == 303


@pytest.mark.parametrize("name", CASES)
def test_an_attack_is_refused_and_would_succeed_without_its_guard(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = CASES[name]

    def tried() -> bool:
        access = Access(password=Password(WORD) if case.password else None)
        return visiting(case.attack, tmp_path, access=access, enter=case.inside)

    assert not tried()
    case.without(monkeypatch)
    assert tried()


def test_our_own_pages_get_through(tmp_path: Path) -> None:
    ours: Mapping[str, str] = {"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors"}

    async def visit(browser: Browser) -> None:
        origin = f"http://127.0.0.1:{browser.access.port}"
        assert await got("/", **ours)(browser)
        assert await sent({"Origin": origin, **ours})(browser)
        word = await browser.csrf()
        assert await sent({"X-CSRF-Token": word}, csrf=False)(browser)
        assert await got("/", **{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"})(
            browser
        )
        assert await uploaded([100_000])(browser)
        assert await uploaded([2_000_000], "/take-much")(browser)

    visiting(visit, tmp_path)


def test_a_program_with_the_token_needs_no_cookie_and_no_word(tmp_path: Path) -> None:
    async def visit(browser: Browser) -> None:
        token = {"Authorization": f"Bearer {browser.access.token}"}
        assert (await browser.get("/api/secret", headers=token)).status == 200
        answer = await browser.client.post("/api/change", json={"a": 1}, headers=token)
        assert await answer.json() == {"a": 1}
        # Of pages it opens none: forms there trust cookies.
        assert (await browser.get("/", headers=token)).status == 401

    visiting(visit, tmp_path, enter=False)


@pytest.mark.parametrize("is_bound", [True, False])
@pytest.mark.parametrize(
    ("bound", "path", "kind"),
    [
        ("FORM_S", "/change", "application/x-www-form-urlencoded"),
        ("UPLOAD_S", "/take", "multipart/form-data; boundary=x"),
    ],
)
def test_a_slow_body_is_not_waited_for_and_would_be_without_its_bound(
    bound: str,
    path: str,
    kind: str,
    is_bound: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(guards, bound, 0.2 if is_bound else 3600.0)

    async def visit(browser: Browser) -> int:
        async def pieces() -> Any:
            yield b"--x\r\n"
            await asyncio.sleep(30)
            yield b"x"

        head = {"Content-Type": kind}
        try:
            async with asyncio.timeout(PATIENCE_S if is_bound else 1.0):
                return (await browser.client.post(path, data=pieces(), headers=head)).status
        except TimeoutError:
            return 0

    assert visiting(visit, tmp_path) == (408 if is_bound else 0)


def test_a_text_among_the_parts_is_refused_before_it_has_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guards, "UPLOAD_S", PATIENCE_S)

    async def visit(browser: Browser) -> int:
        ended = asyncio.Event()

        async def pieces() -> Any:
            yield b'--x\r\nContent-Disposition: form-data; name="what"\r\n\r\n'
            for _ in range(24):
                yield b"x" * 50_000
            await ended.wait()

        head = {"Content-Type": "multipart/form-data; boundary=x"}
        answer = await browser.client.post("/take-much", data=pieces(), headers=head)
        ended.set()
        return answer.status

    assert visiting(visit, tmp_path) == 413
