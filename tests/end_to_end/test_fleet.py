"""`filon fleet run` as a person runs it: one process, a file and a folder."""

import sqlite3
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from command import filon, finish, start
from experiments.fleet_web import Serving, at_once, files_of, hosts, listed, repeated, serving
from experiments.postgresql import free_port
from patience import wait_until

SITES = 4


@pytest.fixture
def web() -> Iterator[Serving]:
    with serving(0.02) as web:
        yield web


def words(web: Serving, folder: Path, *more: str) -> list[str]:
    asked = ["fleet", "run", str(listed(folder / "sites.txt", SITES)), "--out", str(folder / "F")]
    return [*asked, "--delay", "0", "--connect-to", web.connect_to, *more]


def found(folder: Path) -> dict[str, set[str]]:
    """Return the hashes of the files that the store knows, by site."""
    store = sqlite3.connect(folder / "F" / "fleet.sqlite")
    rows = store.execute("SELECT site, sha256 FROM finds WHERE kind = 'file'").fetchall()
    store.close()
    return {host: {sha for site, sha in rows if site == host} for host in hosts(SITES)}


TRUTH = {host: files_of(host) for host in hosts(SITES)}


def test_all_sites_are_harvested_and_told(web: Serving, tmp_path: Path) -> None:
    ran = filon(tmp_path, *words(web, tmp_path, "--budget", "1000req", "--json"))
    assert ran.code == 0, ran.err
    told = ran.json
    assert found(tmp_path) == TRUTH
    assert told["stopped"] == "exhausted"
    assert told["states"] == {"exhausted": SITES}
    assert told["requests"] == len(web.asked) == told["drawn_requests"]
    assert told["finds"] == sum(map(len, TRUTH.values()))
    assert repeated(web.asked) == 0
    assert at_once(web.asked) == []
    for sha256 in set.union(*TRUTH.values()):
        assert (tmp_path / "F" / "blobs" / "files" / sha256[:2] / sha256).is_file()


def test_a_fleet_that_is_killed_goes_on_and_asks_for_nothing_twice(
    web: Serving, tmp_path: Path
) -> None:
    for asked in (15, 40):
        process = start(tmp_path, *words(web, tmp_path, "--budget", "1000req"))
        wait_until(lambda asked=asked: len(web.asked) >= asked)  # type: ignore[misc]
        process.kill()
        finish(process)
    ran = filon(tmp_path, *words(web, tmp_path, "--budget", "1000req", "--json"))
    assert ran.code == 0, ran.err
    assert found(tmp_path) == TRUTH
    assert at_once(web.asked) == []
    in_flight = 2 * SITES  # at both kills
    assert repeated(web.asked) <= in_flight
    assert len(web.asked) <= ran.json["drawn_requests"] <= len(web.asked) + in_flight


def test_workers_end_with_who_started_them_and_the_same_command_goes_on(
    web: Serving, tmp_path: Path
) -> None:
    web.web.wait_s = 0.1
    asked = words(web, tmp_path, "--budget", "1000req", "--workers", "2")
    process = start(tmp_path, *asked)
    wait_until(lambda: len(web.asked) >= 15)
    process.kill()
    finish(process)
    ran = filon(tmp_path, *asked)
    assert ran.code == 0, ran.err
    assert found(tmp_path) == TRUTH
    assert at_once(web.asked) == []
    assert repeated(web.asked) == 0


def test_why_a_worker_failed_is_told_in_a_sentence(web: Serving, tmp_path: Path) -> None:
    (tmp_path / "F" / "workers").mkdir(parents=True)
    (tmp_path / "F" / "workers" / "2").write_text("in the way")
    ran = filon(tmp_path, *words(web, tmp_path, "--budget", "1000req", "--workers", "2"))
    assert ran.code == 4
    assert "A worker has failed: its last words are above." in ran.err
    assert "Traceback" not in ran.err
    assert found(tmp_path) == TRUTH  # by the other


def test_the_budget_is_one_and_is_never_overspent(web: Serving, tmp_path: Path) -> None:
    for budget, spent in ((30, 30), (45, 45)):
        ran = filon(tmp_path, *words(web, tmp_path, "--budget", f"{budget}req", "--json"))
        assert ran.code == 0, ran.err
        told = ran.json
        assert told["stopped"] == "budget"
        assert len(web.asked) == told["requests"] == spent
    assert repeated(web.asked) == 0


def test_time_and_finds_bound_a_fleet_of_which_nothing_is_drawn(
    web: Serving, tmp_path: Path
) -> None:
    web.web.wait_s = 0.2  # all sites would take longer by far
    ran = filon(tmp_path, *words(web, tmp_path, "--budget", "2s", "--json"))
    assert (ran.code, ran.json["stopped"]) == (0, "budget")
    assert ran.json["elapsed_s"] >= 2
    assert ran.json["states"][""] > 0
    ran = filon(tmp_path, *words(web, tmp_path, "--budget", "10finds", "--json"))
    assert (ran.code, ran.json["stopped"]) == (0, "goal")
    assert 10 <= ran.json["finds"] < sum(map(len, TRUTH.values()))


def test_a_fleet_is_watched_paused_and_searched_from_outside(web: Serving, tmp_path: Path) -> None:
    port = free_port()
    metrics = f"http://127.0.0.1:{port}/metrics"
    ran = words(web, tmp_path, "--budget", "1000req", "--metrics", str(port))
    process = start(tmp_path, *ran)
    wait_until(lambda: len(web.asked) >= 5)
    store = ["--store", str(tmp_path / "F")]
    assert filon(tmp_path, "fleet", "pause", *store).code == 0
    with urllib.request.urlopen(metrics) as answer:
        assert "filon_fleet_workers 1.0" in answer.read().decode().splitlines()
    assert filon(tmp_path, "fleet", "status", *store, "--json").json["is_paused"]
    assert filon(tmp_path, "fleet", "pause", "--off", *store).code == 0
    finish(process)
    assert process.returncode == 0
    assert found(tmp_path) == TRUTH
    said = filon(tmp_path, "fleet", "status", *store).out
    assert f"It rests: {SITES} of {SITES} sites ended ({SITES} exhausted)" in said
    hits = filon(tmp_path, "catalog", "search", "csv", *store, "--limit", "1000", "--json").json
    assert {hit["sha256"] for hit in hits["hits"]} == set.union(*TRUTH.values())
    events = filon(tmp_path, "fleet", "logs", *store, "--json").json["events"]
    assert {"join", "leave"} <= {event["kind"] for event in events}


def test_a_port_that_is_none_is_told_before_anything_is_written(
    web: Serving, tmp_path: Path
) -> None:
    ran = filon(tmp_path, *words(web, tmp_path, "--budget", "9req", "--metrics", "x"))
    assert (ran.code, (tmp_path / "F").exists()) == (2, False)
    assert "--metrics takes a port" in ran.err


def test_what_a_worker_without_sites_has_drawn_goes_to_one_that_has(
    web: Serving, tmp_path: Path
) -> None:
    # Enough for both sites, and not enough for each worker to draw once more.
    more = ["--budget", "60req", "--workers", "2", "--hold", "1", "--stop", "never", "--json"]
    listed(tmp_path / "two.txt", 2)
    asked = [
        str(tmp_path / "two.txt") if word.endswith("sites.txt") else word
        for word in words(web, tmp_path, *more)
    ]
    ran = filon(tmp_path, *asked)
    assert ran.code == 0, ran.err
    assert ran.json["states"] == {"exhausted": 2}
    assert ran.json["requests"] == ran.json["drawn_requests"] == len(web.asked) < 60
