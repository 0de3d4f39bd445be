import asyncio

from filon.serve.preview import Preview, look
from filon.verbs.settings import Settings
from loopback import Page, html, serving


def seen(url: str, *, linked: bool = False) -> Preview:
    return asyncio.run(look(url, Settings(delay=0.0), linked=linked))


def test_a_redirect_within_the_host_is_followed_and_counted() -> None:
    there = Page(status=302, headers={"Location": "/new"})
    with serving({"/": there, "/new": html("/a.csv", title="New")}) as site:
        found = seen(site.url)
        assert site.targets == ["/robots.txt", "/", "/new"]
    assert (found.page.title, found.requests, found.files) == ("New", 3, 1)


def test_another_host_is_named_and_not_asked() -> None:
    away = Page(status=302, headers={"Location": "https://elsewhere.test/"})
    with serving({"/": away}) as site:
        found = seen(site.url)
    assert (found.moved, found.requests) == ("https://elsewhere.test/", 2)


def test_redirects_in_a_circle_end() -> None:
    with serving({"/": Page(status=302, headers={"Location": "/"})}) as site:
        assert seen(site.url).requests <= 5


def test_a_failure_is_a_sentence() -> None:
    with serving({}) as site:
        found = seen(site.url)
    assert "answers 404" in found.problem
    assert "refuses the connection" in seen(site.url).problem


def test_rdf_is_asked_for_as_data() -> None:
    turtle = Page(body=b"@prefix : <#> .", headers={"Content-Type": "text/turtle"})
    with serving({"/": turtle}) as site:
        found = seen(site.url, linked=True)
        assert "text/turtle" in site.headers[-1]["Accept"]
    assert (found.mime, found.page.text) == ("text/turtle", "@prefix : <#> .")


def test_of_a_long_page_the_beginning_is_read() -> None:
    page = html(*(f"/{number}.csv" for number in range(50_000)))
    with serving({"/": page}) as site:
        found = seen(site.url)
    assert 1_000 < found.files < 50_000
    assert len(found.page.text) <= 700
