"""Templates, static files, and what a page always has."""

from pathlib import Path

import pytest

from fake_run import FakeRun
from filon.serve.page import is_web_address, static
from unit.serve.visitor import Browser, visiting


def test_a_page_shows_the_runs_and_the_command_that_does(tmp_path: Path) -> None:
    folder = tmp_path / "my runs"
    with FakeRun(folder / "example.org-001") as run:
        run.step("http://example.org/")

    async def visit(browser: Browser) -> str:
        return await browser.text("/runs")

    shown = visiting(visit, folder)
    assert "example.org-001" in shown
    assert f"filon list &#39;{folder}&#39;" in shown


def test_a_name_of_a_run_that_is_markup_is_shown_as_text(tmp_path: Path) -> None:
    with FakeRun(tmp_path / "<img src=x onerror=alert(1)>") as run:
        run.step("http://example.org/")

    async def visit(browser: Browser) -> str:
        return await browser.text("/runs")

    shown = visiting(visit, tmp_path)
    assert "<img" not in shown
    assert "&lt;img src=x onerror=alert(1)&gt;" in shown


def test_static_files_are_kept_by_browsers_until_they_change(tmp_path: Path) -> None:
    async def visit(browser: Browser) -> None:
        for name in ("style.css", "app.js", "htmx.js", "filon.svg"):
            response = await browser.get(static(name))
            assert response.status == 200
            assert "immutable" in response.headers["Cache-Control"]
            tag = response.headers["ETag"]
            assert (await browser.get(f"/static/{name}")).headers["Cache-Control"] == "no-cache"
            again = await browser.get(f"/static/{name}", headers={"If-None-Match": tag})
            assert again.status == 304
        types = [(await browser.get(static(n))).content_type for n in ("app.js", "style.css")]
        assert types == ["text/javascript", "text/css"]

    visiting(visit, tmp_path, enter=False)


@pytest.mark.parametrize(
    "path", ["/static/nothing.css", "/static/../app.py", "/static/..%2fapp.py", "/static/"]
)
def test_no_address_leads_to_another_file(path: str, tmp_path: Path) -> None:
    async def visit(browser: Browser) -> None:
        assert (await browser.get(path)).status == 404

    visiting(visit, tmp_path)


def test_links_lead_to_the_web_or_nowhere() -> None:
    assert is_web_address("HTTPS://example.org")
    for url in ("javascript:alert(1)", " javascript:alert(1)", "data:text/html,x", "", None):
        assert not is_web_address(url)


def test_a_page_weighs_little(tmp_path: Path) -> None:
    async def visit(browser: Browser) -> None:
        page = len(await browser.text("/"))
        files = [len(await browser.text(static(n))) for n in ("style.css", "app.js", "htmx.js")]
        assert page + sum(files) < 100_000

    visiting(visit, tmp_path)
