"""What all harvest strategies agree on."""

import pytest

from filon.core import Response
from filon.page.traps import MAX_PAGES
from filon.verbs.harvest.strategies import STRATEGIES, build
from filon.verbs.harvest.strategies.territory import MOST_HOPS, Territory
from unit.verbs.harvest.strategies.site import HOME, Site, brief, walk


@pytest.mark.parametrize("name", ["sb", "focused", "bfs", "dfs", "random"])
def test_a_redirect_without_end_is_given_up(name: str) -> None:
    site: Site = {
        "": ["hop0", "page1"],
        "page1": [],
        **{f"hop{n}": f"->/hop{n + 1}" for n in range(300)},
    }
    strategy = build(name, brief())
    asked = [step.request.url for step in walk(strategy, site) if step.request.method == "GET"]
    assert sum("hop" in url for url in asked) == 1 + MOST_HOPS
    assert f"{HOME}page1" in asked
    assert strategy.summary()["skipped"] == {"redirect without end": 1}


def test_a_chain_of_redirects_is_counted_across_a_restart() -> None:
    territory = Territory(brief())
    for n in range(MOST_HOPS):
        hop = Response(url=f"{HOME}hop{n}", status=302, headers=(("Location", f"hop{n + 1}"),))
        assert territory.read(hop).goal == f"{HOME}hop{n + 1}"
        twin = Territory(brief())
        twin.restore(territory.state())
        territory = twin
    last = Response(url=f"{HOME}hop{MOST_HOPS}", status=302, headers=(("Location", "on"),))
    assert territory.read(last).goal == ""


def test_what_is_left_out_is_counted_by_reason() -> None:
    links = ["logo.png", "a/b/a/b/a/b/c", "calendar/2093/01", "x?" + "&".join("abcdefgh" * 4)]
    body = "".join(f"<a href='/{link}'>x</a>" for link in [*links, "x" * 2000, "fine"])
    away = "<a href='http://b.test/'>x</a>"
    page = Response(url=HOME, status=200, body=(body + away).encode(), at_s=1_760_000_000.0)
    territory = Territory(brief())
    assert [link.url for link in territory.new_links(page)] == [f"{HOME}fine"]
    assert territory.summary()["skipped"] == {
        "multimedia": 1,
        "repeated path": 1,
        "calendar": 1,
        "query": 1,
        "long": 1,
        "off the site": 1,
    }


def test_links_off_the_site_are_counted_on_every_page_and_known_ones_on_none() -> None:
    body = b"<a href='/fine'>x</a><a href='http://b.test/'>x</a>"
    territory = Territory(brief())
    for place in ("", "2", "3"):
        page = Response(url=f"{HOME}{place}", status=200, body=body, at_s=1_760_000_000.0)
        expected = [] if place else [f"{HOME}fine"]
        assert [link.url for link in territory.new_links(page)] == expected
    assert territory.summary()["skipped"] == {"off the site": 3}


def test_every_strategy_has_a_name() -> None:
    assert {"vein", "sb", "focused", "bfs", "dfs", "random"} == set(STRATEGIES)


def test_an_endless_folder_is_left_and_counted_across_a_restart() -> None:
    territory, known = Territory(brief()), 0
    for n in range(MAX_PAGES + 1):
        body = f"<a href='/soft/{n + 1}'>x</a>".encode()
        page = Response(url=f"{HOME}soft/{n}", status=200, body=body)
        known += len(territory.new_links(page))
        if n % 500 == 0:
            twin = Territory(brief())
            twin.restore(territory.state())
            territory = twin
    assert known == MAX_PAGES
    assert territory.skipped == {"endless folder": 1}
