import time

import pytest

from filon.page.traps import (
    MAX_BY_DATE,
    MAX_CALENDAR,
    MAX_PAGES,
    MAX_SHAPES,
    MAX_VARIANTS,
    Loops,
    Noise,
    Traps,
)

START = "http://a.org/"


def caught(*urls: str) -> list[str]:
    traps = Traps(START)
    return [why for url in urls if (why := traps.catches(url, 2025))]


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("a/a/a/", "repeated path"),
        ("x/a/b/a/b/a/b", "repeated path"),
        ("a/b/c/d/a/b/c/d/a/b/c/d", "repeated path"),
        ("d/d/d/x.csv", "repeated path"),
        ("a/b/b/a/b/a/a/b/b/a/", "repeated path"),
        ("x" * 1500, "long"),
        ("x?y=" + "z" * 1500, "long"),
        ("calendar/2093/11", "calendar"),
        ("events/2031-02-03/", "calendar"),
        ("events/1735-2-1", "calendar"),
        ("events/1735/2", "calendar"),
        ("agenda?date=1975-01", "calendar"),
        ("calendar.php?month=5&year=2040", "calendar"),
        ("?calendar=1&jour=3&mois=5&annee=2031", "calendar"),
        ("kalender/204012", "calendar"),
        ("x?" + "&".join(f"p{i}=1" for i in range(31)), "query"),
        ("x?a=1&a=1&a=1", "query"),
        ("x?" + "&".join(f"tag={i}" for i in range(13)), "query"),
    ],
)
def test_a_trap_is_known_at_first_sight(path: str, why: str) -> None:
    assert caught(START + path) == [why]


@pytest.mark.parametrize(
    "path",
    [
        "",
        "2019/05/report.csv",
        "1950/statistics/1950-05.csv",
        "events/2093-11.csv",
        "calendar/2093/11?format=csv",
        "events/1987/11/annual-general-meeting",
        "2030agenda",
        "agenda/2030",
        "events/4711",
        "stats?year=1950&month=3",
        "projections/2100",
        "a/b/a/b/c",
        "a/b/b/a/b/a/a/b/",
        "1/1/",
        "0/0/1/1",
        "a//b//c",
        "data?a=1&b=1&c=1&d=1",
        "facets?tag=a&tag=b&tag=c&tag=d",
        "item/12345678",
        "calendar",
        "day-care/2024-05",
        "events/1735-2",
        "events-2/dinners/1735-2/",
        "agenda/2130-2",
        "termine/1985_3/",
    ],
)
def test_what_real_sites_have_is_no_trap(path: str) -> None:
    assert caught(START + path) == []


def test_pagination_is_never_a_trap() -> None:
    assert caught(*(f"{START}list?page={i}" for i in range(1, 3001))) == []
    assert caught(*(f"{START}list?sort=date&page={i}" for i in range(1, 3001))) == []
    assert caught(*(f"{START}list?q=a&sort=date&start={i}" for i in range(1, 1000))) == []


def test_ids_are_never_a_trap() -> None:
    assert caught(*(f"{START}show.php?id={i}" for i in range(5000))) == []
    assert caught(*(f"{START}events/{i}" for i in range(1000, 3000))) == []
    assert caught(*(f"{START}event?event_id={i}" for i in range(1000))) == []


def test_files_by_date_are_never_a_trap() -> None:
    days = [
        f"{y}-{m:02}-{d:02}" for y in range(2015, 2025) for m in range(1, 13) for d in range(1, 29)
    ]
    assert caught(*(f"{START}events/{day}/counts.csv" for day in days)) == []
    assert caught(*(f"{START}calendar?date={day}&format=xlsx" for day in days)) == []


def test_a_calendar_ends_after_five_years_of_months() -> None:
    days = [f"2024-{month:02}-{day:02}" for month in range(1, 13) for day in range(1, 29)]
    found = caught(*(f"{START}calendar/{day}" for day in days))
    assert set(found) == {"calendar"}
    assert len(found) == len(days) - MAX_CALENDAR


def test_months_that_may_be_figures_have_more_room() -> None:
    months = [f"{year}-{month:02}" for year in range(1960, 2026) for month in range(1, 13)]
    found = caught(*(f"{START}trade?month={month}" for month in months))
    assert len(found) == len(months) - MAX_BY_DATE


def test_months_of_one_digit_end_too() -> None:
    months = [f"{year}-{month}" for year in range(1700, 1800) for month in range(1, 10)]
    found = caught(*(f"{START}events/{month}" for month in months))
    assert len(found) == len(months) - MAX_BY_DATE


def test_variants_of_one_page_end() -> None:
    urls = [f"{START}list?sort={i}&view={j}" for i in range(100) for j in range(30)]
    assert len(caught(*urls)) == len(urls) - MAX_VARIANTS


def test_a_start_page_with_a_long_url_does_not_catch_itself() -> None:
    start = START + "x" * 1600
    assert Traps(start).catches(start, 2025) == ""


def test_without_a_clock_no_year_is_too_late() -> None:
    assert Traps(START).catches(f"{START}events/2024-05", 1970) == ""
    assert Traps(START).catches(f"{START}events/2024-05", 2019) == "calendar"


@pytest.mark.parametrize("piece", ["_", "a_", "abc-", "1/", "2024-05/", "%2F", "a=1&", "2024"])
def test_no_url_keeps_the_guards_busy(piece: str) -> None:
    began_s = time.process_time()
    for mark in ("/", "?date=2024-05&x="):
        Traps(START).catches((f"{START}events/2024-05{mark}abc_" + piece * 1500)[:1499] + "!", 2025)
    # A bound against hanging, not a measure of speed.
    assert time.process_time() - began_s < 2


def test_the_counts_survive_a_restart() -> None:
    urls = [f"{START}calendar/2024/{month}?view={i}" for month in range(1, 10) for i in range(9)]
    whole, first, second = Traps(START), Traps(START), Traps(START)
    told = [whole.catches(url, 2025) for url in urls]
    for url in urls[:30]:
        first.catches(url, 2025)
    second.restore(first.state())
    assert [second.catches(url, 2025) for url in urls[30:]] == told[30:]
    assert any(told[30:])


SOFT = "http://a.org/soft/"


def go_round(loops: Loops, pages: int) -> list[bool]:
    return [loops.catches(f"{SOFT}{n}", [f"{SOFT}{n + 1}"]) for n in range(pages)]


def test_a_folder_that_leads_only_to_itself_is_left_after_many_pages() -> None:
    loops = Loops()
    assert not any(go_round(loops, MAX_PAGES))
    assert loops.catches(SOFT, [f"{SOFT}x"])


def archive(n: int, says: str) -> bytes:
    links = "".join(f"<a class=x href=/soft/{n + i}>Entry {n + i} of {n:x}</a>" for i in range(3))
    return f"<title>Page {n}</title><style>p{n:x}</style><p>{says}</p>{links}<b>{n}</b>".encode()


def words(n: int) -> str:
    return "".join(chr(ord("a") + int(digit)) for digit in str(n))


def test_an_archive_whose_pages_say_something_is_not_left() -> None:
    loops = Loops()
    for n in range(5 * MAX_PAGES):
        links = [f"{SOFT}{n + 1}", f"{SOFT}{n + 2}"]
        assert not loops.catches(f"{SOFT}{n}", links, archive(n, words(n)))


def test_pages_that_differ_in_links_and_numbers_only_are_left() -> None:
    loops, pages = Loops(), range(MAX_PAGES)
    said = [archive(n, f"This is page {n} of many.") for n in pages]
    caught = [loops.catches(f"{SOFT}{n}", [f"{SOFT}{n + 1}"], said[n]) for n in pages]
    assert not any(caught)
    assert not loops.catches(SOFT, [f"{SOFT}x"], archive(1, "another"))
    assert loops.catches(SOFT, [f"{SOFT}x"], archive(7, "This is page 7 of many."))


def test_what_pages_said_is_known_after_a_restart() -> None:
    loops, other = Loops(), Loops()
    go_round(loops, MAX_PAGES)
    loops.catches(SOFT, [f"{SOFT}x"], archive(1, "another"))
    other.restore(loops.state())
    assert other.catches(SOFT, [f"{SOFT}x"], archive(1, "another"))
    older = loops.state()
    del older["prints"]
    other.restore(older)
    assert not other.catches(SOFT, [f"{SOFT}x"], archive(1, "another"))


def test_one_link_elsewhere_or_to_a_file_sets_it_free() -> None:
    for way_out in ("http://a.org/other", f"{SOFT}x?page=2", f"{SOFT}x.csv"):
        loops = Loops()
        go_round(loops, MAX_PAGES)
        assert not loops.catches(SOFT, [f"{SOFT}x", way_out])
        assert not any(go_round(loops, MAX_PAGES))


def test_a_find_sets_it_free() -> None:
    loops = Loops()
    go_round(loops, MAX_PAGES)
    loops.paid(f"{SOFT}download")
    assert not loops.catches(SOFT, [f"{SOFT}x"])


def test_pages_without_new_links_do_not_count() -> None:
    loops = Loops()
    assert not any(loops.catches(f"{SOFT}{n}", []) for n in range(2 * MAX_PAGES))


def test_it_goes_on_counting_from_its_state() -> None:
    loops, other = Loops(), Loops()
    go_round(loops, MAX_PAGES)
    other.restore(loops.state())
    assert other.catches(SOFT, [f"{SOFT}x"])


def test_its_memory_is_bounded() -> None:
    loops = Loops()
    for n in range(MAX_SHAPES + 10):
        loops.catches(f"http://a.org/{n}/", [f"http://a.org/{n}/x"])
    assert len(loops.state()["pages"]) == MAX_SHAPES


# Noise.


def visited(*told: tuple[str, bytes], is_page: bool = True) -> Noise:
    noise = Noise()
    for query, body in told:
        noise.note(f"http://a.org/{query}", body, is_page=is_page)
    return noise


def test_a_parameter_that_changes_nothing_is_noise() -> None:
    told = [(f"p?id={i}&tok={i}{v}", b"page %d" % i) for i in range(4) for v in range(2)]
    noise = visited(*told)
    assert noise.names == ["tok"]
    assert noise.without("http://a.org/p?id=7&tok=99") == "http://a.org/p?id=7"
    assert noise.without("http://a.org/p?tok=99") == "http://a.org/p"
    assert "http://a.org/p?id=2" in set(noise.met("tok"))


def test_one_page_that_leads_elsewhere_proves_that_a_parameter_matters() -> None:
    told = [(f"p{i}?v={v}", b"page %d" % i) for i in range(6) for v in range(2)]
    assert visited(*told).names == ["v"]
    assert visited(("q?v=1", b"<a href=x>"), ("q?v=2", b"<a href=y>"), *told).names == []


def test_it_is_counted_when_a_parameter_becomes_noise_and_when_it_is_none_after_all() -> None:
    noise = visited(*[(f"p{i}?v={v}", b"page %d" % i) for i in range(6) for v in range(2)])
    assert (noise.names, noise.changes) == (["v"], 1)
    for value in "12":
        noise.note(f"http://a.org/q?v={value}", b"<a href=%b>" % value.encode(), is_page=True)
    assert (noise.names, noise.changes) == ([], 2)


def test_pages_that_only_tell_the_time_prove_nothing_but_files_do() -> None:
    page = b"<a href='/x?v=%d'>x</a> at %d o'clock"
    clocks = [(f"p{i}?v={v}", page % (i + v, i + v)) for i in range(6) for v in range(2)]
    noise = visited(*clocks)
    assert noise.names == []
    for i in range(3):
        for visit in "ab":
            noise.note(f"http://a.org/{i}.csv?v={visit}", b"%d,2" % i, is_page=False)
    assert noise.names == ["v"]


def test_files_that_differ_prove_that_a_parameter_matters() -> None:
    files = [(f"{i}.csv?v={v}", b"%d,%d" % (i, v)) for i in range(4) for v in range(2)]
    pages = [(f"p{i}?v={v}", b"page %d" % i) for i in range(4) for v in range(2)]
    noise = visited(*files, is_page=False)
    for query, body in pages:
        noise.note(f"http://a.org/{query}", body, is_page=True)
    assert noise.names == []


def test_pages_that_all_say_not_found_make_no_parameter_noise() -> None:
    told = [(f"{kind}?id={i}", b"Please log in") for kind in "abcdef" for i in range(20)]
    assert visited(*told).names == []


def test_what_scripts_hold_is_not_what_a_page_says() -> None:
    body = b"<script nonce=%d>var token = %d</script>page %d"
    told = [(f"p{i}?v={v}", body % (v, v, i)) for i in range(4) for v in range(2)]
    assert visited(*told).names == ["v"]


@pytest.mark.timeout(20)
@pytest.mark.parametrize("opening", [b"<", b"<script ", b"<a href", b"<!--"])
def test_pages_of_nothing_but_openings_are_compared_in_no_time(opening: bytes) -> None:
    body = opening * (2**20 // len(opening))
    assert visited(("p?v=1", body), ("p?v=2", body)).names == []


def test_sort_orders_are_noise() -> None:
    told = [
        (f"p{i}?sort={order}", b"".join(b"<li><a href=%d>%d</a>" % (n, n) for n in numbers))
        for i in range(4)
        for order, numbers in (("up", (i, 5, 9)), ("down", (9, 5, i)))
    ]
    assert visited(*told).names == ["sort"]


def test_a_parameter_whose_values_all_bring_the_bytes_of_the_page_without_it_is_noise() -> None:
    told = [("p1", b"one"), ("q?x=1", b"other"), ("p2", b"two"), ("p2?nav=a", b"two")]
    told += [("p4?nav=b", b"four"), ("p4", b"four"), ("p3?nav=c", b"three")]
    assert visited(*told).names == []
    assert visited(*told, ("p3", b"three")).names == ["nav"]
    assert visited(*told, ("p3", b"3")).names == []


def test_a_script_that_says_no_such_file_of_many_and_of_none_makes_no_parameter_noise() -> None:
    gone = [("get", b"no such file"), *((f"get?file={n}.csv", b"no such file") for n in range(9))]
    assert visited(*gone).names == []
    assert visited(*gone[1:], gone[0]).names == []


def test_page_1_is_its_list_and_page_2_is_not() -> None:
    lists = [(f"l{n}?page=1", b"list %d" % n) for n in range(9)]
    noise = visited(*lists, *((f"l{n}", b"list %d" % n) for n in range(9)))
    assert noise.names == []


def test_where_nothing_has_a_parameter_nothing_is_remembered() -> None:
    assert visited(("a", b"a"), ("b", b"b")).state()["answers"] == visited().state()["answers"]
