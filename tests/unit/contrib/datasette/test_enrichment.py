"""The enrichment in a running Datasette: its form, its job, what it leaves in the database."""

import asyncio
import re
import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from datasette.app import Datasette
from datasette_enrichments.utils import wait_for_job

from patience import PATIENCE_S
from searchbox import SearchBox, books, serving
from unit.contrib.datasette.conftest import begin, made

HIDDEN = books(60)
ASKED = {"source": "box", "add": "year,isbn", "match": "title,author", "budget": "30"}
ADDRESS = "/-/enrich/library/books/filon"


@pytest.fixture(scope="module")
def box() -> Iterator[SearchBox]:
    with serving(HIDDEN) as box:
        yield box


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FILON_CACHE", str(tmp_path / "cache.sqlite"))


@pytest.fixture
def library(tmp_path: Path) -> Path:
    path = tmp_path / "library.db"
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE books (id INTEGER PRIMARY KEY, title, author, year)")
        rows = [(n, book["title"], book["author"], "") for n, book in enumerate(HIDDEN[:8], 1)]
        rows[2] = (3, HIDDEN[2]["title"], HIDDEN[2]["author"], "my own")
        rows.append((9, "Nothing of the kind", "Nemo", ""))
        db.executemany("INSERT INTO books VALUES (?, ?, ?, ?)", rows)
        db.commit()
    return path


class Visitor:
    """Somebody who may enrich, in a Datasette over the library."""

    def __init__(self, datasette: Datasette) -> None:
        self.datasette = datasette
        self._cookies = {"ds_actor": datasette.sign({"a": {"id": "root"}}, "actor")}

    async def get(self, path: str) -> Any:
        return await self.datasette.client.get(path, cookies=self._cookies)

    async def post(self, path: str, told: dict[str, str], form: str = "") -> Any:
        """Send a form. form: the page that has it, where that is another."""
        page = await self.get(form or path)
        token = page.cookies["ds_csrftoken"]
        cookies = {**self._cookies, "ds_csrftoken": token}
        return await self.datasette.client.post(
            path, data={**told, "csrftoken": token}, cookies=cookies
        )

    async def agreed(self, told: dict[str, str], where: str = "") -> Any:
        """Send the form, and once more with the plan agreed to."""
        first = await self.post(f"{ADDRESS}{where}", told)
        assert first.status_code == 200, first.text
        digest = re.search(r'name="plan"[^>]*value="(\w+)"', first.text)
        assert digest, first.text
        return await self.post(f"{ADDRESS}{where}", {**told, "agreed": "y", "plan": digest[1]})


def visiting(
    library: Path, box: SearchBox, visit: Callable[[Visitor], Awaitable[Any]], **more: Any
) -> Any:
    folder = library.parent / "runs"
    source = str(box.source(library.parent))

    async def go() -> Any:
        settings = {"sources": [source], "delay": 0, **more}
        datasette = made(folder, library, **settings)
        await begin(datasette)
        return await visit(Visitor(datasette))

    return asyncio.run(go())


def rows(library: Path, query: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(library)) as db:
        return db.execute(query).fetchall()


def test_the_plan_is_shown_before_and_values_come_with_their_provenance(
    library: Path, box: SearchBox
) -> None:
    before = box.calls

    async def visit(visitor: Visitor) -> None:
        form = await visitor.get(ADDRESS)
        assert "At most 500 calls here" in form.text
        shown = await visitor.post(ADDRESS, ASKED)
        assert "box is asked at most 30 times" in unescape(shown.text)
        assert box.calls == before
        begun = await visitor.agreed(ASKED)
        assert begun.status_code == 302, begun.text
        await wait_for_job(visitor.datasette, 1, "library", PATIENCE_S)
        job = await visitor.get("/-/enrich/library/-/jobs/1")
        assert "at most 30 calls" in job.text
        assert "8 rows filled" in job.text
        why = await visitor.get(f"/-/filon/why?run={run()}&asked=1")
        assert HIDDEN[0]["title"] in unescape(why.text)

    def run() -> str:
        return str(rows(library, "SELECT run FROM filon_provenance")[0][0])

    visiting(library, box, visit)
    found = rows(library, "SELECT year, isbn FROM books ORDER BY id")
    expected = [(book["year"], book["isbn"]) for book in HIDDEN[:8]]
    expected[2] = ("my own", HIDDEN[2]["isbn"])
    assert found == [*expected, ("", None)]
    told = rows(
        library,
        "SELECT row_pk, state, source, record_id, query != '', score > 0.5 FROM filon_provenance"
        " ORDER BY run_row",
    )
    assert told[0] == ("1", "filled", "box", "b0", 1, 1)
    assert [one[1] for one in told[:8]] == ["filled"] * 8
    assert told[8][1:4] == (told[8][1], "box", None)
    assert told[8][1] != "filled"
    assert 0 < box.calls - before <= 30


def test_the_rows_of_a_table_are_told_to_who_may_see_it(library: Path, box: SearchBox) -> None:
    async def visit(visitor: Visitor) -> None:
        assert (await visitor.agreed(ASKED)).status_code == 302
        await wait_for_job(visitor.datasette, 1, "library", PATIENCE_S)
        datasette = visitor.datasette
        (run,) = {row[0] for row in rows(library, "SELECT run FROM filon_provenance")}
        why = f"/-/filon/why?run={run}&asked=1"
        assert HIDDEN[0]["title"] in unescape((await datasette.client.get(why)).text)
        assert run in (await datasette.client.get("/-/filon")).text
        kept = {"allow": {"id": "root"}}
        metadata = datasette._metadata_local
        metadata["databases"] = {"library": {"tables": {"books": kept}}}
        for form in ("", ".json"):
            answer = await datasette.client.get(why.replace("why", f"why{form}"))
            assert answer.status_code == 403
            assert HIDDEN[0]["title"] not in unescape(answer.text)
            listed = await datasette.client.get(f"/-/filon{form}")
            assert listed.status_code == 200
            assert run not in listed.text
            assert run in (await visitor.get(f"/-/filon{form}")).text
        assert HIDDEN[0]["title"] in unescape((await visitor.get(why)).text)
        await datasette.get_database("library").execute_write("DELETE FROM filon_provenance")
        assert (await datasette.client.get(why)).status_code == 403
        assert run not in (await datasette.client.get("/-/filon")).text
        assert (await visitor.get(why)).status_code == 200

    visiting(library, box, visit)


def test_only_the_selected_rows_are_enriched(library: Path, box: SearchBox) -> None:
    async def visit(visitor: Visitor) -> None:
        assert (await visitor.agreed(ASKED, "?id__lte=2")).status_code == 302
        await wait_for_job(visitor.datasette, 1, "library", PATIENCE_S)

    visiting(library, box, visit)
    assert [row[0] for row in rows(library, "SELECT id FROM books WHERE isbn != ''")] == [1, 2]
    assert len(rows(library, "SELECT * FROM filon_provenance")) == 2


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        ({"add": ""}, "Which columns are to be filled?"),
        ({"add": "colour"}, "has no field 'colour'"),
        ({"add": "year,RowID=isbn"}, "as in number=isbn"),
        ({"add": "oid"}, "oid is SQLite's own name"),
        ({"add": "_rowid_=isbn"}, "_rowid_ is SQLite's own name"),
        ({"match": "titel"}, "did you mean title"),
        ({"match": "year"}, "cannot be matched and filled"),
        ({"budget": "99999"}, "From 1 to 500 calls"),
        ({"budget": "0"}, "From 1 to 500 calls"),
        ({"source": "other"}, "Not a valid choice"),
        ({"agreed": "y", "plan": "forged"}, "box is asked at most 30 times"),
    ],
)
def test_a_mistake_is_told_at_its_field_and_nothing_begins(
    library: Path, box: SearchBox, told: dict[str, str], sentence: str
) -> None:
    before = box.calls

    async def visit(visitor: Visitor) -> str:
        answer = await visitor.post(ADDRESS, {**ASKED, **told})
        assert answer.status_code == 200
        return unescape(answer.text)

    assert sentence in visiting(library, box, visit)
    assert box.calls == before


def test_another_budget_must_be_agreed_to_again(library: Path, box: SearchBox) -> None:
    async def visit(visitor: Visitor) -> Any:
        first = await visitor.post(ADDRESS, ASKED)
        digest = re.search(r'name="plan"[^>]*value="(\w+)"', first.text)
        assert digest
        changed = {**ASKED, "budget": "29", "agreed": "y", "plan": digest[1]}
        return await visitor.post(ADDRESS, changed)

    answer = visiting(library, box, visit)
    assert answer.status_code == 200
    assert "at most 29 times" in answer.text


async def until(visitor: Visitor, status: str) -> dict[str, Any]:
    """Wait until the job stands so."""
    db = visitor.datasette.get_database("library")
    for _ in range(int(PATIENCE_S * 10)):
        job = (await db.execute("SELECT * FROM _enrichment_jobs")).first()
        if job["status"] == status:
            return dict(job)
        await asyncio.sleep(0.1)
    raise AssertionError(dict(job))


def test_a_job_is_paused_and_goes_on_and_no_call_is_paid_for_twice(library: Path) -> None:
    async def visit(visitor: Visitor) -> None:
        assert (await visitor.agreed({**ASKED, "match": "title"})).status_code == 302
        await asyncio.to_thread(slow.wait_for, 2)
        jobs = "/-/enrich/library/-/jobs/1"
        await visitor.post(f"{jobs}/pause", {}, form=jobs)
        await told(visitor, "goes on with it")
        calls = slow.calls
        assert rows(library, "SELECT name FROM sqlite_master WHERE name LIKE 'filon%'") == []
        await visitor.post(f"{jobs}/resume", {}, form=jobs)
        await wait_for_job(visitor.datasette, 1, "library", PATIENCE_S)
        assert slow.calls > calls

    async def told(visitor: Visitor, words: str) -> None:
        for _ in range(int(PATIENCE_S * 10)):
            if rows(library, f"SELECT 1 FROM _enrichment_progress WHERE message LIKE '%{words}%'"):
                return
            await asyncio.sleep(0.1)
        raise AssertionError(rows(library, "SELECT * FROM _enrichment_progress"))

    with serving(HIDDEN, wait_s=0.5) as slow:
        visiting(library, slow, visit)
        assert len(rows(library, "SELECT 1 FROM books WHERE isbn != ''")) == 8
        assert slow.calls <= 30
        assert max(slow.counts().values()) == 1


def test_a_job_goes_on_after_its_datasette_has_ended(library: Path) -> None:
    async def begin(visitor: Visitor) -> None:
        assert (await visitor.agreed(ASKED)).status_code == 302
        await asyncio.to_thread(slow.wait_for, 2)

    async def go_on(visitor: Visitor) -> None:
        await until(visitor, "paused")
        jobs = "/-/enrich/library/-/jobs/1"
        await visitor.post(f"{jobs}/resume", {}, form=jobs)
        await wait_for_job(visitor.datasette, 1, "library", PATIENCE_S)

    with serving(HIDDEN, wait_s=0.5) as slow:
        visiting(library, slow, begin)
        visiting(library, slow, go_on)
        assert len(rows(library, "SELECT 1 FROM books WHERE isbn != ''")) == 8
        assert max(slow.counts().values()) == 1


def test_a_service_that_fails_ends_the_job_with_a_sentence(library: Path) -> None:
    async def visit(visitor: Visitor) -> str:
        assert (await visitor.agreed(ASKED)).status_code == 302
        return str((await until(visitor, "cancelled"))["cancel_reason"])

    with serving(HIDDEN, vice=lambda number, body: (401, {}, b'{"error": "no"}')) as box:
        reason = visiting(library, box, visit)
    assert "box" in reason


def test_what_nobody_may_choose_is_not_offered(library: Path, box: SearchBox) -> None:
    async def visit(visitor: Visitor) -> str:
        return str((await visitor.get(ADDRESS)).text)

    assert "openalex" not in visiting(library, box, visit)
    assert "At most 5 calls here" in visiting(library, box, visit, budget=5)
