from pathlib import Path

import pytest

from filon.compare.replica import Replica
from filon.core import Request, Response
from filon.page.barrier import barrier

HTML = (("Content-Type", "text/html; charset=utf-8"),)


def page(body: str, status: int = 200, url: str = "http://a.test/", **headers: str) -> Response:
    more = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Response(url=url, status=status, headers=(*HTML, *more), body=body.encode())


MANY = "".join(f'<a href="/{number}">{number}</a>' for number in range(40))
FORM = '<form><input name=user><input type="Password" name=pass></form>'
WALL = "<title>Just a moment...</title><script src=/cdn-cgi/challenge-platform/x></script>"
SHELL = "<noscript>You need JavaScript</noscript><app-x></app-x><script></script>"


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (page("<p>gone", 404), "missing"),
        (page("<title>Page introuvable</title><a href=/>home</a>"), "missing"),
        (Response(url="http://a.test/", status=404), "missing"),
        (page("no", 401), "login"),
        (page(f"<a href=/lost>Lost?</a>{FORM}"), "login"),
        (page("<p>Choose how to sign in", url="http://a.test/sso/saml?to=/"), "login"),
        (page(WALL, 403), "captcha"),
        (page("<p>", 403, cf_mitigated="challenge"), "captcha"),
        (page("<form><div class=g-recaptcha></div></form>"), "captcha"),
        (page("<div id=root></div><script src=/main.js></script>"), "script"),
        (page(SHELL), "script"),
    ],
)
def test_what_keeps_readers_out_is_told(answer: Response, kind: str) -> None:
    assert barrier(answer) == kind


@pytest.mark.parametrize(
    "answer",
    [
        page(f"{MANY}{FORM}"),
        page(f"{MANY}<div class=g-recaptcha></div>"),
        page(f"<div id=root>{MANY}</div><script src=/main.js></script>"),
        page("<p>Hello, this is a short page.</p>"),
        page(f"<div id=app>{'A long text that a reader can read. ' * 20}</div><script></script>"),
        page("<frameset><frame src=/menu><frame src=/main></frameset><script></script>"),
        page(f"<title>Data: 404 tables</title>{MANY}"),
        page("", 500),
        Response(url="http://a.test/x.csv", status=200, headers=(("Content-Type", "text/csv"),)),
    ],
)
def test_other_pages_are_left_alone(answer: Response) -> None:
    assert barrier(answer) == ""


def test_no_page_of_the_recorded_sites_is_a_barrier(shared: Path) -> None:
    wrong = []
    for file in sorted((shared / "data/harvest/replicas").glob("*.sqlite")):
        site = Replica.open(file)
        for url in [site.start, *site.leads(site.start)[:25]]:
            if site.kind(url) == "html" and (kind := barrier(site.answer(Request(url=url)))):
                wrong.append((url, kind))
    assert wrong == []
