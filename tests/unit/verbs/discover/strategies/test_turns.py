import pytest

from filon.core import UserError
from filon.verbs.discover.strategies.operators import Turns, bandit
from filon.verbs.discover.strategies.page import Page

PAGES = [Page(url=f"http://s{number}.example/", site=f"s{number}.example") for number in range(5)]
ARMS = ("related", "forward")


def turns() -> Turns:
    return Turns(bandit(ARMS, "pulls"), ARMS, k=2)


def urls(pages: list[Page]) -> list[str]:
    return [page.url[8] for page in pages]


def test_an_operator_goes_on_where_it_ended_and_the_other_begins_at_the_best() -> None:
    one = turns()
    assert urls(one.begin(lambda arm: arm == "related", lambda: PAGES)[1]) == ["0", "1"]
    assert urls(one.begin(lambda arm: arm == "related", lambda: PAGES)[1]) == ["2", "3"]
    assert urls(one.begin(lambda arm: arm == "forward", lambda: PAGES)[1]) == ["0", "1"]
    assert urls(one.unused("related", PAGES)) == ["4"]


def test_where_none_is_awake_there_is_no_round() -> None:
    assert turns().begin(lambda arm: False, lambda: PAGES) == ("", [])


def test_goes_on_from_its_state() -> None:
    one, other = turns(), turns()
    one.begin(lambda arm: arm == "related", lambda: PAGES)
    other.restore(one.state())
    assert urls(other.unused("related", PAGES)) == ["2", "3", "4"]


def test_what_is_counted_is_pages_or_pulls() -> None:
    with pytest.raises(UserError, match="pages or pulls, not 'sheep'"):
        bandit(ARMS, "sheep")
