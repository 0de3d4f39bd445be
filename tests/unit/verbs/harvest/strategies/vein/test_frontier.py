"""How many targets are left, by how far the promises of like links were kept."""

import numpy as np
import pytest

from filon.verbs.harvest.strategies.vein.frontier import MOST, PAGES, Candidate, Links, Remainder

INDEX, NEWS, FILES = 0, 1, 2
ROW = np.zeros(1, dtype=np.uint16)


def link(arm: int, *, chance: float = 0.0, behind: float = 0.0, parent: str = "top") -> Candidate:
    prior = 0.9 if arm == FILES else 0.1
    return Candidate("u", parent, arm, ROW, prior, chance, chance + behind, 1.0)


def known(count: int, arm: int, *, chance: float = 0.0, behind: float = 0.0) -> Links:
    prior = 0.9 if arm == FILES else 0.1
    told = (np.full(count, each) for each in (prior, chance, chance + behind))
    return Links(np.full(count, arm, dtype=np.int32), *told)


def visited(pages: int, files: int, promised: float) -> Remainder:
    """Open index pages that promise so many files and show so many, all of which are fetched."""
    remainder = Remainder()
    for number in range(pages):
        remainder.follow(link(INDEX, behind=promised), f"page{number}", False)
        for _ in range(files):
            remainder.follow(link(FILES, chance=0.99, parent=f"page{number}"), "", True)
    return remainder


def test_nothing_is_left_where_no_link_is() -> None:
    assert visited(9, 3, 3.0).left(known(0, INDEX)) == (0.0, 0.0)


def test_pages_that_kept_their_promise_are_believed() -> None:
    mean, spread = visited(40, 3, 3.0).left(known(20, INDEX, behind=3.0))
    assert mean == pytest.approx(60, rel=0.1)
    assert 0 < spread < mean


def test_pages_that_promised_too_much_are_believed_as_far_as_they_kept_it() -> None:
    mean, _ = visited(40, 1, 3.0).left(known(20, INDEX, behind=3.0))
    assert mean == pytest.approx(20, rel=0.15)


def test_a_target_counts_for_its_own_link_and_for_the_page_that_showed_it() -> None:
    remainder = visited(40, 3, 3.0)
    pages, _ = remainder.left(known(10, INDEX, behind=3.0))
    files, _ = remainder.left(known(10, FILES, chance=0.99))
    assert pages == pytest.approx(30, rel=0.1)
    assert files == pytest.approx(10, rel=0.1)


def test_nothing_is_expected_behind_a_link_that_is_a_target_itself() -> None:
    mean, _ = visited(40, 3, 3.0).left(known(10, FILES, chance=0.99, behind=5.0))
    assert mean == pytest.approx(10, rel=0.15)


def test_kinds_that_were_not_tried_count_less_than_those_that_kept_their_promise() -> None:
    remainder = visited(40, 3, 3.0)
    tried, _ = remainder.left(known(20, INDEX, behind=3.0))
    untried, _ = remainder.left(known(20, NEWS, behind=3.0))
    assert 0 < untried < 0.4 * tried


def test_files_of_one_look_say_nothing_of_pages_at_the_same_place() -> None:
    remainder = visited(40, 3, 3.0)
    page = Links(*(np.array([each]) for each in (FILES, 0.02, 0.0, 0.5)))
    assert remainder.left(page)[0] < 0.3


def test_promises_broken_in_a_row_shrink_the_estimate_soon() -> None:
    remainder = visited(40, 3, 3.0)
    before, _ = remainder.left(known(20, INDEX, behind=3.0))
    for number in range(4):
        remainder.follow(link(INDEX, behind=3.0), f"dry{number}", False)
    after, _ = remainder.left(known(20, INDEX, behind=3.0))
    assert after < 0.1 * before


def test_a_page_whose_files_are_still_to_come_is_no_broken_promise() -> None:
    remainder = visited(40, 3, 3.0)
    before, _ = remainder.left(known(20, INDEX, behind=3.0))
    remainder.follow(link(INDEX, behind=3.0), "latest", False)
    after, _ = remainder.left(known(20, INDEX, behind=3.0))
    assert after > 0.9 * before


def test_a_few_finds_do_not_foretell_thousands() -> None:
    mean, _ = visited(2, 1, 1.0).left(known(5000, INDEX, behind=1.0))
    assert mean == MOST * 3


def test_the_spread_shrinks_with_a_drought_but_stays_while_there_are_links() -> None:
    remainder, spreads = visited(9, 1, 1.0), []
    for _ in range(300):
        remainder.follow(link(NEWS, behind=0.1), "page", False)
        spreads.append(remainder.left(known(50, NEWS, behind=0.0))[1])
    assert spreads[9] > spreads[99] > spreads[299] > 0.5


def test_asking_changes_nothing() -> None:
    asked, unasked = visited(9, 2, 1.0), visited(9, 2, 1.0)
    asked.left(known(50, 5, behind=0.3))
    for remainder in (asked, unasked):
        remainder.follow(link(INDEX, behind=2.0), "page", False)
    links = known(5, INDEX, behind=2.0)
    assert asked.left(links) == unasked.left(links)


def test_goes_on_from_a_state() -> None:
    first, second = visited(30, 2, 3.0), Remainder()
    second.restore(first.state())
    for remainder in (first, second):
        remainder.follow(link(FILES, chance=0.5, parent="page29"), "", True)
        remainder.follow(link(700, behind=2.0), "further", False)
    links = known(20, INDEX, behind=2.0)
    assert second.left(links) == first.left(links)


def test_only_the_latest_pages_are_remembered() -> None:
    assert len(visited(PAGES + 50, 0, 1.0).state()["kinds"]) == PAGES
