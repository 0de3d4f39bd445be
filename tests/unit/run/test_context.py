"""What a file is, as the ledger and all that reads it tell: from the page that led to it."""

import csv
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

import filon
from filon.core import Find, Reason, Request, Response, Step
from filon.page.context import PageContext
from filon.run import context
from filon.run.context import Contexts
from filon.run.export import export
from filon.run.folder import RunFolder
from filon.run.frame import StoredFind
from filon.run.schema import CONTEXT, VERSION
from golden.folders import unpack

SITE = "http://example.org/"
CC = "https://creativecommons.org/licenses/by/4.0/"
PAGE = f"""<!doctype html><title>Figures</title><h1>Office</h1><h2>People</h2>
<table><tr><td>Population by region<td><a href="d/2-2-1">CSV</a></table>
<h2>Economy</h2><p><a href="go/7">Gross product</a>
<footer><a rel=license href="{CC}">Licence</a></footer>"""


class Led:
    """A run that a test leads by hand."""

    def __init__(self, path: Path) -> None:
        self.run = RunFolder.create(path, {"verb": "harvest", "url": SITE})

    def ask(
        self,
        url: str,
        body: str | bytes = "",
        *,
        parent: str = "",
        kind: str = "link",
        status: int = 200,
        finds: tuple[Find, ...] = (),
        **headers: str,
    ) -> None:
        step = Step(request=Request(url=url), reason=Reason(kind=kind), parent=parent)
        told = tuple((name.replace("_", "-"), value) for name, value in headers.items())
        data = body.encode() if isinstance(body, str) else body
        answer = Response(url=url, status=status, headers=told, body=data, size_bytes=len(data))
        self.run.record(self.run.begin(step), step, answer, finds, idle=False)

    def page(self, url: str = SITE, body: str | bytes = PAGE, **more: Any) -> None:
        self.ask(url, body, Content_Type="text/html", **more)

    def file(self, url: str, *, name: str = "", parent: str = SITE, **more: Any) -> StoredFind:
        find = Find(kind="file", url=url, name=name, mime="text/csv", parent=parent)
        self.ask(url, "a,b\n1,2\n", parent=parent, finds=(find,), **{"kind": "target", **more})
        *_, last = self.run
        return last


@pytest.fixture
def led(tmp_path: Path) -> Iterator[Led]:
    led = Led(tmp_path / "run")
    yield led
    led.run.close()


def test_a_file_is_told_by_its_link_its_page_and_its_headers(led: Led) -> None:
    led.page()
    found = led.file(f"{SITE}d/2-2-1", name="2-2-1", Last_Modified="Sun, 06 Nov 1994 08:49:37 GMT")
    assert (found.link_text, found.around) == ("CSV", "Population by region")
    assert (found.page_title, found.headings) == ("Figures", "Office > People")
    assert (found.licence, found.modified) == (CC, "1994-11-06T08:49:37Z")
    assert found.name == "2-2-1.csv"


@pytest.mark.parametrize("bears_the_page", [True, False])
def test_redirects_and_failed_tries_stand_between_a_file_and_its_page(
    led: Led, bears_the_page: bool
) -> None:
    led.page()
    led.ask(f"{SITE}go/7", parent=SITE, status=503)
    led.ask(f"{SITE}go/7", parent=SITE, kind="retry", status=302, Location="/x/7")
    parent = SITE if bears_the_page else f"{SITE}go/7"
    found = led.file(f"{SITE}x/7", parent=parent, kind="redirect")
    assert (found.link_text, found.headings) == ("Gross product", "Office > Economy")


def test_a_link_in_another_spelling_is_the_same(led: Led) -> None:
    led.page(body='<a href="http://EXAMPLE.org:80/a.csv#top">Table of births</a>')
    assert led.file("http://example.org/a.csv").link_text == "Table of births"


def test_a_file_that_no_page_tells_of_is_a_find_all_the_same(led: Led) -> None:
    led.ask(f"{SITE}sitemap.xml", "<urlset/>", Content_Type="application/xml")
    listed = led.file(f"{SITE}a.csv", name="a.csv", parent=f"{SITE}sitemap.xml")
    alone = led.file(f"{SITE}b.csv", name="b.csv", parent="", kind="start")
    lost = led.file(f"{SITE}c.csv", name="c.csv", parent="http://example.org/never-asked")
    assert [getattr(found, name) for found in (listed, alone, lost) for name in CONTEXT] == [
        ""
    ] * 18


def test_an_archive_that_cannot_be_read_again_loses_no_find(led: Led) -> None:
    led.page()
    (archive,) = (led.run.path / "archive").iterdir()
    archive.write_bytes(b"\0" * archive.stat().st_size)
    assert led.file(f"{SITE}d/2-2-1", name="a.csv").link_text == ""


def test_what_a_strategy_says_of_a_file_goes_before_the_page(led: Led) -> None:
    led.page()
    told = Find(kind="file", url=f"{SITE}d/2-2-1", licence="ODbL\x00\ud800", link_text="x" * 5000)
    led.ask(f"{SITE}d/2-2-1", "1", parent=SITE, finds=(told,))
    (found,) = led.run
    assert (found.licence, len(found.link_text)) == ("ODbL\ufffd", context.LONGEST)
    assert found.page_title == "Figures"


def test_a_page_is_read_once_for_all_its_files_and_few_are_remembered(
    led: Led, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    original = Contexts._read

    def counted(self: Contexts, step: int) -> PageContext | None:
        read.append(step)
        return original(self, step)

    monkeypatch.setattr(Contexts, "_read", counted)
    led.page()
    for number in range(5):
        led.file(f"{SITE}{number}.csv")
    assert read == [1]
    for number in range(2 * context.MOST_PAGES):
        led.page(f"{SITE}p{number}", parent=SITE)
        led.file(f"{SITE}p{number}.csv", parent=f"{SITE}p{number}")
    assert len(led.run._described._pages) == context.MOST_PAGES


def test_pages_of_many_links_are_not_kept_together(
    led: Led, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(context, "MOST_LINKS", 100)
    many = "".join(f"<a href=f{number}>x</a>" for number in range(80))
    for number in range(3):
        led.page(f"{SITE}p{number}", many)
        led.file(f"{SITE}f{number}", parent=f"{SITE}p{number}")
    assert len(led.run._described._pages) == 1


def test_a_run_that_goes_on_tells_the_same(led: Led, tmp_path: Path) -> None:
    led.page()
    led.run.close()
    led.run = RunFolder.open(tmp_path / "run")
    assert led.file(f"{SITE}d/2-2-1").headings == "Office > People"


def test_every_export_and_frame_tells_it(led: Led, tmp_path: Path) -> None:
    led.page()
    led.file(f"{SITE}d/2-2-1", name="2-2-1", Last_Modified="Sun, 06 Nov 1994 08:49:37 GMT")
    led.run.close()
    told = ["CSV", "Population by region", "Figures", "Office > People", CC]
    told.append("1994-11-06T08:49:37Z")
    run = tmp_path / "run"
    with export(run, "csv").open(encoding="utf-8", newline="") as file:
        (row,) = csv.DictReader(file)
    assert [row[name] for name in CONTEXT] == told
    (row,) = json.loads(export(run, "json").read_text("utf-8"))
    assert [row[name] for name in CONTEXT] == told
    (row,) = pyarrow.parquet.read_table(export(run, "parquet")).to_pylist()
    assert [row[name] for name in CONTEXT] == told
    with closing(sqlite3.connect(export(run, "sqlite"))) as database:
        (cells,) = database.execute(f"SELECT {', '.join(CONTEXT)} FROM finds")
    assert [*cells] == told
    files = export(run, "files")
    (row,) = csv.DictReader((files / "index.csv").read_text("utf-8").splitlines())
    assert [row[name] for name in CONTEXT] == told
    assert row["path"] == "example.org/d/population-by-region.csv"
    assert (files / row["path"]).read_bytes() == b"a,b\n1,2\n"
    (found,) = filon.open_run(run).finds
    assert [found[name] for name in CONTEXT] == told


@pytest.mark.parametrize("to", ["csv", "sqlite", "files", "parquet", "jsonl"])
def test_a_run_of_the_version_before_is_read_as_it_is(tmp_path: Path, to: str) -> None:
    run = unpack("harvest", tmp_path)
    before = (run / "ledger.sqlite").read_bytes()
    export(run, to)
    assert [found.licence for found in filon.open_run(run)] == [""] * len(filon.open_run(run).finds)
    assert (run / "ledger.sqlite").read_bytes() == before


def test_a_run_of_the_version_before_goes_on_in_todays(tmp_path: Path) -> None:
    run = unpack("harvest", tmp_path)
    with RunFolder.open(run) as folder:
        old = len([*folder])
    RunFolder.open(run).close()
    with closing(sqlite3.connect(run / "ledger.sqlite")) as ledger:
        query = "SELECT value FROM meta WHERE key = 'version'"
        assert ledger.execute(query).fetchone() == (str(VERSION),)
        columns = [row[1] for row in ledger.execute("PRAGMA table_info(finds)")]
        assert columns[-len(CONTEXT) :] == [*CONTEXT]
        assert ledger.execute("SELECT COUNT(*) FROM finds WHERE licence = ''").fetchone() == (old,)
