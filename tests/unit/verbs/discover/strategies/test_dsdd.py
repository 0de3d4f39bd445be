import asyncio

import pytest

from filon.core import Find, Step, UserError
from filon.testing.discovery import PAGES, REPOSITORIES, SEARCHERS, ToyDiscovery
from filon.verbs.discover.strategies import Brief, Limits
from filon.verbs.discover.strategies.dsdd import Dsdd
from filon.verbs.discover.strategies.page import shipped
from filon.verbs.discover.strategies.repositories import ENOUGH, MOST_PAGES


def dsdd(mode: str = "bd+ol", limits: Limits | None = None, **options: float | str) -> Dsdd:
    return Dsdd(
        Brief(
            topic="bee",
            searchers=SEARCHERS[1:],
            limits=limits or Limits(),
            options={"mode": mode, **options},
        )
    )


def finish(strategy: Dsdd, most: int = 700) -> tuple[list[Step], list[Find]]:
    web = ToyDiscovery()
    steps: list[Step] = []
    finds: list[Find] = []
    while (step := strategy.propose()) and len(steps) < most:
        steps.append(step)
        finds += strategy.observe(step, asyncio.run(web.fetch(step.request)))
    return steps, finds


def sites(finds: list[Find], kind: str = "repository") -> set[str]:
    return {find.url.split("/")[2] for find in finds if find.kind == kind}


@pytest.mark.parametrize("mode", ["bd+ol", "bd", "kw+ol", "search-engine"])
def test_sites_with_ten_files_are_repositories_and_no_others(mode: str) -> None:
    assert sites(finish(dsdd(mode))[1]) == REPOSITORIES


def test_every_page_with_files_of_a_repository_is_a_dataset_page() -> None:
    _, finds = finish(dsdd())
    expected = {url for url, body in PAGES.items() if ".csv" in body and "fake" not in url}
    assert {find.url for find in finds if find.kind == "dataset"} == expected


def test_the_second_phase_reads_on_in_repositories_and_can_be_left_out() -> None:
    quick, whole = finish(dsdd(collect=0)), finish(dsdd())
    assert sites(quick[1]) == sites(whole[1])
    collected = [step for step in whole[0] if "which leads to data files" in step.reason.text]
    assert {step.request.url.split("/")[2] for step in collected} <= REPOSITORIES
    assert collected
    assert whole[0][: len(quick[0])] == quick[0]
    assert len(whole[0]) == len(quick[0]) + len(collected)


def test_the_first_round_searches_for_the_domain_itself() -> None:
    steps, _ = finish(dsdd("rl+ol"), 3)
    assert [step.reason.arm for step in steps] == ["keyword"] * 3
    assert "q=bee&" in steps[0].request.url


def test_later_queries_join_domain_term_and_dataset() -> None:
    steps, _ = finish(dsdd("kw+ol"))
    asked = [step.request.url for step in steps if step.reason.kind == "search"]
    later = [url for url in asked if "%20dataset&" in url]
    assert later
    assert all("q=bee%20" in url for url in later)
    assert not [url for url in later if "%20data%20" in url]


def test_the_search_engine_asks_twice_and_classifies_nothing() -> None:
    steps, _ = finish(dsdd("search-engine"))
    asked = {
        step.request.url.partition("&page")[0] for step in steps if step.reason.kind == "search"
    }
    assert len(asked) == 2


def test_what_a_look_finds_teaches_the_classifier_only_with_online_learning() -> None:
    online, fixed = dsdd("bd+ol"), dsdd("bd")
    finish(online)
    finish(fixed)
    assert sum(online.classifier.labels) == len(REPOSITORIES)
    assert False in online.classifier.labels
    assert not fixed.classifier.labels


def test_a_look_stays_on_its_site_within_three_links_and_sixty_pages() -> None:
    steps, _ = finish(dsdd("search-engine", collect=0))
    looks = [step for step in steps if "may lead to data files" in step.reason.text]
    assert looks
    for step in looks:
        entry = step.reason.text.split(" from ")[1].split(",")[0]
        assert entry.split("/")[2] == step.request.url.split("/")[2]
        assert step.reason.text.startswith(("it is 1 ", "it is 2 ", "it is 3 "))
    assert len(looks) < MOST_PAGES * len(REPOSITORIES)
    assert ENOUGH == 10


def test_repositories_are_ranked_and_say_how_they_were_found() -> None:
    one = dsdd()
    finish(one)
    told = one.summary()["found"]
    scores = [row["score"] for row in told]
    assert scores == sorted(scores, reverse=True)
    assert all(row["files"] >= ENOUGH and row["operator"] and row["query"] for row in told)


def test_what_an_unfinished_round_has_brought_is_ranked_in_the_whole_list() -> None:
    one = dsdd()
    web = ToyDiscovery()
    while len(one.found) < 3 and (step := one.propose()):
        one.observe(step, asyncio.run(web.fetch(step.request)))
    assert not one.found.scores  # the first round is not over
    scores = [row.score for row in one.ranked()]
    assert max(scores) > 0
    assert scores == sorted(scores, reverse=True)
    assert not one.found.scores  # and it was not disturbed


def test_pages_are_counted_and_bounded() -> None:
    one = dsdd(limits=Limits(pages=10), collect=0)
    steps, _ = finish(one)
    assert len([step for step in steps if step.reason.kind != "search"]) == 10


def test_examples_of_the_user_take_the_place_of_what_ships() -> None:
    training = [("honey tables to download", True), ("honey and garage", False)] * 3
    one = Dsdd(Brief(topic="bee", training=training))
    assert one.classifier.score(["tables", "download"]) > 0 > one.classifier.score(["garage"])
    with pytest.raises(UserError, match="both of repositories and of others"):
        Dsdd(Brief(topic="bee", training=training[:1]))


def test_a_topic_is_needed() -> None:
    with pytest.raises(UserError, match="what the datasets should be about"):
        Dsdd(Brief(topic=" "))


def test_what_ships_knows_a_portal_from_a_home_page() -> None:
    one = dsdd()
    portal = [
        "open",
        "data",
        "portal",
        "datasets",
        "catalog",
        "download",
        "maps",
        "access",
        "public",
    ]
    home = [
        "home",
        "page",
        "of",
        "a",
        "student",
        "at",
        "the",
        "department",
        "course",
        "homework",
        "advisor",
    ]
    assert one.classifier.score(portal) > 0 > one.classifier.score(home)
    assert "data" in shipped()["stop"]
