import time

import pytest

from filon.page.robots import MAX_BYTES, Robots

URL = "http://a.org/x"
FORBID = b"User-agent: *\nDisallow: /"


@pytest.mark.parametrize("status", [200, 204, 206])
def test_a_success_is_read(status: int) -> None:
    assert not Robots.parse(status, FORBID).allows(URL, "filon")


@pytest.mark.parametrize("status", [301, 400, 401, 403, 404, 410, 451])
def test_without_a_robots_txt_all_is_allowed(status: int) -> None:
    robots = Robots.parse(status, FORBID)
    assert robots.outcome == "unavailable"
    assert robots.allows(URL, "filon")


@pytest.mark.parametrize(
    ("status", "error"),
    [(429, ""), (500, ""), (503, ""), (999, ""), (0, "timeout"), (200, "closed")],
)
def test_without_an_answer_nothing_is_allowed(status: int, error: str) -> None:
    robots = Robots.parse(status, b"", error=error)
    assert robots.outcome == "unreachable"
    assert not robots.allows(URL, "filon")
    assert robots.delay_s("filon") == 0
    assert robots.sitemaps == ()


@pytest.mark.parametrize(
    "body", [b"", b"<!DOCTYPE html><html>404</html>", b"\xff\xfe\x00", b"\0" * 99, b"Disallow: /"]
)
def test_what_has_no_rules_allows_all(body: bytes) -> None:
    assert Robots.parse(200, body).allows(URL, "filon")


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig"])
def test_rules_that_an_editor_saved_as_unicode_are_read(codec: str) -> None:
    mark = "\ufeff" if codec in ("utf-16-le", "utf-16-be") else ""
    body = f"{mark}User-agent: *\r\nDisallow: /données\r\n".encode(codec)
    robots = Robots.parse(200, body)
    assert not robots.allows("http://a.org/donn%C3%A9es", "filon")
    assert robots.allows(URL, "filon")


def test_a_group_is_for_a_whole_product_token() -> None:
    robots = Robots.parse(200, b"User-agent: fil\nDisallow: /\nUser-agent: filon-x\nDisallow: /")
    assert robots.allows(URL, "filon")
    robots = Robots.parse(200, b"User-agent: Filon/2.0 beta\nDisallow: /")
    assert not robots.allows(URL, "filon")
    assert not robots.allows(URL, "Filon/0.1 (+https://example.org)")


def test_our_own_group_counts_and_not_the_one_for_all() -> None:
    body = b"\xef\xbb\xbfUser-agent: *\r\nDisallow: /\r\n\r\nUser-agent: filon\r\nDisallow: /p\r\n"
    assert Robots.parse(200, body).allows(URL, "filon")
    assert not Robots.parse(200, body).allows("http://a.org/p", "filon")


@pytest.mark.parametrize("url", ["http://a.org/données", "http://a.org/donn%C3%A9es"])
def test_paths_that_are_not_ascii_fit_their_encoded_form(url: str) -> None:
    for rule in ("/données", "/donn%c3%a9es"):
        assert not Robots.parse(200, f"User-agent: *\nDisallow: {rule}".encode()).allows(url, "f")


def test_robots_txt_itself_is_always_allowed() -> None:
    assert Robots.parse(200, FORBID).allows("http://a.org/robots.txt", "filon")


@pytest.mark.parametrize(
    ("text", "delay_s"),
    [
        ("Crawl-delay: 2.5", 2.5),
        ("Crawl-delay: 86400", 60),
        ("Crawl-delay: -1", 0),
        ("Crawl-delay: soon", 0),
        ("Request-rate: 1/5s", 5),
        ("Disallow: /", 0),
    ],
)
def test_the_delay_that_a_host_asks_for_is_kept_within_reason(text: str, delay_s: float) -> None:
    assert Robots.parse(200, f"User-agent: *\n{text}".encode()).delay_s("filon") == delay_s


def test_sitemaps_stand_outside_groups() -> None:
    body = b"Sitemap: http://a.org/1.xml\nUser-agent: *\nDisallow: /x\nSitemap: http://a.org/2.xml"
    assert Robots.parse(200, body).sitemaps == ("http://a.org/1.xml", "http://a.org/2.xml")


def test_rules_beyond_500_kib_are_not_read() -> None:
    filling = b"#" + b"x" * 78 + b"\n"
    body = b"User-agent: *\n" + filling * (MAX_BYTES // 80 + 1) + b"Disallow: /x\n"
    assert Robots.parse(200, body).allows(URL, "filon")
    assert not Robots.parse(200, b"User-agent: *\n" + filling + b"Disallow: /x\n").allows(URL, "f")


@pytest.mark.parametrize(
    "line", ["Disallow: /" + "*a" * 1000, "User-agent: a" + "b" * 50, "Disallow: /%", ":::"]
)
def test_a_robots_txt_of_10_mb_is_read_in_bounded_time(line: str) -> None:
    body = ("User-agent: *\n" + (line + "\n") * (10_000_000 // len(line))).encode()
    began_s = time.process_time()
    robots = Robots.parse(200, body)
    assert isinstance(robots.allows("http://a.org/" + "a" * 1000 + "b", "filon"), bool)
    # A bound against hanging, not a measure of speed.
    assert time.process_time() - began_s < 10
