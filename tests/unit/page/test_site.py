import pytest

from filon.page.site import Site


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
