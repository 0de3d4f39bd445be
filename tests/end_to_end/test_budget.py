"""The budget holds, by the server's own count."""

from dataclasses import replace
from pathlib import Path

import pytest

from command import filon
from loopback import Page, portal, serving

GREEDY = ("--strategy", "bfs", "--stop", "never", "--delay", 0, "--json")


@pytest.mark.parametrize("parallel", [1, 8])
def test_a_budget_of_requests_is_spent_and_never_overspent(tmp_path: Path, parallel: int) -> None:
    with serving(portal(), wait_s=0.01) as site:
        ended = filon(
            tmp_path, "harvest", site.url, *GREEDY, "--budget", 40, "--parallel", parallel
        )
    assert ended.code == 0, ended.err
    assert ended.json["stopped"] == "budget"
    assert ended.json["requests"] == len(site.log) == 40


@pytest.mark.parametrize("parallel", [1, 8])
def test_a_budget_of_bytes_is_never_overspent(tmp_path: Path, parallel: int) -> None:
    with serving(portal()) as site:
        ended = filon(
            tmp_path, "harvest", site.url, *GREEDY, "--budget", "20kB", "--parallel", parallel
        )
    assert ended.json["stopped"] == "budget"
    assert 0 < ended.json["bytes"] <= 20_000


@pytest.mark.parametrize("parallel", [1, 8])
def test_a_budget_of_finds_brings_exactly_as_many(tmp_path: Path, parallel: int) -> None:
    with serving(portal(), wait_s=0.005) as site:
        ended = filon(
            tmp_path, "harvest", site.url, *GREEDY, "--budget", "9finds", "--parallel", parallel
        )
    assert ended.json["stopped"] == "goal"
    assert ended.json["finds"] == 9


def test_a_budget_of_time_ends_the_run(tmp_path: Path) -> None:
    with serving(portal(), wait_s=0.1) as site:
        ended = filon(tmp_path, "harvest", site.url, *GREEDY, "--budget", "1.5s")
    assert ended.code == 0, ended.err
    assert ended.json["stopped"] == "budget"
    assert ended.json["seconds"] > 1.0
    # A tenth of a second each, one after the other: no machine is so slow that it asks for more.
    assert len(site.log) <= 16


def test_a_page_beyond_its_share_of_the_bytes_is_not_lost(tmp_path: Path) -> None:
    pages = portal(2, 3)
    pages["/"] = replace(pages["/"], body=pages["/"].body + b" " * 10_000)
    with serving(pages) as site:
        ended = filon(tmp_path, "harvest", site.url, *GREEDY, "--budget", "40kB", "--parallel", 8)
    assert ended.json["finds"] == 6
    assert ended.json["bytes"] <= 40_000
    assert max(site.counts().values()) == 2


def test_a_host_that_asks_for_more_time_than_there_is_costs_no_file(tmp_path: Path) -> None:
    pages = portal(2, 5)
    busy = Page(status=429, headers={"Retry-After": "4"})
    with serving(pages) as site:
        good = pages.pop("/list/1"), pages.pop("/item/0-3")
        pages |= {"/list/1": busy, "/item/0-3": busy}
        ended = filon(tmp_path, "harvest", site.url, *GREEDY, "--budget", "3s", "--out", "run")
        assert ended.json["stopped"] == "budget"
        assert ended.json["requests"] == len(site.log)
        pages["/list/1"], pages["/item/0-3"] = good
        ended = filon(tmp_path, "resume", "run", "--budget", "200s", "--json")
    assert ended.code == 0, ended.err
    assert (ended.json["stopped"], ended.json["finds"]) == ("exhausted", 10)
    assert ended.json["requests"] == len(site.log)


@pytest.mark.parametrize("parallel", [1, 4])
def test_a_time_that_ends_between_two_requests_costs_no_file(tmp_path: Path, parallel: int) -> None:
    how = (*GREEDY, "--delay", 0.3, "--parallel", parallel)
    with serving(portal(2, 3)) as site:
        ended = filon(tmp_path, "harvest", site.url, *how, "--budget", "1.1s", "--out", "run")
        assert ended.json["stopped"] == "budget"
        assert ended.json["requests"] == len(site.log)
        ended = filon(tmp_path, "resume", "run", "--budget", "300s", "--delay", 0, "--json")
    assert (ended.json["stopped"], ended.json["finds"]) == ("exhausted", 6)
    assert ended.json["requests"] == len(site.log)
