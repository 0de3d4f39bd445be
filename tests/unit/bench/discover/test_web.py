from pathlib import Path

import pytest

from filon.bench.discover.compare import repositories, sites, table
from filon.bench.discover.engine import EACH, Engine, EngineSearcher
from filon.bench.discover.portals import Maker, home_of
from filon.bench.discover.web import DiscoverWeb
from filon.core import Request
from filon.page.url import host

CATALOGUE = {
    "name": "Health of Somewhere",
    "description": "Open health data of a place, with tables of hospitals and beds. " * 4,
    "link": "https://Health.Example.org/data",
}


@pytest.fixture(scope="module")
def web(shared: Path) -> DiscoverWeb:
    return DiscoverWeb(shared / "data", seed=0, quota=40)


def engine(quota: int = 1_000) -> Engine:
    texts = {f"http://h{n}.example/": f"bee hive number{n} honey" for n in range(30)}
    texts |= {f"http://c{n}.example/": "car engine" for n in range(5)}
    return Engine(texts, {"http://hub.example/": ["http://h1.example/"]}, 0, quota)


def test_the_engine_answers_in_pages_and_ends() -> None:
    one, searcher = engine(), EngineSearcher()
    found, cursor = [], ""
    for _ in range(9):
        response = one.answer(searcher.request("keyword", "bee honey", cursor))
        if response.status != 200:
            cursor = str(int(cursor or 1) + 1)
            continue
        hits = searcher.parse("keyword", response)
        assert len(hits.hits) <= EACH
        found += [hit.url for hit in hits.hits]
        cursor = hits.more
        if not cursor:
            break
    assert all(url.startswith("http://h") for url in found)
    assert len(found) == len(set(found)) >= 20


def test_a_spent_quota_and_a_failure_are_told_as_problems() -> None:
    one, searcher = engine(quota=200), EngineSearcher()
    problems = [
        searcher.parse("keyword", one.answer(searcher.request("keyword", f"bee {n}"))).problem
        for n in range(210)
    ]
    assert problems[200:] == ["quota"] * 10
    assert 0 < problems.count("down") < 30


def test_related_and_backlinks_come_from_the_index_and_the_graph() -> None:
    one, searcher = engine(), EngineSearcher()
    related = searcher.parse(
        "related", one.answer(searcher.request("related", "http://c1.example/"))
    )
    assert {hit.url for hit in related.hits} == {f"http://c{n}.example/" for n in (0, 2, 3, 4)}
    back = searcher.parse(
        "backlinks", one.answer(searcher.request("backlinks", "http://h1.example/"))
    )
    assert [hit.url for hit in back.hits] == ["http://hub.example/"]


def test_the_same_seed_makes_the_same_sites() -> None:
    one, other = Maker(3), Maker(3)
    for maker in (one, other):
        maker.repository(CATALOGUE, "health")
    assert one.made == other.made
    assert list(one.made.homes) == [home_of(CATALOGUE)] == ["http://health.example.org/"]


def test_truth_is_fixed_beforehand_and_look_alikes_are_not_in_it(web: DiscoverWeb) -> None:
    true = web.repositories
    assert {"health", "transport", "education", "recorded"} == set(true.values())
    assert not {host(url) for url in web.made.others} & true.keys()
    assert len(true) >= 100


def test_dead_hosts_and_pages_are_told_apart(web: DiscoverWeb) -> None:
    assert web.answer(Request(url="http://nowhere.example.net/")).error == "dns"
    known = host(next(iter(web.labels)))
    assert web.answer(Request(url=f"http://{known}/no/such/page")).status == 404


def test_runs_are_judged_by_the_truth_and_stay_within_their_pages(web: DiscoverWeb) -> None:
    trials = [
        repositories(web, "search-engine", 200, 0, "health"),
        sites(web, "keyword", 60, 0),
    ]
    for trial, most in zip(trials, (200, 60), strict=True):
        assert trial.pages <= most
        assert 0 < len(trial.found) <= trial.true
        assert trial.found == sorted(trial.found)
    assert table(trials).count("\n") == 3
