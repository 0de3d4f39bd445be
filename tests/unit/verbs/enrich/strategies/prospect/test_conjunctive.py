import numpy as np

from filon.verbs.enrich.strategies.prospect.conjunctive import Page, Pages, still


def test_the_next_page_is_worth_its_part_of_the_rows_left() -> None:
    pages = Pages(10)
    pages.put((1, 2), Page("2", 10, 50.0, np.array([0, 1])))
    pages.put((3,), Page("2", 10, 30.0, np.array([2, 3])))
    query, page, value = pages.best(np.ones(4), lambda _: 0.9)
    assert query == (3,)
    assert page is not None
    assert value == 2 * 0.5 * still(0.9, 10, 30.0)
    pages.close((3,))
    assert pages.best(np.ones(4), lambda _: 0.9)[0] == (1, 2)
