import asyncio

import pytest

from filon.core import Step, UserError
from filon.testing.discovery import GOOD, OTHERS, PAGES, SEARCHERS, SEEDS, TOPIC, ToyDiscovery
from filon.verbs.discover.strategies import Brief, Limits
from filon.verbs.discover.strategies.seedfinder import MOST_WORDS, SeedFinder


def finder(limits: Limits | None = None, topic: str = TOPIC, **options: float) -> SeedFinder:
    return SeedFinder(
        Brief(
            topic=topic,
            seeds=SEEDS,
            searchers=SEARCHERS[1:],
            others=OTHERS,
            limits=limits or Limits(),
            options=options,
        )
    )


def finish(one: SeedFinder, most: int = 500) -> list[Step]:
    web, steps = ToyDiscovery(), list[Step]()
    while (step := one.propose()) and len(steps) < most:
        steps.append(step)
        one.observe(step, asyncio.run(web.fetch(step.request)))
    return steps


def queries(steps: list[Step]) -> list[list[str]]:
    """Return the words of each query, one for each page of results."""
    urls = [step.request.url for step in steps if step.reason.kind == "search"]
    return [url.partition("&q=")[2].partition("&")[0].split("%20") for url in urls]


def test_the_examples_are_read_first_then_the_topic_is_asked_for() -> None:
    steps = finish(finder(), 3)
    assert [step.request.url for step in steps[:2]] == list(SEEDS)
    assert queries(steps) == [["bee"]]


def test_without_a_topic_the_first_query_comes_from_the_examples() -> None:
    (first,) = queries(finish(finder(topic=""), 3))
    assert first[0] in PAGES[SEEDS[0]].lower()
    assert first[0] in PAGES[SEEDS[1]].lower()


def test_sites_of_the_kind_are_found_and_told_with_the_query() -> None:
    one = finder()
    finish(one)
    found = one.summary()["found"]
    assert {row["site"] for row in found} & GOOD
    assert all(not row["site"].startswith("car") for row in found)
    assert all(row["operator"] == "keyword" and row["query"] for row in found)


def test_more_results_are_asked_for_only_while_half_of_them_are_of_the_kind() -> None:
    steps = finish(finder(topic="bee"), 40)
    assert queries(steps)[:2] == [["bee"], ["bee"]]
    steps = finish(finder(topic="engine"), 40)
    assert queries(steps).count(["engine"]) == 1


def test_an_imprecise_query_makes_the_next_one_longer() -> None:
    one = finder(topic="engine")
    asked = queries(finish(one))
    assert len(asked[0]) == 1
    assert len(asked[1]) == 2


def test_a_precise_query_that_brings_little_new_makes_the_next_one_shorter() -> None:
    one = finder(topic="bee hive honey", new=1.0)
    asked = queries(finish(one, 80))
    after = next(words for words in asked if words != asked[0])
    assert len(after) <= 3
    assert one._size < 3


def test_a_query_that_brings_nothing_makes_the_next_shorter_and_costs_its_words_nothing() -> None:
    one = finder(topic="xylophone zebra quartz")
    finish(one, 4)
    assert one._size == 2
    assert "zebra" not in one.model.state()["worth"]


def test_every_query_tries_a_new_word_and_none_is_too_long() -> None:
    one = finder(precision=1.0)
    asked = list(dict.fromkeys(tuple(words) for words in queries(finish(one))))
    tried: set[str] = set()
    for words in asked:
        assert set(words) - tried
        assert len(words) <= MOST_WORDS
        tried |= set(words)
    assert max(map(len, asked)) > 3


def test_no_more_queries_are_asked_than_allowed() -> None:
    one = finder(queries=3)
    assert len({tuple(words) for words in queries(finish(one))}) == 3
    assert one.summary()["queries"] == 3


def test_no_more_pages_are_asked_for_than_allowed() -> None:
    steps = finish(finder(Limits(pages=9)))
    assert sum(step.reason.kind != "search" for step in steps) == 9


def test_what_cannot_be_done_is_said_in_a_sentence() -> None:
    with pytest.raises(UserError, match="seedfinder learns from examples"):
        SeedFinder(Brief(topic="x"))
    with pytest.raises(UserError, match="from 0 to 1"):
        finder(precision=2)
    with pytest.raises(UserError, match="queries must be a whole number"):
        finder(queries=0)
