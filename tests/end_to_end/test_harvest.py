import itertools
import sqlite3
from dataclasses import replace
from pathlib import Path

from command import filon
from loopback import Page, csv, html, portal, serving

EXHAUSTIVE = ("--strategy", "bfs", "--stop", "never", "--delay", 0)


def test_a_whole_harvest_brings_every_file_once(tmp_path: Path) -> None:
    with serving(portal()) as site:
        ended = filon(tmp_path, "harvest", site.url, *EXHAUSTIVE, "--json")
    assert ended.code == 0, ended.err
    assert ended.json["stopped"] == "exhausted"
    assert ended.json["finds"] == 50
    assert ended.json["requests"] == len(site.log)
    assert max(site.counts().values()) == 1
    assert ended.json["run"] == "filon-runs/127.0.0.1-001"
    assert (tmp_path / ended.json["report"]).is_file()


def test_the_json_line_has_the_promised_names(tmp_path: Path) -> None:
    with serving(portal(1, 2)) as site:
        told = filon(tmp_path, "harvest", site.url, "--delay", 0, "--json", "--out", "r").json
    promised = ("run", "verb", "strategy", "stopped", "requests", "bytes", "finds", "seconds")
    assert {*promised} <= told.keys()
    assert (told["run"], told["verb"], told["strategy"]) == ("r", "harvest", "vein")
    assert told["bytes"] > 0
    assert told["seconds"] > 0


def test_people_read_what_was_found_and_where_the_report_is(tmp_path: Path) -> None:
    with serving(portal(1, 2)) as site:
        ended = filon(tmp_path, "harvest", site.url, "--delay", 0)
    assert "2 finds" in ended.out
    assert "report: filon-runs/127.0.0.1-001/report.html" in ended.out


def test_a_second_harvest_gets_a_folder_of_its_own(tmp_path: Path) -> None:
    with serving(portal(1, 2)) as site:
        runs = [filon(tmp_path, "harvest", site.url, "--delay", 0, "--json") for _ in range(2)]
    assert [run.json["run"] for run in runs] == [
        "filon-runs/127.0.0.1-001",
        "filon-runs/127.0.0.1-002",
    ]


def test_robots_txt_is_read_first_and_obeyed(tmp_path: Path) -> None:
    with serving(portal(1, 2)) as site:
        filon(tmp_path, "harvest", site.url, *EXHAUSTIVE)
    assert site.targets[0] == "/robots.txt"
    assert "/private/" not in site.targets


def test_without_robots_the_deviation_is_on_record(tmp_path: Path) -> None:
    with serving(portal(1, 2)) as site:
        ended = filon(tmp_path, "harvest", site.url, *EXHAUSTIVE, "--no-robots", "--out", "run")
    assert ended.code == 0
    assert "/robots.txt" not in site.targets
    assert "/private/" in site.targets
    assert "robots.txt is not obeyed" in (tmp_path / "run/run.toml").read_text()


def test_requests_to_a_host_keep_their_distance(tmp_path: Path) -> None:
    with serving(portal(1, 3)) as site:
        filon(tmp_path, "harvest", site.url, "--delay", 0.2, "--budget", 6, "--parallel", 4)
    times = [at_s for _, _, at_s in site.log]
    gaps = [later - earlier for earlier, later in itertools.pairwise(times)]
    assert len(gaps) == 5
    assert min(gaps) > 0.15


def test_two_harvests_with_one_seed_ask_for_the_same(tmp_path: Path) -> None:
    asked = []
    for _ in range(2):
        with serving(portal(3, 5)) as site:
            connect = f"stats.test:80:127.0.0.1:{site.port}"
            filon(tmp_path, "harvest", "http://stats.test", "--connect-to", connect, "--delay", 0)
            asked.append([(method, target) for method, target, _ in site.log])
    assert len(asked[0]) > 20
    assert asked[0] == asked[1]


def test_a_header_reaches_the_site_and_stands_nowhere_in_the_run(tmp_path: Path) -> None:
    with serving(portal(1, 2)) as site:
        secret = "Bearer s3cr3t-v4lue"
        filon(tmp_path, "harvest", site.url, "--delay", 0, "--header", f"Authorization: {secret}",
              "--out", "run")  # fmt: skip
    assert {headers.get("Authorization") for headers in site.headers} == {secret}
    kept = [path for path in (tmp_path / "run").rglob("*") if path.is_file()]
    assert len(kept) > 3
    assert not [path for path in kept if b"s3cr3t" in path.read_bytes()]


def test_a_header_can_come_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "headers").write_text("X-Key: abc\n\nX-Other: def\n")
    with serving(portal(1, 1)) as site:
        filon(tmp_path, "harvest", site.url, "--delay", 0, "--header", "@headers")
    assert {headers.get("X-Key") for headers in site.headers} == {"abc"}
    assert {headers.get("X-Other") for headers in site.headers} == {"def"}


def test_a_config_file_sets_options_and_flags_win(tmp_path: Path) -> None:
    (tmp_path / "filon.toml").write_text('delay = 0\nbudget = 5\ntypes = "csv"\nrobots = false\n')
    with serving(portal()) as site:
        ended = filon(
            tmp_path, "harvest", site.url, "--config", "filon.toml", "--budget", 3, "--json"
        )
    assert ended.code == 0, ended.err
    assert ended.json["requests"] == len(site.log) == 3
    assert "/robots.txt" not in site.targets


def test_a_dry_run_sends_and_writes_nothing(tmp_path: Path) -> None:
    with serving(portal()) as site:
        ended = filon(tmp_path, "harvest", site.url, "--budget", "7req", "--dry-run")
        as_json = filon(tmp_path, "harvest", site.url, "--dry-run", "--json").json
    assert ended.code == 0
    assert "7req" in ended.out
    assert f"{site.url}robots.txt" in ended.out
    assert as_json["config"]["strategy"] == "vein"
    assert not site.log
    assert not list(tmp_path.iterdir())


def test_a_failed_page_is_asked_for_again_as_often_as_wished(tmp_path: Path) -> None:
    pages = {"/": html("/bad", "/a.csv"), "/bad": Page(status=500), "/a.csv": csv()}
    pages["/bad"] = Page(status=500, headers={"Retry-After": "0"})
    # With nothing else to do, a second failure in a row may be the host's: it does not count.
    for retries, sent in ((0, 1), (1, 3)):
        with serving(pages) as site:
            filon(tmp_path, "harvest", site.url, *EXHAUSTIVE, "--retries", retries)
        assert site.counts()["GET /bad"] == sent


def test_replicate_asks_for_everything_once(tmp_path: Path) -> None:
    with serving(portal(2, 3)) as site:
        ended = filon(tmp_path, "replicate", site.url, "--out", "copy", "--delay", 0, "--json")
    assert ended.code == 0, ended.err
    assert ended.json["verb"] == "replicate"
    assert ended.json["stopped"] == "exhausted"
    assert {"/", "/list/0", "/item/1-2", "/data/1-2.csv", "/gone"} <= {*site.targets}
    assert max(site.counts().values()) == 1


def test_the_ledger_opens_as_it_is(tmp_path: Path) -> None:
    with serving(portal(1, 3)) as site:
        filon(tmp_path, "harvest", site.url, *EXHAUSTIVE, "--out", "run")
    ledger = sqlite3.connect(tmp_path / "run/ledger.sqlite")
    try:
        assert ledger.execute("SELECT count(*) FROM finds").fetchone() == (3,)
        assert ledger.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    finally:
        ledger.close()


def test_a_file_beyond_what_memory_holds_is_kept_whole(tmp_path: Path) -> None:
    long = csv("long")
    long = replace(long, body=long.body * (9 * 2**20 // len(long.body) + 1))
    with serving({"/": html("/long.csv"), "/long.csv": long}) as site:
        ended = filon(tmp_path, "harvest", site.url, "--delay", 0, "--out", "run", "--json")
    assert ended.code == 0, ended.err
    assert ended.json["finds"] == 1
    (kept,) = (path for path in (tmp_path / "run/files").rglob("*") if path.is_file())
    assert kept.read_bytes() == long.body
    assert not (tmp_path / "run/spool").exists()
