"""Which pages list the files of a site."""

import pytest

from filon.run import listed as module
from filon.run.listed import listed

FILES = [f"http://a.test/{n}-{part}.csv" for n in range(6) for part in ("all", "short")]
ALL, MENU = "http://a.test/all", "http://a.test/menu"


def record(number: int) -> str:
    return f"http://a.test/record/{number}"


def site() -> dict[str, list[str]]:
    """Six records of two files each, a list of them, and a menu on every page."""
    records = {
        record(n): [*(url for url in FILES if f"/{n}-" in url), ALL, MENU, "http://a.test/about"]
        for n in range(6)
    }
    menu = [ALL, "http://a.test/about", "http://a.test/terms", "http://a.test/help"]
    return records | {ALL: [*records, MENU], MENU: menu}


def test_the_list_of_the_records_is_worth_more_than_any_record() -> None:
    shares = listed(site(), FILES)
    assert max(shares, key=shares.__getitem__) == ALL
    assert shares[ALL] > 2 * shares[record(0)] > 0.0


def test_all_files_that_are_linked_are_shared_out() -> None:
    assert sum(listed(site(), FILES).values()) == pytest.approx(len(FILES))
    assert listed(site(), [*FILES, "http://b.test/"])[ALL] == listed(site(), FILES)[ALL]


def test_a_page_that_leads_to_no_file_lists_none() -> None:
    assert MENU not in listed(site(), FILES)
    assert listed({}, FILES) == listed(site(), []) == {}


def test_a_file_that_many_chapters_lead_to_is_one() -> None:
    chapters = {f"http://a.test/chapter/{n}": [FILES[0]] for n in range(9)}
    contents = "http://a.test/contents"
    shares = listed({**site(), **chapters, contents: [*chapters]}, FILES)
    assert shares[contents] <= shares["http://a.test/chapter/0"] < shares[ALL] / 5


def test_what_most_pages_lead_to_is_left_out_first(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = site()
    everywhere = "http://a.test/everywhere"
    pages = {page: [*goals, everywhere] for page, goals in pages.items()}
    pages[everywhere] = FILES[:6]
    whole = listed(pages, FILES)
    monkeypatch.setattr(module, "MOST_STEPS", 20)
    bounded = listed(pages, FILES)
    assert MENU in whole
    assert MENU not in bounded
    assert bounded[ALL] > whole[record(0)]


def test_the_order_of_links_makes_no_difference() -> None:
    turned = {page: goals[::-1] for page, goals in site().items()}
    assert listed(turned, FILES[::-1]) == listed(site(), FILES)
