"""The page of schedules, and the feed that only who knows its address can read."""

from pathlib import Path

from filon.serve.schedules import WATCHER
from filon.serve.timetable import Entry, Timetable
from golden.folders import unpack
from unit.serve.visitor import Browser, visiting


def test_a_run_is_put_on_the_timetable_and_taken_off(tmp_path: Path) -> None:
    unpack("harvest", tmp_path)
    table = Timetable(tmp_path)

    async def visit(browser: Browser) -> None:
        assert "Nothing is looked at again" in await browser.text("/schedules")
        form = {"run": "harvest", "interval": "2w", "budget": "30req", "quiet": "08:00-18:00"}
        assert (await browser.post("/schedules", form)).status == 303
        page = await browser.text("/schedules")
        assert "08:00-18:00" in page
        assert f"filon watch {table.path}" in page
        assert [site.budget for site in table.sites()] == ["30req"]
        await browser.post("/schedules", {"run": "harvest", "do": "drop"})

    visiting(visit, tmp_path)
    assert table.sites() == ()


def test_nonsense_is_a_sentence_and_loses_nothing(tmp_path: Path) -> None:
    unpack("harvest", tmp_path)

    async def visit(browser: Browser) -> None:
        said = await browser.post("/schedules", {"run": "harvest", "interval": "now and then"})
        assert said.status == 400
        assert "write it like 6h" in await said.text()
        assert (await browser.post("/schedules", {"run": "../harvest"})).status == 404
        Timetable(tmp_path).path.write_text("no [toml")
        assert "cannot be read" in await browser.text("/schedules")

    visiting(visit, tmp_path)


def test_the_feed_is_read_by_its_address_alone(tmp_path: Path) -> None:
    unpack("refresh", tmp_path)
    table = Timetable(tmp_path)
    table.put(Entry(run="refresh", interval="52w"))
    table.feed.write_text("<feed/>")

    async def visit(browser: Browser) -> None:
        secret = browser.client.app[WATCHER].secret()
        assert f"/feed/{secret}.atom" in await browser.text("/schedules")
        browser.client.session.cookie_jar.clear()
        feed = await browser.get(f"/feed/{secret}.atom")
        assert (feed.status, feed.content_type) == (200, "application/atom+xml")
        assert await feed.text() == "<feed/>"
        assert (await browser.get("/feed/guess.atom")).status == 404
        assert (await browser.get("/schedules")).status == 401

    visiting(visit, tmp_path)
