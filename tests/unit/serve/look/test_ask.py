"""Questions in SQL."""

import html
import json
from pathlib import Path
from urllib.parse import quote, urlencode

from filon.catalog.store import CatalogStore
from unit.catalog.conftest import id_of
from unit.serve.visitor import Browser, visiting


def asked(folder: Path, query: str) -> str:
    async def visit(browser: Browser) -> str:
        return await browser.text(f"/catalog/sql?q={quote(query)}")

    return visiting(visit, folder)


def test_a_question_is_answered_with_rows_a_command_and_downloads(
    runs: Path, store: CatalogStore
) -> None:
    query = f"SELECT Region, Year * 2 AS twice FROM f_{id_of(store, 'a.csv')[:12]} ORDER BY Year"

    async def visit(browser: Browser) -> tuple[str, bytes, object, str]:
        page = await browser.text(f"/catalog/sql?q={quote(query)}")
        at = page.split('data-rows="')[1].split("/rows")[0]
        csv = await (await browser.get(f"{at}/download?as=csv")).read()
        rows = json.loads(await browser.text(f"{at}/rows?first=4"))
        return page, csv, rows, await browser.text(f"{at}/rows/5")

    page, csv, rows, row = visiting(visit, runs)
    assert "5 rows" in page
    assert '<td class="figure">4036</td>' in page
    assert "filon catalog sql" in page
    assert csv.startswith(b'"Region","twice"\n"North",4036\n')
    assert rows == {"first": 4, "rows": [["Centre", "4044"]], "total": 5}
    assert "Row 5 of 5" in row
    assert f'href="/catalog/sql?{html.escape(urlencode({"q": query}))}&amp;first=0' in row


def test_a_question_of_several_lines_is_shown_in_a_shell_as_it_was_typed(runs: Path) -> None:
    page = asked(runs, "SELECT 1\r\n  AS a")
    assert "filon catalog sql &#39;SELECT 1\n  AS a&#39; --in" in page


def test_a_row_of_what_was_put_together_leads_back(runs: Path, store: CatalogStore) -> None:
    ids = [id_of(store, name) for name in ("a.csv", "z.csv")]
    address = f"/catalog/combine?how=union&id={ids[0]}&id={ids[1]}"

    async def visit(browser: Browser) -> str:
        page = await browser.text(address)
        at = page.split('data-rows="')[1].split("/rows")[0]
        return await browser.text(f"{at}/rows/5")

    row = visiting(visit, runs)
    assert f'href="{html.escape(address)}&amp;first=0' in row
    assert f"filon catalog union {ids[0][:12]} {ids[1][:12]}" in row


def test_what_is_refused_is_told_in_a_sentence_on_the_page(runs: Path) -> None:
    for query in (
        "SELECT * FROM read_text('/etc/passwd')",
        "DROP TABLE files",
        "SELEC",
        "a" * 5000,
    ):
        page = asked(runs, query)
        assert 'class="problem" role="alert"' in page
        assert "root:" not in page


def test_an_answer_is_text_whatever_it_holds(runs: Path) -> None:
    page = asked(runs, "SELECT '<script>alert(1)</script>' AS \"<img src=x>\"")
    assert "<script>alert" not in page
    assert "<img" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page


def test_an_answer_that_is_gone_says_so(runs: Path) -> None:
    async def visit(browser: Browser) -> tuple[int, str]:
        answer = await browser.get(f"/catalog/answers/{'0' * 32}/rows")
        return answer.status, await answer.text()

    status, text = visiting(visit, runs)
    assert status == 400
    assert "ask again" in text


def test_two_files_are_needed_to_put_them_together(runs: Path, store: CatalogStore) -> None:
    id = id_of(store, "a.csv")

    async def visit(browser: Browser) -> list[int]:
        addresses = ("?how=union", f"?how=union&id={id}", f"?how=join&id={id}&id={id}&id={id}")
        return [(await browser.get(f"/catalog/combine{one}")).status for one in addresses]

    assert visiting(visit, runs) == [400, 400, 400]


def test_a_name_that_means_something_is_no_name_for_a_view(runs: Path, store: CatalogStore) -> None:
    ids = [id_of(store, name) for name in ("a.csv", "z.csv")]

    async def visit(browser: Browser) -> int:
        csrf = await browser.csrf()
        form = [("csrf", csrf), ("how", "union"), ("name", "files"), *(("id", id) for id in ids)]
        return (await browser.client.post("/catalog/views", data=form)).status

    assert visiting(visit, runs) == 400
    assert not (runs / "views.jsonl").exists() or "files" not in (runs / "views.jsonl").read_text()


def test_what_python_has_no_type_for_is_shown_and_taken_home(runs: Path) -> None:
    query = "SELECT DATE '12000-01-01' AS far, TIMESTAMP 'infinity' AS never, 7::BIGNUM AS long"

    async def visit(browser: Browser) -> tuple[str, bytes, bytes, bytes]:
        page = await browser.text(f"/catalog/sql?q={quote(query)}")
        at = page.split('data-rows="')[1].split("/rows")[0]
        answers = [await browser.get(f"{at}/download?as={kind}") for kind in ("csv", "xlsx")]
        csv, xlsx = [await answer.read() for answer in answers]
        return page, csv, xlsx, await (await browser.get(f"{at}/rows")).read()

    page, csv, xlsx, rows = visiting(visit, runs)
    assert "<td>12000-01-01</td>" in page
    assert csv.startswith(b'"far","never","long"\n12000-01-01,')
    assert csv.endswith(b',"7"\n')
    assert xlsx.startswith(b"PK")
    assert json.loads(rows)["rows"][0][0] == "12000-01-01"
