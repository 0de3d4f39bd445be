"""From a topic to the files of many sites: discovery and harvests at the same time."""

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from command import Ended, filon
from filon.demo.country import SEARCH, TOPIC, truth
from filon.demo.server import Server, serving
from filon.verbs.acquire import Acquire

BUDGET = 400


@pytest.fixture
def web() -> Iterator[Server]:
    with serving() as server:
        yield server


def _acquire(folder: Path, web: Server, *more: str) -> Ended:
    flags = ("--search", f"searxng:url={SEARCH},rate=500/s", "--connect-to", web.connect_to)
    return filon(folder, "acquire", TOPIC, "--out", "out", "--delay", "0", "--json", *flags, *more)


def test_sites_are_discovered_and_harvested_at_the_same_time(web: Server, tmp_path: Path) -> None:
    ended = _acquire(tmp_path, web, "--budget", str(BUDGET))
    assert ended.code == 0, ended.err
    told = ended.json
    assert told["requests"] == BUDGET
    assert told["topic"] == TOPIC
    sites = {site["site"]: site for site in told["sites"]}
    assert sites["discover"]["requests"] > 20
    assert set(sites) - {"discover"} <= set(truth())
    assert len(sites) > 5
    with closing(sqlite3.connect(tmp_path / "out/ledger.sqlite")) as db:
        order = [row[0] == "discover" for row in db.execute("SELECT site FROM turns ORDER BY step")]
    first_site, last_search = order.index(False), len(order) - order[::-1].index(True)
    assert first_site < last_search  # while discovery goes on, sites are harvested already
    assert told["finds"] > 50
    found = filon(tmp_path, "catalog", "search", "water", "--in", "out", "--json")
    assert json.loads(found.out)["hits"]


def test_nothing_is_asked_for_twice(web: Server, tmp_path: Path) -> None:
    _acquire(tmp_path, web, "--budget", "200", "--no-profile")
    asked = [(visit.method, visit.url) for visit in web.log if "/search?" not in visit.url]
    assert len(asked) - len(set(asked)) <= 2  # what was in flight in both at the same time
    assert len(asked) <= 200
    assert not (tmp_path / "out/catalog.sqlite").exists()


def test_only_what_fits_is_harvested(web: Server, tmp_path: Path) -> None:
    host = sorted(host for host, subject in truth().items() if subject == "water")[0]
    ended = _acquire(tmp_path, web, "--budget", "150", "--only", host, "--no-profile")
    assert re.search(r"^--only left out \d+ sites?\.$", ended.err, re.M)
    assert {site["site"] for site in ended.json["sites"]} <= {"discover", host.removeprefix("www.")}


def test_a_search_that_found_no_site_can_be_handed_on_all_the_same(
    web: Server, tmp_path: Path
) -> None:
    ended = _acquire(tmp_path, web, "--budget", "6", "--no-profile")
    assert ended.json["finds"] == 0
    assert not (tmp_path / "out/sites").exists()
    for format in ("wacz", "files", "csv", "lake"):
        assert filon(tmp_path, "export", "out", "--to", format).code == 0


def test_it_is_told_what_the_search_for_sites_cost(web: Server, tmp_path: Path) -> None:
    ended = _acquire(tmp_path, web, "--budget", "300", "--no-profile")
    figures = {site["site"]: site["requests"] for site in ended.json["sites"]}
    told = str(Acquire().outcome(tmp_path / "out"))
    assert f"  {figures.pop('discover')} requests to find sites\n" in told
    assert "discover " not in told
    asked = sum(requests > 0 for requests in figures.values())
    assert told.count(" requests)") + told.count(" request)") == min(asked, 15)
    assert ended.json["next"][-1] == f"filon catalog search '{TOPIC}' --in out"


def test_why_tells_of_a_site_that_was_discovered(web: Server, tmp_path: Path) -> None:
    ended = _acquire(tmp_path, web, "--budget", "200", "--no-profile")
    best = next(site for site in ended.json["sites"] if site["site"] != "discover")
    told = filon(tmp_path, "why", "out", best["site"]).out
    assert "discovery found it" in told
    assert f"brought {best['finds']} files" in told
    stretches = re.findall(r"(?:First|Then) (\d+) requests?: .* came \((\d+)\)", told)
    # What discovery has read already is no request, and what it led to is counted all the same.
    figures = [sum(map(int, column)) for column in zip(*stretches, strict=True)]
    assert figures == [best["requests"], best["finds"]]
    searched = filon(tmp_path, "why", "out", "discover").out
    assert f"files on “{TOPIC}”" in searched
    assert "sites, which brought" in searched
