import asyncio
import http.client
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from experiments.discover.engine import EACH, RELATED, Engine, share
from experiments.discover.known import searchers
from experiments.discover.repository import home_of
from experiments.discover.serve import serving
from experiments.discover.sites import Maker
from experiments.discover.trial import repositories, sites
from experiments.discover.truth import count
from experiments.discover.web import TOPICS, DiscoverWeb
from filon.core import Request
from filon.page.url import host
from filon.portals.fingerprint import guess
from patience import PATIENCE_S

CATALOGUE = {
    "name": "Health of Somewhere",
    "description": "Open health data of a place, with tables of hospitals and beds. " * 4,
    "link": "https://Health.Example.org/data",
    "software": "ckan",
    "langs": ["EN"],
}


@pytest.fixture(scope="module")
def web(data: Path) -> DiscoverWeb:
    return DiscoverWeb(data, seed=0, quota=60)


def engine(quota: int = 1_000) -> Engine:
    texts = {f"http://h{n}.example/": (f"Hive {n}", f"bee hive honey n{n}") for n in range(30)}
    texts |= {f"http://c{n}.example/": ("Car", "car engine") for n in range(5)}
    return Engine(texts, {"http://hub.example/": ["http://h1.example/"]}, 0, quota)


def asking(operator: str) -> Any:
    return next(one for one in searchers() if operator in one.operators)


def ask(one: Engine, operator: str, query: str, page: str = "") -> Any:
    searcher = asking(operator)
    response = one.answer(searcher.request(operator, query, page))
    assert response is not None
    return searcher.parse(operator, response)


def test_the_engine_answers_in_pages_with_titles_and_snippets() -> None:
    one = engine()
    found, cursor = [], ""
    for _ in range(9):
        hits = ask(one, "keyword", "bee honey", cursor)
        assert len(hits.hits) <= EACH
        assert not hits.problem
        found += [(hit.url, hit.title, hit.snippet) for hit in hits.hits]
        cursor = hits.more
        if not cursor:
            break
    assert len(found) == len(set(found)) >= 20
    assert all(title.startswith("Hive") and "bee" in told for _, title, told in found)


@pytest.mark.parametrize("operator", ["keyword", "backlinks"])
def test_a_spent_quota_and_a_failure_are_told_as_problems(operator: str) -> None:
    one = engine(quota=200)
    problems = [ask(one, operator, f"bee {n}").problem for n in range(210)]
    assert problems[200:] == ["quota"] * 10
    assert 0 < problems.count("down") < 30


def test_related_and_backlinks_come_from_the_index_and_the_graph() -> None:
    one = engine()
    known = {n for n in range(5) if share(0, "related", f"c{n}.example") < RELATED}
    assert 2 <= len(known) < 5
    for number in range(5):
        related = ask(one, "related", f"http://c{number}.example/")
        others = known - {number} if number in known else set()
        assert {hit.url for hit in related.hits} == {f"http://c{n}.example/" for n in others}
    back = ask(one, "backlinks", "http://h1.example/")
    assert [hit.url for hit in back.hits] == ["http://hub.example/"]


def test_the_same_seed_makes_the_same_sites() -> None:
    one, other = Maker(3), Maker(3)
    for maker in (one, other):
        maker.repository(CATALOGUE, ["health"])
        maker.write()
    assert one.made == other.made
    assert list(one.made.homes) == [home_of(CATALOGUE)] == ["http://health.example.org/"]


def test_truth_is_fixed_beforehand_in_two_columns(web: DiscoverWeb) -> None:
    true = web.truth
    assert not {host(url) for url in web.made.others} & true.keys()
    assert not web.made.mirrors.keys() & true.keys()
    assert {"health", "transport", "education", "recorded"} == {
        topic for told in true.values() for topic in told.topics
    }
    every = count(true.values())
    assert every["either"] == len(true) >= 180
    assert every["html"] == len(web.repositories) < every["either"]
    assert 50 <= every["api"] < every["either"]
    for topic in TOPICS:
        assert 30 <= count(true.values(), topic)["html"] < every["html"]


def test_portals_are_told_by_their_front_pages_and_their_apis_answer(web: DiscoverWeb) -> None:
    told, right = Counter[str](), Counter[str]()
    for name, own in web.made.repositories.items():
        if own.software == "custom" or not own.signed:
            continue
        told[own.software] += 1
        found = guess(web.answer(Request(url=f"http://{name}/")))
        right[own.software] += bool(found) and found[0].strong and found[0].software == own.software
    assert len(told) >= 8
    assert right.total() >= 0.95 * told.total()
    assert all(
        web.truth[name].api == (own.api == "on")
        for name, own in web.made.repositories.items()
        if own.software != "custom" and name in web.truth
    )


def test_a_mirror_says_the_same_under_its_own_name(web: DiscoverWeb) -> None:
    name, own = next(iter(web.made.mirrors.items()))
    one, other = (web.answer(Request(url=f"http://{each}/")).body for each in (name, own))
    assert one.replace(name.encode(), own.encode()) == other
    assert web.original(name) == own == web.original(own)


def test_part_of_the_repositories_is_in_the_registry_which_costs_nothing(web: DiscoverWeb) -> None:
    response = web.answer(web.registry.request("seeds", "health"))
    hits = web.registry.parse("seeds", response).hits
    assert response.sent == "cached"
    assert {hit.url for hit in hits} & web.made.homes.keys()
    assert 0.25 < len(web.known) / len(web.made.listed) < 0.55


def test_portals_in_other_languages_speak_them(web: DiscoverWeb) -> None:
    languages = Counter(own.language for own in web.made.repositories.values())
    assert len(languages) >= 4
    own = next(one for one in web.made.repositories.values() if one.language == "FR")
    body = web.answer(Request(url=f"{own.root}/")).body.decode()
    assert '<html lang="fr">' in body
    assert "Jeux de données" in body


def test_dead_hosts_and_pages_are_told_apart(web: DiscoverWeb) -> None:
    assert web.answer(Request(url="http://nowhere.example.net/")).error == "dns"
    known = host(next(iter(web.labels)))
    assert web.answer(Request(url=f"http://{known}/no/such/page")).status == 404


def test_runs_are_judged_by_the_truth_and_stay_within_their_budget(web: DiscoverWeb) -> None:
    trials = [
        repositories(web, "dsdd:mode=search-engine", 0, "health", pages=200),
        repositories(web, "dsdd", 0, "health", requests=150),
        sites(web, "disco:mode=keyword", 0, pages=60),
    ]
    assert trials[0].pages <= 200
    assert trials[1].requests == 150
    assert trials[2].pages == 60
    for trial in trials:
        assert 0 < trial.count("topic") <= trial.count() <= trial.true["any"]
        assert [spot.requests for spot in trial.found] == sorted(s.requests for s in trial.found)
        assert trial.after(trial.pages) == len(trial.found) == len({s.name for s in trial.found})
    assert trials[1].claims >= trials[1].count()


def test_the_web_is_served_by_host_name(web: DiscoverWeb) -> None:
    name = random.Random(0).choice(sorted(web.repositories))

    def fetch(port: int, path: str) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        connection.request("GET", path, headers={"Host": name})
        response = connection.getresponse()
        read = response.read()
        connection.close()
        return response.status, read

    async def visit() -> list[tuple[int, bytes]]:
        async with serving(web) as port:
            return [await asyncio.to_thread(fetch, port, path) for path in ("/", "/none")]

    home, missing = asyncio.run(visit())
    assert home == (200, web.answer(Request(url=f"http://{name}/")).body)
    assert missing[0] == 404
