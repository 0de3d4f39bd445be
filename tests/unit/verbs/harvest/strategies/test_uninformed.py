"""Breadth-first, depth-first, random: a redirect to a page that waits."""

import pytest

from filon.verbs.harvest.strategies import build
from unit.verbs.harvest.strategies.site import Site, answer, brief, told, walk

#: `old` redirects to `page1`, which waits in the frontier when the answer comes.
SITE: Site = {
    "": ["page1", "old", "page2"],
    "old": "->/page1",
    "page1": ["data1", "page2"],
    "page2": ["data2", "old2"],
    "old2": "->/page1",
    "data1": "a,b",
    "data2": "a,b",
}
LATE: Site = {**SITE, "": ["old", "page2", "page1"]}


def test_a_redirect_to_a_page_that_waits_is_followed_at_once() -> None:
    asked = told(walk(build("bfs", brief()), LATE))
    assert asked[:5] == ["GET /", "GET /old", "GET /page1", "GET /page2", "GET /data1"]


@pytest.mark.parametrize("name", ["bfs", "dfs", "random"])
@pytest.mark.parametrize("seed", range(5))
def test_a_page_that_was_fetched_out_of_turn_is_not_fetched_again(name: str, seed: int) -> None:
    for site in (SITE, LATE):
        strategy = build(name, brief(seed=seed))
        assert sorted(told(walk(strategy, site))) == sorted(f"GET /{path}" for path in site)
        assert strategy.summary()["left"] == 0


def test_a_redirect_to_what_a_guard_left_out_is_not_followed() -> None:
    site: Site = {"": ["logo.png", "old"], "old": "->/logo.png"}
    assert told(walk(build("bfs", brief()), site)) == ["GET /", "GET /old"]


def test_a_run_of_an_older_version_goes_on() -> None:
    strategy = build("bfs", brief())
    step = strategy.propose()
    assert step
    strategy.observe(step, answer(LATE, step))
    state = strategy.state()
    del state["waiting"]
    twin = build("bfs", brief())
    twin.restore(state)
    assert told(walk(twin, LATE)) == told(walk(strategy, LATE))
