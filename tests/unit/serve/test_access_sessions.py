"""Sessions of browsers, the names of a server, and policies of single pages."""

from pathlib import Path

import pytest
from aiohttp import web
from aiohttp.test_utils import make_mocked_request

from filon.serve import access as guards
from filon.serve import app as made
from filon.serve.access import CSP, Access, Refusal
from filon.serve.password import Password
from unit.serve.visitor import Browser, visiting

WORD = "correct horse battery"


def test_a_session_is_of_one_server_and_ends_with_it(tmp_path: Path) -> None:
    async def cookies(browser: Browser) -> dict[str, str]:
        found = (await browser.enter()).cookies
        return {name: morsel.value for name, morsel in found.items()}

    first = visiting(cookies, tmp_path)
    (name,) = first
    assert name.startswith("filon-")

    async def later(browser: Browser) -> None:
        again = {f"filon-{browser.access.port}": first[name]}
        assert (await browser.get("/", cookies=again)).status == 401

    visiting(later, tmp_path, enter=False)


def test_the_oldest_session_makes_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guards, "MOST_SESSIONS", 2)

    async def visit(browser: Browser) -> None:
        jar = browser.client.session.cookie_jar
        kept = [(await browser.enter()).cookies for _ in range(3)]
        jar.clear()
        name = browser.access.cookie
        answers = []
        for each in kept:
            answers.append((await browser.get("/", cookies={name: each[name].value})).status)
            jar.clear()
        assert answers == [401, 200, 200]

    visiting(visit, tmp_path, enter=False)


def test_who_logs_out_is_out(tmp_path: Path) -> None:
    async def visit(browser: Browser) -> None:
        before = {c.key: c.value for c in browser.client.session.cookie_jar}
        assert (await browser.post("/leave", {})).status == 303
        assert (await browser.get("/", cookies=before)).status == 401

    visiting(visit, tmp_path)


def test_the_password_lets_in(tmp_path: Path) -> None:
    async def visit(browser: Browser) -> None:
        assert 'type="password"' in await (await browser.get("/")).text()
        wrong = await browser.client.post("/enter", data={"password": "wrong"})
        assert wrong.status == 401
        assert "not the password" in await wrong.text()
        right = await browser.client.post("/enter", data={"password": WORD}, allow_redirects=False)
        assert (right.status, right.headers["Location"]) == (303, "/")
        assert "/leave" in await browser.text("/")

    visiting(visit, tmp_path, access=Access(password=Password(WORD)), enter=False)


@pytest.mark.parametrize(
    ("own", "kept"),
    [
        ("sandbox; default-src 'none'", True),
        ("sandbox allow-scripts; default-src 'none'; script-src 'self'", True),
        ("sandbox allow-scripts; default-src 'none'; script-src 'self' *", False),
        ("sandbox allow-scripts; default-src 'none'; script-src-elem *", False),
        ("sandbox allow-scripts; script-src 'self'", False),
        ("default-src *", False),
    ],
)
def test_a_page_may_have_a_stricter_policy_and_no_other(
    own: str, kept: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    routes = web.RouteTableDef()

    @routes.get("/own")
    async def _(_: web.Request) -> web.Response:
        return web.Response(text="x", headers={CSP: own})

    monkeypatch.setattr(made, "AREAS", [*made.AREAS, routes])

    async def visit(browser: Browser) -> str:
        return (await browser.get("/own")).headers[CSP]

    said = visiting(visit, tmp_path)
    assert said.startswith(own) is kept
    assert said.endswith("frame-ancestors 'none'")


@pytest.mark.parametrize("path", ["/entering", "/enter/x", "/static/x/y", "/feed/x/y", "/staticx"])
def test_what_is_open_to_all_is_that_alone(path: str, tmp_path: Path) -> None:
    async def visit(browser: Browser) -> int:
        return (await browser.get(path)).status

    assert visiting(visit, tmp_path, enter=False) == 401


@pytest.mark.parametrize(
    ("access", "host", "known"),
    [
        (Access(port=8765), "127.0.0.1:8765", True),
        (Access(port=8765), "LOCALHOST:8765", True),
        (Access(port=8765), "[::1]:8765", True),
        (Access(port=8765), "localhost", False),
        (Access(port=80), "localhost", True),
        (Access(port=443, secure=True), "localhost", True),
        (Access(port=8765), "localhost.evil.example:8765", False),
        (Access(port=8765), "127.0.0.1.evil.example:8765", False),
        (Access(port=8765), "user@127.0.0.1:8765", False),
        (Access(port=8765, names={"data.example"}), "data.example", True),
        (Access(port=8765, names={"data.example"}), "data.example:443", True),
        (Access(port=8765, names={"data.example"}), "x.data.example", False),
        (Access(port=8765, literals=True), "192.0.2.7:8765", True),
        (Access(port=8765, literals=True), "[2001:db8::1]:8765", True),
        (Access(port=8765, literals=True), "evil.example:8765", False),
    ],
)
def test_the_names_of_a_server(access: Access, host: str, known: bool) -> None:
    assert access.knows(host) is known


def test_a_refusal_under_the_api_is_an_object(tmp_path: Path) -> None:
    async def visit(browser: Browser) -> None:
        answer = await browser.get("/api/nowhere")
        assert answer.status == 401
        assert "filon serve" in (await answer.json())["error"]

    visiting(visit, tmp_path, enter=False)
    assert str(Refusal(400, "No.")) == "No."


@pytest.mark.parametrize("secure", [True, False])
def test_with_tls_the_cookie_goes_over_nothing_else(secure: bool, tmp_path: Path) -> None:
    async def visit(browser: Browser) -> tuple[str, bool]:
        answer = await browser.enter()
        return answer.headers["Set-Cookie"], "Strict-Transport-Security" in answer.headers

    access = Access(secure=secure)
    cookie, is_told = visiting(visit, tmp_path, access=access, enter=False)
    gone = web.Response()
    access.leave(make_mocked_request("POST", "/leave"), gone)
    assert bool(gone.cookies[access.cookie]["secure"]) is secure
    assert cookie.startswith("__Host-") is secure
    assert ("Secure" in cookie) is secure
    assert is_told is secure
