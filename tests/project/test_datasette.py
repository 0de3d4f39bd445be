"""Datasette's own program in an environment with the wheel: pages and an enrichment by HTTP."""

import json
import re
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, OpenerDirector, build_opener

from patience import PATIENCE_S
from project import clean as environments
from searchbox import books, serving
from unit.catalog.conftest import write

HIDDEN = books(40)


@contextmanager
def datasette(clean: Path, folder: Path) -> Iterator[tuple[str, OpenerDirector]]:
    """Start it as a person does; give its address, and a browser that root has let in."""
    command = [clean / "python", "-m", "datasette", "library.db", "-m", "metadata.json", "--root"]
    process = subprocess.Popen(
        [*map(str, command), "--port", "0"],
        cwd=folder,
        env=environments.environment() | {"FILON_CACHE": str(folder / "cache.sqlite")},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout
    said, token, address = [], "", ""
    try:
        while not address:
            said.append(process.stdout.readline())
            assert said[-1], "".join(said)
            token = _within(r"(/-/auth-token\?token=\w+)", said[-1]) or token
            address = _within(r"running on (http://127\.0\.0\.1:\d+)", said[-1])
        browser = build_opener(HTTPCookieProcessor(CookieJar()))
        browser.open(f"{address}{token}", timeout=PATIENCE_S).close()
        yield address, browser
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE_S)


def _within(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    return found[1] if found else ""


def read(browser: OpenerDirector, url: str, told: dict[str, str] | None = None) -> str:
    data = urlencode(told).encode() if told else None
    with browser.open(url, data, timeout=PATIENCE_S) as answer:
        text: str = answer.read().decode()
    return text


def test_pages_and_an_enrichment_in_the_program_itself(
    clean_with: Callable[[str], Path], tmp_path: Path
) -> None:
    write(tmp_path / "runs", "one")
    with closing(sqlite3.connect(tmp_path / "library.db")) as db:
        db.execute("CREATE TABLE books (title, author)")  # it is known by its rowid
        rows = [(book["title"], book["author"]) for book in HIDDEN[:4]]
        db.executemany("INSERT INTO books VALUES (?, ?)", rows)
        db.commit()
    with serving(HIDDEN) as box:
        settings = {"folder": "runs", "delay": 0, "sources": [str(box.source(tmp_path))]}
        told = {"plugins": {"datasette-filon": settings}}
        (tmp_path / "metadata.json").write_text(json.dumps(told))
        with datasette(clean_with("datasette"), tmp_path) as (url, browser):
            _look(url, browser)
            _enrich(url, browser)
        assert 0 < box.calls <= 9
    with closing(sqlite3.connect(tmp_path / "library.db")) as db:
        found = db.execute("SELECT isbn FROM books ORDER BY rowid").fetchall()
        told_of = db.execute("SELECT source, query FROM filon_provenance").fetchall()
    assert found == [(book["isbn"],) for book in HIDDEN[:4]]
    assert len(told_of) == 4
    assert all(source == "box" and query for source, query in told_of)


def _look(url: str, browser: OpenerDirector) -> None:
    """Wait for the catalog, which is taken in beside, and look at a file."""
    end_s = time.monotonic() + PATIENCE_S
    told = json.loads(read(browser, f"{url}/-/filon.json"))
    while told["is_taking_in"] or not told["total"]:
        assert time.monotonic() < end_s, told
        time.sleep(0.2)
        told = json.loads(read(browser, f"{url}/-/filon.json"))
    assert "Unemployment by region" in read(browser, f"{url}/-/filon?q=unemployment")
    for hit in told["hits"]:
        assert hit["url"] in read(browser, f"{url}/-/filon/files/{hit['id']}")
    assert "filon" in {one["name"] for one in json.loads(read(browser, f"{url}/-/plugins.json"))}


def _enrich(url: str, browser: OpenerDirector) -> None:
    """Fill the form, agree to the plan, and wait for the end of the job."""
    address = f"{url}/-/enrich/library/books/filon"
    form = {"source": "box", "add": "isbn", "match": "title", "budget": "9"}
    page = read(browser, address)
    form["csrftoken"] = _within(r'name="csrftoken" value="([^"]+)"', page)
    plan = read(browser, address, form)
    assert "at most 9 times" in plan
    digest = _within(r'name="plan"[^>]*value="(\w+)"', plan)
    read(browser, address, {**form, "agreed": "y", "plan": digest})
    end_s = time.monotonic() + PATIENCE_S
    jobs = f"{url}/library/_enrichment_jobs.json?_shape=array"
    while (job := json.loads(read(browser, jobs))[0])["status"] in ("pending", "running"):
        assert time.monotonic() < end_s, job
        time.sleep(0.2)
    assert job["status"] == "finished", job
