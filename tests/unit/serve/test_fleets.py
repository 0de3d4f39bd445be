"""The pages of fleets: how each stands, and orders."""

import asyncio
from pathlib import Path

import fleet_checks
from filon.core import Budget
from filon.fleet.model import Commit, Event
from filon.fleet.store import opened
from unit.serve.visitor import Browser, visiting

HOSTILE = "<script>alert(1)</script>\x1b"


def make(folder: Path, name: str = "fleet-001", told: str = HOSTILE) -> str:
    """Make a fleet with a worker, a site that ended well and one with a trouble."""
    store = str(folder / name / "fleet.sqlite")

    async def fill() -> None:
        async with opened(store) as fleet:
            await fleet.create({}, Budget.parse("100req,1GiB"))
            await fleet.add(fleet_checks.site(number) for number in range(1, 5))
            await fleet.join("w1")
            await fleet.lease("w1", 3)
            said = [
                Commit(site="site-001", epoch=1, state="exhausted", requests=7, finds=3),
                Commit(site="site-002", epoch=1, state="outage", note=told),
            ]
            await fleet.commit("w1", said, [Event(worker="w1", kind="end", text=told)])

    asyncio.run(fill())
    return store


def test_a_folder_without_fleets_says_how_one_is_begun(tmp_path: Path) -> None:
    async def visit(browser: Browser) -> None:
        assert "filon fleet run sites.txt" in await browser.text("/fleets")
        assert (await browser.get("/fleets/nowhere")).status == 404

    visiting(visit, tmp_path)


def test_a_fleet_is_shown(tmp_path: Path) -> None:
    make(tmp_path)

    async def visit(browser: Browser) -> None:
        assert 'href="/fleets/fleet-001"' in await browser.text("/fleets")
        for path in ("/fleets/fleet-001", "/fleets/fleet-001/state"):
            page = await browser.text(path)
            assert "One worker is at work." in page
            assert "site-002" in page
            assert "<script>alert" not in page
            assert "\x1b" not in page
        assert "filon fleet status --store" in await browser.text("/fleets/fleet-001")

    visiting(visit, tmp_path)


def test_orders_are_given(tmp_path: Path) -> None:
    store = make(tmp_path)

    async def visit(browser: Browser) -> None:
        for form in ({"do": "pause"}, {"do": "retry"}, {"do": "drain", "worker": "w1"}):
            assert (await browser.post("/fleets/fleet-001", form)).status == 303
        page = await browser.text("/fleets/fleet-001")
        assert "It pauses." in page
        assert "drains" in page
        async with opened(store) as fleet:
            assert (await fleet.overview()).dead_letters == 0
        assert (await browser.post("/fleets/fleet-001", {"do": "go"})).status == 303
        assert "It pauses." not in await browser.text("/fleets/fleet-001")
        assert (await browser.post("/fleets/fleet-001", {"do": "nonsense"})).status == 400
        strange = await browser.post("/fleets/fleet-001", {"do": "drain", "worker": "w9"})
        assert strange.status == 400
        assert "There is no worker" in await strange.text()

    visiting(visit, tmp_path)


def test_any_name_of_a_fleet_is_led_back_to(tmp_path: Path) -> None:
    make(tmp_path, "my fleet?#1")

    async def visit(browser: Browser) -> None:
        address = "/fleets/my%20fleet%3F%231"
        assert f'href="{address}"' in await browser.text("/fleets")
        answer = await browser.post(address, {"do": "pause"})
        assert (answer.status, answer.headers["Location"]) == (303, address)

    visiting(visit, tmp_path)


def test_a_store_that_is_away_is_told(tmp_path: Path) -> None:
    (tmp_path / "fleet-002").mkdir()
    (tmp_path / "fleet-002" / "fleet.toml").write_text('store = "mysql://x"\n')

    async def visit(browser: Browser) -> None:
        page = await browser.text("/fleets")
        assert "Its store cannot be read: The store" in page
        said = await browser.get("/fleets/fleet-002")
        assert said.status == 400

    visiting(visit, tmp_path)
