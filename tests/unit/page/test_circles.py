from filon.page.circles import MAX_FAMILIES, MAX_PAGES, Circles

SOFT = "http://a.org/soft/"


def go_round(circles: Circles, pages: int) -> list[bool]:
    return [circles.catches(f"{SOFT}{n}", [f"{SOFT}{n + 1}"]) for n in range(pages)]


def test_a_folder_that_leads_only_to_itself_is_left_after_many_pages() -> None:
    circles = Circles()
    assert not any(go_round(circles, MAX_PAGES))
    assert circles.catches(SOFT, [f"{SOFT}x"])


def test_one_link_elsewhere_or_to_a_file_sets_it_free() -> None:
    for way_out in ("http://a.org/other", f"{SOFT}x?page=2", f"{SOFT}x.csv"):
        circles = Circles()
        go_round(circles, MAX_PAGES)
        assert not circles.catches(SOFT, [f"{SOFT}x", way_out])
        assert not any(go_round(circles, MAX_PAGES))


def test_a_find_sets_it_free() -> None:
    circles = Circles()
    go_round(circles, MAX_PAGES)
    circles.paid(f"{SOFT}download")
    assert not circles.catches(SOFT, [f"{SOFT}x"])


def test_pages_without_new_links_do_not_count() -> None:
    circles = Circles()
    assert not any(circles.catches(f"{SOFT}{n}", []) for n in range(2 * MAX_PAGES))


def test_it_goes_on_counting_from_its_state() -> None:
    circles, other = Circles(), Circles()
    go_round(circles, MAX_PAGES)
    other.restore(circles.state())
    assert other.catches(SOFT, [f"{SOFT}x"])


def test_its_memory_is_bounded() -> None:
    circles = Circles()
    for n in range(MAX_FAMILIES + 10):
        circles.catches(f"http://a.org/{n}/", [f"http://a.org/{n}/x"])
    assert len(circles.state()["pages"]) == MAX_FAMILIES
