import time

import pytest

from filon.page.links import (
    ALONE,
    ALTERNATE,
    CHORE,
    FEED,
    HEADS,
    MAX_BODY,
    MAX_LINKS,
    MAX_PATH,
    NEAREST,
    STEP,
    Link,
    links,
)

URL = "http://a.org/d/p.html"


def read(html: str, content_type: str = "text/html; charset=utf-8") -> list[Link]:
    return links(html.encode(), URL, content_type)


def urls(html: str) -> list[str]:
    return [link.url for link in read(html)]


def test_every_kind_of_link_is_found_in_document_order() -> None:
    html = """<html><head>
      <link rel="next" href="2"><link rel=stylesheet href=x.css>
      <link rel="alternate stylesheet" href=y.css><link rel=icon href=z.ico>
      <link rel=alternate type=text/csv href=3.csv>
      <meta http-equiv=Refresh content="5; URL='4'"><meta http-equiv=x content=y>
      </head><body><iframe src=5></iframe><a href=6>s</a>
      <map><area href=7 alt="The map"></map><a name=none>t</a><a href=8>u</a></body>"""
    found = read(html)
    assert [link.url.rpartition("/")[2] for link in found] == ["2", "3.csv", *"45678"]
    assert [link.tag for link in found] == ["link", "link", "meta", "iframe", "a", "area", "a"]
    assert [link.text for link in found] == ["", "", "", "", "s", "The map", "u"]


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        ("rel=next", STEP),
        ("rel='prev nofollow' type=text/html", STEP),
        ("rel=alternate hreflang=fr", ALTERNATE),
        ("rel=alternate hreflang=en-us href=/en/feed/", ALTERNATE),
        ("rel=ALTERNATE type=text/csv", ALTERNATE),
        ("rel=alternate type=application/rdf+xml href=/dataset/1.rdf", ALTERNATE),
        ("rel=alternate type='application/rss+xml; charset=utf-8'", FEED),
        ("rel=alternate type=text/xml href=/feed/rss2/", FEED),
        ("rel=alternate href=/news?format=feed&amp;type=rss", FEED),
        ("rel=alternate type=application/json+oembed", CHORE),
        ("rel=alternate type=application/json href=/wp-json/wp/v2/posts/1", CHORE),
        ("rel=alternate type=application/json href=/?rest_route=/wp/v2/posts/1", CHORE),
        ("rel=alternate media='only screen and (max-width: 640px)' href=//m.a.org/", CHORE),
        ("rel='alternate stylesheet'", ""),
        ("rel=stylesheet", ""),
        ("rel=pingback href=/xmlrpc.php", ""),
        ("rel=EditURI", ""),
        ("rel=canonical", ""),
        ("rel=shortlink", ""),
        ("rel=icon", ""),
    ],
)
def test_a_link_of_the_head_counts_by_its_kind(head: str, kind: str) -> None:
    html = f"<link {head} href=/x>".encode()
    for kinds in ((), *((one,) for one in HEADS)):
        assert bool(links(html, URL, heads=kinds)) == (kind in kinds)


def test_a_relation_is_part_of_the_place() -> None:
    html = "<head><link rel='Prev  up' href=1><link rel=next href=3></head><a rel=next href=3>b</a>"
    paths = ["/html/head/link[prev up]", "/html/head/link[next]", "/html/body/a"]
    assert [link.path for link in read(html)] == paths


def test_frames_are_links() -> None:
    html = "<html><frameset><frame src=a><frame src=b></frameset></html>"
    assert urls(html) == ["http://a.org/d/a", "http://a.org/d/b"]


def test_the_tag_path_names_tags_classes_and_ids_from_the_root() -> None:
    html = (
        '<html><body class=" home\n page "><div class=row id=main><p class=""><b id="">'
        '<a class="btn" href=x>y</a></b></p></div></body></html>'
    )
    assert [link.path for link in read(html)] == [
        "/html/body.home page/div.row#main/p/b/a.btn",
    ]


def test_missing_elements_are_put_in_as_a_browser_does() -> None:
    assert read("<a href=x>y")[0].path == "/html/body/a"
    assert read("<table><a href=x>y</a><tr><td><a href=z>")[1].path == (
        "/html/body/table/tbody/tr/td/a"
    )


def test_the_base_may_be_relative_and_counts_for_all_links() -> None:
    assert urls("<a href=x></a><base href='../e/'><base href=/no/><a href=y></a>") == [
        "http://a.org/e/x",
        "http://a.org/e/y",
    ]
    assert urls("<base href='http://b.org'><a href=x></a>") == ["http://b.org/x"]
    assert urls("<base href='data:,'><a href=x></a>") == ["http://a.org/d/x"]


@pytest.mark.parametrize(
    "href",
    ["javascript:go()", " JavaScript:go()", "mailto:a@b.org", "tel:1", "data:,x", "ftp://b.org/"],
)
def test_addresses_that_cannot_be_fetched_are_no_links(href: str) -> None:
    assert urls(f'<a href="{href}">x</a>') == []


def test_repeated_links_are_all_there() -> None:
    assert len(urls("<a href=x>1</a><p><a href=x>2</a>")) == 2


@pytest.mark.parametrize(
    ("content", "target"),
    [
        ("0;url=x", "x"),
        ("0; URL = 'x' ", "x"),
        ("3,x", "x"),
        ("0.5; x", "x"),
    ],
)
def test_a_refresh_is_a_link(content: str, target: str) -> None:
    assert urls(f'<meta http-equiv="refresh" content="{content}">') == [f"http://a.org/d/{target}"]


def test_a_refresh_without_address_is_no_link() -> None:
    assert urls('<meta http-equiv="refresh" content="30">') == []


def test_text_is_collapsed_and_bounded_and_holds_no_script() -> None:
    html = "<a href=x> The <b>gross\n</b>  product<script>no()</script> </a>"
    assert read(html)[0].text == "The gross product"
    assert len(read(f"<a href=x>{'long ' * 1000}</a>")[0].text) == 200
    assert len(read(f"<a href=x><i>{'long ' * 1000}</i></a>")[0].text) == 200


def test_the_text_around_is_there_only_when_asked_for() -> None:
    page = b"<ul><li>GDP by region: <b><a href=x>CSV</a></b> (2 MB)</li><li>no</li></ul>"
    assert links(page, URL)[0].around == ""
    assert links(page, URL, around=NEAREST)[0].around == "GDP by region: CSV (2 MB)"


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        ("<a href=é>é</a>".encode("latin-1"), "text/html; charset=ISO-8859-1"),
        (b"<meta charset=windows-1252>" + "<a href=é>é</a>".encode("cp1252"), "text/html"),
        ("<a href=é>é</a>".encode("cp1252"), "text/html"),
        ("<a href=é>é</a>".encode(), ""),
        ("<a href=é>é</a>".encode(), "text/html; charset=nonsense"),
        ("\ufeff<a href=é>é</a>".encode("utf-16-le"), "text/html"),
        ("\ufeff<a href=é>é</a>".encode(), "text/html; charset=latin1"),
        (b'<?xml version="1.0" encoding="iso-8859-1"?><a href="\xe9">\xe9</a>', ""),
    ],
)
def test_any_charset_is_read(body: bytes, content_type: str) -> None:
    (link,) = links(body, URL, content_type)
    assert (link.url, link.text) == ("http://a.org/d/%C3%A9", "é")


@pytest.mark.parametrize(
    ("label", "codec", "text"),
    [
        ("shift_jis", "cp932", "統計①"),
        ("gb2312", "gbk", "统计镕"),
        ("euc-kr", "cp949", "통계"),
        ("big5", "big5", "統計"),
        ("koi8-r", "koi8-r", "данные"),
        ("windows-1251", "cp1251", "данные"),
    ],
)
def test_labels_mean_what_browsers_take_them_for(label: str, codec: str, text: str) -> None:
    (link,) = links(f"<a href=x>{text}</a>".encode(codec), URL, f"text/html; charset={label}")
    assert link.text == text


def test_xhtml_is_read_with_its_closed_elements() -> None:
    html = """<?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "xhtml1-strict.dtd">
      <html xmlns="http://www.w3.org/1999/xhtml"><head><title/><script src="x"/></head>
      <body><a id="top"/><p><a href="y">z</a></p></body></html>"""
    (link,) = read(html, "application/xhtml+xml")
    assert (link.path, link.text) == ("/html/body/p/a", "z")


@pytest.mark.parametrize(
    "html",
    ["", "\0", "<", "<a", "<a href", "<a href=", "<a href=x", "a,b\n1,2", "<!--", "\ufffd" * 9],
)
def test_broken_pages_have_few_links_and_no_errors(html: str) -> None:
    assert len(read(html)) <= 1


def test_bytes_that_are_no_text_are_no_error() -> None:
    assert links(bytes(range(256)) * 100, URL, "text/html; charset=utf-8") == []
    assert links(b"\xff<a href='\xff'>\xfe</a>", URL, "text/html; charset=utf-8")


# What the standard's algorithm, or ours, would take minutes or gigabytes for.
HOSTILE = {
    "deep": "<div>" * 200_000 + "<a href=x>",
    "deep links": "<a href=x><div>" * 100_000,
    "links in tables in links": "<a href=x><table><tr><td>" * 100_000,
    "formatting that is reopened": "".join(f"<b id=i{i}>" for i in range(3000)) + "<p>x" * 200_000,
    "attributes": "<a href=x " + " ".join(f"a{i}" for i in range(150_000)) + ">",
    "one long class": f"<div class='{'x ' * 100_000}'>" + "<a href=x>y</a>" * 5_000,
    "one long text": f"<a href=x>{'<i>y' * 200_000}",
}


@pytest.mark.parametrize("page", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_page_made_to_hang_a_parser_does_not(page: str) -> None:
    began_s = time.process_time()
    found = links(page.encode(), URL)
    # A bound against hanging, ten times what it takes, not a measure of speed.
    assert time.process_time() - began_s < 10
    assert all(len(link.path) < 2 * MAX_PATH for link in found)


def test_deep_but_real_nesting_is_read_whole() -> None:
    assert len(urls("<div>" * 1000 + "<a href=x>y</a>")) == 1


def test_links_and_bytes_are_bounded() -> None:
    assert len(urls("<a href=x>y</a>" * (MAX_LINKS + 10))) == MAX_LINKS
    assert links(b" " * MAX_BODY + b"<a href=x>", URL) == []


def test_a_listing_of_thousands_of_files_is_read_whole() -> None:
    rows = "".join(f"<li><a href=f{i}.csv>f{i}</a><br>\n" for i in range(20_000))
    assert len(urls(f"<ul>{rows}")) == 20_000


def test_a_page_may_say_of_what_type_a_link_is_or_that_it_is_for_download() -> None:
    body = (
        b'<a href=/1 type="Text/CSV; charset=utf-8">x</a><a href=/2 download>x</a>'
        b"<a href=/3 type=button>x</a><a href=/4>x</a>"
    )
    hints = [link.hint for link in links(body, "http://a.org/")]
    assert hints == ["text/csv", "download", "", ""]


def test_links_of_one_block_share_the_text_round_them() -> None:
    body = b"<ul><li>Old <a href=/1>a</a> <a href=/2>b</a><li>New <a href=/3>c</a></ul>"
    found = links(body, "http://a.org/", around=NEAREST)
    assert [link.around for link in found] == ["Old a b", "Old a b", "New c"]


def test_only_wanted_links_are_read_and_each_is_asked_about_in_order() -> None:
    body = b"<a href=1>one</a><a href=2>two</a><a href=1>again</a><a href=tel:1>no</a>"
    asked: list[str] = []

    def wanted(url: str) -> bool:
        asked.append(url)
        return url.endswith("1")

    found = links(body, "http://a.org/", wanted=wanted)
    assert [link.text for link in found] == ["one", "again"]
    assert asked == ["http://a.org/1", "http://a.org/2", "http://a.org/1"]


def test_what_is_around_a_link_is_read_where_it_is_of_interest_by_its_place() -> None:
    body = b"<nav><a href=1>menu</a></nav><ul><li>new <a href=2>b</a><li>old <a href=1>a</a></ul>"
    asked: list[tuple[str, str, str]] = []

    def placed(*place: str) -> bool:
        asked.append((place[0], place[1], place[2]))
        return place[2] != "menu"

    def wanted(url: str) -> bool:
        return url.endswith("1")

    for around in (ALONE, NEAREST, ""):
        asked.clear()
        found = links(body, "http://a.org/", around=around, wanted=wanted, placed=placed)
        every = links(body, "http://a.org/", around=around)
        assert found == [link for link in every if link.text == "a"]
        assert asked == [(url, link, text) for url, link, text, *_ in every if wanted(url)]
