"""The links that wait, what is known of their kinds, and how many targets they lead to."""

import pickle
import random
from collections.abc import Callable
from functools import partial
from itertools import count, islice

import numpy as np
import pytest

from filon.core import Response
from filon.core.blocks import Blocks, by_blocks
from filon.learn.ridge import Vector
from filon.page.links import Link, Wanted
from filon.page.types import Types
from filon.run.checkpoint import Checkpoint, dump, load
from filon.verbs.harvest.strategies.brief import Brief, Reader
from filon.verbs.harvest.strategies.vein.features import WIDTH
from filon.verbs.harvest.strategies.vein.frontier import (
    MOST_FOLDERS,
    PAGES,
    SAMPLE,
    Candidate,
    Frontier,
    Kinds,
    Slots,
)
from filon.verbs.harvest.strategies.vein.shelves import SHELF
from filon.verbs.harvest.strategies.vein.strategy import (
    RATED_AT_ONCE,
    RATED_WHEN_DUE,
    REFIT_EVERY,
    Vein,
)
from filon.verbs.harvest.strategies.vein.value import FIRST, SILENT, Forecast
from oldstates import in_one_piece

ROW = np.ones(WIDTH, dtype=np.uint16)


def frontier(kinds: int = 3) -> Frontier:
    known = Kinds()
    for place in range(kinds):
        known.number(place, "page", 0.02)
    return Frontier(known)


def fill(links: Frontier, values: list[float], arm: int = 0) -> list[int]:
    count = len(values)
    if not count:
        return []
    urls = [f"http://a.org/{arm}/{i}" for i in range(count)]
    slots = links.put(urls, "p", [arm] * count, np.tile(ROW, (count, 1)), [0.1] * count)
    rated = np.array(values)
    links.rate(slots, rated, rated, rated)
    found: list[int] = slots.tolist()
    return found


# Links.


def test_the_best_link_leaves_first_and_its_slot_is_used_again() -> None:
    links = frontier()
    slots = fill(links, [1.0, 5.0, 3.0, 5.0, 0.0])
    taken = [links.best() for _ in range(5)]
    assert [one.url[-1] for one in taken if one] == ["1", "3", "2", "0", "4"]
    assert links.best() is None
    urls = ["http://a.org/new", "http://a.org/newer"]
    again = links.put(urls, "p", [0, 1], np.stack([ROW, ROW]), [0.1, 0.2])
    assert again.tolist() == [slots[4], slots[0]]
    assert len(links) == 2


def test_the_best_link_of_a_kind_leaves_before_better_ones_of_others() -> None:
    links = frontier()
    fill(links, [9.0, 8.0], arm=0)
    fill(links, [1.0, 2.0, 0.5], arm=1)
    taken = [links.best_of(1) for _ in range(4)]
    assert [one and one.value for one in taken] == [2.0, 1.0, 0.5, None]
    best = links.best()
    assert best
    assert best.value == 9.0


def test_of_a_kind_only_the_oldest_links_are_looked_at() -> None:
    links = frontier()
    fill(links, [1.0] * SAMPLE + [5.0])
    taken = [links.best_of(0), links.best_of(0)]
    assert [one and one.value for one in taken] == [1.0, 5.0]


def test_of_two_slots_the_worse_one_is_told_among_equals_the_later() -> None:
    links = frontier()
    one, two, three = fill(links, [1.0, 2.0, 2.0])
    assert [links.worse(one, two), links.worse(two, one), links.worse(two, three)] == [0, 0, 2]
    url = next(url for slot, url in links.waiting() if slot == two)
    assert links.holds(two, url)
    links.take(two)
    assert not links.holds(two, url)


def test_the_frontier_grows() -> None:
    links = frontier()
    fill(links, [float(i % 7) for i in range(3000)])
    assert len(links.taken()) == len(links) == 3000
    best = links.best()
    assert best
    assert best.value == 6.0


def test_links_of_models_that_are_out_of_date_are_rated_a_part_at_a_time() -> None:
    links = frontier()
    fill(links, [1.0] * (5 * SHELF))
    first = [slot for slots in links.outdate(2 * SHELF) for slot in slots.tolist()]
    second = [slot for slots in links.outdate(2 * SHELF) for slot in slots.tolist()]
    assert len(first) == len(second) == 2 * SHELF
    assert not set(first) & set(second)


def test_the_shelf_with_the_best_link_is_rated_before_that_is_taken() -> None:
    links = frontier()
    fill(links, [1.0] * (4 * SHELF))
    links.rate(np.array([9]), *(np.array([5.0]),) * 3)  # by the models of then
    list(links.outdate(SHELF))
    renewed: list[Slots] = []
    for slots in links.doubtful(3):
        renewed.append(slots)
        links.rate(slots, *(np.zeros(len(slots)),) * 3)
    assert 9 in renewed[0]
    best = links.best()
    assert best
    assert best.value == 1.0


def test_dropped_links_no_longer_wait() -> None:
    links = frontier()
    fill(links, [1.0, 2.0, 3.0])
    links.drop(lambda url: url.endswith("2"))
    assert len(links) == 2
    assert [one and one.value for one in (links.best_of(0), links.best_of(0))] == [2.0, 1.0]


@pytest.mark.parametrize("of_old", [False, True])
@pytest.mark.parametrize("number", [0, 3, 5 * SHELF + 5])
def test_a_frontier_goes_on_from_its_state_as_if_nothing_had_been(
    number: int, of_old: bool
) -> None:
    whole, again = frontier(), frontier()
    fill(whole, [float(i % 7) for i in range(number)], arm=1)
    list(whole.outdate(SHELF))
    whole.best()
    state = whole.state()
    if of_old and number:
        state = in_one_piece(state)
    again.restore(load(dump(Checkpoint(state=state))).state)
    for links in (whole, again):
        fill(links, [float(i % 5) for i in range(2000)], arm=1)
    assert len(again) == len(whole)
    for turn in range(number // 2 + 2):
        one, other = (links.best_of(1) if turn % 2 else links.best() for links in (whole, again))
        assert one is not None
        assert other is not None
        assert one[:3] == other[:3]
    assert [s.tolist() for s in whole.outdate(SHELF)] == [s.tolist() for s in again.outdate(SHELF)]


def test_blocks_that_are_marked_as_before_are_as_before() -> None:
    """Whatever is done: a store writes the others alone."""
    chance, links = random.Random(3), frontier()
    fill(links, [float(i % 7) for i in range(4 * SHELF)], arm=1)
    before = _by_mark(links)
    for turn in range(60):
        slot = int(chance.choice(links.taken().tolist()))
        url = dict(links.waiting())[slot]
        acts: list[Callable[[], object]] = [
            links.best,
            partial(links.best_of, 1),
            partial(links.take, slot),
            partial(links.mark, slot, url, [turn, turn]),
            partial(links.drop, url.__eq__),
            partial(fill, links, [float(turn)] * chance.randrange(1, 40), turn % 3),
            partial(_rate_a_shelf, links),
        ]
        chance.choice(acts)()
        now = _by_mark(links)
        kept = [key for key in now if key in before]
        assert kept
        assert all(now[key] == before[key] for key in kept)
        before = now


def _rate_a_shelf(links: Frontier) -> None:
    for slots in links.outdate(SHELF):
        links.rate(slots, *[np.full(len(slots), 0.5)] * 3)


def _by_mark(links: Frontier) -> dict[tuple[str, int, int], str]:
    """Return all blocks of a frontier by name, place and mark."""
    with by_blocks():
        told = [part for part in links.state().values() if isinstance(part, Blocks)]
    assert [part.name for part in told] == ["texts", "rows", "told"]
    assert all(part.owner is links for part in told)
    return {
        (part.name, place, mark): repr(pickle.dumps(part.read(place)))
        for part in told
        for place, mark in enumerate(part.marks)
    }


# Kinds.


def link(arm: int, parent: str = "top") -> Candidate:
    return Candidate("u", parent, arm, ROW, 0.1, 0.0, 0.0, 1.0)


def test_a_kind_is_a_place_on_a_kind_of_page_and_a_look() -> None:
    kinds = Kinds()
    german, french = (kinds.shape(f"http://a.org/{lang}/data/7.html") for lang in ("de", "fr"))
    numbers = {
        kinds.number(place, shape, prior)
        for place in (0, 1)
        for shape in (german, french)
        for prior in (0.02, 0.9)
    }
    assert len(numbers) == 8
    assert kinds.number(0, kinds.shape("http://a.org/de/data/12.html"), 0.02) in numbers
    assert kinds.place(kinds.number(1, german, 0.02)) == 1


def test_a_site_with_a_folder_for_each_page_has_few_kinds_of_pages() -> None:
    kinds = Kinds()
    shapes = {kinds.shape(f"http://a.org/{chr(97 + i)}x/page.html") for i in range(26)}
    assert len(shapes) == MOST_FOLDERS + 1


def followed(kinds: Kinds, arm: int, outcomes: str) -> None:
    """Follow links of a kind: t is a target, x is none."""
    for number, outcome in enumerate(outcomes):
        kinds.note(link(arm), f"page{arm}-{number}", outcome == "t", [])


def kind(kinds: Kinds, place: int, waiting: int) -> int:
    number = kinds.number(place, "page", 0.02)
    kinds.wait(number, waiting)
    return number


def test_nothing_is_left_where_no_link_waits() -> None:
    kinds = Kinds()
    followed(kinds, kind(kinds, 0, 0), "txtx")
    assert kinds.left() == 0.0


def test_a_kind_that_pays_as_ever_goes_on_to_pay() -> None:
    kinds = Kinds()
    followed(kinds, kind(kinds, 0, 100), "xxxxt" * 40)
    assert kinds.left() == pytest.approx(20, rel=0.15)


def test_a_kind_that_paid_at_first_is_believed_less_and_less() -> None:
    kinds = Kinds()
    arm = kind(kinds, 0, 100)
    followed(kinds, arm, "t" * 20)
    lefts = []
    for _ in range(4):
        followed(kinds, arm, "x" * 40)
        lefts.append(kinds.left())
    assert lefts == sorted(lefts, reverse=True)
    assert lefts[-1] < 0.2 * lefts[0]


def test_silence_says_little_where_many_wait() -> None:
    few, many = Kinds(), Kinds()
    for kinds, waiting in ((few, 10), (many, 10_000)):
        followed(kinds, kind(kinds, 0, 0), "t")
        followed(kinds, kind(kinds, 1, waiting), "x" * 50)
    assert few.left() < 0.5 < 10 < many.left()


def test_pages_that_lead_to_pages_with_targets_are_worth_those() -> None:
    kinds = Kinds()
    lists, items, files = (kind(kinds, place, waiting) for place, waiting in enumerate((2, 0, 0)))
    for number in range(20):
        kinds.note(link(lists), f"list{number}", False, [items] * 10)
        kinds.note(link(items), f"item{number}", False, [files])
        kinds.note(link(files), "", True, [])
    assert kinds.left() == pytest.approx(20, rel=0.2)


def test_a_kind_that_was_never_tried_may_be_as_good_as_the_others() -> None:
    kinds = Kinds()
    followed(kinds, kind(kinds, 0, 0), "t" * 100)
    followed(kinds, kind(kinds, 1, 0), "x" * 10)
    before = kinds.left()
    untried = kind(kinds, 2, 1)
    assert kinds.left() - before > 10
    assert kinds.doubtful() == untried


def test_what_is_looked_at_next_is_the_kind_of_which_least_is_known() -> None:
    kinds = Kinds()
    dull, fresh = kind(kinds, 0, 500), kind(kinds, 1, 20)
    followed(kinds, dull, "t" + "x" * 200)
    assert kinds.doubtful() == fresh
    followed(kinds, fresh, "x" * 200)
    assert kinds.doubtful() == dull
    kinds.wait(dull, -500)
    kinds.wait(fresh, -20)
    assert kinds.doubtful() == -1


def test_where_kinds_pay_late_silence_says_less() -> None:
    early, late = Kinds(), Kinds()
    for kinds, outcomes in ((early, "t"), (late, "x" * 60 + "t")):
        for place in range(10):
            followed(kinds, kind(kinds, place, 0), outcomes)
        for place in range(10, 20):
            followed(kinds, kind(kinds, place, 0), "x" * 70)
        followed(kinds, kind(kinds, 20, 100), "x" * 50)
    assert late.left() > 2 * early.left()


def test_only_the_latest_pages_are_remembered() -> None:
    kinds = Kinds()
    followed(kinds, kind(kinds, 0, 0), "x" * (PAGES + 50))
    assert len(kinds.state()["pages"]) == PAGES


def test_kinds_go_on_from_a_state() -> None:
    first, second = Kinds(), Kinds()
    pages, files = kind(first, 0, 30), kind(first, 1, 2)
    for number in range(30):
        first.note(link(pages), f"page{number}", False, [files, files, pages])
        first.note(link(files, f"page{number}"), "", number % 3 == 0, [])
    first.left()
    second.restore(load(dump(Checkpoint(state=first.state()))).state)
    for kinds in (first, second):
        kinds.note(link(files, "page29"), "", True, [])
        kinds.wait(kinds.number(2, kinds.shape("http://a.org/x/"), 0.02), 3)
    assert second.left() == first.left()
    assert second.doubtful() == first.doubtful()
    assert second.waiting() == first.waiting() == {0: 30, 1: 2, 2: 3}


def test_what_was_known_of_places_is_not_lost() -> None:
    kinds = Kinds()
    kinds.restore(Kinds.of_places([40.0, 3.0], [0.0, 2.0]))
    assert [kinds.place(number) for number in (0, 1)] == [0, 1]
    links = Frontier(kinds)
    fill(links, [1.0, 2.0], arm=1)
    old = in_one_piece(links.state()) | {"version": 1}
    for later in ("chain", "ends", "rated"):
        del old[later]
    again = Kinds()
    again.restore(Kinds.of_places([40.0, 3.0], [0.0, 2.0]))
    Frontier(again).restore(old)
    assert again.waiting() == {1: 2}


# When to stop.


def forecast(finds: int, drought: int) -> Forecast:
    counted = Forecast()
    for _ in range(finds):
        counted.note(True)
    for _ in range(drought):
        counted.note(False)
    return counted


def test_a_crawl_that_finds_goes_on() -> None:
    assert not forecast(2000, SILENT - 1).is_over(9999, lambda: 0.0)


def test_a_crawl_is_not_ended_for_the_sake_of_a_few_requests() -> None:
    assert not forecast(1000, 1000).is_over(99, lambda: 0.1)
    assert forecast(1000, 1000).is_over(101, lambda: 0.1)


def test_a_crawl_is_over_when_nearly_surely_next_to_nothing_is_left() -> None:
    assert forecast(1000, 50).is_over(9999, lambda: 5.0)
    assert not forecast(1000, 50).is_over(9999, lambda: 10.0)


def test_where_little_was_found_no_file_may_be_missing() -> None:
    assert forecast(10, 150).is_over(9999, lambda: 0.2)
    assert not forecast(10, 150).is_over(9999, lambda: 0.3)


def test_a_small_site_is_read_whole() -> None:
    assert not forecast(0, FIRST - 1).is_over(9999, lambda: 0.0)
    assert forecast(0, FIRST).is_over(9999, lambda: 0.0)


def test_a_few_finds_do_not_foretell_thousands() -> None:
    assert forecast(3, 150).tell(5000.0) is None
    assert forecast(3, 150).tell(8.0) == {"mean": 8.0, "spread": 8.0, "most": 24.0}


def test_the_first_pages_of_a_site_foretell_nothing_but_its_end() -> None:
    assert forecast(50, 10).tell(1.0) is None
    assert forecast(50, 10).tell(0.0) == {"mean": 0.0, "spread": 0.0, "most": 0.0}


# A million links.


def inventor(links_a_page: int) -> Reader:
    """Return a reader that finds new links on every page."""
    numbers = count()

    def read(response: Response, *, wanted: Wanted | None = None, **_: object) -> list[Link]:
        found = [_link(number) for number in islice(numbers, links_a_page)]
        return [link for link in found if wanted is None or wanted(link.url)]

    return read


def _link(number: int) -> Link:
    path = f"/html/body/ul.list-{'abc'[number % 3]}/li/a"
    return Link(f"http://site.test/{number % 7}/page-{number}.html", path, "page", "a")


class Counting(Vein):
    """Counts links that are rated, and refits."""

    rated = refits = 0

    def _rate(self, slots: Slots) -> Vector:
        self.rated += len(slots)
        return super()._rate(slots)

    def _refit(self) -> None:
        before = self._fitted
        super()._refit()
        self.refits += self._fitted != before


def test_a_decision_looks_at_a_bounded_number_of_links_however_many_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    types, page = Types.parse("data"), (("Content-Type", "text/html"),)
    vein = Counting(Brief(start="http://site.test/", types=types, read=inventor(500)))
    monkeypatch.setattr(vein.frontier, "taken", lambda: pytest.fail("it went through all links"))
    most = RATED_AT_ONCE + (RATED_WHEN_DUE + 1) * SHELF
    for _ in range(120):
        vein.rated = 0
        step = vein.propose()
        assert step
        assert vein.rated <= most
        url = step.request.url
        vein.observe(step, Response(url=url, status=200, headers=page, body=b"<p>", size_bytes=3))
    assert len(vein.frontier) > 1.9 * most
    assert vein.refits >= 120 // REFIT_EVERY
