import random

import pytest

from filon.page import base
from filon.page.base import MAX_HREF, MOST_KNOWN, Base
from filon.page.url import join


@pytest.mark.parametrize("base", ["http://a.org/", "http://a.org/b/c?d/e", "http://a.org:8/b/"])
def test_the_short_cut_for_plain_links_changes_nothing(base: str) -> None:
    chance = random.Random(1)
    for _ in range(5_000):
        href = "".join(chance.choices("a1/.-_~?#=&:%2e+\\ @é\t[", k=chance.randrange(9)))
        assert Base(base).join(href) == join(base, href), href


@pytest.mark.parametrize("base", ["http://a.org/", "http://a.org/b//c/d?e=../f", "http://a.org/b/"])
@pytest.mark.parametrize(
    "href",
    [
        "../x",
        "../../x/y.csv#z",
        "../../../../x",
        "..//x",
        "../.",
        "../x/../y",
        "../..",
        "",
        "#x",
        "# x",
        "http://B.org:80/x/../y#z",
        "https:x",
        "http://",
    ],
)
def test_short_ways_to_resolve_a_link_lead_to_the_same_place(base: str, href: str) -> None:
    assert Base(base).join(href) == join(base, href)


@pytest.mark.parametrize("base", ["http://a.org/", "http://a.org/b//c/d?e=../f"])
def test_the_short_cut_for_links_with_other_signs_changes_nothing(base: str) -> None:
    chance = random.Random(4)
    starts = ["", "/", "../", "../../", "x", "x?", "https://b.org/", "https://b.org/c?u="]
    ends = ["", "", "/.", "/..", "."]
    for _ in range(20_000):
        text = "".join(chance.choices("a1/.?#=&%2eE:;,@!$()*|[]'\"<^`{\\", k=chance.randrange(12)))
        href = chance.choice(starts) + text + chance.choice(ends)
        assert Base(base).join(href) == join(base, href), href


@pytest.mark.parametrize(
    ("href", "meant"),
    [
        ("https://b.org/share?u=http://a.org/x,(1)&t=@y;z!", ""),
        ("https://b.org/a%20b;c,d(1)@e", ""),
        ("c%20d;e?f=g:h", "http://a.org/b/c%20d;e?f=g:h"),
        ("../x/.", "http://a.org/x/"),
        ("../.", "http://a.org/"),
        ("../", "http://a.org/"),
        ("/", "http://a.org/"),
    ],
)
def test_links_of_plain_characters_are_not_parsed(
    href: str, meant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert join("http://a.org/b/c", href) == (meant or href)
    monkeypatch.setattr(base, "join", pytest.fail)
    monkeypatch.setattr(base, "parse", pytest.fail)
    for remembered in (base._known, base._anywhere, base._plain, base._whole):
        remembered.cache_clear()
    assert Base("http://a.org/b/c").join(href) == (meant or href)


def test_the_short_cut_for_plain_urls_changes_nothing() -> None:
    chance = random.Random(3)
    for _ in range(20_000):
        host = "".join(chance.choices(["a", "1", "-", ".", "xn--", "0x", "A", "_", "com"], k=4))
        path = "".join(chance.choices("a1/.-_~?#=&%2e+\\ :\u00e9\n", k=chance.randrange(8)))
        href = f"{chance.choice(['http', 'https'])}://{host}{chance.choice('//?:')}{path}"
        assert Base("http://a.org/").join(href) == join("http://a.org/", href), href


def test_what_is_remembered_of_a_folder_is_right_on_all_of_its_pages() -> None:
    chance = random.Random(2)
    pages = ["https://c.org/b/", "https://c.org/b/c?d/e", "https://c.org/b/d", "https://c.org/"]
    starts = ["https:", "http:", "https://", "//", " ", "", "", ""]
    for _ in range(20_000):
        text = "".join(chance.choices("a1/.-?#=&:\\ \t\u00e9", k=chance.randrange(7)))
        href = chance.choice(starts) + text
        for page in pages:
            base = Base(page)
            assert base.join(href) == join(page, href), (page, href)
            for known in (base.known, base.anywhere):
                assert known.get(href, base.join(href)) == join(page, href), (page, href)


def test_a_link_of_the_menu_is_known_on_the_next_page_of_the_folder() -> None:
    Base("http://d.org/b/1").join("../about")
    assert Base("http://d.org/b/2?c").known == {"../about": "http://d.org/about"}
    assert not Base("http://d.org/c/2").known


@pytest.mark.parametrize("href", ["/about?b", "//f.org/about", "https://f.org/about"])
def test_a_link_from_the_root_is_known_in_all_folders_of_the_host(href: str) -> None:
    meant = Base("http://f.org/b/1").join(href)
    assert Base("http://f.org/c/2").anywhere[href] == meant
    assert href not in Base("https://f.org/c/2").anywhere
    assert href not in Base("http://g.org/c/2").anywhere


def test_what_is_remembered_of_a_folder_is_bounded() -> None:
    base = Base("http://e.org/")
    for i in range(3 * MOST_KNOWN):
        base.join(f"{i}")
        base.join(f"{i}/" + "a" * MAX_HREF)
    assert 0 < len(base.known) <= MOST_KNOWN
    assert max(map(len, base.known)) <= MAX_HREF


def test_a_link_that_no_server_takes_leads_nowhere() -> None:
    assert Base("http://a.org/").join("/" + "a" * 60_000) == ""
