import pytest
from hypothesis import given
from hypothesis import strategies as st

from filon.core import UserError
from filon.page.url import (
    Globs,
    KeyRules,
    Site,
    extension,
    host,
    join,
    key,
    origin,
    parse,
    resolve,
    split,
)
from fuzzing import examples


@pytest.mark.parametrize(
    ("base", "href", "url"),
    [
        ("http://a.org/b/c", "d", "http://a.org/b/d"),
        ("http://a.org/b/c", "/d#e", "http://a.org/d"),
        ("http://a.org/b/c", "?x=1", "http://a.org/b/c?x=1"),
        ("http://a.org/b/c", "", "http://a.org/b/c"),
        ("http://a.org/b/c", "//B.org:80", "http://b.org/"),
        ("http://a.org/b/c", " \t/d e\n ", "http://a.org/d%20e"),
        ("http://a.org/b/c", "/ä?ö", "http://a.org/%C3%A4?%C3%B6"),
        ("http://a.org/b/c", "http://münchen.de/", "http://xn--mnchen-3ya.de/"),
        ("http://a.org/b/c", "..\\..\\d", "http://a.org/d"),
        ("http://a.org/", "javascript:void(0)", ""),
        ("http://a.org/", "ftp://a.org/d.csv", ""),
        ("http://a.org/", "http://", ""),
        ("http://a.org/", "http://[1", ""),
        ("http://a.org/", "\ud800", ""),
        ("not a base", "d", ""),
    ],
)
def test_a_link_is_resolved_as_a_browser_does(base: str, href: str, url: str) -> None:
    assert join(base, href) == url


@pytest.mark.parametrize("text", ["", "example.org", "file:///etc/passwd", "http://", "\udcff"])
def test_what_is_no_web_address_parses_to_nothing(text: str) -> None:
    assert parse(text) == ""


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("http://a.org/", "a.org"),
        ("https://a.org:8443/x?y@z:1", "a.org"),
        ("http://me:secret@a.org/", "a.org"),
        ("http://[2001:db8::1]:80/", "[2001:db8::1]"),
        ("http://127.0.0.1/", "127.0.0.1"),
    ],
)
def test_the_host_has_no_port_and_no_user(url: str, name: str) -> None:
    assert host(url) == name


@pytest.mark.parametrize(
    ("url", "ending"),
    [
        ("http://a.org/b.CSV", "csv"),
        ("http://a.org/b.tar.gz?x=y.z#a.b", "gz"),
        ("http://a.org/b.d/c", ""),
        ("http://a.org/", ""),
        ("http://a.org", ""),
        ("http://a.org?b.csv", ""),
        ("http://a.org/x.xls;jsessionid=1", "xls"),
    ],
)
def test_the_extension_is_the_last_segments(url: str, ending: str) -> None:
    assert extension(url) == ending


@pytest.mark.parametrize(
    "url",
    [
        "http://a.org/b",
        "http://a.org/b?page=2&sort=asc",
        "http://a.org/b?sid=GDP",
        "http://a.org/b?s=42",
        "http://a.org/b?s=inflation",
        "http://a.org/b?s=2024",
        "http://a.org/b?session=spring-2024",
        "http://a.org/b?",
        "http://a.org/b;v=1/c",
        "http://a.org/(draft)/b",
        "http://a.org/b?q=a;b&utm=1",
    ],
)
def test_a_url_that_says_something_is_its_own_key(url: str) -> None:
    assert key(url) == url


@pytest.mark.parametrize(
    ("url", "short"),
    [
        ("http://a.org/b#c", "http://a.org/b"),
        ("http://a.org:80/b", "http://a.org/b"),
        ("http://a.org/b?PHPSESSID=1", "http://a.org/b"),
        ("http://a.org/b?x=1&PhpSessId=1&y=2", "http://a.org/b?x=1&y=2"),
        ("http://a.org/b;jsessionid=1F.node1?x=1", "http://a.org/b?x=1"),
        ("http://a.org/b;jsessionid=1F/c", "http://a.org/b/c"),
        ("http://a.org/b?ASPSESSIONIDQQ=1", "http://a.org/b"),
        ("http://a.org/b?CFID=1&CFTOKEN=2&id=3", "http://a.org/b?id=3"),
        ("http://a.org/b?sid=0a1b2c3d4e5f60718293a4b5", "http://a.org/b"),
        ("http://a.org/b?sid=42", "http://a.org/b"),
        ("http://a.org/b?s=9f86d081884c7d65", "http://a.org/b"),
        ("http://a.org/(S(lit3py55t21z5v55vlm25s55))/b.aspx", "http://a.org/b.aspx"),
        ("http://a.org/b?utm_source=x&utm_medium=y&id=1", "http://a.org/b?id=1"),
        ("http://a.org/b?id=1&fbclid=abc", "http://a.org/b?id=1"),
    ],
)
def test_what_says_nothing_is_not_in_the_key(url: str, short: str) -> None:
    assert key(url) == short


def test_each_rule_can_be_switched_off() -> None:
    url = "http://a.org:80/b;jsessionid=1?gclid=2#c"
    assert key(url) == "http://a.org/b"
    assert key(url, KeyRules(drop_tracking=False)) == "http://a.org/b?gclid=2"
    assert key(url, KeyRules(drop_session=False)) == "http://a.org/b;jsessionid=1"
    bare = KeyRules(
        drop_fragment=False, drop_default_port=False, drop_session=False, drop_tracking=False
    )
    assert key(url, bare) == url
    assert "#" in key("http://a.org/b#c", KeyRules(drop_fragment=False))


@pytest.mark.parametrize(
    ("rules", "one", "other"),
    [
        (KeyRules(sort_query=True), "http://a.org/?b=1&a=2", "http://a.org/?a=2&b=1"),
        (KeyRules(drop_index=True), "http://a.org/b/index.html", "http://a.org/b/"),
        (KeyRules(drop_trailing_slash=True), "http://a.org/b/?x=1", "http://a.org/b?x=1"),
        (KeyRules(drop_scheme=True), "http://a.org/b", "https://a.org/b"),
        (KeyRules(drop_www=True), "http://www.a.org/b", "http://a.org/b"),
    ],
)
def test_each_coarser_rule_can_be_switched_on(rules: KeyRules, one: str, other: str) -> None:
    assert key(one) != key(other)
    assert key(one, rules) == key(other, rules)


def test_the_root_keeps_its_slash() -> None:
    assert key("http://a.org/", KeyRules(drop_trailing_slash=True)) == "http://a.org/"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://a.org/b/c?d#e", "http://a.org"),
        ("https://a.org", "https://a.org"),
        ("https://a.org?q=http://b.org/", "https://a.org"),
        ("https://a.org#x/y", "https://a.org"),
        ("HTTPS://A.Org/B", "https://a.org"),
        ("https://me:secret@a.org/", "https://a.org"),
        ("https://me:p@ss@a.org/", "https://a.org"),
        ("https://a.org/x@b.org", "https://a.org"),
        ("http://a.org:80/", "http://a.org"),
        ("https://a.org:443", "https://a.org"),
        ("https://a.org:80/", "https://a.org:80"),
        ("http://a.org:8080/b", "http://a.org:8080"),
        ("http://[::1]:80/", "http://[::1]"),
        ("http://[::1]:8080/", "http://[::1]:8080"),
        ("http://127.0.0.1:8888/search", "http://127.0.0.1:8888"),
        ("http://0x7f.1/", "http://127.0.0.1"),
        ("http://b\u00fccher.example/", "http://xn--bcher-kva.example"),
        ("https://api.example.org/x?key={secret:A}", "https://api.example.org"),
        ("ftp://a.org/b", ""),
        ("mailto:me@a.org", ""),
        ("a.org/b", ""),
        ("", ""),
    ],
)
def test_the_origin_is_what_a_robots_txt_a_key_and_a_quota_are_for(url: str, expected: str) -> None:
    assert origin(url) == expected


@pytest.mark.parametrize(
    "url", ["https://evil.org\\@good.org/", "https://evil.org\\.good.org/", "https:\\\\evil.org/"]
)
def test_the_origin_is_where_a_browser_would_go_whatever_is_written(url: str) -> None:
    assert origin(url) == "https://evil.org"


@pytest.mark.parametrize("url", ["http://[", "http://a b/c", "http://a.org:99999/"])
def test_what_cannot_be_fetched_has_an_origin_all_the_same(url: str) -> None:
    assert origin(url).startswith("http://")
    assert "/" not in origin(url)[len("http://") :]


@pytest.mark.parametrize("url", ["http://[bad", "http://a]b/", "http://a.org:x/", "//[", "\ud800"])
def test_any_text_can_be_split_and_resolved(url: str) -> None:
    assert split(url).netloc in ("", "a.org:x")
    assert isinstance(resolve("http://a.org/b", url), str)
    assert isinstance(resolve(url, "/b"), str)


def test_an_address_that_no_server_takes_is_none() -> None:
    long = "/" + "a" * 60_000
    assert join("http://a.org/", long) == ""
    assert parse(f"http://a.org{long}") == ""
    assert join("http://a.org/", "/" + "a" * 7_000)


@pytest.mark.parametrize(
    "url",
    [
        "https://www.A.B.com/folder/content.php",
        "https://www.c.a.b.com/page.html",
        "http://a.b.com:8080/",
        "https://a.b.com./",
        "http://data.a.b.com/",
    ],
)
def test_hosts_under_the_starts_host_are_inside(url: str) -> None:
    assert url.lower() in Site("https://www.a.b.com/index.php")


@pytest.mark.parametrize(
    "url",
    [
        "https://www.b.com/page.php",
        "https://edbtictd2026.github.io/?contents=a.b.com",
        "http://xa.b.com/",
        "http://a.b.com.evil.org/",
        "http://a.b.com@evil.org/",
    ],
)
def test_all_others_are_outside(url: str) -> None:
    assert url not in Site("https://www.a.b.com/index.php")


def test_www_alone_does_not_open_a_whole_top_level_domain() -> None:
    assert "http://other.com/" not in Site("http://www.com/")


def test_addresses_are_hosts_too() -> None:
    assert "http://127.0.0.1:2/b" in Site("http://127.0.0.1:1/a")
    assert "http://127.0.0.2/" not in Site("http://127.0.0.1/")
    assert "http://[::1]:2/b" in Site("http://[::1]:1/a")


def test_hosts_that_begin_alike_are_told_apart_with_and_without_a_path() -> None:
    site = Site("http://a.org")
    assert "http://a.org" in site
    assert "http://a.or/" not in site
    assert "http://a.org/b?c" in site


def test_a_site_of_several_starts_is_all_that_belongs_to_one_of_them() -> None:
    site = Site("https://data.a.org/x", "http://www.stats.a.org/")
    assert "http://data.a.org/y" in site
    assert "https://old.stats.a.org/" in site
    assert "https://a.org/" not in site
    assert "https://xdata.a.org/" not in site


@pytest.mark.parametrize(
    ("glob", "fits", "fails"),
    [
        ("/data/*", "http://a.org/data/x/y.csv?z=1", "http://a.org/x/data/y"),
        ("/data/", "http://a.org/data/", "http://a.org/data"),
        ("*.csv", "http://a.org/x/y.csv?v=2", "http://a.org/y.csv/x"),
        ("*page=?", "http://a.org/?page=2", "http://a.org/?page=22"),
        ("/list?page=*", "http://a.org/list?page=2", "http://a.org/list"),
        ("/19[89]?/*", "http://a.org/1985/", "http://a.org/1975/"),
        ("/données/*", "http://a.org/donn%C3%A9es/1", "http://a.org/donnees/1"),
        ("/a b/*", "http://a.org/a%20b/1", "http://a.org/ab/1"),
        ("https://B.org/x/*", "https://b.org/x/1", "http://b.org/x/1"),
        ("//b.org/*", "http://b.org/x", "http://a.org/?u=http://b.org/x"),
        ("//b.org", "https://b.org/x", "https://c.b.org/x"),
        ("*://*.b.org/*", "https://c.b.org/x", "https://b.org/x"),
        ("//b.org/x", "http://b.org/x?y", "http://b.org/x/y"),
    ],
)
def test_a_glob_fits_paths_or_whole_urls(glob: str, fits: str, fails: str) -> None:
    assert Globs([glob]).fits(fails) == ""
    assert Globs(["/else", glob]).fits(fits) == glob


@pytest.mark.parametrize("glob", ["", "data/*", "www.a.org/*", "ftp://a.org/", "?x=1", "//", "///"])
def test_a_glob_that_is_about_nothing_is_refused(glob: str) -> None:
    with pytest.raises(UserError, match="glob"):
        Globs([glob])


def test_globs_without_a_host_say_nothing_of_other_hosts() -> None:
    globs = Globs(["/data/*", "//b.org/*"])
    assert globs.of_hosts
    assert globs.fits("http://c.org/data/1", whole_only=True) == ""
    assert globs.fits("http://b.org/data/1", whole_only=True) == "//b.org/*"
    assert not Globs(["/data/*"]).of_hosts


@pytest.mark.timeout(20)
def test_a_glob_of_many_stars_takes_no_time() -> None:
    assert Globs(["/" + "*a" * 200 + "b"]).fits("http://a.org/" + "a" * 8000) == ""


@examples(200)
@given(st.text("/*?[]!-.:ab%é^$(|\\", max_size=40), st.text("/?&=.:ab%é", max_size=40))
def test_any_glob_is_refused_in_a_sentence_or_can_be_asked(glob: str, rest: str) -> None:
    try:
        globs = Globs([glob])
    except UserError:
        return
    url = parse(f"http://a.org/{rest}") or "http://a.org/"
    assert globs.fits(url) in ("", glob)
    assert globs.fits(url, whole_only=True) in ("", glob)
