"""The page of the catalog."""

import shlex
from collections.abc import Callable
from pathlib import Path

from fake_run import FakeRun
from filon.serve.look.find import Question
from unit.serve.visitor import Browser, visiting


def page_of(folder: Path, address: str) -> str:
    async def visit(browser: Browser) -> str:
        return await browser.text(address)

    return visiting(visit, folder)


def test_all_files_are_listed_and_words_find_some_with_why(runs: Path) -> None:
    assert "6 files" in page_of(runs, "/catalog")
    page = page_of(runs, "/catalog?q=unemployment")
    assert "3 files" in page
    assert "unemployment in the title" in page
    assert "unemployment in the columns" in page


def test_facets_narrow_it_and_are_taken_away_again(runs: Path) -> None:
    page = page_of(runs, "/catalog?q=unemployment&format=csv&run=one")
    assert "1 file<" in page
    assert 'href="/catalog?q=unemployment&amp;run=one"' in page
    assert 'href="/catalog?q=unemployment&amp;format=csv"' in page
    wide = page_of(runs, "/catalog?q=unemployment")
    assert 'href="/catalog?q=unemployment&amp;site=one.test"' in wide
    assert 'href="/catalog?q=unemployment&amp;year=2020"' in wide
    assert "No file has the site" in page_of(runs, "/catalog?site=nowhere.test")


def test_the_same_command_is_shown(runs: Path) -> None:
    question = Question(words="a -b", facets={"site": "x y", "year": ""}, sort="rows", skip=40)
    command = question.command("home")
    assert command[3:] == [
        *("--site", "x y", "--sort", "rows", "--limit", "20", "--skip", "40"),
        *("--in", "home", "--", "a", "-b"),
    ]
    assert "filon catalog search --sort newest --limit 20 --in" in page_of(runs, "/catalog")
    assert shlex.join(command).startswith("filon catalog search --site 'x y'")


def test_pages_are_turned(tmp_path: Path, serve: Callable[..., str]) -> None:
    serve(tmp_path, {f"f{n:02}.csv": f"a,b\n{n},x\n{n},y\n".encode() for n in range(45)})
    first = page_of(tmp_path, "/catalog?sort=title")
    assert "45 files" in first
    assert 'rel="next"' in first
    assert 'rel="prev"' not in first
    last = page_of(tmp_path, "/catalog?sort=title&skip=40")
    assert last.count('<li>\n<a href="/catalog/files/') == 5
    assert 'href="/catalog?sort=title&amp;skip=20"' in last
    assert 'rel="next"' not in last


def test_who_asks_for_nothing_is_not_told_to_ask_otherwise(tmp_path: Path) -> None:
    with FakeRun(tmp_path / "run") as run:
        run.step("https://a.test/")
    advice = "Fewer words, or other ones, may find more."
    assert advice not in page_of(tmp_path, "/catalog")
    assert advice in page_of(tmp_path, "/catalog?q=bees")


def test_a_folder_without_runs_says_so(tmp_path: Path) -> None:
    assert "No run has found a file yet." in page_of(tmp_path, "/catalog")
    assert "No run has found a file yet." in page_of(tmp_path / "not there", "/catalog?q=x")


def test_new_files_are_taken_in_beside_the_page(tmp_path: Path, serve: Callable[..., str]) -> None:
    serve(tmp_path, {"new.csv": b"a,b\n1,2\n"}, take_in=False)

    async def visit(browser: Browser) -> tuple[str, str]:
        first = await browser.text("/catalog")
        for _ in range(600):
            news = await browser.text("/catalog/news")
            if "New files were taken in" in news:
                break
        # A page that shows nothing yet is loaded anew; no other is taken from who reads it.
        assert "HX-Refresh" not in (await browser.get("/catalog/news")).headers
        assert (await browser.get("/catalog/news?bare=1")).headers["HX-Refresh"] == "true"
        return first, await browser.text("/catalog")

    first, then = visiting(visit, tmp_path)
    assert "0 files" not in first
    assert "1 file<" in then


def test_what_was_typed_is_text(runs: Path) -> None:
    for name in ("q", "site", "run", "place", "sort"):
        page = page_of(runs, f"/catalog?{name}=%3Cscript%3Ealert(1)%3C/script%3E%22%27")
        assert "<script>alert" not in page
        assert "&#34;&#39;" in page or "alert(1)" not in page
