from filon.core import Response
from filon.page.links import Link
from filon.verbs.discover.strategies.page import links_in, page_of
from filon.verbs.discover.strategies.scout.reading import MOST_AROUND, Reading, reading_of

OWNER = b"""<body><main><h1>Me</h1><p><a href="/about">About me</a></p><ul>
<li><h3><a href="http://a.example/">one</a></h3><p>Prices of gold.</p></li>
<li><h3><a href="http://b.example/x">two</a></h3><p>Results of matches.</p></li>
<li><a href="http://b.example/y">again</a></li></ul>
<p>See <a href="http://c.example/">this</a> and <a href="http://d.example/">that</a>.</p>"""


def read(body: bytes) -> Reading:
    response = Response(url="http://me.example/", status=200, body=body)
    found = links_in(response)
    return reading_of(page_of(response, found, "host"), found, response, "host")


def test_a_link_abroad_is_told_by_what_stands_around_it_alone() -> None:
    abroad = {link.url: link.around for link in read(OWNER).abroad}
    assert abroad == {
        "http://a.example/": "one Prices of gold.",
        "http://b.example/x": "two Results of matches.",
        "http://c.example/": "this",
        "http://d.example/": "that",
    }


def test_own_links_come_with_their_place_and_text() -> None:
    (own,) = read(OWNER).own
    assert (own.url, own.text) == ("http://me.example/about", "About me")
    assert own.path.endswith("/p/a")


def test_what_stands_around_a_link_is_bounded() -> None:
    page = read(b"<div>" + b"word " * 500 + b"<a href=http://a.example/>x</a></div>")
    assert [len(link.around) for link in page.abroad] == [MOST_AROUND]
    assert isinstance(page.abroad[0], Link)
