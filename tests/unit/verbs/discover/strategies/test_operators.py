"""The operators of a round, and whose turn it is."""

import pytest

from filon.core import UserError
from filon.verbs.discover.strategies import Brief, Limits
from filon.verbs.discover.strategies.operators import Turns, bandit
from filon.verbs.discover.strategies.page import Page
from filon.verbs.discover.strategies.tasks import Tasks

PAGES = [Page(url=f"http://s{number}.example/", site=f"s{number}.example") for number in range(5)]
ARMS = ("related", "forward")


class Rounds:
    """Turns of two operators over five pages, and the pages from which the last one started."""

    def __init__(self, pages: int = 100) -> None:
        tasks = Tasks(Brief(topic="bee", limits=Limits(k=2, pages=pages)))
        self.turns = Turns(tasks, bandit(ARMS, "pulls"), ARMS, lambda: PAGES)
        tasks.pages = 1
        self.started: list[Page] = []

    def open(self, *awake: str) -> list[str]:
        def queries(arm: str, pages: list[Page]) -> list[str]:
            self.started = pages
            return []

        self.started = []
        arm = self.turns.open(lambda arm: arm in awake, queries)
        return [arm, *urls(self.started)]


def urls(pages: list[Page]) -> list[str]:
    return [page.url[8] for page in pages]


def test_an_operator_goes_on_where_it_ended_and_the_other_begins_at_the_best() -> None:
    one = Rounds()
    assert one.open("related") == ["related", "0", "1"]
    assert one.open("related") == ["related", "2", "3"]
    assert one.open("forward") == ["forward", "0", "1"]
    assert urls(one.turns.unused("related")) == ["4"]


def test_where_none_is_awake_or_enough_was_read_there_is_no_round() -> None:
    assert Rounds().open() == [""]
    assert Rounds(pages=1).open("related") == [""]


def test_an_operator_that_asks_nobody_is_always_served() -> None:
    turns = Rounds().turns
    assert (turns.served("forward"), turns.served("related")) == (True, False)


def test_goes_on_from_its_state() -> None:
    one, other = Rounds(), Rounds()
    one.open("related")
    other.turns.restore(one.turns.state())
    assert urls(other.turns.unused("related")) == ["2", "3", "4"]


def test_what_is_counted_is_pages_or_pulls() -> None:
    with pytest.raises(UserError, match="pages or pulls, not 'sheep'"):
        bandit(ARMS, "sheep")
