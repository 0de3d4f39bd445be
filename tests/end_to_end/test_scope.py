"""How far a harvest goes: several starts, globs, depth, files on other hosts."""

import tomllib
from pathlib import Path

import filon as library
from command import filon
from loopback import Loopback, Page, csv, html, serving

QUICK = ("--delay", 0, "--stop", "never", "--out", "run")
SITE = {
    "/en/": html("/en/list", "/en/a.csv"),
    "/en/list": html("/en/old/", "/en/b.csv", "/files/c.csv"),
    "/en/old/": html("/en/old/d.csv"),
    "/de/": html("/de/e.csv", "/en/"),
    "/": html("/news.csv"),
    **{
        path: csv(path)
        for path in ("/en/a.csv", "/en/b.csv", "/files/c.csv", "/en/old/d.csv", "/de/e.csv")
    },
}


def asked(site: Loopback) -> list[str]:
    return sorted({*site.targets} - {"/robots.txt", "/sitemap.xml"})


def test_several_starts_of_a_site_are_one_run_that_goes_on(tmp_path: Path) -> None:
    with serving(SITE) as site:
        starts = (f"{site.url}en/", f"{site.url}de/")
        ended = filon(tmp_path, "harvest", *starts, *QUICK, "--budget", 3, "--json")
        assert ended.code == 0, ended.err
        assert site.targets == ["/robots.txt", "/en/", "/de/"]
        config = tomllib.loads((tmp_path / "run/run.toml").read_text())
        assert (config["url"], config["more_urls"]) == (starts[0], [starts[1]])
        ended = filon(tmp_path, "resume", "run", "--budget", 300, "--json")
    assert ended.code == 0, ended.err
    assert ended.json["finds"] == 5
    assert max(site.counts().values()) == 1
    assert "/" not in site.targets


def test_start_urls_of_two_sites_are_refused_in_a_sentence(tmp_path: Path) -> None:
    ended = filon(tmp_path, "harvest", "https://a.org/", "https://b.org/x", "--dry-run")
    assert ended.code == 2
    assert "https://b.org/x is not of the site of https://a.org/" in ended.err
    assert "filon harvest https://b.org/x" in ended.err


def test_a_dry_run_names_all_starts(tmp_path: Path) -> None:
    two = ("harvest", "data.a.org", "stats.a.org/x", "--dry-run")
    assert (
        "Would harvest https://data.a.org/ https://stats.a.org/x into" in filon(tmp_path, *two).out
    )
    ended = filon(tmp_path, *two, "--json")
    assert ended.json["first_requests"] == [
        "https://data.a.org/robots.txt",
        "https://data.a.org/",
        "https://stats.a.org/robots.txt",
        "https://stats.a.org/x",
    ]


def test_starts_that_all_fail_are_told_and_leave_nothing(tmp_path: Path) -> None:
    with serving({}) as site:
        ended = filon(tmp_path, "harvest", f"{site.url}a", f"{site.url}b", *QUICK)
    assert ended.code == 2
    assert f"{site.url}a is not there" in ended.err
    assert not (tmp_path / "run").exists()


def test_python_takes_one_start_or_several(tmp_path: Path) -> None:
    with serving(SITE) as site:
        starts = [f"{site.url}en/", f"{site.url}de/"]
        run = library.harvest(starts, delay=0, out=tmp_path / "run", exclude="*/old/*")
    assert {find.name for find in run} == {"a.csv", "b.csv", "c.csv", "e.csv"}


def test_globs_bound_pages_and_files_and_are_told(tmp_path: Path) -> None:
    globs = ("--include", "/en/*", "--include", "/files/", "--exclude", "*/old/*")
    with serving(SITE) as site:
        ended = filon(tmp_path, "harvest", f"{site.url}de/", *globs, *QUICK)
    assert ended.code == 0, ended.err
    assert asked(site) == ["/de/", "/en/", "/en/a.csv", "/en/b.csv", "/en/list", "/files/c.csv"]
    assert "1  in --exclude" in ended.out
    assert "2  not in --include" in ended.out  # the sitemap too
    assert "not in --include" in (tmp_path / "run/report.html").read_text()
    excluded = filon(tmp_path, "why", "run", f"{site.url}en/old/").out
    assert "--exclude */old/* keeps it out" in excluded
    assert "No --include of the run fits it" in filon(tmp_path, "why", "run", f"{site.url}x").out
    assert "keeps it out" not in filon(tmp_path, "why", "run", f"{site.url}en/a.csv").out


def test_a_depth_is_kept_over_a_resume(tmp_path: Path) -> None:
    bound = ("--depth", 2, *QUICK)
    with serving({**SITE, "/sitemap.xml": Page(body=b"<urlset/>")}) as site:
        filon(tmp_path, "harvest", f"{site.url}en/", *bound, "--budget", 3)
        ended = filon(tmp_path, "resume", "run", "--budget", 300)
    assert ended.code == 0, ended.err
    assert asked(site) == [
        *("/en/", "/en/a.csv", "/en/b.csv", "/en/list", "/en/old/", "/files/c.csv"),
    ]
    assert "/sitemap.xml" not in site.targets
    assert "1  beyond --depth" in ended.out


ELSEWHERE = {
    "/robots.txt": Page(body=b"User-agent: *\nDisallow: /private/\nSitemap: /sitemap.xml\n"),
    "/a.csv": csv("a"),
    "/moved.csv": Page(status=302, headers={"Location": "http://store.test/key"}),
    "/page.csv": html("/b.csv", "http://data.test/more"),
    "/b.csv": csv("b"),
    "/private/c.csv": csv("c"),
    "/key": csv("k"),
}
LINKS = [f"http://files.test/{name}" for name in ("a.csv", "moved.csv", "page.csv", "")]


def test_files_of_linked_hosts_are_left_out_and_named_with_the_option(tmp_path: Path) -> None:
    pages = {"/": html(*LINKS, "/own.csv"), "/own.csv": csv()}
    with serving(pages) as site:
        connect = ("--connect-to", f"data.test:80:127.0.0.1:{site.port}")
        ended = filon(tmp_path, "harvest", "http://data.test/", *connect, *QUICK)
        told = filon(
            tmp_path, "harvest", "http://data.test/", *connect, *QUICK[:-1], "other", "--json"
        )
    assert "--files-from linked-hosts asks for them too" in ended.out
    assert "3  files.test" in ended.out
    assert told.json["left_out_hosts"] == {"files.test": 3}
    assert any("--files-from linked-hosts" in note for note in told.json["notes"])
    report = (tmp_path / "run/report.html").read_text()
    assert "Files on other hosts" in report
    assert "--files-from linked-hosts" in report
    why = filon(tmp_path, "why", "run", LINKS[0]).out
    assert "3 files of its host were left out: --files-from linked-hosts asks for them" in why


def test_files_of_linked_hosts_are_asked_for_politely_and_as_files_only(tmp_path: Path) -> None:
    refused = ["http://files.test/private/c.csv", "http://127.0.0.9/private.csv"]
    pages = {"/": html(*LINKS, *refused, "/own.csv"), "/own.csv": csv()}
    with serving(pages) as site, serving(ELSEWHERE) as other:
        connect = [f"data.test:80:127.0.0.1:{site.port}"]
        connect += [f"{name}.test:80:127.0.0.1:{other.port}" for name in ("files", "store")]
        rules = [word for rule in connect for word in ("--connect-to", rule)]
        abroad = (*rules, *QUICK, "--files-from", "linked-hosts", "--strategy", "bfs", "--json")
        ended = filon(tmp_path, "harvest", "http://data.test/", *abroad)
    assert ended.code == 0, ended.err
    assert ended.json["finds"] == 3
    assert ended.json["left_out_hosts"] == {}
    assert site.targets == ["/robots.txt", "/", "/own.csv"]
    assert {*other.targets} == {"/robots.txt", "/a.csv", "/moved.csv", "/page.csv", "/key"}
    assert other.counts()["GET /robots.txt"] == 2
    assert "private" in filon(tmp_path, "why", "run", "http://127.0.0.9/private.csv").out
