"""The pages of a file."""

import html
import io
import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import openpyxl
import pytest

from filon.catalog.store import CatalogStore
from filon.serve.look import file
from unit.catalog.conftest import archive, id_of
from unit.serve.visitor import Browser, visiting


async def ready(browser: Browser, page: str) -> str:
    """Return a page once its table is read; the rows themselves wait for that."""
    await browser.text(f"{page}/rows?first=0&rows=1")
    return await browser.text(page)


def looking(folder: Path, id: str, *parts: str) -> list[str]:
    async def visit(browser: Browser) -> list[str]:
        page = f"/catalog/files/{id[:12]}"
        await ready(browser, page)
        return [await browser.text(f"{page}{part}") for part in parts]

    return visiting(visit, folder)


def test_a_file_shows_its_profile_its_rows_and_where_to_take_it(
    runs: Path, store: CatalogStore
) -> None:
    id = id_of(store, "a.csv")
    (page,) = looking(runs, id, "")
    for said in ("Unemployment by region", "CC BY 4.0", "whole number", "2018 to 2022", "North"):
        assert said in page
    assert f"filon catalog show {id[:12]} --in" in page
    assert 'aria-rowcount="6"' in page
    assert page.count("<tr aria-rowindex=") == 6
    for ending in ("csv", "xlsx", "parquet"):
        assert f"/download?as={ending}" in page
    assert "http://one.test/a.csv" in page


def test_a_table_that_is_being_read_is_said_so(runs: Path, store: CatalogStore) -> None:
    id = id_of(store, "b.csv")

    async def visit(browser: Browser) -> str:
        return await browser.text(f"/catalog/files/{id[:12]}")

    page = visiting(visit, runs)
    assert "The table is being read." in page or "aria-rowcount" in page
    assert "Columns" in page


def test_rows_come_in_windows(runs: Path, store: CatalogStore) -> None:
    id = id_of(store, "c.csv")

    async def visit(browser: Browser) -> object:
        answer = await browser.get(f"/catalog/files/{id}/rows?first=2&rows=2")
        return await answer.json()

    assert visiting(visit, runs) == {
        "first": 2,
        "rows": [["East", "2020", "9"], ["West", "2021", "10"]],
        "total": 5,
    }


def test_a_row_has_a_page(runs: Path, store: CatalogStore) -> None:
    (page,) = looking(runs, id_of(store, "a.csv"), "/rows/2")
    assert "Row 2 of 5" in page
    assert re.search(r"<th scope=\"row\">Region</th><td>South</td>", page)


def test_the_values_of_a_column_are_counted_by_a_click(
    tmp_path: Path, serve: Callable[..., str]
) -> None:
    id = serve(tmp_path, {"t.csv": b'"a ""b"" c",x\nu,1\nu,2\nv,3\n'})

    async def visit(browser: Browser) -> str:
        page = await ready(browser, f"/catalog/files/{id[:12]}")
        address = re.search(r'href="(/catalog/sql\?q=SELECT[^"]+)"', page)
        assert address
        return await browser.text(html.unescape(address[1]))

    answer = visiting(visit, tmp_path)
    assert "2 rows" in answer
    assert '<td>u</td><td class="figure">2</td>' in answer


def test_charts_come_as_far_as_they_are_drawn_and_the_rest_is_asked_for(
    tmp_path: Path, serve: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file, "_DRAWING_S", 0.0)
    rows = "\n".join(f"{n % 3},{n % 4}" for n in range(50))
    id = serve(tmp_path, {"p.csv": f"one,two\n{rows}\n".encode()})
    first, rest = looking(tmp_path, id, "/charts", "/charts?from=1")
    assert "one: 0: 17" in first
    assert "two: 0: 13" not in first
    assert "/charts?table=1&amp;from=1" in first
    assert "two: 0: 13" in rest
    assert "from=" not in rest.split("</h1>")[1]


def test_charts_and_a_map_are_drawn(
    tmp_path: Path, serve: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file, "_DRAWING_S", 60.0)
    rows = "\n".join(f"{n % 3},{50 + n / 10},{8 + n / 10},x{n % 2}" for n in range(50))
    id = serve(tmp_path, {"p.csv": f"kind,lat,lon,name\n{rows}\n".encode()})
    charts, drawn, page = looking(tmp_path, id, "/charts", "/map", "")
    assert charts.count("<figure") == 4
    assert 'aria-label="kind: 0: 17, 1: 17, 2: 16"' in charts
    assert drawn.count("<circle") > 10
    assert "50 rows with a place" in drawn
    assert "/map?" in page
    assert "style=" not in charts + drawn + page


def test_the_way_to_a_file_is_a_path_of_pages(runs: Path, store: CatalogStore) -> None:
    (page,) = looking(runs, id_of(store, "a.csv"), "/way")
    assert 'href="http://one.test/a.csv"' in page
    assert 'href="/runs/one"' in page


def test_what_goes_with_it_can_be_put_together(runs: Path, store: CatalogStore) -> None:
    id, other = id_of(store, "a.csv"), id_of(store, "z.csv")

    async def look(browser: Browser) -> str:
        for _ in range(300):
            page = await browser.text(f"/catalog/files/{id}/similar")
            if "being looked for" not in page:
                break
        return page

    page = visiting(look, runs)
    address = f"/catalog/combine?how=union&amp;id={id[:12]}&amp;id={other[:12]}"
    assert address in page

    async def visit(browser: Browser) -> tuple[str, str, str]:
        made = await browser.text(address.replace("&amp;", "&"))
        form = {"how": "union", "name": "jobless"}
        data = "&".join([*(f"{n}={v}" for n, v in form.items()), f"id={id}", f"id={other}"])
        headers = {"X-CSRF-Token": await browser.csrf()}
        kept = await browser.client.post(
            "/catalog/views",
            data=data,
            headers={**headers, "Content-Type": "application/x-www-form-urlencoded"},
            allow_redirects=False,
        )
        assert kept.status == 303
        shown = await browser.text(kept.headers["Location"])
        dropped = await browser.post("/catalog/views/drop", {"name": "jobless"})
        assert dropped.status == 303
        return made, shown, await browser.text("/catalog/sql")

    made, shown, after = visiting(visit, runs)
    assert "10 rows" in made
    assert "filon_file" in made
    assert f"filon catalog union {id[:12]} {other[:12]}" in made
    assert "10 rows" in shown
    assert "jobless" in shown
    assert "jobless" not in after


def test_it_is_taken_home_as_csv_excel_parquet_and_as_it_came(
    runs: Path, store: CatalogStore
) -> None:
    id = id_of(store, "a.csv")

    async def visit(browser: Browser) -> dict[str, tuple[str, str, bytes]]:
        found = {}
        for part in ("download?as=csv", "download?as=xlsx", "download?as=parquet", "original"):
            answer = await browser.get(f"/catalog/files/{id}/{part}")
            assert answer.status == 200
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            disposition = answer.headers["Content-Disposition"]
            found[part.rpartition("=")[2]] = (disposition, answer.content_type, await answer.read())
        refused = await browser.get(f"/catalog/files/{id}/download?as=exe")
        assert refused.status == 400
        return found

    found = visiting(visit, runs)
    assert found["csv"][0].startswith('attachment; filename="Unemployment by region.csv"')
    assert found["csv"][2].startswith(b'"Region","Year","Unemployment rate (%)"\n"North",2018,1')
    sheet = openpyxl.load_workbook(io.BytesIO(found["xlsx"][2])).worksheets[0]
    assert sheet.max_row == 6
    assert found["parquet"][2][:4] == b"PAR1"
    assert found["original"][1] == "application/octet-stream"
    assert found["original"][0].startswith('attachment; filename="a.csv"')
    assert found["original"][2].startswith(b"Region,Year")


def test_versions_are_listed_and_compared(tmp_path: Path, serve: Callable[..., str]) -> None:
    old = serve(tmp_path, {"t.csv": b"k,v\na,1\nb,2\nc,3\n"}, "one")
    new = serve(tmp_path, {"t.csv": b"k,v\na,1\nb,5\nc,3\nd,4\n"}, "two")

    async def visit(browser: Browser) -> tuple[str, str, str]:
        page = await ready(browser, f"/catalog/files/{new[:12]}")
        for _ in range(300):
            changed = await browser.text(f"/catalog/files/{new[:12]}/since/{old[:12]}")
            if "being compared" not in changed:
                break
        return page, changed, await browser.text(f"/catalog/files/{old[:12]}")

    page, changed, older = visiting(visit, tmp_path)
    assert f"/since/{old[:12]}" in page
    assert "1 row added" in changed
    assert "<del>2</del>" in changed
    assert "<ins>5</ins>" in changed
    assert "This is an older version." in older
    assert f"/catalog/files/{new[:12]}" in older


HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'>{{ 7*7 }}"


def test_nothing_of_a_hostile_file_is_html(tmp_path: Path, serve: Callable[..., str]) -> None:
    cell = HOSTILE.replace('"', '""')
    head = f'"{cell}","lat","lon"'
    body = "\n".join([head, *(f'"{cell}",{n},{n}' for n in range(5)), '"javascript:x",1,2'])
    context = dict.fromkeys(("link_text", "headings", "page_title", "licence"), HOSTILE)
    id = serve(tmp_path, {"evil.csv": body.encode()}, "one", context)
    parts = ("", "/rows/1", "/charts", "/map", "/way", "/similar")
    for page in looking(tmp_path, id, *parts):
        assert "<script>alert" not in page
        assert "<img" not in page
        assert "7*7" in page or "49" not in re.sub(r"[\d.]+", "", page)


def test_a_long_table_comes_whole_as_excel(tmp_path: Path, serve: Callable[..., str]) -> None:
    rows = "\n".join(f"{n},name {n}" for n in range(12_000))
    id = serve(tmp_path, {"t.csv": f"n,name\n{rows}\n".encode()})

    async def visit(browser: Browser) -> bytes:
        return await (await browser.get(f"/catalog/files/{id}/download?as=xlsx")).read()

    book = openpyxl.load_workbook(io.BytesIO(visiting(visit, tmp_path)), read_only=True)
    found = list(book.worksheets[0].iter_rows(values_only=True))
    book.close()
    assert len(found) == 12_001
    assert found[-1] == (11_999, "name 11999")


def test_hostile_files_that_are_put_together_are_text(
    tmp_path: Path, serve: Callable[..., str]
) -> None:
    cell = HOSTILE.replace('"', "")
    bodies = {f"{n}.csv": f"name <b>,k\n{cell},{n}\nb,{n + 1}\nc,7\n".encode() for n in (1, 2)}
    serve(tmp_path, bodies, "one", {"link_text": HOSTILE})
    ids = [sha256(body).hexdigest()[:12] for body in bodies.values()]

    async def visit(browser: Browser) -> str:
        return await browser.text(f"/catalog/combine?how=union&id={ids[0]}&id={ids[1]}")

    page = visiting(visit, tmp_path)
    assert 'role="alert"' not in page
    assert "&lt;script&gt;alert" in page
    for tag in ("<script>alert", "<img", "<b>"):
        assert tag not in page


def test_a_page_stays_small_whatever_the_table_is(
    tmp_path: Path, serve: Callable[..., str]
) -> None:
    head = ",".join(f"column {n} with quite a long name" for n in range(120))
    row = ",".join(['<b>a & "b"</b> and more of it'.replace('"', "'") * 3] * 120)
    id = serve(tmp_path, {"wide.csv": "\n".join([head, *[row] * 220]).encode()})
    (page,) = looking(tmp_path, id, "")
    assert page.count("<tr aria-rowindex=") == 201
    assert len(page.encode()) < 200_000
    assert "and 70 columns more" in page
    rest = re.search(r'href="(/catalog/sql[^"]+)">Show all', page)
    assert rest

    async def visit(browser: Browser) -> str:
        return await browser.text(html.unescape(rest[1]))

    assert "120 rows" in visiting(visit, tmp_path)


def test_a_file_that_is_not_there_is_told(runs: Path) -> None:
    async def visit(browser: Browser) -> list[tuple[int, str]]:
        found = []
        for id in ("ffffffffffff", "..%2f..%2fetc", "zz", "a" * 65):
            answer = await browser.get(f"/catalog/files/{id}")
            found.append((answer.status, await answer.text()))
        return found

    answers = visiting(visit, runs)
    assert all(status in (400, 404) for status, _ in answers)
    assert "No file of" in answers[0][1]


def test_a_file_without_a_table_has_a_page(runs: Path, store: CatalogStore) -> None:
    id = id_of(store, "e.pdf")

    async def visit(browser: Browser) -> tuple[str, int]:
        rows = await browser.get(f"/catalog/files/{id}/rows")
        return await browser.text(f"/catalog/files/{id}"), rows.status

    page, status = visiting(visit, runs)
    assert "Unemployment: a report" in page
    assert "/original" in page
    assert status == 400


@pytest.mark.parametrize("query", ["first=x", "first=-1", "rows=0", "first=99999999999", "table=0"])
def test_an_odd_window_is_still_one(runs: Path, store: CatalogStore, query: str) -> None:
    id = id_of(store, "c.csv")

    async def visit(browser: Browser) -> int:
        return (await browser.get(f"/catalog/files/{id}/rows?{query}")).status

    assert visiting(visit, runs) == 200


def test_what_goes_with_a_table_of_several_is_shown_by_its_page(
    tmp_path: Path, serve: Callable[..., str]
) -> None:
    rates = b"Place,Rate\n" + b"".join(b"place %d,%d.5\n" % (n, n * 7) for n in range(30))
    codes = b"Code,Colour\n" + b"".join(b"c%d,shade %d\n" % (n, n) for n in range(30))
    bodies = {"both.zip": archive(codes, rates), "more.csv": rates.replace(b".5", b".25")}
    id = serve(tmp_path, bodies)

    async def look(browser: Browser) -> list[str]:
        asked = [f"/catalog/files/{id[:12]}/similar?table={table}" for table in (1, 2)]
        pages = [await browser.text(page) for page in asked * 100][-2:]
        return [*pages, await browser.text(f"/catalog/files/{id[:12]}?table=2")]

    first, second, page = visiting(look, tmp_path)
    assert f"filon catalog similar '{id[:12]}#2' --in" in html.unescape(second)
    assert "more.csv" in second
    assert "more.csv" not in first
    assert f"/catalog/files/{id[:12]}/similar?table=2" in page
