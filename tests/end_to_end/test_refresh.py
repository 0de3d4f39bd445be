"""`filon refresh` and `filon diff`: a site that changes, looked at again."""

import asyncio
import hashlib
import json
import shutil
import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import filon as python
from command import filon, finish, start
from filon.run import readonly
from filon.run.summary import summarise
from filon.verbs.refresh.session import refresh
from linkedweb import chain, turtle
from loopback import Loopback, Page, csv, html, serving

FILES = 12
POLITE = ("--delay", 0)


def tagged(page: Page) -> Page:
    """Return a page that the server knows by a tag."""
    tag = hashlib.md5(page.body, usedforsecurity=False).hexdigest()
    return replace(page, headers={**page.headers, "ETag": f'"{tag}"'})


def site() -> dict[str, Page]:
    """Two sections of files, each with a list, and news that lead nowhere."""
    pages = {"/": html("/a/", "/b/", *(f"/news/{n}" for n in range(6)))}
    for section in "ab":
        names = [f"/{section}/{n}.csv" for n in range(FILES)]
        pages[f"/{section}/"] = html(*names)
        pages |= {name: csv(name) for name in names}
    pages |= {f"/news/{n}": html("/", title=f"news {n}") for n in range(6)}
    return {path: tagged(page) for path, page in pages.items()}


def change(pages: dict[str, Page]) -> None:
    """One file is new, one changed, one moved, one is gone."""
    pages["/a/3.csv"] = tagged(csv("other"))
    pages["/b/new.csv"] = tagged(csv("new"))
    pages["/b/moved.csv"] = pages.pop("/b/5.csv")
    del pages["/a/7.csv"]
    names = [f"/b/{n}.csv" for n in range(FILES) if n != 5]
    pages["/b/"] = tagged(html(*names, "/b/new.csv", "/b/moved.csv"))


TOLD = {
    ("changed", "a/3.csv"),
    ("new", "b/new.csv"),
    ("moved", "b/5.csv"),
    ("vanished", "a/7.csv"),
}


@pytest.fixture
def changing(tmp_path: Path) -> Iterator[tuple[Path, dict[str, Page], Loopback]]:
    """A folder with a harvest, its site, and the server."""
    pages = site()
    with serving(pages) as server:
        assert filon(tmp_path, "harvest", server.url, *POLITE, "--out", "run").code == 0
        yield tmp_path, pages, server


def told(folder: Path, server: Loopback, *more: object) -> set[tuple[str, str]]:
    changes = filon(folder, "diff", "run", "--json", *more).json["changes"]
    assert len(changes) == len({(one["what"], one["url"], one["round"]) for one in changes})
    return {(one["what"], one["url"].removeprefix(server.url)) for one in changes}


def test_where_nothing_changed_hardly_anything_is_sent(
    changing: tuple[Path, dict[str, Page], Loopback],
) -> None:
    folder, _, server = changing
    before = {path: path.read_bytes() for path in (folder / "run").glob("ledger.sqlite")}
    server.log.clear()
    ended = filon(folder, "refresh", "run", "--json")
    assert ended.code == 0, ended.err
    assert ended.json["same"] == 2 * FILES
    assert ended.json["new"] == ended.json["changed"] == ended.json["vanished"] == 0
    assert len(server.log) <= 2 * FILES + 3  # a look at each file, a fifth of nine pages, robots
    assert ended.json["finds"] == 0
    assert told(folder, server) == set()
    for command in ("diff", "refresh", "gc"):
        assert "is a round" in filon(folder, command, "run/rounds/0001").sentence
    assert filon(folder, "diff", "run").out == "Nothing has changed.\n"
    assert filon(folder, "diff", "run", "--fail-if-changed").code == 0
    assert {path: path.read_bytes() for path in before} == before


def test_what_changed_is_told_once(changing: tuple[Path, dict[str, Page], Loopback]) -> None:
    folder, pages, server = changing
    assert filon(folder, "refresh", "run", *POLITE).code == 0
    change(pages)
    assert filon(folder, "refresh", "run", "--pages", 1, *POLITE).code == 0
    assert told(folder, server) == TOLD
    assert filon(folder, "refresh", "run", "--pages", 1, *POLITE).code == 0
    assert told(folder, server) == TOLD
    assert filon(folder, "diff", "run", "--fail-if-changed").code == 1
    assert told(folder, server, "--since", "2999-01-01") == set()
    ended = filon(folder, "diff", "run", "--page", "changes.html")
    assert f"{server.url}b/5.csv: -> {server.url}b/moved.csv" in ended.out
    assert f"{server.url}a/3.csv: 30 cells changed" in ended.out
    report = (folder / "run/rounds/0002/report.html").read_text()
    assert "Changed: 1 file" in report
    page = (folder / "changes.html").read_text()
    assert "30 cells changed" in page
    assert f'href="{server.url}b/new.csv"' in page
    pages["/a/7.csv"] = tagged(csv("/a/7.csv"))
    assert filon(folder, "refresh", "run", *POLITE).code == 0
    assert told(folder, server) == {*TOLD, ("back", "a/7.csv")}


def test_exports_have_the_newest_and_old_versions_can_be_deleted(
    changing: tuple[Path, dict[str, Page], Loopback],
) -> None:
    folder, pages, _ = changing
    before = pages["/a/3.csv"].body
    change(pages)
    assert filon(folder, "refresh", "run", "--pages", 1, *POLITE).code == 0
    assert filon(folder, "export", "run", "--to", "files", "--out", "out").code == 0
    bodies = {path.read_bytes() for path in (folder / "out").rglob("*.csv")}
    assert pages["/a/3.csv"].body in bodies
    assert pages["/b/new.csv"].body in bodies
    assert before not in bodies
    kept = folder / "run/files" / (name := hashlib.sha256(before).hexdigest())[:2] / name
    assert kept.read_bytes() == before
    assert (
        filon(folder, "gc", "run", "--keep", 1, "--older-than", "1d", "--json").json["versions"]
        == []
    )
    assert len(filon(folder, "gc", "run", "--keep", 1, "--dry-run", "--json").json["versions"]) == 1
    assert kept.exists()
    assert filon(folder, "gc", "run", "--keep", 1, "--json").json["bytes"] == len(before)
    assert not kept.exists()
    assert filon(folder, "gc", "run", "--keep", 1, "--json").json["versions"] == []
    assert filon(folder, "gc", "run", "--keep", 0).code == 2
    assert filon(folder, "refresh", "run", *POLITE).code == 0


def test_a_clock_is_no_change(changing: tuple[Path, dict[str, Page], Loopback]) -> None:
    folder, pages, server = changing
    for path, page in pages.items():
        if b"</ul>" in page.body:
            clock = b"</ul><p>Last updated: 16 November 2026 12:34:56</p>"
            pages[path] = Page(body=page.body.replace(b"</ul>", clock))
    assert filon(folder, "refresh", "run", "--pages", 1, *POLITE).code == 0
    server.log.clear()
    for path, page in pages.items():
        pages[path] = replace(page, body=page.body.replace(b"12:34:56", b"12:35:01"))
    ended = filon(folder, "refresh", "run", "--pages", 1, *POLITE, "--json")
    assert ended.json["changed"] == 0
    assert told(folder, server) == set()
    history = python.open_run(folder / "run/rounds/0002").requests.to_pandas()
    assert set(history["kind"]) <= {"look", "robots"}


def test_a_round_that_was_killed_goes_on(
    changing: tuple[Path, dict[str, Page], Loopback],
) -> None:
    folder, pages, server = changing
    change(pages)
    server.log.clear()
    process = start(folder, "refresh", "run", "--pages", 1, "--delay", 0.02)
    server.wait_for(9)
    process.send_signal(signal.SIGKILL)
    finish(process)
    assert filon(folder, "refresh", "run").code == 0
    assert [path.name for path in (folder / "run/rounds").iterdir()] == ["0001"]
    assert told(folder, server) == TOLD
    twice = [target for target, number in server.counts().items() if number > 1]
    assert len(twice) <= 1  # what was in flight


def test_rounds_that_were_interrupted_go_on(
    changing: tuple[Path, dict[str, Page], Loopback],
) -> None:
    folder, pages, server = changing
    for number in (1, 2):
        if number == 2:
            change(pages)
        server.log.clear()
        process = start(folder, "refresh", "run", "--pages", 1, "--delay", 0.05)
        server.wait_for(9)
        process.send_signal(signal.SIGINT)
        assert finish(process).code == 130
        ended = filon(folder, "refresh", "run", *POLITE)
        assert ended.code == 0, ended.err
        assert len(list((folder / "run/rounds").iterdir())) == number
        assert max(server.counts().values()) == 1
    assert told(folder, server) == TOLD


def test_the_same_seed_looks_at_the_same_in_the_same_order(
    changing: tuple[Path, dict[str, Page], Loopback],
) -> None:
    folder, pages, _ = changing
    change(pages)
    at_s, orders = time.time() + 3 * 86_400, []
    for name in ("one", "two"):
        shutil.copytree(folder / "run", folder / name)
        words = {"at": at_s, "seed": 5, "pages": 1.0, "delay": 0.0, "budget": "30"}
        round = asyncio.run(refresh(folder / name, words))
        with readonly.reading(round) as ledger:
            steps = ledger.execute("SELECT url, kind, why, expected FROM steps ORDER BY step")
            orders.append([tuple(row) for row in steps])
    assert orders[0] == orders[1]
    assert len(orders[0]) == 30


def test_from_python(changing: tuple[Path, dict[str, Page], Loopback]) -> None:
    folder, pages, _ = changing
    change(pages)
    round = python.refresh(folder / "run", budget=40, pages=1.0)
    assert {find.name for find in round} == {"3.csv", "new.csv", "moved.csv"}
    assert round.verb == "refresh"


def test_one_sentence_where_it_cannot_be(tmp_path: Path) -> None:
    ended = filon(tmp_path, "refresh", "nowhere")
    assert ended.code == 2
    assert ended.sentence == "There is no run and no folder nowhere."
    assert filon(tmp_path, "diff", "nowhere").code == 2


def test_many_runs_under_one_budget(tmp_path: Path) -> None:
    """An acquisition of two sites: the one that changes is asked more often in the end."""
    calm, busy = site(), site()
    with serving(calm) as one, serving(busy) as other:
        (tmp_path / "sites.txt").write_text(
            f"{one.url}\n{other.url.replace('127.0.0.1', 'localhost')}\n"
        )
        here = ("--delay", 0, "--out", "all")
        ended = filon(tmp_path, "acquire", "--sites", "sites.txt", *here, "--budget", 200)
        assert ended.code == 0, ended.err
        sent = []
        for number in range(3):
            for n in range(FILES):
                busy[f"/a/{n}.csv"] = tagged(csv(f"{number}-{n}"))
            one.log.clear()
            other.log.clear()
            swept = filon(tmp_path, "refresh", "all", "--budget", 30, "--json")
            assert swept.code == 0, swept.err
            assert len(one.log) + len(other.log) <= 30
            sent.append((len(one.log), len(other.log)))
        changes = filon(tmp_path, "diff", "all", "--json").json["changes"]
    assert {change["what"] for change in changes} == {"changed"}
    assert sent[-1][0] < sent[-1][1]
    assert not (tmp_path / "all/sweep.json").exists()


def test_bytes_are_one_budget_too(tmp_path: Path) -> None:
    with serving(site()) as one, serving(site()) as other:
        for name, url in (("one", one.url), ("two", other.url.replace("127.0.0.1", "localhost"))):
            assert filon(tmp_path, "harvest", url, *POLITE, "--out", f"runs/{name}").code == 0
        one.log.clear()
        other.log.clear()
        swept = filon(tmp_path, "refresh", "runs", "--budget", "3kB", *POLITE, "--json")
        assert swept.code == 0, swept.err
        assert all(run["same"] for run in swept.json["runs"])
    spent = [summarise(path).bytes for path in (tmp_path / "runs").glob("*/rounds/*")]
    assert len(spent) == 2
    assert sum(spent) <= 3000 + 2 * 500  # the last answer of each


def test_a_run_that_came_while_a_sweep_was_cut_short_waits_for_the_next(tmp_path: Path) -> None:
    with serving(site()) as server:
        for name in ("one", "two"):
            words = ("harvest", server.url, *POLITE, "--out", f"runs/{name}")
            assert filon(tmp_path, *words).code == 0
        begun = {"at": 1.0, "budget": "30", "shares": {"one": 30}, "done": {}}
        (tmp_path / "runs/sweep.json").write_text(json.dumps(begun))
        swept = filon(tmp_path, "refresh", "runs", "--budget", 30, "--json")
        assert swept.code == 0, swept.err
        assert [Path(one["run"]).name for one in swept.json["runs"]] == ["one"]
        swept = filon(tmp_path, "refresh", "runs", "--budget", 30, "--json")
        assert {Path(one["run"]).name for one in swept.json["runs"]} == {"one", "two"}


def test_a_table_that_is_written_otherwise_has_not_changed(
    changing: tuple[Path, dict[str, Page], Loopback],
) -> None:
    folder, pages, server = changing
    lines = pages["/a/3.csv"].body.splitlines()
    other = b"\r\n".join([lines[0], *reversed(lines[1:])])
    pages["/a/3.csv"] = tagged(replace(pages["/a/3.csv"], body=other))
    ended = filon(folder, "refresh", "run", *POLITE, "--json")
    assert (ended.json["changed"], ended.json["same"]) == (0, 2 * FILES)
    assert told(folder, server) == set()


def test_pages_that_have_moved_are_followed_and_each_goal_is_asked_for_once(
    changing: tuple[Path, dict[str, Page], Loopback],
) -> None:
    folder, pages, server = changing
    pages["/c/"] = pages.pop("/b/")
    pages["/c/"] = html("/c/new.csv", *(f"/b/{n}.csv" for n in range(FILES)))
    pages["/c/new.csv"] = tagged(csv("new"))
    pages["/b/"] = Page(status=301, headers={"Location": "/c/"})
    pages["/news/1"] = pages["/news/2"] = pages["/b/"]
    server.log.clear()
    assert filon(folder, "refresh", "run", "--pages", 1, *POLITE).code == 0
    assert told(folder, server) == {("new", "c/new.csv")}
    assert max(server.counts().values()) == 1


def test_of_a_long_file_without_a_tag_one_copy_is_kept(tmp_path: Path) -> None:
    rows = b"".join(b"%d,%d\n" % (n, n * n) for n in range(90_000))
    page = Page(body=b"a,b\n" + rows, headers={"Content-Type": "text/csv"})
    with serving({"/": html("/a.csv"), "/a.csv": page}) as server:
        assert filon(tmp_path, "harvest", server.url, *POLITE, "--out", "run").code == 0
        ended = filon(tmp_path, "refresh", "run", *POLITE, "--json")
    assert ended.json["same"] == 1
    files = [*(tmp_path / "run").glob("**/files/*/*")]
    assert len({path.stat().st_ino for path in files}) == 1


def test_of_linked_data_triples_are_told(tmp_path: Path) -> None:
    pages = {path: tagged(page) for path, page in chain(4).items()}
    with serving(pages) as server:
        begun = filon(
            tmp_path, "follow", f"{server.url}id/1", "--within", "host", *POLITE, "--out", "run"
        )
        assert begun.code == 0, begun.err
        page = pages["/doc/2"]
        more = b'<> <http://example.org/says> "more" , <id/77> .\n'
        pages["/doc/2"] = tagged(replace(page, body=page.body + more))
        pages["/id/77"] = turtle("<> <http://example.org/says> 1 .")
        ended = filon(tmp_path, "refresh", "run", *POLITE, "--json")
        assert ended.code == 0, ended.err
        text = filon(tmp_path, "diff", "run").out
    assert "doc/2: 2 triples added" in text
