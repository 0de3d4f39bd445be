"""Sections of a site."""

from hypothesis import given
from hypothesis import strategies as st

from filon.page.sections import ENOUGH, sections


def test_a_section_holds_enough() -> None:
    urls = [f"http://a.test/data/{n % 3}/{n}.csv" for n in range(3 * ENOUGH)]
    urls += [f"http://a.test/rare/{n}.csv" for n in range(ENOUGH - 1)]
    told = sections(urls)
    assert set(told[: 3 * ENOUGH]) == {f"a.test/data/{n}/" for n in range(3)}
    assert set(told[3 * ENOUGH :]) == {"a.test/"}


def test_a_folder_is_divided_by_how_names_begin() -> None:
    urls = [
        f"http://a.test/data/{name}-{n}.csv" for name in ("road", "rail") for n in range(ENOUGH)
    ]
    assert set(sections(urls)) == {"a.test/data/road-", "a.test/data/rail-"}


def test_a_query_is_a_section_by_its_form() -> None:
    urls = [f"http://a.test/get?id={n}" for n in range(ENOUGH)]
    assert set(sections(urls)) == {sections(urls)[0]}
    assert sections(urls)[0].startswith("a.test/get?id=")


@given(st.lists(st.text(max_size=20)))
def test_whatever_an_address_is(paths: list[str]) -> None:
    urls = [f"http://a.test/{path}" for path in paths]
    assert len(sections(urls)) == len(urls)
