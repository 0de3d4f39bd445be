"""Rounds that are runs made anew: a table is filled again, sites are looked for again."""

import csv
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

from command import filon
from discoverweb import SEARCH
from discoverweb import serving as small_web
from enriching import ABSENT, HIDDEN, LOCAL, enrich, rows_of
from filon.run.text import counted
from filon.testing.discovery import REPOSITORIES, TOPIC
from searchbox import serving, write_table

SEARXNG = ("--search", f"searxng:url=http://{SEARCH},rate=1000/s")


def hosts(run: Path) -> set[str]:
    with (run / "sites.csv").open(encoding="utf-8", newline="") as file:
        return {urlsplit(row["url"]).hostname or "" for row in csv.DictReader(file)}


def test_only_new_rows_of_a_table_are_asked_for(tmp_path: Path) -> None:
    with serving(HIDDEN) as box:
        assert enrich(tmp_path, box).code == 0
        paid = box.calls
        same = filon(tmp_path, "refresh", "run", "--json")
        assert same.code == 0, same.err
        assert box.calls == paid
        assert filon(tmp_path, "diff", "run", "--json").json["changes"] == []
        more = [book for book in HIDDEN if book not in LOCAL][:5]
        write_table(tmp_path / "t.csv", LOCAL + ABSENT + more)
        ended = filon(tmp_path, "refresh", "run", "--budget", 100, "--json")
        assert ended.code == 0, ended.err
        assert box.calls - paid <= len(more)
        assert ended.json["rows"] == {"filled": 65, "absent": 10}
        old = filon(tmp_path, "refresh", "run", "--older-than", "60s", "--budget", 5, "--dry-run")
        assert old.code == 0, old.err
    table = rows_of(tmp_path / "run/rounds/0002/enriched.csv")
    assert [row["year"] for row in table[-5:]] == [book["year"] for book in more]
    (change,) = filon(tmp_path, "diff", "run", "--json").json["changes"]
    assert (change["what"], change["round"]) == ("changed", 2)
    assert change["difference"]["text"].startswith("5 rows added")


def test_rows_that_a_budget_left_are_asked_for_in_the_next_round(tmp_path: Path) -> None:
    with serving(HIDDEN) as box:
        assert enrich(tmp_path, box, "--budget", 20).code == 0
        assert filon(tmp_path, "refresh", "run", "--budget", 20, "--json").json["calls"] == 20
        ended = filon(tmp_path, "refresh", "run", "--budget", 100, "--json")
        assert ended.code == 0, ended.err
        assert max(box.counts().values()) == 1
    assert ended.json["rows"] == {"filled": 60, "absent": 10}


def test_new_repositories_are_told_and_those_that_are_gone(tmp_path: Path) -> None:
    with small_web() as web:
        known = sorted(REPOSITORIES)
        web.results = [f"http://{host}/" for host in known[:2]]
        few = (*SEARXNG, *web.here, "--budget", 12, "--out", "run", "--json")
        begun = filon(tmp_path, "discover", TOPIC, *few)
        assert begun.code == 0, begun.err
        web.results = [f"http://{host}/" for host in known]
        shutil.rmtree(tmp_path / "cache")  # a day later
        ended = filon(tmp_path, "refresh", "run", "--budget", 200, "--json")
        assert ended.code == 0, ended.err
    changes = filon(tmp_path, "diff", "run", "--json").json["changes"]
    before, after = (hosts(tmp_path / name) for name in ("run", "run/rounds/0001"))
    new = {urlsplit(change["url"]).hostname for change in changes if change["what"] == "new"}
    assert new >= after - before
    assert new & REPOSITORIES
    told = filon(tmp_path, "diff", "run").out.splitlines()
    assert told[0] == f"new: {counted(len(new), 'site')}"
    assert f"  http://{min(new)}/" in told


def test_what_a_killed_discovery_had_found_is_not_new(tmp_path: Path) -> None:
    with small_web() as web:
        web.results = [f"http://{host}/" for host in sorted(REPOSITORIES)]
        asked = (*SEARXNG, *web.here, "--budget", 40, "--out", "run", "--json")
        assert filon(tmp_path, "discover", TOPIC, *asked).json["finds"]
        shutil.rmtree(tmp_path / "cache")  # a day later
        assert filon(tmp_path, "refresh", "run", "--budget", 40).code == 0
    assert hosts(tmp_path / "run") & hosts(tmp_path / "run/rounds/0001")
    for name in ("sites.json", "sites.csv"):
        (tmp_path / "run" / name).unlink()
    with closing(sqlite3.connect(tmp_path / "run/ledger.sqlite")) as ledger, ledger:
        ledger.execute("UPDATE meta SET value = '{}' WHERE key = 'summary'")
        ledger.execute("UPDATE meta SET value = '' WHERE key = 'stopped'")
        had = {url for (url,) in ledger.execute("SELECT url FROM finds")}
    changes = filon(tmp_path, "diff", "run", "--json").json["changes"]
    assert had
    assert not had & {change["url"] for change in changes if change["what"] == "new"}


def test_sites_that_a_refreshed_acquisition_finds_are_harvested(tmp_path: Path) -> None:
    with small_web() as web:
        known = sorted(REPOSITORIES)
        web.results = [f"http://{host}/" for host in known[:1]]
        few = (*SEARXNG, *web.here, "--budget", 40, "--out", "all", "--json")
        begun = filon(tmp_path, "acquire", TOPIC, *few)
        assert begun.code == 0, begun.err
        before = {path.parent.name for path in (tmp_path / "all/sites").glob("*/run.toml")}
        web.results = [f"http://{host}/" for host in known]
        shutil.rmtree(tmp_path / "cache")  # a day later
        web.log.clear()
        ended = filon(tmp_path, "refresh", "all", "--budget", 200, "--json")
        assert ended.code == 0, ended.err
        assert len(web.log) <= 200
        after = {path.name for path in (tmp_path / "all/sites").iterdir()}
        new = after - before
        assert new
        assert {Path(one["run"]).name for one in ended.json["runs"]} >= new
        assert all(len(web.to(name)) > 5 for name in new)
        told = filon(tmp_path, "report", "all")
        assert told.code == 0, told.err
        assert "discovery found it in round 1" in (tmp_path / "all/report.html").read_text()
        again = filon(tmp_path, "refresh", "all", "--budget", 100, "--json")
        assert again.code == 0, again.err
        assert {path.name for path in (tmp_path / "all/sites").iterdir()} == after
        assert filon(tmp_path, "resume", "all", "--budget", 400).code == 0
