"""`make bench`, on small inputs: the figures are there and add up; none is held to a time."""

import sys
from pathlib import Path

import pytest

from experiments import __main__ as bench
from experiments.capacity import known_urls
from experiments.decision import decision_cost
from experiments.flights import Flights, mean_ratio, measure
from experiments.live import filon_crawl, serving, serving_alone
from filon.compare.replica import Replica
from filon.core import UserError
from replicas import write_replica


def test_a_decision_costs_more_than_its_parts(tmp_path: Path) -> None:
    cost = decision_cost([write_replica(tmp_path)], pages=8)
    assert cost.pages == 8
    assert 0 < cost.parse_ms < cost.links_ms
    assert cost.decide_ms > cost.parse_ms


def test_decisions_are_told_site_by_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    replica = write_replica(tmp_path)
    asked = ["experiments", "--decisions", "bfs", "--repeat", "2", str(replica)]
    monkeypatch.setattr(sys, "argv", asked)
    assert bench.main() == 0
    head, line = capsys.readouterr().out.splitlines()
    assert "bfs" in head
    assert line.split()[0] == replica.stem
    assert float(line.split()[1]) > 0


@pytest.mark.parametrize("strategy", ["bfs", "sb"])
def test_a_process_that_knows_many_urls_tells_its_memory(strategy: str) -> None:
    told = known_urls(strategy, 3000)
    assert told["known"] >= 3000
    assert 10 < told["mib"] < 1024


def test_a_live_harvest_asks_for_the_whole_site(shared: Path) -> None:
    data = shared / "data/harvest"
    census = Replica.open(data / "replicas/ipho.sqlite").census
    with serving(data, "ipho") as server:
        crawl = filon_crawl(server, "http://ipho.test/", parallel=4)
        again = server.asked()
    assert crawl.requests == census.requests + 1  # robots.txt
    assert crawl.pages == 449
    assert crawl.cpu_s > 0
    assert again == []


def test_a_site_alone_is_asked_at_its_own_address(shared: Path) -> None:
    data = shared / "data/harvest"
    census = Replica.open(data / "replicas/ipho.sqlite").census
    with serving_alone(data, "ipho") as server:
        crawl = filon_crawl(server, f"http://127.0.0.1:{server.port}/", parallel=4)
    assert crawl.requests == census.requests + 1  # robots.txt


def test_a_missing_site_or_folder_is_told(tmp_path: Path, shared: Path) -> None:
    with pytest.raises(UserError, match="no recorded sites"), serving(tmp_path, "ipho"):
        pass
    missing = shared / "data/harvest"
    with pytest.raises(UserError, match="no recorded site nowhere"), serving(missing, "nowhere"):
        pass


def test_the_program_ends_with_the_users_code_where_there_is_nothing_to_measure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["experiments", "--data", str(tmp_path)])
    assert bench.main() == 2
    assert "no recorded sites" in capsys.readouterr().err


def test_several_in_flight_are_told_beside_one_at_a_time(shared: Path) -> None:
    told = measure(shared / "data/harvest", "ipho", "bfs", parallel=8, repeat=2)
    assert len(told.several) == 2
    assert 300 < told.alone < 400
    assert told.ratio == pytest.approx(told.mean / told.alone)
    assert f"{told.site:10} alone" in str(told)


def test_the_mean_over_sites_is_geometric() -> None:
    half = Flights(site="a", alone=100, several=(50,))
    double = Flights(site="b", alone=100, several=(150, 250))
    assert mean_ratio([half, double]) == pytest.approx(1.0)
