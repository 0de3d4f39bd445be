"""Bad input: a clear sentence, exit code 2, and nothing written."""

import socket
from pathlib import Path

import pytest

from command import Ended, filon
from loopback import Page, csv, html, portal, serving

QUICK = ("--delay", 0, "--retries", 0)


def refused(folder: Path, *arguments: object) -> str:
    """Run a command that must fail, and return its sentence."""
    before = sorted(folder.rglob("*"))
    ended = filon(folder, *arguments)
    assert ended.code == 2, ended
    assert ended.out == ""
    assert sorted(folder.rglob("*")) == before
    return ended.sentence


def test_an_unknown_host_is_told_at_once(tmp_path: Path) -> None:
    sentence = refused(tmp_path, "harvest", "http://no-such-host.invalid/", "--delay", 0)
    assert sentence == "The host no-such-host.invalid does not exist (or the network is down)."


def test_a_refused_connection_is_told_at_once(tmp_path: Path) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    sentence = refused(tmp_path, "harvest", f"http://127.0.0.1:{port}/", "--out", "run")
    assert f"http://127.0.0.1:{port}" in sentence


def test_https_where_only_http_is_spoken_names_the_other(tmp_path: Path) -> None:
    with serving(portal()) as site:
        sentence = refused(tmp_path, "harvest", f"https://127.0.0.1:{site.port}/", *QUICK)
    assert "http://" in sentence


def test_without_a_scheme_https_is_tried_and_said(tmp_path: Path) -> None:
    with serving(portal()) as site:
        ended = filon(tmp_path, "harvest", f"127.0.0.1:{site.port}", *QUICK)
    assert ended.code == 2
    assert f"trying https://127.0.0.1:{site.port}/" in ended.err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("page", "says"),
    [
        (Page(status=404, body=b"<a href=/>home</a>"), "is not there, it answers 404 (Not Found)"),
        (Page(status=401), "asks for a login"),
        (Page(body=b"<form><input type=password></form>"), "asks for a login"),
        (Page(status=403, body=b"<script src=/cdn-cgi/challenge-platform/x>"), "you are human"),
        (Page(body=b"<div id=root></div><script src=/app.js></script>"), "JavaScript fills"),
    ],
)
def test_a_start_page_that_keeps_readers_out_is_told(tmp_path: Path, page: Page, says: str) -> None:
    with serving({"/": page}) as site:
        ended = filon(tmp_path, "harvest", site.url, *QUICK)
    assert says in ended.err
    # A page that is there may still have a sitemap beside it: this one was looked for.
    assert ended.code == (0 if page.status == 200 else 2)


def test_a_login_with_links_to_its_help_is_told_in_the_end(tmp_path: Path) -> None:
    login = Page(body=b"<a href=/help>help</a><form><input type=password></form>")
    with serving({"/": login, "/help": html()}) as site:
        ended = filon(tmp_path, "harvest", site.url, *QUICK, "--json")
    assert ended.code == 0
    assert any("asks for a login" in note for note in ended.json["notes"])


def test_an_existing_empty_folder_is_as_good_as_none(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    with serving(portal()) as site:
        assert filon(tmp_path, "harvest", site.url, *QUICK, "--out", "out").code == 0
    assert (tmp_path / "out/report.html").is_file()


def test_an_empty_folder_of_the_user_outlives_a_failed_run(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{closed.getsockname()[1]}/"
        refused(tmp_path, "harvest", url, "--out", "out")
    assert list((tmp_path / "out").iterdir()) == []


@pytest.mark.parametrize("flag", ["--budget", "--contact", "--proxy"])
def test_an_empty_value_is_a_mistake(tmp_path: Path, flag: str) -> None:
    assert f"{flag} is empty" in refused(tmp_path, "harvest", "http://a.test/", flag, "")


def test_scripts_get_errors_as_json(tmp_path: Path) -> None:
    ended = filon(tmp_path, "harvest", "http://a.test/", "--budget", "three", "--json")
    assert ended.code == 2
    assert ended.json == {"error": ended.sentence, "code": 2}
    usage = filon(tmp_path, "harvest", "--jsn", "--json")
    assert usage.json == {"error": usage.sentence, "code": 2}


def test_an_existing_folder_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out/mine").write_text("mine")
    with serving(portal()) as site:
        assert "exists already" in refused(tmp_path, "harvest", site.url, "--out", "out")
        assert not site.log
        filon(tmp_path, "harvest", site.url, "--out", "run", "--budget", 3, "--delay", 0)
        assert "filon resume run" in refused(tmp_path, "harvest", site.url, "--out", "run")
    assert (tmp_path / "out/mine").read_text() == "mine"


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "file/run" in refused(tmp_path, "harvest", "http://a.test/", "--out", "file/run")


@pytest.mark.parametrize("status", [404, 403, 500])
def test_a_start_page_with_an_error_is_told(tmp_path: Path, status: int) -> None:
    with serving({"/": Page(status=status, body=b"no")}) as site:
        sentence = refused(tmp_path, "harvest", site.url, *QUICK)
    assert str(status) in sentence
    assert site.url in sentence


def test_a_start_page_on_another_site_is_told(tmp_path: Path) -> None:
    there = {"Location": "http://elsewhere.test/data", "Content-Type": "text/html"}
    with serving({"/": Page(status=301, headers=there)}) as site:
        sentence = refused(tmp_path, "harvest", site.url, *QUICK)
    assert "filon harvest http://elsewhere.test/data" in sentence


def test_a_redirect_loop_is_told(tmp_path: Path) -> None:
    with serving({"/": Page(status=302, headers={"Location": "/"})}) as site:
        assert "redirects" in refused(tmp_path, "harvest", site.url, *QUICK)


def test_a_robots_txt_that_forbids_everything_is_told(tmp_path: Path) -> None:
    robots = Page(body=b"User-agent: *\nDisallow: /\n", headers={"Content-Type": "text/plain"})
    with serving({**portal(), "/robots.txt": robots}) as site:
        sentence = refused(tmp_path, "harvest", site.url, *QUICK)
        assert site.targets == ["/robots.txt"]
    assert "robots.txt forbids" in sentence
    assert "--no-robots" in sentence


def test_a_robots_txt_that_fails_forbids_everything_and_is_told(tmp_path: Path) -> None:
    with serving({**portal(), "/robots.txt": Page(status=503)}) as site:
        sentence = refused(tmp_path, "harvest", site.url, *QUICK)
        assert {*site.targets} == {"/robots.txt"}
    assert "503" in sentence


def test_a_file_that_nobody_asked_for_is_told(tmp_path: Path) -> None:
    with serving({"/a.csv": csv()}) as site:
        sentence = refused(tmp_path, "harvest", f"{site.url}a.csv", "--types", "pdf", *QUICK)
    assert "text/csv" in sentence


def test_a_url_that_is_a_file_is_the_only_find(tmp_path: Path) -> None:
    with serving({"/a.csv": csv()}) as site:
        ended = filon(tmp_path, "harvest", f"{site.url}a.csv", *QUICK, "--json")
    assert ended.code == 0, ended.err
    assert ended.json["finds"] == 1
    assert "file itself" in ended.err


def told_nothing_found(ended: Ended) -> None:
    assert ended.code == 0, ended.err
    assert ended.json["finds"] == 0
    assert "No file of the types data was found" in ended.err


def test_a_site_without_targets_names_what_it_has(tmp_path: Path) -> None:
    pdf = Page(body=b"%PDF-1.7\n1 0 obj", headers={"Content-Type": "application/pdf"})
    pages = {"/": html("/a.pdf", "/b.pdf", "/c"), "/a.pdf": pdf, "/b.pdf": pdf, "/c": html("/")}
    with serving(pages) as site:
        ended = filon(tmp_path, "harvest", site.url, *QUICK, "--json")
    told_nothing_found(ended)
    assert "2 × application/pdf" in ended.err


def test_a_site_with_one_empty_page_is_told(tmp_path: Path) -> None:
    with serving({"/": Page(body=b"")}) as site:
        ended = filon(tmp_path, "harvest", site.url, *QUICK, "--json")
    told_nothing_found(ended)


@pytest.mark.parametrize(
    "verb",
    [
        ["resume", "here"],
        ["report", "here"],
        ["export", "here", "--to", "csv"],
        ["why", "here", "http://a.test/"],
        ["review", "here"],
    ],
)
def test_what_is_not_a_run_is_told(tmp_path: Path, verb: list[str]) -> None:
    assert "here is not a run" in refused(tmp_path, *verb)
    (tmp_path / "here").mkdir()
    assert "here is not a run" in refused(tmp_path, *verb)


def test_an_unreadable_run_is_the_machines_failure(tmp_path: Path) -> None:
    with serving(portal(1, 2)) as site:
        filon(tmp_path, "harvest", site.url, *QUICK, "--out", "run")
    ledger = tmp_path / "run/ledger.sqlite"
    for extra in tmp_path.glob("run/ledger.sqlite-*"):
        extra.unlink()
    ledger.write_bytes(b"this is no database" * 100)
    for verb in (["resume", "run"], ["report", "run"], ["why", "run", site.url]):
        ended = filon(tmp_path, *verb)
        assert ended.code == 4, ended
        assert "run" in ended.sentence
    assert ledger.read_bytes() == b"this is no database" * 100


def test_an_unknown_export_is_told(tmp_path: Path) -> None:
    with serving(portal(1, 2)) as site:
        filon(tmp_path, "harvest", site.url, *QUICK, "--out", "run")
    assert "parquet" in refused(tmp_path, "export", "run", "--to", "excel")


@pytest.mark.parametrize("name", ["missing.sqlite", "empty.sqlite", "empty"])
def test_an_empty_replica_is_told(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty.sqlite").touch()
    (tmp_path / "empty").mkdir()
    assert name in refused(tmp_path, "compare", name, "--strategies", "bfs", "--seeds", 1)
