"""`filon discover` as a person uses it: words in, a ranked list out, over real sockets."""

import asyncio
import csv
import json
import re
import signal
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

import filon as library
from command import filon, finish, start
from discoverweb import SEARCH, mirror, serving
from filon.guards.outage import MAX_AGAIN
from filon.testing.discovery import PAGES, REPOSITORIES, SEEDS, TOPIC
from filon.verbs.follow.rdf.reader import read

SEARXNG = ("--search", f"searxng:url=http://{SEARCH},rate=1000/s")
OWN = f"""
name = "mine"
about = "An engine of my own."
[request]
url = "http://{SEARCH}/search"
keywords = "q"
params = {{ format = "json" }}
[paging]
how = "page"
parameter = "pageno"
size = 10
[answer]
results = "$.results"
url = "$.url"
fields = {{ title = "$.title", snippet = "$.content" }}
"""
DCAT = "http://www.w3.org/ns/dcat#"


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FILON_CACHE", str(tmp_path / "answers.sqlite"))


def listed(run: Path) -> list[dict[str, Any]]:
    sites: list[dict[str, Any]] = json.loads((run / "sites.json").read_text("utf-8"))["sites"]
    return sites


def hosts(run: Path) -> set[str]:
    with (run / "sites.csv").open(encoding="utf-8", newline="") as file:
        return {urlsplit(row["url"]).hostname or "" for row in csv.DictReader(file)}


def test_a_topic_leads_to_the_repositories_of_a_small_web(tmp_path: Path) -> None:
    with serving() as web:
        ended = filon(tmp_path, "discover", TOPIC, *SEARXNG, *web.here, "--out", "run", "--json")
    assert ended.code == 0, ended.err
    assert "Asked: searxng." in ended.err
    told, run = ended.json, tmp_path / "run"
    assert (told["verb"], told["stopped"]) == ("discover", "exhausted")
    assert told["requests"] == len(web.log)
    assert max(web.counts().values()) == 1
    assert hosts(run) == REPOSITORIES
    first = listed(run)[0]
    assert (first["rank"], first["kind"], first["formats"]) == (1, "repository", ["csv"])
    assert first["files"] >= 3
    assert first["why"] == f"a search of searxng for “{first['query']}” brought it"
    assert (run / "harvest.txt").read_text().split() == [site["url"] for site in listed(run)]
    assert f"<h1>{TOPIC}</h1>" in (run / "report.html").read_text("utf-8")


def test_a_service_that_a_file_describes_is_asked_and_the_run_keeps_the_file(
    tmp_path: Path,
) -> None:
    own = tmp_path / "own.toml"
    own.write_text(OWN)
    with serving() as web:
        asked = ("discover", TOPIC, "--search", "own.toml:rate=1000/s", *web.here)
        ended = filon(tmp_path, *asked, "--out", "run", "--budget", "8req", "--json")
        assert (ended.code, ended.json["stopped"]) == (0, "budget"), ended.err
        assert "Asked: mine." in ended.err
        own.write_text("this is not TOML")
        ended = filon(tmp_path, "resume", "run", *web.here[:2], "--budget", "900req", "--json")
    assert (ended.code, ended.json["stopped"]) == (0, "exhausted"), ended.err
    assert web.to(SEARCH)
    run = tmp_path / "run"
    assert hosts(run) == REPOSITORIES
    assert "a search of mine for" in listed(run)[0]["why"]


def test_the_catalogue_is_dcat_that_our_own_reader_reads(tmp_path: Path) -> None:
    with serving() as web:
        filon(tmp_path, "discover", TOPIC, *SEARXNG, *web.here, "--out", "run")
    filon(tmp_path, "export", "run", "--to", "dcat", "--out", "again.ttl")
    body = (tmp_path / "run/catalog.ttl").read_bytes()
    assert (tmp_path / "again.ttl").read_bytes() == body
    document = read(body, "http://here.example/", "text/turtle")
    assert not document.broken
    kinds = {
        str(triple.subject): str(triple.object)
        for triple in document.triples
        if str(triple.predicate).endswith("#type>")
    }
    catalogues = [name.strip("<>") for name in kinds if kinds[name] == f"<{DCAT}Catalog>"]
    found = {urlsplit(url).hostname for url in catalogues if url.startswith("http")}
    assert found == REPOSITORIES


@pytest.mark.parametrize("strategy", ["related", "bl+ol", "bipartite"])
def test_a_strategy_that_nobody_can_answer_is_refused_in_a_sentence(
    tmp_path: Path, strategy: str
) -> None:
    with serving() as web:
        asked = ("discover", TOPIC, "--seeds", SEEDS[0], "--strategy", strategy, *SEARXNG)
        ended = filon(tmp_path, *asked, *web.here, "--out", "run")
    assert ended.code == 2
    assert f"The strategy {strategy} asks services for" in ended.err
    assert "none of those asked has them (searxng)" in ended.err
    assert not web.log
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("name", ["sites.csv", "harvest.txt", "catalog.ttl"])
def test_what_was_deleted_of_a_finished_run_is_written_again(tmp_path: Path, name: str) -> None:
    with serving() as web:
        filon(tmp_path, "discover", TOPIC, *SEARXNG, *web.here, "--budget", 20, "--out", "run")
    whole = (tmp_path / "run" / name).read_bytes()
    (tmp_path / "run" / name).unlink()
    assert filon(tmp_path, "report", "run").code == 0
    assert (tmp_path / "run" / name).read_bytes() == whole


@pytest.mark.parametrize(("more", "told"), [("", True), ('language = ["fr"]\n', False)])
def test_the_hint_how_to_harvest_names_the_file_of_options_if_a_harvest_takes_it(
    tmp_path: Path, more: str, told: bool
) -> None:
    with serving() as web:
        rule = json.dumps([web.here[1]])
        (tmp_path / "my web.toml").write_text(f"connect-to = {rule}\ndelay = 0\n{more}")
        ended = filon(
            tmp_path, "discover", TOPIC, *SEARXNG, "--config", "my web.toml", "--out", "run"
        )
    options = " --config 'my web.toml'" if told else ""
    assert f"harvest them: xargs -n 1 filon harvest{options} < run/harvest.txt" in ended.out


def test_archives_at_hand_need_no_service_and_no_key(tmp_path: Path) -> None:
    mirror(tmp_path / "pages")
    with serving() as web:
        asked = ("--search", f"local:path={tmp_path / 'pages'}")
        ended = filon(tmp_path, "discover", TOPIC, *asked, *web.here, "--out", "run", "--json")
    assert ended.code == 0, ended.err
    assert hosts(tmp_path / "run") == REPOSITORIES
    assert not web.to(SEARCH)
    assert ended.json["requests"] == len(web.log)  # questions to what is at hand cost nothing


def test_examples_lead_to_sites_like_them(tmp_path: Path) -> None:
    (tmp_path / "sites.txt").write_text("# clubs\n" + "\n".join(SEEDS))
    mirror(tmp_path / "pages")
    with serving() as web:
        how = ("--seeds", "sites.txt", "--strategy", "disco", "--local", "pages", *SEARXNG)
        ended = filon(tmp_path, "discover", *how, *web.here, "--out", "run", "--json")
    assert ended.code == 0, ended.err
    best = [site["site"] for site in listed(tmp_path / "run")][:8]
    assert sum("bee" in site or "data" in site or "moved" in site for site in best) >= 6
    assert ended.json["sites"] > 10
    assert ended.json["repositories"] == 0
    operators = {site["operator"] for site in listed(tmp_path / "run")}
    assert operators <= {"keyword", "related", "backward", "forward"}
    assert len(operators) > 1


@pytest.mark.parametrize(
    ("failing", "said"),
    [
        ("captcha", "searxng failed in 3 of 3 calls: it did not answer as documented"),
        ("down", "it did not answer (The service answers 500"),
        ("quota", "searxng failed in 1 of 1 call: no calls were left"),
    ],
)
def test_a_service_that_fails_is_told_as_failing_and_the_others_go_on(
    tmp_path: Path, failing: str, said: str
) -> None:
    mirror(tmp_path / "pages")
    with serving({SEARCH: failing}) as web:
        asked = (*SEARXNG, "--search", "local:path=pages", "--retries", 0)
        ended = filon(tmp_path, "discover", TOPIC, *asked, *web.here, "--out", "run", "--json")
    assert ended.code == 0, ended.err
    assert said in ended.err
    assert hosts(tmp_path / "run") == REPOSITORIES
    # What failed waits for the service and is asked for again, some times and no more.
    asked_for = Counter(web.to(SEARCH))
    assert max(asked_for.values()) <= 2 + MAX_AGAIN
    assert sum(asked_for.values()) <= 3 * 12
    searxng, local = ended.json["searchers"]
    assert local["results"] > 0
    assert not searxng.get("results")
    report = (tmp_path / "run/report.html").read_text("utf-8")
    assert said.partition(": ")[2].split(" (")[0] in report


def test_a_service_that_finds_nothing_is_no_failure(tmp_path: Path) -> None:
    with serving({SEARCH: "empty"}) as web:
        ended = filon(tmp_path, "discover", TOPIC, *SEARXNG, *web.here, "--out", "run")
    assert ended.code == 0
    assert "failed" not in ended.err
    assert "nothing was found" in ended.out


@pytest.mark.parametrize(
    ("failing", "said"),
    [("key", "1 of 1 call: access was refused"), ("captcha", "not answer as documented")],
)
def test_where_the_only_service_fails_it_ends_in_a_sentence_and_leaves_nothing(
    tmp_path: Path, failing: str, said: str
) -> None:
    with serving({SEARCH: failing}) as web:
        ended = filon(tmp_path, "discover", TOPIC, *SEARXNG, *web.here, "--out", "run")
    assert ended.code == 2
    assert ended.out == ""
    assert "Nobody could be asked: searxng failed in" in ended.err
    assert said in ended.err
    assert not (tmp_path / "run").exists()
    assert len(web.to(SEARCH)) <= 3


def test_a_service_that_is_down_where_nothing_was_found_can_be_gone_on_with(tmp_path: Path) -> None:
    with serving({SEARCH: "down"}) as web:
        ended = filon(tmp_path, "discover", TOPIC, *SEARXNG, *web.here, "--out", "run")
        assert ended.code == 4
        assert "Nothing was found, and searxng did not answer" in ended.err
        assert (tmp_path / "run/run.toml").is_file()
    with serving() as web:
        rule = ("--connect-to", f"::127.0.0.1:{web.port}")
        resumed = filon(tmp_path, "resume", "run", *rule)
    assert resumed.code == 0, resumed.err
    assert hosts(tmp_path / "run") == REPOSITORIES


def test_a_repository_may_need_more_files_and_what_has_too_few_is_told_apart(
    tmp_path: Path,
) -> None:
    with serving() as web:
        asked = ("discover", TOPIC, *SEARXNG, *web.here, "--at-least", 99, "--json")
        ended = filon(tmp_path, *asked, "--out", "run")
        wrong = filon(tmp_path, *asked, "--strategy", "dsdd", "--out", "other")
    assert ended.code == 0, ended.err
    run = tmp_path / "run"
    assert (listed(run), ended.json["repositories"]) == ([], 0)
    assert ended.json["others"] == len(REPOSITORIES)
    assert (run / "harvest.txt").read_text() == ""
    others = (run / "others.csv").read_text("utf-8").splitlines()
    assert all(line.endswith("too few files") for line in others[1:])
    why = filon(tmp_path, "why", "run", "data4.example").out
    assert "is beside the list: too few files" in why
    assert "What stands beside the list" in (run / "report.html").read_text("utf-8")
    assert wrong.code == 2
    assert "--at-least is for scout" in wrong.err


def test_a_second_run_pays_for_no_search_again_unless_it_is_asked_to(tmp_path: Path) -> None:
    with serving() as web:
        how = ("discover", TOPIC, *SEARXNG, *web.here, "--budget", 30)
        first = filon(tmp_path, *how, "--out", "one", "--json")
        asked = web.to(SEARCH)
        filon(tmp_path, *how, "--out", "two")
        assert first.json["requests"] == 30
        assert len(asked) > 1
        assert max(Counter(web.to(SEARCH)).values()) == 1
        filon(tmp_path, *how, "--fresh", "--out", "three")
    assert web.to(SEARCH).count(asked[0]) == 2


@pytest.mark.parametrize("strategy", ["scout", "dsdd", "disco"])
def test_after_kill_9_the_list_is_that_of_an_unbroken_run_and_nothing_is_asked_twice(
    tmp_path: Path, strategy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    how = ("discover", TOPIC, "--strategy", strategy, *SEARXNG, "--seeds", SEEDS[0])
    with serving() as web:
        filon(tmp_path, *how, *web.here, "--out", "whole")
        every = set(web.log)
    monkeypatch.setenv("FILON_CACHE", str(tmp_path / "other.sqlite"))
    with serving(wait_s=0.01) as web:
        process = start(tmp_path, *how, *web.here, "--out", "run")
        for requests in (25, 60):
            web.wait_for(requests)
            process.kill()
            finish(process)
            assert not (tmp_path / "run/sites.csv").exists()
            process = start(tmp_path, "resume", "run")
        ended = finish(process)
        counts = web.counts()
    assert ended.code == 0, ended.err
    assert listed(tmp_path / "run") == listed(tmp_path / "whole")
    assert set(counts) == every
    assert sum(counts.values()) - len(counts) <= 2  # what was in flight when it was killed


def test_an_interrupted_run_has_its_list_and_goes_on(tmp_path: Path) -> None:
    with serving(wait_s=0.02) as web:
        process = start(tmp_path, "discover", TOPIC, *SEARXNG, *web.here, "--out", "run", "--json")
        web.wait_for(70)
        process.send_signal(signal.SIGINT)
        ended = finish(process)
        assert ended.code == 130
        some = hosts(tmp_path / "run")
        resumed = filon(tmp_path, "resume", "run", "--json")
    assert 0 < len(some) <= len(REPOSITORIES)
    assert ended.json["requests"] < resumed.json["requests"]
    assert resumed.code == 0, resumed.err
    assert hosts(tmp_path / "run") == REPOSITORIES
    assert max(web.counts().values()) <= 2


def test_a_list_that_a_kill_left_unwritten_is_written_by_resume(tmp_path: Path) -> None:
    with serving() as web:
        how = (*SEARXNG, *web.here, "--budget", 60, "--out", "run")
        filon(tmp_path, "discover", TOPIC, *how)
        before, asked = listed(tmp_path / "run"), len(web.log)
        refused = filon(tmp_path, "resume", "run")
        (tmp_path / "run/sites.json").unlink()
        (tmp_path / "run/sites.csv").unlink()
        resumed = filon(tmp_path, "resume", "run")
    assert refused.code == 2
    assert "is spent" in refused.sentence
    assert resumed.code == 0, resumed.err
    assert len(web.log) == asked
    assert before
    assert listed(tmp_path / "run") == before
    assert (tmp_path / "run/sites.csv").is_file()


def test_what_a_plan_allows_is_not_overrun_and_others_are_asked_instead(tmp_path: Path) -> None:
    mirror(tmp_path / "pages")
    with serving() as web:
        plan = f"searxng:url=http://{SEARCH},rate=1000/s,quota=3/day"
        asked = ("--search", plan, "--local", "pages", "--strategy", "dsdd", "--parallel", 4)
        ended = filon(tmp_path, "discover", TOPIC, *asked, *web.here, "--out", "run", "--json")
        assert ended.code == 0, ended.err
        first = filon(tmp_path, "discover", "bee hive", *asked[:2], *web.here, "--out", "two")
    assert first.code == 0, first.err
    assert len(web.to(SEARCH)) <= 2 * 3
    assert hosts(tmp_path / "run") == REPOSITORIES


def test_what_a_plan_allows_holds_for_all_runs_together(tmp_path: Path) -> None:
    plan = ("--search", f"searxng:url=http://{SEARCH},rate=1000/s,quota=4/day", "--fresh")
    with serving() as web:
        for name in ("one", "two"):
            filon(tmp_path, "discover", TOPIC, *plan, *web.here, "--out", name)
        third = filon(tmp_path, "discover", TOPIC, *plan, *web.here, "--out", "three")
        assert len(web.to(SEARCH)) == 4
        assert "three: ended: a service has no calls left for now" in third.out
        assert "next:   filon resume three\n" in third.out
        assert "The quota of searxng is spent; resume the run after " in third.err
        resumed = filon(tmp_path, "resume", "three", "--json")
        assert len(web.to(SEARCH)) == 4
    assert (resumed.code, resumed.json["stopped"]) == (0, "budget")


def test_many_hosts_are_asked_at_a_time_and_each_one_by_one(tmp_path: Path) -> None:
    with serving(wait_s=0.02) as web:
        how = (*SEARXNG, *web.here, "--parallel", 6)
        ended = filon(tmp_path, "discover", TOPIC, *how, "--out", "run", "--json")
    assert ended.code == 0, ended.err
    assert hosts(tmp_path / "run") == REPOSITORIES
    assert max(web.counts().values()) == 1
    assert web.most["all"] > 1
    assert max(number for name, number in web.most.items() if name != "all") == 1


def test_robots_txt_is_obeyed_for_pages_and_not_asked_of_a_service(tmp_path: Path) -> None:
    forbidden = dict(PAGES) | {"http://data1.example/robots.txt": "User-agent: *\nDisallow: /\n"}
    with serving(pages=forbidden) as web:
        filon(tmp_path, "discover", TOPIC, *SEARXNG, *web.here, "--out", "run")
    assert (SEARCH, "/robots.txt") not in web.log
    assert ("data1.example", "/robots.txt") in web.log
    assert not web.to("data1.example")
    assert hosts(tmp_path / "run") == REPOSITORIES - {"data1.example"}


def test_a_page_does_not_lead_to_this_machine_though_the_service_is_here(tmp_path: Path) -> None:
    """The user's own SearXNG is on a private address; what it brings must not be."""
    with serving() as web, serving() as private:
        web.results = [f"http://{name}:{private.port}/" for name in ("127.0.0.1", "localhost")]
        asked = ("--search", f"searxng:url=http://127.0.0.1:{web.port},rate=1000/s", "--delay", 0)
        ended = filon(tmp_path, "discover", TOPIC, *asked, "--out", "run", "--json")
    assert ended.code == 0, ended.err
    assert web.to("127.0.0.1")
    assert not private.log
    report = (tmp_path / "run/report.html").read_text("utf-8")
    assert "private" in report


def test_a_review_orders_the_list_anew_and_is_remembered(tmp_path: Path) -> None:
    with serving() as web:
        how = ("--strategy", "disco", "--seeds", SEEDS[0], *SEARXNG, *web.here, "--budget", 60)
        first = (*how, "--out", "run", "--review", "--json")
        asked = filon(tmp_path, "discover", TOPIC, *first, said="y\n")
        assert asked.code == 0, asked.err
        assert "1. Is this what you look for?" in asked.err
        assert asked.json["answers"] == 1
        before = listed(tmp_path / "run")
        ended = filon(tmp_path, "review", "run", "--json", said="n\nwhat?\ns\nq\n")
        assert ended.code == 0, ended.err
        assert ended.json["answers"] == 2
        after = listed(tmp_path / "run")
        resumed = filon(tmp_path, "resume", "run", "--budget", 65, "--json")
    verdicts = {site["url"]: site["verdict"] for site in after if site["verdict"]}
    assert sorted(verdicts.values()) == ["accepted", "rejected"]
    assert after[0]["verdict"] == "accepted"
    assert after[-1]["verdict"] == "rejected"
    assert sorted(site["url"] for site in after) == sorted(site["url"] for site in before)
    assert after[-1]["url"] not in (tmp_path / "run/harvest.txt").read_text()
    assert resumed.code == 0, resumed.err
    again = {site["url"]: site["verdict"] for site in listed(tmp_path / "run") if site["verdict"]}
    assert again == verdicts
    config = (tmp_path / "run/run.toml").read_text()
    assert f'accepted = ["{after[0]["url"]}"]' in config


def test_why_tells_of_a_site_and_export_writes_the_list(tmp_path: Path) -> None:
    with serving() as web:
        filon(tmp_path, "discover", TOPIC, *SEARXNG, *web.here, "--out", "run")
    told = filon(tmp_path, "why", "run", "data4.example").out
    assert "is a repository, number" in told
    assert "because a search of searxng for “bee" in told
    assert re.search(r"verified: \d+ files \(csv\)", told)
    assert "step " in told
    site = filon(tmp_path, "why", "run", "data4.example", "--json").json["site"]
    assert site in listed(tmp_path / "run")
    for to, ending in (("csv", "csv"), ("json", "json"), ("jsonl", "jsonl"), ("dcat", "ttl")):
        assert filon(tmp_path, "export", "run", "--to", to).code == 0
        assert (tmp_path / f"run.{ending}").is_file()
    assert (tmp_path / "run.csv").read_bytes() == (tmp_path / "run/sites.csv").read_bytes()
    assert json.loads((tmp_path / "run.json").read_text()) == listed(tmp_path / "run")
    assert filon(tmp_path, "export", "run", "--to", "files").code == 2


def test_python_says_the_same(tmp_path: Path) -> None:
    searxng = f"searxng:url=http://{SEARCH},rate=1000/s"
    with serving() as web:
        run = library.discover(
            TOPIC,
            search=searxng,
            out=tmp_path / "run",
            budget=150,
            delay=0,
            connect_to=(web.here[1],),
        )
        coming = library.adiscover(
            seeds=SEEDS,
            search=[searxng],
            out=tmp_path / "two",
            budget=20,
            delay=0,
            connect_to=(web.here[1],),
        )
        other = asyncio.run(coming)
    assert hosts(run.path) == REPOSITORIES
    assert "repository" in {find.kind for find in run}
    assert other.spent.requests == 20
