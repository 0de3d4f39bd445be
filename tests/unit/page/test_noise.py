import re

import pytest

from filon.page.noise import is_advert, leads_to_file, longest_moving, still, still_url


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Last updated: 3 May 2026", "Last updated: 14 June 2026"),
        ("Page last modified on 2026-05-03 at 10:15", "Page last modified on 2026-05-04 at 09:01"),
        ("Updated Mon, 3 May 2026 10:15:00 GMT", "Updated Tue, 4 May 2026 11:00:12 GMT"),
        ("Aktualisiert am 03.05.2026, 10:15 Uhr", "Aktualisiert am 4.5.2026, 9:00 Uhr"),
        ("Dernière mise à jour : 3 mai 2026", "Dernière mise à jour : 12 juin 2026"),
        ("Última actualización: 3 de mayo de 2026", "Última actualización: 4 de junio de 2026"),
        ("Ultimo aggiornamento: 3 maggio 2026", "Ultimo aggiornamento: 4 giugno 2026"),
        ("Today is Monday, May 3, 2026", "Today is Tuesday, May 4, 2026"),
        ("Server time: 10:15:01", "Server time: 23:59:59"),
        ("Mon May 3 10:15:01 2026", "Tue May 4 11:16:02 2026"),
        ("2026-05-03T10:15:01Z", "2026-05-04T00:00:00Z"),
        ("Posted 3 hours ago", "Posted 2 days, 4 hours ago"),
        ("il y a 3 jours", "il y a 1 mois"),
        ("vor 2 Stunden", "vor einem Tag"),
        ("© 2025 Office of Figures", "© 2026 Office of Figures"),
        ("Copyright Office of Figures 2009-2025", "Copyright Office of Figures 2009-2026"),
        ("12,345 visitors", "12,346 visitors"),
        ("Page views: 12.345", "Page views: 12.346"),
        ("You are visitor number 1234", "You are visitor number 1235"),
        ("Besucher: 1234", "Besucher: 1299"),
        ("3 users online", "17 users online"),
        ("Views 12 | Downloads 7", "Views 13 | Downloads 7"),
        ("Page generated in 0.123 seconds", "Page generated in 1.2 seconds"),
        ("Page rendered in 12 ms with 34 queries", "Page rendered in 15 ms with 36 queries"),
        ("Ray ID: 8f1c2d3e4f5a6b7c", "Ray ID: 9a1c2d3e4f5a6b70"),
        ("Your IP: 192.0.2.7", "Your IP: 198.51.100.23"),
        ("Accessed 1,204 times.", "Accessed 1,301 times."),
        (
            "It is currently Monday May 3, 2026 10:15 am",
            "It is currently Friday May 7, 2026 1:00 pm",
        ),
        ("We have 3 guests and no members online", "We have 17 guests and no members online"),
        ("Print | Email | Hits: 7", "Print | Email | Hits: 8"),
        (
            "All times are GMT. The time now is 10:15 PM.",
            "All times are GMT. The time now is 1:00 AM.",
        ),
        ("Sei il visitatore n. 1204", "Sei il visitatore n. 1301"),
        ("Next update in 5 minutes", "Next update in 2 minutes"),
        ("Made daily. You are visitor no 7.", "Made daily. You are visitor no 8."),
        ("Quote of the day: To be.", "Quote of the day: Not to be."),
    ],
)
def test_what_only_moves_is_left_out(old: str, new: str) -> None:
    assert still(old) == still(new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("1,204 schools", "1,205 schools"),
        ("Population in 2025: 8,100", "Population in 2025: 8,200"),
        ("Report of May 2026", "Report of June 2026"),
        ("The record in Berlin is 9.58 s", "The record in Berlin is 9.56 s"),
        ("Version 2.1", "Version 2.2"),
        ("Deadline: 3 May 2026", "Deadline: 10 May 2026"),
        ("The rule now applies from 1 May 2026", "The rule now applies from 1 June 2026"),
        ("12,345 visitors came to the museum", "12,400 visitors came to the museum"),
        ("SHA-256 8f1c2d3e4f5a6b7c", "SHA-256 9a1c2d3e4f5a6b70"),
        ("5.2 %", "5.3 %"),
        ("2026", "2027"),
        ("3 May 2026", "4 May 2026"),
        ("6 Oct 2026, 14:45–15:30", "7 Oct 2026, 14:45–15:30"),
        ("Day of rest", "Day of work"),
    ],
)
def test_what_says_something_stays(old: str, new: str) -> None:
    assert still(old) != still(new)


def test_a_figure_in_a_cell_stays_whatever_it_looks_like() -> None:
    for old, new in [
        ("10:15:01", "10:15:02"),
        ("Monday, 3 May 2026", "Friday, 7 May 2026"),
        ("7 visits", "8 visits"),
    ]:
        assert still(old) == still(new)
        assert still(old, cell=True) != still(new, cell=True)


def test_the_date_beside_a_file_is_that_of_the_file() -> None:
    old, new = "Population, updated 3 May 2026", "Population, updated 4 May 2026"
    assert still(old, cell=True) == still(new, cell=True)
    assert still(old, beside_file=True) != still(new, beside_file=True)
    assert still("2 days ago", beside_file=True) == still("3 days ago", beside_file=True)


@pytest.mark.parametrize(
    ("names", "longest"),
    [
        *(("ad", 400), ("col ads-top", 400), ("adSlot3", 400), ("banner_ad", 400), ("qotd", 400)),
        *(("clock", 80), ("footer lastUpdated", 80), ("hit-counter", 80), ("csrf-token", 80)),
        *(("header", 0), ("download", 0), ("read-more", 0), ("adopted", 0), ("badge", 0)),
        *(("counter", 0), ("views-row", 0), ("page-header", 0), ("upload-box", 0), ("", 0)),
    ],
)
def test_noise_is_told_by_its_name(names: str, longest: int) -> None:
    assert longest_moving(names) == longest


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("http://a.org/x?sid=8f1c2d3e4f&id=2", "http://a.org/x?id=2"),
        ("http://a.org/x;jsessionid=1F2E?id=2", "http://a.org/x?id=2"),
        ("http://a.org/out?authenticity_token=abc", "http://a.org/out"),
        ("http://a.org/out?token=8f1c2d3e4f5a6b7c8d", "http://a.org/out"),
        ("http://a.org/x?_=1763293689123", "http://a.org/x"),
        ("http://a.org/download?token=8f1c2d3e4f5a6b7c8d", ""),
        ("http://a.org/a.csv?token=8f1c2d3e4f5a6b7c8d", ""),
        ("http://a.org/x?t=12&year=2026", ""),
    ],
)
def test_an_address_loses_only_what_is_another_at_each_look(url: str, key: str) -> None:
    assert still_url(url) == (key or url)


def test_servers_of_adverts_are_told_from_others() -> None:
    adverts = ["https://ad.doubleclick.net/x", "http://ads.a.org/1", "/x/delivery/ck.php?n=1"]
    others = ["https://a.org/ads.html", "https://adsorption.org/x", "http://a.org/delivery/"]
    assert [is_advert(url) for url in adverts + others] == [True] * 3 + [False] * 3


def test_links_to_files_are_told_by_their_address() -> None:
    urls = [f"http://a.org/a.{name}" for name in ("csv", "pdf", "xlsx", "html", "php", "png")]
    assert [leads_to_file(url) for url in urls] == [True, True, True, False, False, False]


@pytest.mark.parametrize(
    "text",
    [
        "now " + "12.12." * 40,
        "updated " + "1.1.1 " * 45,
        "1 view " * 11 + "x",
        "3 days 3 days " * 200 + "3 day",
        "copyright " * 5_000 + "1",
        "0 " * 50_000,
        "on at um " * 33 + "12:1",
    ],
    ids=lambda text: re.sub(r"\W+", "-", text[:12]),
)
def test_a_text_that_can_be_read_in_many_ways_is_read_at_once(text: str) -> None:
    """The time limit of all tests is what this one would not end within."""
    assert still(text, cell=True)
    assert still(text[:80] + "!", cell=True)
