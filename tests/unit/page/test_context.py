import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from filon.page.context import MAX_HEADING, MAX_HEADINGS, LinkContext, PageContext
from filon.page.links import MAX_TEXT
from fuzzing import examples

URL = "http://example.org/page"
FILE = "http://example.org/1.csv"
LINK = "<a href=1.csv>CSV</a>"
PIECES = [
    *("<h2>", "<a href=1.csv>", "</a>", "<tr><td>", "<dd>", "<dt>", "x", "\ud800", "\0", "<li>"),
    *("<script type=ld+json>", "{", '{"license":', "<base href=//[bad>", "</div>", "<div>"),
    *("<meta name=dc.rights content=licence>", "<a rel=license href='http://[bad'>", "<title>"),
]
CC = "https://creativecommons.org/licenses/by/4.0/"


def page(body: str | bytes) -> PageContext:
    return PageContext(body if isinstance(body, bytes) else body.encode(), URL)


def at(body: str) -> LinkContext:
    return page(body).link(FILE)


def test_only_the_headings_that_a_link_stands_under_are_above_it() -> None:
    body = f"<h1>A</h1><h2>B</h2><h4>C</h4><h3>D</h3><h2>E</h2><h3></h3>{LINK}<h3>F</h3>"
    assert at(body).headings == "A > E"


@pytest.mark.parametrize(
    "body",
    [
        f"<table><tr><td>7<td>Road deaths<td>{LINK}</table>",
        f"<ul><li>Other<li>Road deaths {LINK}</ul>",
        f"<dl><dt>Road deaths<dd>x<dd><p>{LINK}</dl>",
        f"<div><div>Other</div><div><span>Road deaths</span> <b>{LINK}</b></div></div>",
    ],
)
def test_the_row_or_item_tells_what_a_link_does_not(body: str) -> None:
    assert at(body).around.removesuffix(" CSV") == "Road deaths"


@pytest.mark.parametrize(
    "body",
    [
        f"<ul><li>Other words<li>{LINK}</ul>",
        f"<div>{'other words ' * 30}{LINK}</div>",
        f"<table><tr><td>{'menu ' * 30}<td>words {LINK}</table>",
        "<p>Words <a href=1.csv>Road deaths</a>",
    ],
)
def test_what_belongs_to_others_or_is_not_needed_is_not_told(body: str) -> None:
    assert at(body).around == ""


def test_of_two_links_to_a_file_the_one_with_words_tells() -> None:
    body = f"<h2>A</h2>{LINK}<h2>B</h2><a href=1.csv>Road deaths</a><a href=1.csv>More deaths</a>"
    assert at(body)[:2] == ("Road deaths", "B")


@pytest.mark.parametrize(
    "link",
    [
        '<a href=1.csv title="Road deaths"></a>',
        '<a href=1.csv aria-label="Road deaths"><i></i></a>',
        '<a href=1.csv><img src=x alt="Road deaths"></a>',
        '<area href=1.csv alt="Road deaths">',
    ],
)
def test_a_link_without_words_is_told_by_its_label(link: str) -> None:
    assert at(link).text == "Road deaths"


@pytest.mark.parametrize(
    "mark",
    [
        f'<link rel="license" href="{CC}">',
        f'<a rel="nofollow license" href="{CC}">terms</a>',
        f'<a itemprop="license" href="{CC}">terms</a>',
        f'<a property="dct:license" resource="{CC}">terms</a>',
        f'<meta name="DCTERMS.license" content="{CC}">',
        f'<meta name="dc.rights" content="Licence: {CC}">',
        f'<footer>All under <a href="{CC}">CC BY</a>',
        f'<a href="{CC}deed.en">CC</a> <a href="{CC.replace("s:", ":")}legalcode">text</a>',
        f'<script type="application/ld+json">{{"@graph": [{{"license": "{CC}"}}]}}</script>',
        f'<script type="application/ld+json">{{"license": {{"@id": "{CC}"}}}}</script>',
    ],
)
def test_a_licence_is_read_wherever_pages_tell_it(mark: str) -> None:
    assert CC in at(f"{mark}{LINK}").licence.replace("Licence: ", "")


def test_a_relative_licence_is_an_address() -> None:
    assert at(f"<a rel=license href=/terms>x</a>{LINK}").licence == "http://example.org/terms"


@pytest.mark.parametrize(
    "body",
    [
        '<a href="/about/license">Licences of our staff</a>',
        '<meta name="dc.rights" content="© Office 2020, all rights reserved">',
        '<a rel=license href="http://a/1"></a><a rel=license href="http://a/2"></a>',
        '<script type="application/ld+json">{"license": </script>',
        '<script type="application/ld+json">{"license": [], "x": {"license": 3}}</script>',
    ],
)
def test_a_page_that_tells_none_or_several_tells_none_of_a_file(body: str) -> None:
    assert at(f"{body}{LINK}").licence == ""


def test_a_licence_of_the_very_file_goes_before_that_of_the_page() -> None:
    said = [
        {"license": "http://l/1", "distribution": {"contentUrl": "/1.csv"}},
        {"license": "http://l/2", "distribution": [{"contentUrl": "2.csv"}]},
    ]
    body = f'<script type="application/ld+json">{json.dumps(said)}</script>{LINK}'
    assert page(body).licence == ""
    assert at(body).licence == "http://l/1"
    assert page(body).link("http://example.org/2.csv").licence == "http://l/2"


@pytest.mark.parametrize(
    ("begin", "item"),
    [("<table><tr><td>Deaths", "<td>"), ("<dl><dt>Deaths", "<dd>"), ("<ul><li>Deaths", " ")],
)
def test_a_thousand_links_in_one_row_cost_no_more_than_a_thousand_rows(
    begin: str, item: str
) -> None:
    many = 30_000
    found = page(begin + "".join(f"{item}<a href={number}.csv>CSV</a>" for number in range(many)))
    assert found.link(FILE).around.startswith("Deaths")
    assert len(found) == many


def test_texts_are_short_lines_that_can_be_stored() -> None:
    long = "w\x01\u202e\n " * 3000
    body = f"<title>{long}</title>" + "".join(f"<h{n}>{long}</h{n}>" for n in range(1, 7))
    found = page(f"{body}<a href=1.csv>{long}</a>")
    link = found.link(FILE)
    for text, longest in (
        (found.title, MAX_TEXT),
        (link.text, MAX_TEXT),
        (link.headings, MAX_HEADINGS),
    ):
        assert 0 < len(text) <= longest
        assert text.isprintable()
        assert max(map(len, text.split(" > "))) <= max(longest, MAX_HEADING)


@examples(60)
@given(st.lists(st.sampled_from(PIECES)))
def test_any_page_is_read(parts: list[str]) -> None:
    found = page("".join(parts).encode("utf-8", "surrogatepass"))
    for text in (found.title, found.licence, *found.link(FILE)):
        text.encode()
