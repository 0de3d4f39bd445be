"""Watch: the list, a run, what can be asked of it, and what it leaves."""

import asyncio
import contextlib
import io
import re
import sqlite3
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from command import environment
from fake_run import FakeRun
from filon.run.disk import Lock
from filon.serve.page import static
from golden.folders import unpack
from patience import PATIENCE_S
from unit.serve.visitor import Browser, visiting

pytestmark = pytest.mark.usefixtures("begun")


def harvest(folder: Path, name: str = "a.test-001", stopped: str = "budget") -> None:
    with FakeRun(folder / name, url="https://a.test/", budget="300req") as run:
        run.step("https://a.test/", kind="start", why="where the site starts")
        run.step("https://a.test/<i>data</i>.csv", why="it looked like a file")
        run.find("https://a.test/<i>data</i>.csv", b"place,people\n<b>Ulm</b>,7\n", name="<i>.csv")
        run.meta(stopped=stopped, summary='{"forecast": {"mean": 7.4, "spread": 2, "most": 12.2}}')


def test_the_list_is_paged_and_sorted(tmp_path: Path) -> None:
    for number in range(30):
        with FakeRun(tmp_path / f"run-{number:02}") as run:
            run.step("https://a.test/")

    async def visit(browser: Browser) -> None:
        first = await browser.text("/runs?sort=name")
        assert "30 runs" in first
        assert "run-00" in first
        assert "run-25" not in first
        second = await browser.text("/runs?sort=name&page=2")
        assert "run-29" in second
        assert "run-00" not in second
        for odd in ("/runs?page=99", "/runs?page=-1", "/runs?page=x&sort=y", "/runs?page=9999999"):
            assert "run-" in await browser.text(odd)

    visiting(visit, tmp_path)


def test_the_list_is_narrowed_by_words_and_by_verb(tmp_path: Path) -> None:
    for number in range(30):
        with FakeRun(tmp_path / f"bees-{number:02}", url="https://hive.test/") as run:
            run.step("https://hive.test/")
    with FakeRun(tmp_path / "wax", verb="follow", url="https://a.test/") as run:
        run.step("https://a.test/")

    async def visit(browser: Browser) -> None:
        some = await browser.text("/runs?q=HIVE+bees-0&sort=name")
        assert "10 runs of 31" in some
        assert "wax" not in some
        assert "sort=finds&amp;page=1&amp;q=HIVE+bees-0" in some
        assert "q=bees&amp;verb=" in await browser.text("/runs?q=bees")
        assert "1 run of 31" in await browser.text("/runs?verb=follow")
        assert "No run is so." in await browser.text("/runs?q=%3Cb%3E&verb=x")

    visiting(visit, tmp_path)


def test_a_run_shows_figures_forecast_steps_and_finds(tmp_path: Path) -> None:
    harvest(tmp_path)

    async def visit(browser: Browser) -> str:
        return await browser.text("/runs/a.test-001")

    page = visiting(visit, tmp_path)
    for told in ("the budget was spent", "of 300", "about 7", "at most 13", "<svg", "<meter"):
        assert told in page
    assert "it looked like a file" in page
    assert "&lt;b&gt;Ulm&lt;/b&gt;" in page
    for markup in ("<i>", "<b>"):
        assert markup not in page
    assert 'value="600req"' in page
    assert "/runs/a.test-001/export/parquet" in page


@pytest.mark.parametrize(("waiting", "told"), [(9, True), (0, False)])
def test_a_run_that_has_seen_too_little_says_so(tmp_path: Path, waiting: int, told: bool) -> None:
    with FakeRun(tmp_path / "a.test-001", url="https://a.test/") as run:
        run.step("https://a.test/", kind="start")
        run.end("budget", {"forecast": None, "left": waiting})
    page = visiting(lambda browser: browser.text("/runs/a.test-001"), tmp_path)
    assert ("too early to tell" in page) == told


def test_a_run_at_work_shows_what_it_expects_before_any_checkpoint(tmp_path: Path) -> None:
    with FakeRun(tmp_path / "a.test-001", url="https://a.test/") as run:
        run.step("https://a.test/", kind="start")
        run.meta(outlook="about 12 ± 5 <i>files</i> left")

    async def visit(browser: Browser) -> str:
        lock = Lock(tmp_path / "a.test-001")
        try:
            return await browser.text("/runs/a.test-001")
        finally:
            lock.release()

    page = visiting(visit, tmp_path)
    assert "At work" in page
    assert "about 12 ± 5 &lt;i&gt;files&lt;/i&gt; left" in page


def test_a_run_that_was_killed_can_go_on(tmp_path: Path, begun: list[list[str]]) -> None:
    harvest(tmp_path, stopped="")

    async def visit(browser: Browser) -> str:
        page = await browser.text("/runs/a.test-001")
        answer = await browser.post("/runs/a.test-001/go", {})
        assert answer.status == 303
        return page

    page = visiting(visit, tmp_path)
    assert "Stopped before its end" in page
    assert "Go on" in page
    assert begun == [["resume", str(tmp_path / "a.test-001")]]


def test_more_budget_and_another_look_are_commands(tmp_path: Path, begun: list[list[str]]) -> None:
    harvest(tmp_path)
    run = str(tmp_path / "a.test-001")

    async def visit(browser: Browser) -> None:
        await browser.post("/runs/a.test-001/budget", {"budget": "900"})
        refused = await browser.post("/runs/a.test-001/budget", {"budget": "9 lives"})
        assert refused.status == 400
        assert "is not understood" in await refused.text()
        assert (await browser.post("/runs/a.test-001/budget", {})).status == 400
        spent = await browser.post("/runs/a.test-001/budget", {"budget": "900req,1finds"})
        assert "name more than 1finds" in await spent.text()
        await until(browser, "/runs/a.test-001", 'id="again"')
        await browser.post("/runs/a.test-001/refresh", {"budget": ""})

    visiting(visit, tmp_path)
    assert begun == [["resume", run, "--budget", "900"], ["refresh", run]]


async def until(browser: Browser, path: str, words: str) -> None:
    """Load a page again and again until it says something."""
    async with asyncio.timeout(PATIENCE_S):
        page = await browser.text(path)
        while words not in page:
            page = await browser.text(path)


def test_a_run_of_a_shell_is_shown_and_left_to_it(tmp_path: Path) -> None:
    harvest(tmp_path, stopped="")
    lock = Lock(tmp_path / "a.test-001")

    async def visit(browser: Browser) -> str:
        return await browser.text("/runs/a.test-001")

    page = visiting(visit, tmp_path)
    lock.release()
    assert "begun in a shell" in page
    assert ">Pause<" not in page


def test_what_is_not_there_is_not_found(tmp_path: Path, begun: list[list[str]]) -> None:
    harvest(tmp_path)

    async def visit(browser: Browser) -> None:
        for path in ("/runs/none", "/runs/%2e%2e%2fhome", "/runs/none/kept/report.html"):
            assert (await browser.get(path)).status == 404
        for act in ("go", "pause", "stop", "budget", "refresh"):
            answer = await browser.post(f"/runs/none/{act}", {"budget": "5"})
            assert answer.status == 404, act

    visiting(visit, tmp_path)
    assert begun == []


def test_a_run_that_cannot_be_read_says_so(tmp_path: Path) -> None:
    harvest(tmp_path)
    (tmp_path / "a.test-001" / "ledger.sqlite").write_bytes(b"no database" * 500)

    async def visit(browser: Browser) -> None:
        for path in ("/runs", "/runs/a.test-001", "/"):
            page = await browser.text(path)
            assert "Cannot be read" in page

    visiting(visit, tmp_path)


def test_the_report_has_no_script_within_and_its_files_are_saved(tmp_path: Path) -> None:
    harvest(tmp_path)
    stored = next((tmp_path / "a.test-001" / "files").glob("*/*"))
    place = stored.relative_to(tmp_path / "a.test-001").as_posix()

    async def visit(browser: Browser) -> None:
        report = await browser.get("/runs/a.test-001/kept/report.html")
        policy = report.headers["Content-Security-Policy"]
        assert policy.startswith("sandbox ")
        assert "script-src 'self'; " in policy
        page = await report.text()
        assert f'href="{place}"' in page
        assert re.findall("<script[^>]*>.", page) == [f'<script src="{static("table.js")}"><']
        assert "script-src 'self'\">" in page
        assert "sort" in await browser.text(static("table.js"))
        file = await browser.get(f"/runs/a.test-001/kept/{place}")
        assert file.headers["Content-Disposition"].startswith("attachment")
        assert file.headers["Content-Security-Policy"].startswith("sandbox")
        assert file.content_type == "application/octet-stream"
        assert await file.read() == stored.read_bytes()

    visiting(visit, tmp_path)


@pytest.mark.parametrize("path", ["..%2f..%2fsecret", "files/../../../secret", "%2fetc%2fpasswd"])
def test_no_address_leads_out_of_a_run(path: str, tmp_path: Path) -> None:
    harvest(tmp_path / "home")
    (tmp_path / "secret").write_text("secret", "utf-8")
    (tmp_path / "home" / "a.test-001" / "link").symlink_to(tmp_path / "secret")

    async def visit(browser: Browser) -> None:
        for one in (path, "link"):
            assert (await browser.get(f"/runs/a.test-001/kept/{one}")).status == 404

    visiting(visit, tmp_path / "home")


def test_every_format_that_a_run_has_is_handed_out(tmp_path: Path) -> None:
    harvest(tmp_path)

    async def visit(browser: Browser) -> None:
        csv = await browser.get("/runs/a.test-001/export/csv")
        assert csv.status == 200
        assert 'filename="a.test-001.csv"' in csv.headers["Content-Disposition"]
        assert b"data" in await csv.read()
        files = await browser.get("/runs/a.test-001/export/files")
        assert 'filename="a.test-001-files.zip"' in files.headers["Content-Disposition"]
        with zipfile.ZipFile(io.BytesIO(await files.read())) as packed:
            assert any(name.endswith(".csv") for name in packed.namelist())
        assert (await browser.get("/runs/a.test-001/export/nonsense")).status == 400

    visiting(visit, tmp_path)
    assert not list((tmp_path / ".filon-serve").glob("export-*"))


# Live.


async def event(response: object) -> dict[str, str]:
    """Return the next event of a stream."""
    fields: dict[str, str] = {}
    stream = response.content  # type: ignore[attr-defined]
    async with asyncio.timeout(PATIENCE_S):
        while True:
            line = (await stream.readline()).decode()
            if line == "\n":
                if "event" in fields:
                    return fields
                fields = {}
            name, _, value = line.rstrip("\n").partition(": ")
            fields[name] = fields.get(name, "") + value


def answer(run: Path) -> None:
    """Add an answer to a ledger, as a run at work does."""
    with contextlib.closing(sqlite3.connect(run / "ledger.sqlite")) as db, db:
        db.execute(
            "INSERT INTO steps (step, answer, after, method, url, parent, kind, arm, score,"
            " expected, why, status, at_s, took_s) SELECT MAX(step) + 1, MAX(answer) + 1, 0, 'GET',"
            " 'https://a.test/new', '', 'link', '', 0, 0, 'new', 200, 1, 0 FROM steps"
        )


def test_what_comes_in_is_sent_to_every_tab_that_looks(tmp_path: Path) -> None:
    harvest(tmp_path, stopped="")

    async def visit(browser: Browser) -> None:
        tabs = [await browser.client.get("/runs/a.test-001/live") for _ in range(2)]
        for tab in tabs:
            seen = [await event(tab) for _ in range(6)]
            assert [one["event"] for one in seen] == [
                "standing",
                "state",
                "controls",
                "curve",
                "steps",
                "finds",
            ]
            assert "of 300" in seen[1]["data"]
        answer(tmp_path / "a.test-001")
        for tab in tabs:
            changed = await event(tab)
            assert changed["event"] == "state", "how it stands is read out only when it changes"
            assert ">4<" in changed["data"]
            tab.close()
        back = {"Last-Event-ID": changed["id"]}
        again = await browser.client.get("/runs/a.test-001/live", headers=back)
        answer(tmp_path / "a.test-001")
        _, first = [await event(again) for _ in range(2)]
        assert ">5<" in first["data"], "what was seen before is not told again"
        again.close()

    visiting(visit, tmp_path)


def test_the_list_changes_while_one_looks(tmp_path: Path) -> None:
    harvest(tmp_path)

    async def visit(browser: Browser) -> None:
        tab = await browser.client.get("/live/runs?sort=name")
        assert "b.test-001" not in (await event(tab))["data"]
        harvest(tmp_path, "b.test-001")
        assert "b.test-001" in (await event(tab))["data"]
        tab.close()

    visiting(visit, tmp_path)


def test_what_pages_of_runs_need_can_be_loaded_beforehand() -> None:
    loaded = "import sys; from filon.serve.watch import warm; warm(); print(*sys.modules)"
    told = subprocess.run(
        [sys.executable, "-c", loaded],
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert {
        f"filon.verbs.{verb}.summary" for verb in ("discover", "follow", "enrich", "acquire")
    } <= {*told.stdout.split()}


@pytest.mark.parametrize(
    "name", ["acquire", "discover", "enrich", "follow", "refresh", "replicate"]
)
def test_runs_of_every_verb_are_shown(name: str, tmp_path: Path) -> None:
    unpack(name, tmp_path)

    async def visit(browser: Browser) -> str:
        page = await browser.text(f"/runs/{name}")
        assert (await browser.get(f"/runs/{name}/kept/report.html")).status == 200
        return page

    page = visiting(visit, tmp_path)
    assert "the budget was spent" in page
    assert "Just fetched, and why" in page
    best = {"discover": "sites.csv", "enrich": "enriched.csv", "follow": "graph.nq"}
    if name in best:
        assert f'/runs/{name}/kept/{best[name]}" download' in page
