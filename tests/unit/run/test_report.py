import base64
import hashlib
import re
import sqlite3
import time
from contextlib import closing
from importlib.resources import files
from itertools import pairwise
from pathlib import Path

import pytest

from fake_run import START, FakeRun, realistic
from filon.core import MachineError, UserError
from filon.run import readonly
from filon.run.disk import Lock
from filon.run.report import finds, write_report
from filon.run.report.curve import drawn, nice_ticks
from filon.run.report.settings import hide
from filon.run.report.standard import standard
from filon.verbs.registry import VERBS
from report_page import Page, report, scripts

EVIL = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>\x1b[31m\u202e\u2066&amp;"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Page:
    return report(realistic(tmp_path_factory.mktemp("realistic") / "run"))


def test_the_page_stands_alone(page: Page) -> None:
    assert not {"img", "iframe", "object", "embed", "base", "form"} & set(page.tags)
    assert page.values("src") == []
    assert "url(" not in page.source
    assert "@import" not in page.source
    assert "default-src 'none'" in page.source


def test_the_only_script_is_the_one_that_the_policy_names(page: Page) -> None:
    (code,) = scripts(page)
    digest = base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]+)"', page.source)
    assert f"script-src 'sha256-{digest}'" in policy
    assert "unsafe-eval" not in policy
    assert policy.count("unsafe-inline") == 1  # of styles


def test_a_page_without_finds_has_no_script(tmp_path: Path) -> None:
    with FakeRun(tmp_path / "run") as fake:
        fake.step(START, kind="start")
    page = report(tmp_path / "run")
    assert scripts(page) == []
    assert "script-src" not in page.source


def test_the_finds_can_be_filtered_and_sorted(page: Page) -> None:
    listed = page.source.partition('id="list"')[2].partition("</section>")[0]
    assert listed.count('<div class="sift">') == 1
    rows = re.findall(r"<tr><td.*?</tr>", listed, re.S)
    assert len(rows) > 100
    # What is shown in units is sorted by bytes.
    assert all(re.search(r'<data value="\d+">', row) for row in rows)


def test_finds_link_to_their_file_and_to_the_web(tmp_path: Path) -> None:
    path = tmp_path / "run"
    with FakeRun(path) as fake:
        fake.find(f"{START}get?id=1", b"x,y\n1,2\n", name="Zürich <2024>.csv")
        fake.find(f"{START}lost.csv", b"gone", name="lost.csv")
        fake.end("goal")
    gone = hashlib.sha256(b"gone").hexdigest()
    (path / "files" / gone[:2] / gone).unlink()
    page = report(path)
    listed = page.source.partition('id="list"')[2].partition("</section>")[0]
    (href,) = re.findall(r'href="(files/[^"]+)"', listed)
    assert (path / href).read_bytes() == b"x,y\n1,2\n"
    assert 'download="Zürich _2024_.csv"' in listed
    assert f'href="{START}get?id=1"' in listed
    assert f'href="{START}lost.csv"' in listed


def test_what_the_page_says_of_a_find_is_shown_where_it_is_known(tmp_path: Path) -> None:
    said = {
        "link_text": "Population by region",
        "page_title": "All our figures",
        "headings": "Statistics > People",
        "licence": "CC BY 4.0",
        "modified": "2024-05-01",
    }
    with FakeRun(tmp_path / "run") as fake:
        known = {row[1] for row in fake.ledger.execute("PRAGMA table_info(finds)")}
        for name in {*said} - known:
            fake.ledger.execute(f"ALTER TABLE finds ADD COLUMN {name} TEXT NOT NULL DEFAULT ''")
        fake.find(f"{START}2-2-1.csv", name="2-2-1.csv")
        fake.ledger.execute(
            f"UPDATE finds SET {', '.join(f'{n} = ?' for n in said)}", [*said.values()]
        )
        fake.end("goal")
    listed = report(tmp_path / "run").text
    for words in said.values():
        assert words in listed
    assert "population-by-region.csv" in listed
    assert "Licence" in listed
    assert "Modified" in listed


def test_small_screens_scroll_within_tables_only() -> None:
    style = files("filon.run").joinpath("style.css").read_text("utf-8")
    rules = dict(re.findall(r"([^{}]+?)\s*\{([^{}]*)\}", style))
    assert "overflow-x: auto" in rules["\n.scroll"]
    # Nothing has a width that a telephone has not.
    widths = re.findall(r"(?<![\w-])(?:min-)?width:\s*([\d.]+)(rem|px)", style)
    assert all(float(number) * (16 if unit == "rem" else 1) < 360 for number, unit in widths)


def test_every_table_scrolls_by_itself(page: Page) -> None:
    assert page.tags.count("table") == page.values("class").count("scroll")


def test_what_the_run_wrote_is_linked(tmp_path: Path) -> None:
    path = realistic(tmp_path / "run", requests=30)
    (path / "archive").mkdir()
    (path / "archive" / "run-00001.warc.gz").touch()
    links = report(path).values("href")
    for name in ("ledger.sqlite", "run.toml", "archive/run-00001.warc.gz"):
        assert name in links
    assert all((path / href).exists() for href in links if ":" not in href and href[0] != "#")


def test_the_page_is_well_formed(page: Page) -> None:
    assert page.open == []
    assert len(page.ids) == len(set(page.ids))
    inner = [href[1:] for href in page.values("href") if href.startswith("#")]
    assert inner == [name for name in page.ids if name in inner]
    assert len(inner) == 10


def test_the_top_says_which_site_how_it_ended_and_the_figures(page: Page) -> None:
    assert "statistik.example.org" in page.text
    assert "filon harvest · strategy sb" in page.text
    assert "Ended: the budget was spent" in page.text
    assert re.search(r"Finds\s*\d\d\d", page.words)
    assert "finds for 100 requests" in page.words


def test_the_curve_says_in_words_what_it_shows(page: Page) -> None:
    (said,) = {value for value in page.values("aria-label") if value.startswith("Curve")}
    assert re.search(r"Half of them were in by request \d+", said)
    assert re.search(r"The last 100 requests brought \d+", said)


@pytest.mark.parametrize("half", range(40, 800, 40))
def test_the_mark_of_the_half_stays_off_the_numbers_of_the_axis(half: int) -> None:
    found = [half - 2, half - 1, half, half + 10, half + 11, half + 12]
    with closing(sqlite3.connect(":memory:")) as ledger:
        svg = drawn(ledger, 864, found=found)
    labels = re.findall(
        r'<text x="([\d.-]+)" y="[\d.]+" text-anchor="(start|end)">(half .*?)<', svg
    )
    assert len(labels) == 2
    for x, anchor, words in labels:
        assert anchor == "start" or float(x) - 7 * len(words) >= 40


def test_every_request_stands_in_one_group(page: Page) -> None:
    table = page.source.partition('id="spending"')[2].partition("</section>")[0]
    numbers = [int(n) for n in re.findall(r'<td class="figure">(\d+)</td>', table)]
    total = re.search(r"Requests (\d+)", page.words)
    assert total
    assert sum(numbers) == int(total[1])
    for group in ("Finds", "Pages", "Other files", "Redirects", "Headers only", "robots.txt",
                  "Retries", "Errors", "No answer yet"):  # fmt: skip
        assert group in table


def test_groups_guards_errors_and_settings_are_shown(page: Page) -> None:
    assert "a.download" in page.text
    assert "blocked extension 640" in page.words
    assert "404 Not Found" in page.words
    assert "No answer in time" in page.words
    assert 'strategy = "sb"' in page.text


def test_hostile_text_stays_text(tmp_path: Path) -> None:
    with FakeRun(tmp_path / "run", strategy=EVIL, verb=EVIL, url=f"https://{EVIL}/") as fake:
        fake.step(f"{START}{EVIL}", kind="start", arm=EVIL, why=EVIL)
        fake.step(f"http://{EVIL}/", error="tls", status=0, detail=EVIL, took_s=9.0)
        for n in range(12):
            fake.find(f"{START}{n}{EVIL}", name=EVIL, mime=EVIL, parent=EVIL, arm=EVIL)
        arm = {"name": f"/a/b/{EVIL}", "pulls": 1, "mean": 1, "left": 1, "example": EVIL}
        fake.end(EVIL, {"arms": [arm], "skipped": {EVIL: 3}})
    page = report(tmp_path / "run")
    assert page.tags.count("script") == 1
    assert scripts(page) == [f"\n{files('filon.run').joinpath('table.js').read_text('utf-8')}"]
    assert "img" not in page.tags
    assert not [name for name, _ in page.attributes if name.startswith("on")]
    assert "<script>alert(1)</script>" in page.text
    assert not set("\x1b\u202e\u2066") & set(page.source)


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        " https://x",
        "//x",
        "https://a b",
    ],
)
def test_only_web_addresses_become_links(tmp_path: Path, url: str) -> None:
    with FakeRun(tmp_path / "run", url=url) as fake:
        fake.find(url, name="x", parent=url)
        fake.end("goal", {"arms": [{"name": "a", "example": url}]})
    links = [href for href in report(tmp_path / "run").values("href") if href[0] != "#"]
    kept = re.compile(r"files/[0-9a-f]{2}/[0-9a-f]{64}|ledger\.sqlite|run\.toml")
    assert [href for href in links if not kept.fullmatch(href)] == []


def test_links_tell_the_other_side_nothing(page: Page) -> None:
    outer = [href for href in page.values("href") if "://" in href]
    assert len(outer) == len(page.values("rel"))
    assert set(page.values("rel")) == {"noopener noreferrer nofollow"}


@pytest.mark.parametrize(
    ("stopped", "said"),
    [("", "Cut short before its end"), ("interrupted", "Interrupted")],
)
def test_a_run_that_may_go_on_says_how(tmp_path: Path, stopped: str, said: str) -> None:
    with FakeRun(tmp_path / "run") as fake:
        fake.step(START, kind="start")
        fake.end(stopped)
    page = report(tmp_path / "run")
    assert said in page.text
    assert f"filon resume {tmp_path / 'run'}" in page.text


def test_a_run_that_goes_on_is_told_to_be_running(tmp_path: Path) -> None:
    with FakeRun(tmp_path / "run") as fake:
        fake.step(START, kind="start")
    lock = Lock(tmp_path / "run")
    page = report(tmp_path / "run")
    lock.release()
    assert "Still running" in page.text
    assert "filon resume" not in page.text


def test_a_run_that_has_just_begun_has_a_report(tmp_path: Path) -> None:
    with FakeRun(tmp_path / "run"):
        pass
    page = report(tmp_path / "run")
    assert "No answer has come in yet." in page.text
    assert page.ids == ["outputs", "settings"]


def test_a_run_without_finds_looks_like_one(tmp_path: Path) -> None:
    with FakeRun(tmp_path / "run") as fake:
        fake.step(START, kind="start", arm="/html/a")
        fake.step(f"{START}b", status=403)
        arm = {"name": "/html/a", "pulls": 1, "mean": 0, "left": 3}
        fake.end("exhausted", {"arms": [arm], "skipped": {"robots": 7}})
    why = "The start page asks for a login <b>."
    page = Page(write_report(tmp_path / "run", lambda path, db: standard(path, db, lambda: [why])))
    assert page.ids[0] == "nothing"
    assert not {"curve", "arms", "finds", "list", "sample"} & set(page.ids)
    assert "Nothing was found in 2 answered requests." in page.words
    assert why in page.words
    assert "Ended: nothing was left to fetch." in page.words
    assert "Pages 1, Errors 1." in page.words
    assert "robots 7." in page.words


def test_a_harvest_without_finds_says_why(tmp_path: Path) -> None:
    with FakeRun(tmp_path / "run", types="data") as fake:
        fake.step(START, kind="start", status=404)
        fake.end("exhausted")
    harvest = VERBS.find("harvest")()
    words = Page(write_report(tmp_path / "run", harvest.page)).words
    assert "Nothing was found in 1 answered request." in words
    for note in harvest.outcome(tmp_path / "run").remarks:
        assert " ".join(note.split()) in words


def test_one_find_has_a_curve(tmp_path: Path) -> None:
    with FakeRun(tmp_path / "run") as fake:
        fake.find(START, name="a.csv", kind="start")
        fake.end("goal")
    page = report(tmp_path / "run")
    assert "polyline" in page.tags
    assert "1 find in 1 answered request." in page.words


def test_only_the_first_finds_are_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finds, "_LISTED", 500)
    with FakeRun(tmp_path / "run") as fake:
        for n in range(510):
            fake.find(f"{START}{n}", name=f"name-{n}.csv", size_bytes=510 - n)
    page = report(tmp_path / "run")
    assert "The first 500 of 510" in page.words
    assert "name-499.csv" in page.text
    assert "name-500.csv" not in page.text
    assert "And 10 more." in page.text


def test_the_same_content_is_told_to_be_stored_once(tmp_path: Path) -> None:
    with FakeRun(tmp_path / "run") as fake:
        for n in range(3):
            fake.find(f"{START}{n}", b"same", name="a.csv")
    assert "2 finds had the same content" in report(tmp_path / "run").words


def test_a_new_report_takes_the_place_of_the_old_one_and_leaves_nothing(tmp_path: Path) -> None:
    path = realistic(tmp_path / "run", requests=50)
    (path / "report.html").write_text("old")
    names = {p.name for p in path.iterdir()}
    write_report(path, standard)
    assert {p.name for p in path.iterdir()} == names
    assert (path / "report.html").read_text("utf-8").startswith("<!doctype html>")


def test_a_report_that_cannot_be_written_is_the_machines_fault(tmp_path: Path) -> None:
    path = realistic(tmp_path / "run", requests=20)
    (path / "report.html").mkdir()
    with pytest.raises(MachineError, match="cannot be written"):
        write_report(path, standard)
    assert not list(path.glob(".report*"))


def test_a_folder_that_is_not_a_run_gets_no_report(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is not a run"):
        write_report(tmp_path, standard)
    assert list(tmp_path.iterdir()) == []


def test_a_hundred_thousand_steps_give_a_small_page(tmp_path: Path) -> None:
    path = tmp_path / "run"
    with FakeRun(path) as fake:
        long = f"{START}{'x' * 450}"
        for n in range(1000):
            fake.find(f"{long}{n}", b"", name=f"{'name' * 20}{n}", parent=long, arm=f"{long}{n}")
        columns = [row[1] for row in fake.ledger.execute("PRAGMA table_info(steps)")]
        same = ", ".join(c for c in columns if c not in ("step", "answer", "url"))
        fake.ledger.execute(
            f"WITH RECURSIVE n(i) AS (SELECT 1001 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)"
            f" INSERT INTO steps (step, answer, url, {same})"
            f" SELECT i, i, 'https://h' || (i % 999) || '.org/' || i, {same}"
            f" FROM n JOIN steps ON step = 1"
        )
    began = time.process_time()
    out = write_report(path, standard)
    assert out.stat().st_size < 5_000_000
    assert time.process_time() - began < 20  # a second or so: only quadratic code would fail
    points = max(re.findall(r'points="([^"]+)"', out.read_text("utf-8")), key=len)
    assert len(points.split()) <= 603


def test_secrets_in_the_settings_are_hidden(tmp_path: Path) -> None:
    with FakeRun(tmp_path / "run", proxy="http://me:hunter2@proxy:3128", api_key="k3y"):
        pass
    text = report(tmp_path / "run").text
    assert "hunter2" not in text
    assert "k3y" not in text
    assert "@proxy:3128" in text


def test_settings_that_only_sound_secret_are_shown() -> None:
    assert hide("keep_cookies = true\ndelay_s = 1.0") == "keep_cookies = true\ndelay_s = 1.0"


@pytest.mark.parametrize("most", [1, 2, 3, 7, 10, 99, 101, 12345, 10**7])
def test_ticks_are_round_and_within_the_axis(most: int) -> None:
    ticks = nice_ticks(most, 5)
    assert ticks[0] == 0
    assert 1 < len(ticks) <= 6 or most < 5
    assert ticks[-1] <= most
    steps = {str(b - a).rstrip("0") for a, b in pairwise(ticks)}
    assert steps <= {"1", "2", "5"}


def test_a_report_can_be_written_while_the_run_goes_on(tmp_path: Path) -> None:
    path = realistic(tmp_path / "run", requests=30)
    writer = sqlite3.connect(path / "ledger.sqlite")
    writer.execute("PRAGMA journal_mode = WAL")
    writer.execute("BEGIN IMMEDIATE")
    writer.execute("DELETE FROM steps")
    page = report(path)
    writer.rollback()
    writer.close()
    assert "Where the budget went" in page.text


@pytest.mark.parametrize("half", [5, 30, 50, 56, 60, 70, 95])
def test_the_words_on_the_curve_stay_within_it(tmp_path: Path, half: int) -> None:
    with FakeRun(tmp_path / "run") as fake:
        for n in range(100):
            is_find = n in (half - 2, half - 1, half, 98)
            (fake.find if is_find else fake.step)(f"{START}{n}")
        fake.end("exhausted")
    source = report(tmp_path / "run").source
    charts = re.findall(r'<svg class="chart \w+" viewBox="0 0 (\d+) .*?</svg>', source)
    told = re.findall(r'<text x="([\d.]+)" y="[\d.]+" text-anchor="(\w+)">(half the[^<]+)<', source)
    assert len(charts) == len(told) == 2
    for width, (x, anchor, words) in zip(charts, told, strict=True):
        long = 6.5 * len(words)
        begin = float(x) - (long if anchor == "end" else 0)
        assert begin > -5
        assert begin + long < float(width) + 5


def test_answers_of_earlier_runs_are_no_requests_of_this_one(tmp_path: Path) -> None:
    run = realistic(tmp_path / "run")
    plain_page = report(run)
    with closing(sqlite3.connect(run / readonly.LEDGER)) as db, db:
        (answers,) = db.execute("SELECT count(answer) FROM steps").fetchone()
        (first,) = db.execute("SELECT min(step) FROM steps WHERE answer IS NOT NULL").fetchone()
        db.execute(
            "UPDATE steps SET sends = 0, at_s = 86400.0, took_s = -1.0"
            " WHERE answer IS NOT NULL AND step < ?",
            (first + 5,),
        )
    page = report(run)
    assert "1970" not in page.source
    assert f"{answers:,} answered" in plain_page.source
    assert "answers that were known already" in page.source
