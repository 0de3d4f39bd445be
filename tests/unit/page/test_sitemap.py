import gzip

import pytest

from filon.page.sitemap import MAX_PLACES, datasets, is_index, places

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
