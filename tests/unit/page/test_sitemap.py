import gzip

import pytest

from filon.page.sitemap import MAX_PLACES, datasets, dates, is_index, places

HERE = "http://example.org/maps/sitemap.xml"
SET = b"""<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc> http://example.org/a?b=1&amp;c=2 </loc><lastmod>2024</lastmod></url>
<url><loc><![CDATA[http://example.org/b]]></loc></url></urlset>"""


def test_reads_the_addresses_of_a_set_in_order() -> None:
    assert places(SET, HERE) == ["http://example.org/a?b=1&c=2", "http://example.org/b"]


def test_reads_gzipped_sets() -> None:
    assert places(gzip.compress(SET), HERE) == places(SET, HERE)


def test_reads_an_index_with_a_prefix() -> None:
    index = b"<sm:sitemapindex><sm:sitemap><sm:loc>one.xml.gz</sm:loc></sm:sitemap>"
    assert places(index + b"</sm:sitemapindex>", HERE) == ["http://example.org/maps/one.xml.gz"]


def test_reads_rss_with_enclosures_and_atom() -> None:
    rss = b"<rss><channel><item><link>/news/1</link><enclosure type='x' url='/f.csv'/></item>"
    assert places(rss, HERE) == ["http://example.org/news/1", "http://example.org/f.csv"]
    atom = b'<feed xmlns="http://www.w3.org/2005/Atom"><entry><link rel="a" href="/n/2"/></entry>'
    assert places(atom, HERE) == ["http://example.org/n/2"]


@pytest.mark.parametrize(
    ("guid", "is_link"),
    [
        (b"<guid>http://example.org/p/1</guid>", True),
        (b"<guid isPermaLink='true'><![CDATA[http://example.org/p/1]]></guid>", True),
        (b'<guid isPermaLink="false">http://example.org/p/1</guid>', False),
        (b"<guid ispermalink=false >http://example.org/p/1</guid>", False),
        (b"<guid>4711@example.org</guid>", False),
        (b"<guid>/p/1</guid>", False),
    ],
)
def test_a_guid_is_a_link_where_it_is_a_permanent_one(guid: bytes, is_link: bool) -> None:
    rss = b"<rss><channel><item>" + guid + b"<link>/news/1</link></item></channel></rss>"
    news = "http://example.org/news/1"
    assert places(rss, HERE) == (["http://example.org/p/1", news] if is_link else [news])


def test_a_feed_of_comments_is_no_place() -> None:
    entry = b'<link rel="alternate" href="/n/2"/><link rel="replies" href="/n/2/feed/"/>'
    atom = b'<feed><link rel="self" href="/feed"/><entry>' + entry + b"</entry></feed>"
    assert places(atom, HERE) == ["http://example.org/n/2"]


@pytest.mark.parametrize(
    "body",
    [b"", b"<html><loc>http://a.org/</loc></html>", b"\x1f\x8bnonsense", b"<urlset></urlset>"],
)
def test_what_is_neither_lists_nothing(body: bytes) -> None:
    assert places(body, HERE) == []


def test_a_bomb_and_a_list_without_end_are_bounded() -> None:
    bomb = gzip.compress(b"<urlset>" + b"\0" * 80_000_000)
    assert places(bomb, HERE) == []
    long = b"<urlset>" + b"".join(b"<loc>/%d</loc>" % i for i in range(60_000))
    assert len(places(long, HERE)) == MAX_PLACES
    many = b"".join(b"http://example.org/%d\n" % i for i in range(60_000))
    assert len(places(many, "http://example.org/sitemap.txt")) == MAX_PLACES


def test_entities_that_expand_without_end_expand_to_nothing() -> None:
    laugh = (
        b'<!DOCTYPE x [<!ENTITY a "&b;&b;"><!ENTITY b "&a;&a;">]><urlset><loc>/&a;</loc></urlset>'
    )
    assert places(laugh, HERE) == ["http://example.org/&a;"]


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "opening", [b"<loc>", b"<link>", b"<link ", b"<enclosure ", b"<guid>", b"<loc><![CDATA["]
)
@pytest.mark.parametrize("root", [b"<urlset>", b"<rss>", b"<feed>"])
def test_files_of_nothing_but_openings_are_read_in_no_time(root: bytes, opening: bytes) -> None:
    assert places(root + opening * 200_000, "http://example.org/s.xml") == []


def test_a_semantic_sitemap_names_dumps_and_endpoints() -> None:
    body = (
        b"<urlset xmlns:sc='http://sw.deri.org/2007/07/sitemapextension/scschema.xsd'><sc:dataset>"
        b"<sc:sparqlEndpointLocation slicing='cbd'>/sparql</sc:sparqlEndpointLocation>"
        b"<sc:dataDumpLocation>/a.nt.gz</sc:dataDumpLocation>"
        b"<sc:dataDumpLocation>/b.nt.gz</sc:dataDumpLocation></sc:dataset></urlset>"
    )
    found = datasets(body, "http://a.example/s.xml")
    assert found.dumps == ("http://a.example/a.nt.gz", "http://a.example/b.nt.gz")
    assert found.endpoints == ("http://a.example/sparql",)
    assert not is_index(body)


def test_an_index_of_sitemaps_is_known_as_one() -> None:
    assert is_index(b"<sitemapindex><sitemap><loc>/s.xml</loc></sitemap></sitemapindex>")
    assert not is_index(b"<html>")


def told(body: bytes) -> dict[str, str]:
    return {url: f"{span.first:%Y-%m-%dT%H:%M}" for url, span in dates(body, HERE).items()}


def test_dates_of_a_set_are_those_of_their_entries() -> None:
    body = b"""<urlset><url><loc>/a</loc><lastmod>2024-05-31</lastmod></url>
    <url><lastmod>2024-06-01T10:00:00+02:00</lastmod><loc>/b</loc></url>
    <url><loc>/none</loc></url><url><loc>/odd</loc><lastmod>soon</lastmod></url></urlset>"""
    assert told(body) == {
        "http://example.org/a": "2024-05-31T00:00",
        "http://example.org/b": "2024-06-01T08:00",
    }
    assert told(gzip.compress(body)) == told(body)


def test_dates_of_an_index_are_those_of_its_sitemaps() -> None:
    index = b"""<sm:sitemapindex><sm:sitemap><sm:loc>one.xml</sm:loc><sm:lastmod>2024</sm:lastmod>
    </sm:sitemap><sm:sitemap><sm:loc>two.xml</sm:loc></sm:sitemap></sm:sitemapindex>"""
    assert told(index) == {"http://example.org/maps/one.xml": "2024-01-01T00:00"}


def test_dates_of_rss_are_those_of_its_items_and_not_of_the_channel() -> None:
    rss = b"""<rss><channel><link>/</link><pubDate>Fri, 31 May 2024 12:00:00 GMT</pubDate>
    <item><link>/n/1</link><pubDate><![CDATA[Sat, 01 Jun 2024 12:00:00 GMT]]></pubDate>
    <enclosure url="/f.csv"/></item><item><link>/n/2</link><dc:date>2024-06-02</dc:date></item>"""
    assert told(rss) == {
        "http://example.org/n/1": "2024-06-01T12:00",
        "http://example.org/f.csv": "2024-06-01T12:00",
        "http://example.org/n/2": "2024-06-02T00:00",
    }


def test_of_an_atom_entry_the_update_counts() -> None:
    atom = b"""<feed><updated>2024-07-01T00:00:00Z</updated><link href="/"/>
    <entry><link href="/n/1"/><updated>2024-06-03T00:00:00Z</updated>
    <published>2024-05-01T00:00:00Z</published></entry></feed>"""
    assert told(atom) == {"http://example.org/n/1": "2024-06-03T00:00"}


def test_an_address_that_is_listed_twice_has_its_last_date() -> None:
    entry = b"<url><loc>/a</loc><lastmod>%s</lastmod></url>"
    body = b"<urlset>" + entry % b"2024-06-01" + entry % b"2024-05-01" + b"</urlset>"
    assert told(body) == {"http://example.org/a": "2024-06-01T00:00"}


@pytest.mark.parametrize("body", [b"", b"<html><date>2024</date></html>", b"\x1f\x8bnothing"])
def test_what_is_no_sitemap_has_no_dates(body: bytes) -> None:
    assert told(body) == {}


TEXT = b"http://example.org/a?b=1&c=2\r\n\r\n  http://example.org/b  \nhttp://other.test/c"
LISTED = ["http://example.org/a?b=1&c=2", "http://example.org/b", "http://other.test/c"]


@pytest.mark.parametrize("body", [TEXT, b"\xef\xbb\xbf" + TEXT, gzip.compress(TEXT)])
def test_a_text_with_an_address_a_line_is_a_sitemap_where_it_is_named_as_one(body: bytes) -> None:
    assert places(body, "http://example.org/sitemap.txt") == LISTED
    assert places(body, "http://example.org/urls", named=True) == LISTED
    assert places(body, "http://example.org/urls.txt") == []


@pytest.mark.parametrize(
    "body",
    [
        b"Not found",
        b"# of ours\nhttp://example.org/a",
        b"/a\n/b",
        b"http://example.org/a is where it was",
        b"\0" * 1_000_000,
    ],
)
def test_a_text_that_begins_with_no_address_lists_nothing(body: bytes) -> None:
    assert places(body, "http://example.org/sitemap.txt", named=True) == []


def test_lines_of_a_text_that_are_no_addresses_are_passed_over() -> None:
    body = b"http://example.org/a\nsee also\nhttp://[\nftp://example.org/b\nhttp://example.org/c\n"
    found = places(body, "http://example.org/sitemap.txt")
    assert found == ["http://example.org/a", "http://example.org/c"]


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "line", [b"\n", b"x\n", b"http://example.org/a\n", b" ", b"\0", b"http://"]
)
def test_a_text_without_end_is_read_in_no_time(line: bytes) -> None:
    body = b"http://example.org/1\n" + line * (5_000_000 // len(line))
    assert len(places(body, "http://example.org/sitemap.txt")) <= 2


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_sitemaps_in_utf_16_are_read_with_and_without_a_mark(codec: str, pack: object) -> None:
    assert callable(pack)
    told = SET.decode().replace("/b]", "/é]").replace('"1.0"', '"1.0" encoding="UTF-16"')
    body = pack(told.encode(codec))
    assert places(body, HERE) == ["http://example.org/a?b=1&c=2", "http://example.org/%C3%A9"]
    assert list(dates(body, HERE)) == ["http://example.org/a?b=1&c=2"]
    assert is_index(pack("<sitemapindex></sitemapindex>".encode(codec)))
    assert places(pack(TEXT.decode().encode(codec)), "http://example.org/sitemap.txt") == LISTED


@pytest.mark.parametrize("body", [b"\xff\xfe", b"<\0u", b"\0<\0u\0r", b"\xff\xfe\0\xd8<\0", b"\0"])
def test_what_is_left_of_utf_16_lists_nothing(body: bytes) -> None:
    assert places(body, "http://example.org/sitemap.txt", named=True) == []
