"""Start: from the box to a run in the queue."""

import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from html import unescape as html_text
from pathlib import Path

import pytest
from aiohttp import FormData
from selectolax.lexbor import LexborHTMLParser

from filon.dispatch import child
from loopback import Page, html, serving
from unit.serve.visitor import Browser, visiting


class Process:
    """A child that is at work until it is told to end."""

    pid = 0
    code: int | None = None

    def poll(self) -> int | None:
        return self.code


@pytest.fixture(autouse=True)
def begun(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands that were begun: none really is."""
    commands: list[list[str]] = []
    process = Process()

    def begin(words: Sequence[str], log: Path) -> Process:
        commands.append(list(words))
        return process

    def interrupt(pid: int, own: bool) -> None:
        process.code = child.INTERRUPTED

    monkeypatch.setattr(child, "begin", begin)
    monkeypatch.setattr(child, "interrupt", interrupt)
    return commands


def shown_command(page: str) -> str:
    found = re.search(r"<code>(filon .*?)</code>", page, re.S)
    assert found
    return found[1]


def read_out(page: str, region: str) -> str:
    """Return what a region of a page holds, as a screen reader says it."""
    found = LexborHTMLParser(page).css_first(region)
    assert found is not None
    return " ".join(found.text().split())


def test_only_the_cost_is_read_out_when_it_changes(tmp_path: Path) -> None:
    async def visit(browser: Browser) -> tuple[str, str]:
        form = {"verb": "harvest", "what": "https://a.test/", "way": "0"}
        form |= {"url_": "https://a.test/", "budget_": "7"}
        page = await browser.text("/start?what=https%3A%2F%2Fa.test%2F")
        answer = await browser.post("/start/check", form, headers={"HX-Request": "true"})
        return page, await answer.text()

    page, changed = visiting(visit, tmp_path)
    assert read_out(page, "#plan [aria-live]").startswith("At most 500 requests.")
    assert "filon harvest" not in read_out(page, "#plan [aria-live]")
    cost = read_out(changed, "#cost[hx-swap-oob=innerHTML]")
    assert cost.startswith("At most 7 requests.")
    assert "filon harvest" not in cost
    assert "--budget 7" in shown_command(changed)


def test_a_website_is_recognised_and_its_cost_told(tmp_path: Path) -> None:
    async def visit(browser: Browser) -> str:
        answer = await browser.post("/start", {"what": "https://www.example.org/data"})
        assert answer.status == 303
        return await browser.text(answer.headers["Location"])

    page = visiting(visit, tmp_path)
    assert "Get the data files of a website" in page
    assert "At most 500 requests. About 8 min 20 s at this pace." in page
    assert "robots.txt is obeyed" in page
    assert "Find sites and repositories" in page
    command = "filon harvest https://www.example.org/data --budget 500 --out "
    assert shown_command(page).startswith(command)
    assert not (tmp_path / "www.example.org-001").exists()


@pytest.mark.parametrize(
    ("what", "sentence"),
    [
        ("", "Type something"),
        ("ftp://a.test/", "Only http"),
        ("papers.csv", "drop the file"),
        ("bees " * 401, "That is 2,004 letters, and at most 2,000 are taken here"),
    ],
)
@pytest.mark.parametrize("by_form", [True, False])
def test_what_cannot_be_done_is_said_at_the_box(
    what: str, sentence: str, by_form: bool, tmp_path: Path
) -> None:
    async def visit(browser: Browser) -> str:
        if by_form:
            answer = await browser.post("/start", {"what": what})
        else:
            answer = await browser.get("/start", params={"what": what.strip()})
        if answer.status == 303:
            answer = await browser.get(answer.headers["Location"])
        assert answer.status == 400
        return await answer.text()

    assert sentence in visiting(visit, tmp_path)


def test_the_command_that_is_shown_is_the_one_that_begins(
    tmp_path: Path, begun: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    form = {"verb": "harvest", "url_": "https://a.test/", "budget_": "70", "robots_": "on"}
    more = {"delay_": "2", "include_": "/a/*\n/b/*", "way": "0", "what": "https://a.test/"}

    async def visit(browser: Browser) -> str:
        checked = await browser.post(
            "/start/check", {**form, **more}, headers={"HX-Request": "true"}
        )
        answer = await browser.post("/start/begin", {**form, **more})
        assert answer.status == 303, await answer.text()
        assert answer.headers["Location"] == "/runs/a.test-001"
        return await checked.text()

    home = tmp_path / "home"
    page = visiting(visit, home)
    flags = "--include /a/* --include /b/* --budget 70 --delay 2 --no-robots"
    words = f"harvest https://a.test/ {flags} --out home/a.test-001"
    assert begun == [words.split()]
    assert shown_command(page).replace("&#39;", "'").startswith("filon harvest https://a.test/")
    assert "--out home/a.test-001" in page
    assert "robots.txt is not read" in page
    assert (home / "a.test-001").is_dir(), "the name is taken"


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("depth_", "deep", "Depth must be a whole number, not &#39;deep&#39;."),
        ("budget_", "lots", "The budget &#39;lots&#39; is not understood"),
        ("types_", "nonsense!", "nonsense!"),
        ("header_", "Authorization: secret", "give @FILE"),
        ("proxy_", "http://me:secret@proxy.test/", "list of processes"),
    ],
)
def test_a_mistake_is_told_at_its_field_and_nothing_begins(
    field: str, value: str, sentence: str, tmp_path: Path, begun: list[list[str]]
) -> None:
    form = {"verb": "harvest", "url_": "https://a.test/", "what": "https://a.test/", "way": "0"}

    async def visit(browser: Browser) -> str:
        answer = await browser.post("/start/begin", {**form, field: value})
        assert answer.status == 422
        return await answer.text()

    page = visiting(visit, tmp_path)
    wrong = re.search(rf'id="error-{field}"[^>]*>(.*?)</p>', page, re.S)
    assert wrong
    assert sentence in wrong[1]
    assert begun == []
    assert not list(tmp_path.glob("a.test*"))


def test_a_verb_that_is_none_is_refused(tmp_path: Path, begun: list[list[str]]) -> None:
    async def visit(browser: Browser) -> None:
        for name in ("resume", "serve", "", "--help"):
            assert (await browser.post("/start/begin", {"verb": name})).status == 400

    visiting(visit, tmp_path)
    assert begun == []


def test_the_first_page_is_shown_as_text_and_its_requests_are_counted(tmp_path: Path) -> None:
    pages = {"/": html("/a.csv", "/b", title="<script>alert(1)</script>")}
    with serving(pages) as site:
        form = {"verb": "harvest", "url_": site.url, "what": site.url, "way": "0"}

        async def visit(browser: Browser) -> str:
            answer = await browser.post("/start/look", form, headers={"HX-Request": "true"})
            return await answer.text()

        page = visiting(visit, tmp_path)
        assert site.targets == ["/robots.txt", "/"]
    assert "2 requests were sent" in page
    assert "2 links, 1 of them look like data files" in page
    assert "<script>" not in page


def test_a_page_that_robots_forbid_is_not_asked_for(tmp_path: Path) -> None:
    robots = Page(body=b"User-agent: *\nDisallow: /\n", headers={"Content-Type": "text/plain"})
    with serving({"/robots.txt": robots, "/": html()}) as site:
        form = {"verb": "harvest", "url_": site.url, "what": site.url, "way": "0"}

        async def visit(browser: Browser) -> str:
            return await (await browser.post("/start/look", form)).text()

        page = visiting(visit, tmp_path)
        assert site.targets == ["/robots.txt"]
    assert "forbids" in page


def test_rdf_at_an_address_is_pointed_out(tmp_path: Path) -> None:
    turtle = Page(body=b"@prefix : <#> .", headers={"Content-Type": "text/turtle"})
    with serving({"/": turtle}) as site:
        form = {"verb": "harvest", "url_": site.url, "what": site.url, "way": "0"}

        async def visit(browser: Browser) -> str:
            return await (await browser.post("/start/look", form)).text()

        assert "Follow Linked Data may be what you want" in visiting(visit, tmp_path)


async def drop(browser: Browser, name: str, body: bytes) -> str:
    form = FormData({"csrf": await browser.csrf(), "what": ""})
    form.add_field("file", body, filename=name, content_type="application/octet-stream")
    answer = await browser.client.post("/start", data=form, allow_redirects=False)
    assert answer.status == 303, await answer.text()
    return answer.headers["Location"]


TABLE = b"title,who\nBees of the world,A. Bee\n<b>Wax</b>,C. Comb\n"


def test_a_dropped_table_shows_its_columns_and_what_services_cost(tmp_path: Path) -> None:
    async def visit(browser: Browser) -> tuple[str, str]:
        place = await drop(browser, "../my papers.csv", TABLE)
        page = await browser.text(place)
        file = re.search(r'name="file" value="([^"]*)"', page)
        table = re.search(r'name="table_" value="([^"]*)"', page)
        assert file
        assert table
        form = {"verb": "enrich", "file": file[1], "way": "0", "table_": table[1]}
        form |= {"source_": "openlibrary", "pick_match": "title", "pick_add": "isbn"}
        checked = await browser.post(
            "/start/check", {**form, "budget_": "20"}, headers={"HX-Request": "true"}
        )
        return page, await checked.text()

    page, checked = visiting(visit, tmp_path)
    assert "2 rows" in page
    assert "&lt;b&gt;Wax&lt;/b&gt;" in page
    assert 'value="openlibrary"' in page
    assert "At most 20 calls. About 20 s at this pace." in checked
    assert "The service takes no money for it." in checked
    command = shown_command(checked)
    assert "--from openlibrary" in command
    assert "--match title --add isbn" in command
    kept = list((tmp_path / ".filon-serve" / "dropped").glob("*/*"))
    assert [path.read_bytes() for path in kept] == [TABLE]


def test_of_a_file_with_several_tables_the_chosen_one_is_shown(tmp_path: Path) -> None:
    database = tmp_path / "papers.sqlite"
    with closing(sqlite3.connect(database)) as db:
        db.executescript("CREATE TABLE bees(hive); INSERT INTO bees VALUES ('Apis')")
        db.executescript("CREATE TABLE wax(comb); INSERT INTO wax VALUES ('Cera')")

    async def visit(browser: Browser) -> tuple[str, str]:
        place = await drop(browser, "papers.sqlite", database.read_bytes())
        return await browser.text(place), await browser.text(f"{place}&way=1")

    first, second = visiting(visit, tmp_path / "home")
    assert "Apis" in first
    assert "Cera" not in first
    assert "papers.sqlite: wax: 1 row" in second
    assert "Cera" in second
    assert "--part wax" in shown_command(second)


def test_a_first_row_that_is_data_is_doubted_and_read_as_one_when_it_is_said(
    tmp_path: Path,
) -> None:
    async def visit(browser: Browser) -> None:
        page = await browser.text(await drop(browser, "heights.csv", b"Ulm,478.5\nBonn,60.1\n"))
        assert "looks like data itself" in page
        assert "1 row" in page
        file = re.search(r'name="file" value="([^"]*)"', page)
        manner = re.search(r'name="shown_manner" value="([^"]*)"', page)
        assert file
        assert manner
        form = {"verb": "enrich", "file": file[1], "way": "0", "table_": "heights.csv"}
        form |= {"shown_manner": html_text(manner[1]), "pick_match": "Ulm"}
        for more, is_sent in (({}, False), ({"header_row_": "on"}, True), ({"part_": "x"}, True)):
            answer = await browser.post("/start/check", form | more, headers={"HX-Request": "true"})
            piece = await answer.text()
            assert ('<div id="dropped"' in piece) == is_sent, more
        other = await browser.post("/start/check", form | {"header_row_": "on"})
        page = await other.text()
        assert "2 rows" in page
        assert "column 1" in page
        assert "looks like data itself" not in page
        assert "--no-header-row" in shown_command(page)
        assert "--match" not in shown_command(page)

    visiting(visit, tmp_path)


def test_fields_that_are_being_typed_into_are_left_alone(tmp_path: Path) -> None:
    async def visit(browser: Browser) -> None:
        form = {"verb": "enrich", "table_": "a.csv", "source_": "openlibrary"}
        htmx = {"HX-Request": "true"}
        for shown, is_sent in (("", True), ("wikidata", True), ("openlibrary", False)):
            typed = {**form, "shown_source": shown}
            answer = await browser.post("/start/check", typed, headers=htmx)
            assert ('id="source-fields"' in await answer.text()) == is_sent

    visiting(visit, tmp_path)


def test_an_enrichment_begins_by_clicking(tmp_path: Path, begun: list[list[str]]) -> None:
    async def visit(browser: Browser) -> None:
        page = await browser.text(await drop(browser, "papers.csv", TABLE))
        table = re.search(r'name="table_" value="([^"]*)"', page)
        assert table
        form = {"verb": "enrich", "table_": table[1], "way": "0", "source_": "openlibrary"}
        lacking = await browser.post("/start/begin", form)
        assert lacking.status == 422
        assert "Which columns are to be filled?" in await lacking.text()
        form |= {"pick_match": "title", "pick_add": "isbn"}
        answer = await browser.post("/start/begin", form)
        assert answer.headers["Location"] == "/runs/papers-openlibrary-001"

    visiting(visit, tmp_path)
    assert begun[0][0] == "enrich"


def test_lines_of_addresses_become_a_list_of_sites(tmp_path: Path) -> None:
    async def visit(browser: Browser) -> str:
        answer = await browser.post("/start", {"what": "https://a.test/\n\n b.test"})
        return await browser.text(answer.headers["Location"])

    page = visiting(visit, tmp_path)
    assert "a list of 2 sites" in page
    assert "--sites" in shown_command(page)


def test_a_file_that_was_not_dropped_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret.csv").write_text("a,b\n1,2\n", "utf-8")

    async def visit(browser: Browser) -> None:
        for place in ("../../secret.csv", "x/../../../secret.csv", "/etc/passwd"):
            assert (await browser.get("/start", params={"file": place})).status == 400

    visiting(visit, tmp_path)


def test_what_waits_is_said(tmp_path: Path, begun: list[list[str]]) -> None:
    async def visit(browser: Browser) -> str:
        form = {"verb": "harvest", "url_": "https://a.test/", "what": "https://a.test/"}
        for _ in range(2):
            answer = await browser.post("/start/begin", form)
        return await browser.text(answer.headers["Location"])

    page = visiting(visit, tmp_path)
    assert "In line" in page
    assert "no other run asks the same host" in page
    assert 'href="/runs/a.test-001"' in page
    assert len(begun) == 1
