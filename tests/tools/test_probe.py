"""Our own attacks on the pages find nothing, and would find what is open."""

import asyncio
import contextlib
import threading
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jinja2 import Environment

from fake_run import FakeRun
from filon.catalog.store import CatalogStore
from filon.serve import access as guards
from filon.serve import page
from filon.serve.access import Access, Session
from filon.serve.app import make_app
from filon.serve.home import Home
from filon.serve.server import Patience, listening
from tools.probe import probes
from tools.probe.__main__ import entered
from tools.probe.pages import PAYLOADS, Page
from tools.probe.probes import PROBES, Probe, Site
from unit.serve.test_fleets import make

SILENT_S = 1.0


@contextlib.contextmanager
def served(folder: Path, idle_s: float = SILENT_S) -> Iterator[Site]:
    """Serve a folder from a thread of its own; give it as one who has entered sees it."""
    access = Access()
    up, loop, done = threading.Event(), asyncio.new_event_loop(), asyncio.Event()

    async def serve() -> None:
        app = make_app(Home(folder), access)
        patience = Patience(idle_s=idle_s, look_s=0.1)
        async with listening(app, "127.0.0.1", 0, patience=patience):
            up.set()
            await done.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    up.wait()
    try:
        site = entered(f"http://127.0.0.1:{access.port}/?token={access.token}")
        site.idle_s = 30.0 if idle_s < 100 else 2.0
        yield site
    finally:
        loop.call_soon_threadsafe(done.set)
        thread.join()
        loop.close()


def hostile(folder: Path) -> Path:
    """Write runs in which every field that the web can fill holds an attack."""
    for number, payload in enumerate(PAYLOADS):
        name = payload.replace("/", "∕")
        with FakeRun(folder / f"{number} {name}", url=f"http://evil.example/{payload}") as run:
            said: Mapping[str, Any] = {"arm": payload, "why": payload, "detail": payload}
            run.step(f"http://evil.example/{payload}", **said)
            run.step(payload, **said, status=0, error=payload)
            cells = ",".join(['"' + payload.replace('"', '""') + '"'] * 2)
            body = f"{cells}\n{cells}\n1,2\n{number},4\n".encode()
            run.find(f"http://evil.example/{number}.csv?{payload}", body, name=payload)
            run.ledger.execute(
                "UPDATE finds SET link_text = ?, around = ?, page_title = ?, headings = ?,"
                " licence = ?, modified = ?, parent = ?",
                [payload] * 7,
            )
            arms = [{"name": payload, "pulls": 1, "mean": 1.0, "left": 1, "example": payload}]
            run.end(payload if number % 2 else "budget", {"arms": arms, "skipped": {payload: 1}})
        make(folder, f"fleet {number} {name}", payload)
    with CatalogStore(folder) as store:
        store.update()
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return hostile(tmp_path_factory.mktemp("hostile"))


@pytest.fixture(scope="module")
def site(folder: Path) -> Iterator[Site]:
    with served(folder) as found:
        found.visit()
        yield found


@pytest.mark.parametrize("probe", PROBES, ids=lambda probe: probe.__name__)
def test_nothing_is_found(probe: Probe, site: Site) -> None:
    assert list(dict.fromkeys(probe(site))) == []


def test_all_pages_were_seen(site: Site) -> None:
    assert {"/", "/api", "/catalog", "/catalog/sql", "/schedules", "/keys"} <= {*site.pages}
    assert len([path for path in site.pages if path.startswith("/fleets/")]) > 3
    assert len([path for path in site.pages if path.startswith("/catalog/files/")]) > 3
    assert {"/schedules", "/keys", "/catalog/views"} & {*site.posts}
    assert len(site.operations) >= 15


async def _nothing(*_: object) -> None: ...


def _all_let_in(self: Access, request: object) -> Session:
    return Session("")


@cache
def _unescaped() -> Environment:
    """Return the templates as they would be if somebody forgot to escape."""
    made: Environment = page._templates.__wrapped__()
    made.autoescape = False
    return made


@cache
def _leading_anywhere() -> Environment:
    """Return the templates as they would be if a link might lead to a script."""
    made: Environment = page._templates.__wrapped__()
    made.tests["web_address"] = lambda url: True
    return made


#: Guards taken away, and the probe that sees it.
OPENED: Mapping[str, tuple[Probe, Any, str, object]] = {
    "session": (probes.nobody_else_is_let_in, Access, "session", _all_let_in),
    "name": (probes.names_are_ours, Access, "knows", lambda self, host: True),
    "headers": (probes.pages_are_whole, guards, "HEADERS", {}),
    "csrf": (probes.forms_are_ours, guards, "_check_csrf", _nothing),
    "origin": (probes.forms_are_ours, guards, "_check_origin", lambda request: None),
    "escapes in queries": (probes.queries_are_text, page, "_templates", _unescaped),
    "escapes in what the web says": (probes.pages_are_whole, page, "_templates", _unescaped),
    "links": (probes.pages_are_whole, page, "_templates", _leading_anywhere),
}


@pytest.mark.parametrize("name", OPENED)
def test_what_is_open_is_found(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    probe, *guard = OPENED[name]
    monkeypatch.setattr(*guard)
    with served(folder) as site:
        site.visit(most=20)
        assert next(probe(site), "")


def test_who_waits_for_ever_is_found(folder: Path) -> None:
    with served(folder, idle_s=1000.0) as site:
        assert list(probes.silence_is_not_waited_for(site))


@pytest.mark.parametrize(
    "markup",
    [
        *(f"<p>{payload}</p>" for payload in PAYLOADS if "<" in payload or "{{" in payload),
        f'<a href="{PAYLOADS[1]}">x</a>',
        f"<a title='{PAYLOADS[4]}'>x</a>",
        "<script>x()</script>",
        "<p onclick='x()'>",
        "<p style='color: red'>",
        "<img src='https://evil.example/x.png'>",
        "<form action='https://evil.example/'>",
        "<a target=_blank href='https://example.org'>",
        "<iframe src='/'></iframe>",
        "<base href='/x'>",
    ],
)
def test_what_would_run_on_a_page_is_seen(markup: str) -> None:
    shown = markup.replace("{{7*7191}}", "50337")
    assert Page("http://127.0.0.1/", f"<html>{shown}</html>").problems


def test_a_sound_page_has_no_problem() -> None:
    text = """<script src="/static/app.js"></script><a href="https://example.org/" target="_blank"
    rel="noreferrer noopener">x</a><form method="post" action="/x"><input name="csrf"></form>"""
    page = Page("http://127.0.0.1/", text)
    assert page.problems == []
    assert [form.fields for form in page.forms] == [{"csrf": ""}]
