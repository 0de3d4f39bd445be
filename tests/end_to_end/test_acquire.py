"""Many sites under one budget, from the command line."""

import json
import signal
import sqlite3
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

import filon as library
from command import Ended, filon, finish, start
from discoverweb import SEARCH
from discoverweb import serving as serving_web
from filon.testing.discovery import TOPIC
from loopback import Loopback, Page, serving

Two = tuple[Loopback, Loopback]
_CSV = {"Content-Type": "text/csv"}


def _pages(files: int, pages: int = 6) -> dict[str, Page]:
    """A home page that links to pages; each of these to so many files."""
    links = "".join(f'<a href="/p{n}.html">page {n}</a> ' for n in range(pages))
    site = {"/": Page(body=f"<html><body>{links}</body></html>".encode())}
    for n in range(pages):
        here = "".join(f'<a href="/f{n}-{m}.csv">table {m}</a> ' for m in range(files))
        site[f"/p{n}.html"] = Page(body=f"<html><body>{here}</body></html>".encode())
        for m in range(files):
            site[f"/f{n}-{m}.csv"] = Page(body=f"a,b\n{n},{m}\n".encode(), headers=_CSV)
    return site


@pytest.fixture
def two() -> Iterator[Two]:
    """A site with many files, and one with none."""
    with ExitStack() as stack:
        rich = stack.enter_context(serving(_pages(5)))
        poor = stack.enter_context(serving(_pages(0, pages=40)))
        yield rich, poor


def _to(*sites: Loopback) -> list[str]:
    """Return the flags by which names of sites lead to loopback."""
    rules = [f"s{n}.test:80:127.0.0.1:{site.port}" for n, site in enumerate(sites)]
    return [part for rule in rules for part in ("--connect-to", rule)]


def _acquire(folder: Path, sites: Sequence[Loopback], *more: str) -> Ended:
    """Acquire the files of some sites into the folder out."""
    (folder / "sites.txt").write_text("".join(f"http://s{n}.test/\n" for n in range(len(sites))))
    flags = ("--delay", "0", "--json", "--out", "out", *_to(*sites))
    return filon(folder, "acquire", "--sites", "sites.txt", *flags, *more)


def test_more_of_the_budget_goes_to_the_site_that_brings_more(two: Two, tmp_path: Path) -> None:
    ended = _acquire(tmp_path, two, "--budget", "40")
    assert ended.code == 0, ended.err
    told = ended.json
    assert (told["verb"], told["stopped"], told["requests"]) == ("acquire", "budget", 40)
    assert sum(len(site.log) for site in two) == 40
    by_site = {site["site"]: site for site in told["sites"]}
    assert by_site["s0.test"]["requests"] > by_site["s1.test"]["requests"]
    assert told["finds"] == by_site["s0.test"]["finds"] > 10
    assert (tmp_path / "out/report.html").is_file()


def test_each_site_is_a_run_of_its_own(two: Two, tmp_path: Path) -> None:
    _acquire(tmp_path, two, "--budget", "40")
    part = "out/sites/s0.test"
    assert filon(tmp_path, "report", part).code == 0
    assert filon(tmp_path, "export", part, "--to", "csv", "--out", "part.csv").code == 0
    assert filon(tmp_path, "export", "out", "--to", "files", "--out", "files").code == 0
    assert list((tmp_path / "files").rglob("f*.csv"))


def test_the_files_of_all_sites_are_handed_on_together(two: Two, tmp_path: Path) -> None:
    assert _acquire(tmp_path, two, "--budget", "40").code == 0
    for to in ("duckdb", "dcat", "wacz"):
        ended = filon(tmp_path, "export", "out", "--to", to, "--out", f"all.{to}")
        assert ended.code == 0, ended.err
    datasets = json.loads((tmp_path / "all.dcat").read_text("utf-8"))["dcat:dataset"]
    finds = library.open_run(tmp_path / "out").finds
    assert len(datasets) == len({find["sha256"] for find in finds}) > 10
    with zipfile.ZipFile(tmp_path / "all.wacz") as archive:
        assert len([name for name in archive.namelist() if name.startswith("archive/")]) == 2


def test_a_larger_budget_goes_on_with_all_sites(two: Two, tmp_path: Path) -> None:
    _acquire(tmp_path, two, "--budget", "20")
    ended = filon(tmp_path, "resume", "out", "--budget", "1000", "--json")
    assert ended.json["stopped"] == "exhausted"
    assert ended.json["requests"] == sum(len(site.log) for site in two)
    assert ended.json["finds"] == 30
    for site in two:
        assert not [target for target, times in site.counts().items() if times > 1]
    with closing(sqlite3.connect(tmp_path / "out/ledger.sqlite")) as db:
        assert db.execute("SELECT count(*), count(DISTINCT url) FROM finds").fetchone() == (30, 30)


def test_a_site_has_no_more_requests_than_a_site_may_have(two: Two, tmp_path: Path) -> None:
    ended = _acquire(tmp_path, two, "--per-site", "7")
    assert ended.code == 0, ended.err
    assert [len(site.log) for site in two] == [7, 7]
    assert {site["state"] for site in ended.json["sites"]} == {"per-site"}


def test_when_every_site_has_had_its_share_a_larger_one_goes_on(two: Two, tmp_path: Path) -> None:
    ended = _acquire(tmp_path, two, "--per-site", "7")
    assert ended.json["stopped"] == "per-site"
    assert ended.json["next"][0] == "filon resume out --per-site 14"
    assert "every site has had its share" in (tmp_path / "out/report.html").read_text()
    again = filon(tmp_path, "resume", "out", "--per-site", "14", "--json")
    assert [len(site.log) for site in two] == [14, 14]
    assert again.json["next"][0] == "filon resume out --per-site 28"
    assert again.json["next"][-1] == "filon catalog search WORDS --in out"
    last = filon(tmp_path, "resume", "out", "--per-site", "0", "--json")
    assert (last.json["stopped"], last.json["finds"]) == ("exhausted", 30)


def test_a_share_is_for_many_sites(two: Two, tmp_path: Path) -> None:
    _acquire(tmp_path, two, "--per-site", "7")
    alone = filon(tmp_path, "resume", "out/sites/s0.test", "--per-site", "9")
    assert (alone.code, "--per-site" in alone.sentence) == (2, True)


def test_a_site_that_is_not_there_is_told_and_the_others_go_on(two: Two, tmp_path: Path) -> None:
    (tmp_path / "s.txt").write_text("http://s0.test/\nhttp://127.0.0.1:9/\n")
    flags = ("--delay", "0", "--json", "--out", "out", *_to(two[0]))
    ended = filon(tmp_path, "acquire", "--sites", "s.txt", *flags)
    assert ended.code == 0, ended.err
    states = {site["site"]: site["state"] for site in ended.json["sites"]}
    assert states == {"s0.test": "exhausted", "127.0.0.1": "nothing"}
    assert ended.json["finds"] == 30
    assert any("127.0.0.1" in note for note in ended.json["notes"])
    why = filon(tmp_path, "why", "out", "127.0.0.1").out
    assert "It ended: " in why
    assert ".." not in why


def test_where_no_site_is_there_nothing_is_left_behind(tmp_path: Path) -> None:
    (tmp_path / "s.txt").write_text("http://127.0.0.1:9/\n")
    ended = filon(tmp_path, "acquire", "--sites", "s.txt", "--out", "out")
    assert ended.code == 2
    assert not (tmp_path / "out").exists()


def test_why_tells_what_a_site_got_and_how_a_file_was_come_by(two: Two, tmp_path: Path) -> None:
    _acquire(tmp_path, two, "--budget", "40")
    told = filon(tmp_path, "why", "out", "s0.test").out
    assert "because you named it" in told
    assert "files were expected of each" in told
    assert "In the run of s0.test" in filon(tmp_path, "why", "out", "http://s0.test/p0.html").out
    assert filon(tmp_path, "why", "out", "elsewhere.test").code == 2


def test_only_sites_that_fit_are_asked(two: Two, tmp_path: Path) -> None:
    _acquire(tmp_path, two, "--only", "s0.test")
    assert two[0].log
    assert not two[1].log


def test_a_dry_run_sends_nothing(two: Two, tmp_path: Path) -> None:
    (tmp_path / "s.txt").write_text("http://s0.test/\nhttp://s1.test/\n")
    ended = filon(tmp_path, "acquire", "--sites", "s.txt", "--dry-run", "--out", "out", *_to(*two))
    assert "Would acquire the files of 2 sites" in ended.out
    assert not (tmp_path / "out").exists()
    assert not two[0].log


def test_a_harvest_of_many_sites_is_such_a_folder_too(two: Two, tmp_path: Path) -> None:
    (tmp_path / "s.txt").write_text("# mine\nhttp://s0.test/\n\nhttp://s1.test/\n")
    flags = ("--delay", "0", "--json", "--out", "out", "--exclude", "/p0.html", *_to(*two))
    ended = filon(tmp_path, "harvest", "--sites", "s.txt", "--per-site", "60", *flags)
    assert ended.code == 0, ended.err
    assert ended.json["finds"] == 25
    assert {site["site"] for site in ended.json["sites"]} == {"s0.test", "s1.test"}
    assert "/p0.html" not in two[0].targets
    assert (tmp_path / "out/sites/s0.test/run.toml").is_file()


def test_a_harvest_is_of_a_url_or_of_a_file_of_sites(tmp_path: Path) -> None:
    (tmp_path / "s.txt").write_text("http://s0.test/\n")
    assert "Name a URL" in filon(tmp_path, "harvest").sentence
    both = filon(tmp_path, "harvest", "http://s1.test/", "--sites", "s.txt")
    assert "Name one of them" in both.sentence
    assert "--per-site" in filon(tmp_path, "harvest", "http://s1.test/", "--per-site", "3").sentence
    secret = filon(tmp_path, "harvest", "--sites", "s.txt", "--header", "X-Key: 1")
    assert "A header is for one site" in secret.sentence


def test_python_says_the_same(two: Two, tmp_path: Path) -> None:
    rules = [rule for rule in _to(*two) if rule != "--connect-to"]
    names = ["http://s0.test/", "http://s1.test/"]
    how: dict[str, Any] = {"delay": 0.0, "connect_to": rules, "budget": 40}
    run = library.acquire(sites=names, out=tmp_path / "out", **how)
    assert run.verb == "acquire"
    assert run.spent.requests == 40
    sites = {site["site"]: site for site in run.sites()}
    assert sites["s0.test"]["finds"] == len(list(run)) == run.spent.finds > 10
    harvested = library.harvest(sites=names, out=tmp_path / "other", **how)
    assert (harvested.verb, harvested.spent.requests) == ("acquire", 40)
    catalog = library.Catalog(tmp_path / "out")
    assert len(catalog.search("table", limit=100)) == len({find.sha256 for find in run})


def test_ctrl_c_ends_all_sites_in_order_and_they_go_on_later(tmp_path: Path) -> None:
    with serving(_pages(3), wait_s=0.05) as one, serving(_pages(2), wait_s=0.05) as other:
        (tmp_path / "s.txt").write_text("http://s0.test/\nhttp://s1.test/\n")
        flags = ("--delay", "0", "--json", "--out", "out", *_to(one, other))
        process = start(tmp_path, "acquire", "--sites", "s.txt", *flags)
        one.wait_for(4)
        process.send_signal(signal.SIGINT)
        ended = finish(process)
        assert ended.code == 130, ended.err
        assert ended.json["stopped"] == "interrupted"
        assert ended.json["requests"] == len(one.log) + len(other.log)
        later = filon(tmp_path, "resume", "out", "--json")
        assert later.json["stopped"] == "exhausted"
        assert later.json["finds"] == 30
        assert later.json["requests"] == len(one.log) + len(other.log)


def test_a_site_that_goes_down_is_left_and_the_others_go_on(tmp_path: Path) -> None:
    with serving(_pages(3)) as one, serving(_pages(3), wait_s=0.02) as other:
        (tmp_path / "s.txt").write_text("http://s0.test/\nhttp://s1.test/\n")
        flags = ("--delay", "0", "--json", "--out", "out", *_to(one, other))
        process = start(tmp_path, "acquire", "--sites", "s.txt", *flags)
        other.wait_for(5)
        other.gone = True
        ended = finish(process)
        assert ended.code == 0, ended.err
        states = {site["site"]: site["state"] for site in ended.json["sites"]}
        assert states == {"s0.test": "exhausted", "s1.test": "outage"}
        other.gone = False
        later = filon(tmp_path, "resume", "out", "--json")
    assert later.json["stopped"] == "exhausted"
    assert later.json["finds"] == 36


def test_a_run_of_one_site_that_cannot_be_opened_holds_up_no_other(
    two: Two, tmp_path: Path
) -> None:
    _acquire(tmp_path, two, "--budget", "20")
    (tmp_path / "out/sites/s1.test/ledger.sqlite").write_bytes(b"no ledger")
    ended = filon(tmp_path, "resume", "out", "--budget", "200", "--json")
    assert ended.code == 0, ended.err
    states = {site["site"]: site for site in ended.json["sites"]}
    assert states["s0.test"]["finds"] == 30
    assert states["s1.test"]["state"] == "outage"
    assert "ledger" in states["s1.test"]["end"]


def test_the_files_of_all_sites_can_be_read_from_the_whole(two: Two, tmp_path: Path) -> None:
    _acquire(tmp_path, two, "--budget", "40")
    run = library.open_run(tmp_path / "out")
    assert all(find.path and find.path.read_text().startswith("a,b") for find in run)
    told = json.loads(filon(tmp_path, "profile", "out", "--json").out)
    assert len(told["files"]) == len(list(run))
    assert not (tmp_path / "out/profiles.sqlite").exists()
    assert "files/" in (tmp_path / "out/report.html").read_text("utf-8")


def test_when_all_sites_are_down_the_whole_can_be_resumed(tmp_path: Path) -> None:
    with serving(_pages(3), wait_s=0.02) as one, serving(_pages(2), wait_s=0.02) as other:
        (tmp_path / "s.txt").write_text("http://s0.test/\nhttp://s1.test/\n")
        flags = ("--delay", "0", "--json", "--out", "out", *_to(one, other))
        process = start(tmp_path, "acquire", "--sites", "s.txt", *flags)
        one.wait_for(4)
        other.wait_for(4)
        one.gone = other.gone = True
        ended = finish(process)
        assert ended.code == 4, ended.err
        assert "filon resume out" in ended.err
        one.gone = other.gone = False
        later = filon(tmp_path, "resume", "out", "--json")
    assert (later.code, later.json["stopped"]) == (0, "exhausted")
    assert later.json["finds"] == 30


def test_many_hosts_are_asked_at_the_same_time_and_each_one_after_the_other(tmp_path: Path) -> None:
    with serving_web(wait_s=0.05) as web:
        asked = ("--search", f"searxng:url=http://{SEARCH},rate=1000/s", "--budget", "500")
        ended = filon(tmp_path, "acquire", TOPIC, *asked, *web.here, "--out", "out", "--json")
    assert ended.code == 0, ended.err
    at_a_time = dict(web.most)
    assert at_a_time.pop("all") > 2
    assert set(at_a_time.values()) == {1}
