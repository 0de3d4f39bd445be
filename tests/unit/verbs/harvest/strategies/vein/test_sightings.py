import numpy as np

from filon.page.links import Link
from filon.run.checkpoint import Checkpoint, dump, load
from filon.verbs.harvest.strategies.vein import sightings
from filon.verbs.harvest.strategies.vein.sightings import MOST_LOOKS, Sightings

URL = "http://a.org/x"
MENU = Link(URL, "/html/body/nav/ul/li/a", "Examples", "a")
TEXT = Link(URL, "/html/body/div.text/p/a", "Examples", "a")


def met(waiting: dict[int, str], *links: tuple[Link, int]) -> Sightings:
    known = Sightings(lambda slot, url: waiting.get(slot) == url)
    for link, slot in links:
        known.note(link, slot)
    return known


def test_a_link_that_is_met_at_another_place_is_told_once() -> None:
    known = met({7: URL}, (MENU, 7))
    assert known.awaits(URL)
    assert known.elsewhere([MENU]) == []
    assert known.elsewhere([MENU, TEXT, TEXT]) == [(TEXT, 7)]
    assert not known.awaits(URL)
    assert known.elsewhere([TEXT._replace(text="more")]) == []


def test_only_at_another_place_a_link_has_to_be_looked_at() -> None:
    known = met({7: URL}, (MENU, 7))
    assert not known.may_differ(URL, MENU.path, MENU.text)
    assert known.may_differ(URL, TEXT.path, TEXT.text)
    assert known.may_differ(f"{URL}y", MENU.path, MENU.text)
    assert known.elsewhere([TEXT]) == [(TEXT, 7)]


def test_other_words_are_another_place_and_an_outer_element_is_none() -> None:
    for link, is_other in (
        (MENU._replace(text="Files"), True),
        (MENU._replace(path="/html/body.wide/nav/ul/li/a"), False),
        (MENU._replace(around="something else"), False),
    ):
        assert bool(met({7: URL}, (MENU, 7)).elsewhere([link])) == is_other


def test_a_link_that_waits_no_more_is_not_looked_for() -> None:
    waiting = {7: URL}
    known = met(waiting, (MENU, 7))
    waiting[7] = "http://a.org/another"
    assert known.elsewhere([TEXT]) == []
    assert not known.awaits(URL)
    known = met({7: URL}, (MENU, 7))
    known.forget(URL)
    known.forget(URL)
    assert not known.awaits(URL)


def test_a_menu_is_looked_at_on_a_few_pages() -> None:
    known = met({7: URL}, (MENU, 7))
    assert [known.awaits(URL) for _ in range(MOST_LOOKS + 2)] == [True] * MOST_LOOKS + [False] * 2


def test_only_so_many_links_are_looked_for() -> None:
    links = [(MENU._replace(url=f"{URL}{number}"), number) for number in range(5)]
    waiting = {number: link.url for link, number in links}
    before, sightings.MOST = sightings.MOST, 3
    try:
        known = met(waiting, *links)
    finally:
        sightings.MOST = before
    assert [known.awaits(link.url) for link, _ in links] == [True] * 3 + [False] * 2


def test_sightings_go_on_from_a_state() -> None:
    waiting = {7: URL, 9: f"{URL}y"}
    known = met(waiting, (MENU, 7), (MENU._replace(url=f"{URL}y"), 9))
    assert known.awaits(URL)
    twin = met(waiting)
    twin.restore(load(dump(Checkpoint(state=known.state()))).state)
    assert twin.elsewhere([TEXT]) == [(TEXT, 7)]
    assert np.array_equal(met(waiting).state()["met"], np.zeros((0, 4), np.uint64))
    met(waiting).restore(met(waiting).state())
