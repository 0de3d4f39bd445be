import numpy as np

from filon.verbs.enrich.strategies.prospect.news import News
from filon.verbs.enrich.strategies.prospect.pages import Page, Pages, still
from unit.verbs.enrich.strategies.prospect.wine import lexicon


def pages() -> Pages:
    return Pages(10, News(lexicon(), 10), lambda _: 1.0)


def test_the_next_page_is_worth_its_part_of_the_rows_left() -> None:
    some = pages()
    some.put((1, 2), Page("2", 10, 50.0, np.array([0, 1])))
    some.put((3,), Page("2", 10, 30.0, np.array([2, 3])))
    query, page, value = some.best(np.ones(4), lambda _: 0.9)
    assert query == (3,)
    assert page is not None
    assert value == 2 * 0.5 * still(0.9, 10, 30.0)
    some.close((3,))
    assert some.best(np.ones(4), lambda _: 0.9)[0] == (1, 2)


def test_pages_of_a_query_that_kept_little_of_its_promises_are_worth_less() -> None:
    some = pages()
    some.put((3,), Page("3", 20, 40.0, np.array([2, 3])))
    before = some.best(np.ones(4), lambda _: 0.9)[2]
    some.note((3,), 6.0, 0)
    some.fit(np.ones(4), lambda _: 0.9)
    assert some.best(np.ones(4), lambda _: 0.9)[2] == before * 2 / 8
