import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from filon.compare.replica import Replica
from filon.core import Request
from filon.page.gist import Gist, blocks, gist, same
from fuzzing import examples

URL = "http://a.test/data/"
PAGE = """<!DOCTYPE html><title>Figures</title><body class="page ads-on">
<nav class=menu><a href=/>Home</a> <a href=/data/>Data</a></nav>
<main><h1>Figures</h1><p>All figures of the county.</p>
<table><tr><th>Year<th>Schools<tr><td>2025<td>1,204<tr><td>2026<td>1,310</table>
<ul><li><a href=schools.csv>Schools</a>, updated 3 May 2026</ul></main>{}"""
NEWS = "<p>News</p>"


def look(end: str = "", page: str = PAGE) -> Gist:
    return gist(page.format(end).encode(), "text/html; charset=utf-8", url=URL)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("<p>Last updated: 3 May 2026", "<p>Last updated: 4 June 2026"),
        ("<p>Last updated: <b>3 May</b> 2026", "<p>Last updated: <b>4 June</b> 2026"),
        ("<div id=clock>10:15</div>", "<div id=clock>10:16</div>"),
        ("<p>7 visitors", "<p>8 visitors"),
        ("<!-- 0.1 s -->", "<!-- 0.2 s --><!-- x -->"),
        ("<script>t=1</script>", "<script nonce=x>t=2</script><style>p{}</style>"),
        ("<input type=hidden value=1>", "<input type=hidden value=2>"),
        ("<a href='/in?sid=8f1c2d3e4f'>In</a>", "<a href='/in?sid=9a1c2d3e40'>In</a>"),
        ("<div class=ad>Shoes <a href=http://s.test/1>!</a></div>", "<div class=ad>Hats</div>"),
        ("<a href=http://ads.b.test/1>Buy</a>", "<a href=http://ads.b.test/2>Sell</a>"),
        (
            "<a href=http://b.test/1><img src=1.gif></a>",
            "<a href=http://c.test/><img src=2.gif></a>",
        ),
        ("<img src=a.png?1>", "<img src=a.png?2>"),
        ("<p>  Two\n words ", "<p>Two <i>words</i>"),
        ("<p><a href=x.html#a>x</a>", "<p><a href=x.html#b>x</a>"),
    ],
)
def test_a_page_that_only_moved_is_the_same(old: str, new: str) -> None:
    assert same(look(old), look(new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("1,310", "1,311"),
        ("</table>", "<tr><td>2027<td>1,310</table>"),
        ("2025<td>1,204<tr><td>2026<td>1,310", "2026<td>1,310<tr><td>2025<td>1,204"),
        ("</ul>", "<li><a href=roads.csv>Schools</a></ul>"),
        ("schools.csv", "schools-2026.csv"),
        ("schools.csv>", "schools.csv?v=2>"),
        ("updated 3 May", "updated 4 May"),
        ("All figures", "Some figures"),
        ("<title>Figures", "<title>Numbers"),
        ("<h1>", NEWS + "<h1>"),
        ("<a href=/data/>Data</a>", ""),
    ],
)
def test_a_page_with_news_is_another(old: str, new: str) -> None:
    assert PAGE.count(old)
    assert not same(look(), look(page=PAGE.replace(old, new)))


def test_what_links_to_a_file_is_no_advert() -> None:
    assert not same(look("<div class=ad><a href=1.csv>x</a>"), look("<div class=ad>x"))


def test_what_is_too_long_is_no_advert() -> None:
    words = "The county has schools. " * 30
    assert not same(look(f"<div class=ads>{words} 1"), look(f"<div class=ads>{words} 2"))


def test_a_gist_can_be_stored_anywhere() -> None:
    one = look()
    assert Gist(*json.loads(json.dumps(one))) == one
    assert len(json.dumps(one)) < 60


def test_gists_of_other_rules_are_not_the_same() -> None:
    assert not same(look(), look()._replace(rules=0))


def test_a_file_is_taken_as_it_is() -> None:
    table = b"a,b\n1,Last updated 3 May 2026\n"
    assert not same(gist(table, "text/csv"), gist(table.replace(b"3", b"4"), "text/csv"))


def test_a_feed_has_a_clock_too() -> None:
    feed = (
        '<?xml version="1.0"?><rss><channel><lastBuildDate>{}</lastBuildDate><pubDate>{}</pubDate>'
        "<item><title>{}</title><pubDate>{}</pubDate></item></channel></rss>"
    )
    old = gist(feed.format(1, 2, "x", 3).encode(), "application/rss+xml")
    assert same(old, gist(feed.format(7, 8, "x", 3).encode(), "application/rss+xml"))
    assert not same(old, gist(feed.format(1, 2, "y", 3).encode(), "application/rss+xml"))
    assert not same(old, gist(feed.format(1, 2, "x", 4).encode(), "application/rss+xml"))


def test_blocks_are_the_texts_between_elements_that_begin_a_line() -> None:
    told = blocks(b"<p>a <b>b</b>c<br>d<div><a href=1.csv>e</a></div><td>f", url=URL)
    assert [block.text for block in told] == ["a bc", "d", "e", "f"]
    assert told[2].links == ("http://a.test/data/1.csv",)


@examples(200)
@given(
    st.lists(
        st.sampled_from(
            [
                *("<div class=ad>", "</div>", "<td>", "<tr>", "<table>", "</table>", "<p>", "<br>"),
                *("<a href=1.csv>", "</a>", "<a href='http://[bad'>", "x", " 3 May 2026 ", "<!--"),
                *(
                    "-->",
                    "<script>",
                    "</script>",
                    "<base href=//[bad>",
                    "<li>",
                    "\0",
                    "\ud800",
                    "<",
                ),
                *("<iframe src=x>", "<svg>", "<template>", "<select><option>", "<frameset>"),
            ]
        ),
        max_size=30,
    )
)
def test_no_page_is_too_broken(pieces: list[str]) -> None:
    page = "".join(pieces).encode("utf-8", "replace")
    assert same(gist(page, "text/html"), gist(page, "text/html"))


@pytest.mark.parametrize("mime", ["", "text/html", "application/xml", "text/csv", "x"])
@examples(50)
@given(st.binary(max_size=200))
def test_any_bytes_have_a_gist(mime: str, body: bytes) -> None:
    assert same(gist(body, mime), gist(body, mime))


def test_real_pages_with_a_clock_are_the_same_and_with_news_are_not(shared: Path) -> None:
    for file in sorted((shared / "data/harvest/replicas").glob("*.sqlite")):
        site = Replica.open(file)
        pages = [url for url in site.leads(site.start)[:40] if site.kind(url) == "html"]
        for url in pages[:6]:
            body = site.answer(Request(url=url)).body.replace(b"</html>", b"")
            one, other, news = (
                gist(body + end, "text/html", url=url)
                for end in (
                    b"<p>It is now 10:15:01<p>7 visitors<div class=ads>Shoes</div>",
                    b"<p>It is now 11:16:02<p>9 visitors<div class=ads>Hats</div>",
                    b"<p>It is now 10:15:01<p>7 visitors<a href=new.csv>CSV</a>",
                )
            )
            assert same(one, other), url
            assert not same(one, news), url
