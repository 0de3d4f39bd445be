import random

from filon.page.calendars import calendar_page


def test_an_address_says_the_same_of_a_date_however_it_is_encoded() -> None:
    chance, found = random.Random(5), 0
    parts = ["events", "/", "/", "2024", "-", "05", "1735-2", "202405", "x", ".", "day", "31", "_"]
    for _ in range(20_000):
        path = "/c" + "".join(chance.choices(parts, k=chance.randrange(1, 8)))
        page = calendar_page(f"http://a.org{path}", "")
        found += page is not None
        assert page == calendar_page(f"http://a.org{path.replace('/c', '/%63', 1)}", ""), path
    assert found > 100
