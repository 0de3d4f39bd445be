import asyncio

import pytest

from filon.core import Response, Step, UserError
from filon.testing.discovery import GOOD, OTHERS, SEARCHERS, SEEDS, TOPIC, ToyDiscovery
from filon.verbs.discover.strategies import Brief, Limits
from filon.verbs.discover.strategies.disco import MOST_TOLD, Disco
from filon.verbs.discover.strategies.page import Page


def disco(mode: str = "bandit", limits: Limits | None = None, **options: str) -> Disco:
    return Disco(
        Brief(
            topic=TOPIC,
            seeds=SEEDS,
            searchers=SEARCHERS[1:],
            others=OTHERS,
            limits=limits or Limits(),
            options={"mode": mode, **options},
        )
    )


def finish(strategy: Disco, most: int = 500) -> list[Step]:
    web = ToyDiscovery()
    steps: list[Step] = []
    while (step := strategy.propose()) and len(steps) < most:
        steps.append(step)
        strategy.observe(step, asyncio.run(web.fetch(step.request)))
    return steps


def searched(steps: list[Step]) -> list[str]:
    return [step.request.url for step in steps if step.reason.kind == "search"]


def test_the_examples_are_read_first_and_are_no_finds() -> None:
    one = disco()
    steps = finish(one)
    assert [step.request.url for step in steps[:2]] == list(SEEDS)
    assert {page.site for page in one.pool.examples} == {"bee0.example", "bee1.example"}
    assert not {row.site for row in one.ranked()} & {"bee0.example", "bee1.example"}


def test_sites_of_the_kind_are_ranked_before_others() -> None:
    one = disco()
    finish(one)
    ranked = [row.site for row in one.ranked()]
    assert set(ranked) >= GOOD - {"bee0.example", "bee1.example"}
    cars = [place for place, site in enumerate(ranked) if site.startswith("car")]
    bees = [place for place, site in enumerate(ranked) if site.startswith("bee")]
    assert max(bees) < min(cars)


@pytest.mark.parametrize(
    ("mode", "asked"), [("keyword", "keyword"), ("related", "related"), ("backward", "backlinks")]
)
def test_a_single_operator_asks_for_nothing_else(mode: str, asked: str) -> None:
    urls = searched(finish(disco(mode)))
    assert urls
    assert all(f"op={asked}&" in url for url in urls)


def test_forward_asks_nobody() -> None:
    one = disco("forward")
    assert not searched(finish(one))
    assert "bee5.example" in {row.site for row in one.ranked()}


def test_keywords_come_from_what_pages_say_of_themselves_beside_the_topic() -> None:
    asked = [url.partition("&q=")[2] for url in searched(finish(disco("keyword"), 12))]
    queries = list(dict.fromkeys(query.partition("&")[0] for query in asked))
    assert queries[:3] == ["bee", "bee%20club", "bee%20hive"]


def test_a_search_is_paged_until_enough_results_are_in() -> None:
    one = disco("keyword", Limits(keyword=15))
    first = [url for url in searched(finish(one, 12)) if "q=bee&" in url]
    assert [url[-1] for url in first] == ["1", "2"]
    assert one.summary()["searchers"][0]["results"] <= 15 * 20


def test_hubs_bring_their_links_and_never_more_than_the_limit() -> None:
    one = disco("backward", Limits(links=2))
    steps = finish(one)
    hubs = [step.request.url for step in steps if step.request.url.startswith("http://hub")]
    assert hubs
    for hub in hubs:
        links = [step for step in steps if step.parent == hub and step.reason.kind == "link"]
        assert len(links) <= 2


def test_an_operator_never_starts_from_the_same_page_twice() -> None:
    related = [
        url.partition("&q=")[2].partition("&page")[0] for url in searched(finish(disco("related")))
    ]
    assert len(related) == len(set(related))


def test_the_reward_is_the_mean_place_of_new_sites() -> None:
    one = disco("forward")
    finish(one)
    one.pool.order = [0, 1, 2, 3]
    one.pool.pages = one.pool.pages[:4]
    one._batch = [(1, True), (3, False)]
    assert one._reward() == pytest.approx((1 - 1 / 4) / 2)


def test_no_more_pages_are_asked_for_than_allowed() -> None:
    one = disco(limits=Limits(pages=9))
    steps = finish(one)
    assert len(steps) - len(searched(steps)) == 9
    assert one.summary()["pages"] == 9


def test_an_operator_that_brings_nothing_is_charged_and_the_others_go_on() -> None:
    one = disco()
    for _ in range(30):
        step = one.propose()
        assert step is not None
        kind = "search" if step.reason.kind == "search" else ""
        empty = b'{"urls": [], "more": ""}'
        head = (("Content-Type", "application/json" if kind else "text/html"),)
        body = empty if kind else b"<p>bee hive</p><a href='http://bee7.example/'>x</a>"
        one.observe(step, Response(url=step.request.url, status=200, headers=head, body=body))
        if "bee7" in step.request.url:
            break
    pulls = {arm["arm"]: arm["pulls"] for arm in one.bandit.summary()}
    assert pulls["related"] >= 1
    assert pulls["backward"] >= 1
    assert step is not None
    assert "bee7" in step.request.url


@pytest.mark.parametrize("ranker", ["jaccard", "bayesian-sets", "pu", "mean-raw", "rrf"])
def test_any_ranker_will_do(ranker: str) -> None:
    one = disco("forward", ranker=ranker)
    finish(one)
    assert one.ranked()[0].site in GOOD


def test_what_an_unfinished_round_has_brought_is_ranked_in_the_whole_list() -> None:
    one = disco("keyword")
    web = ToyDiscovery()
    while len(one.pool.pages) < 12 and (step := one.propose()):
        one.observe(step, asyncio.run(web.fetch(step.request)))
    assert not one.pool.scores  # the first round is not over
    scores = [row.score for row in one.ranked()]
    assert len(set(scores)) > 1
    assert scores == sorted(scores, reverse=True)
    assert not one.pool.scores  # and it was not disturbed


@pytest.mark.parametrize("ranker", ["binomial", "pu"])
def test_a_ranker_that_is_shown_nothing_else_borrows_what_is_least_alike(ranker: str) -> None:
    told = {"ranker": ranker}
    one = Disco(Brief(topic=TOPIC, seeds=SEEDS, searchers=SEARCHERS[1:], options=told))
    finish(one)
    ranked = [row.site for row in one.ranked()]
    bees = [place for place, site in enumerate(ranked) if site.startswith("bee")]
    cars = [place for place, site in enumerate(ranked) if site.startswith("car")]
    assert ranked[0] in GOOD
    assert sum(bees) / len(bees) < sum(cars) / len(cars)


def test_a_ranker_that_is_not_there_is_refused() -> None:
    with pytest.raises(UserError, match="no ranker 'best'"):
        Disco(Brief(topic="x", options={"ranker": "best"}))


def test_without_examples_and_services_there_is_nothing_to_do() -> None:
    assert Disco(Brief(topic="x")).propose() is None


def test_all_that_was_found_can_be_told_though_a_summary_is_short() -> None:
    one = Disco(Brief(topic="bee"))
    one.pool.begin()
    for n in range(MOST_TOLD + 200):
        one.pool.add(Page(url=f"http://s{n}.example/", site=f"s{n}.example", text="bee"))
    one.pool.rank()
    late = Page(url="http://late.example/", site="late.example", text="bee")
    one.pool.add(late)
    told = one.ranked()
    assert len(told) == MOST_TOLD + 201
    assert told[-1].site == "late.example"  # not ranked yet, and not lost
    assert len(one.summary()["found"]) == MOST_TOLD
