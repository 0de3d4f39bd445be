"""A worker on a file and a folder: what it makes of orders, troubles and bounds."""

import asyncio
import json
import socket
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from experiments.fleet_web import Serving, at_once, files_of, hosts, repeated, serving
from filon.core import Budget, UserError
from filon.fleet.blobs import FolderBlobs
from filon.fleet.settings import FleetSettings
from filon.fleet.site_list import site_of
from filon.fleet.store import Store, opened
from filon.fleet.worker import Worker
from filon.profile.shape import Profile
from filon.run import readonly
from patience import wait_until

SITES = 3
Play = Callable[[Store, Worker], Coroutine[Any, Any, None]]


@pytest.fixture(scope="module")
def web() -> Iterator[Serving]:
    with serving(0.005) as web:
        yield web


def play(folder: Path, web: Serving, budget: str, play: Play, *more: str, **settings: Any) -> None:
    """Have a fleet and a worker of it; more: addresses of other sites."""
    asked: dict[str, Any] = {"delay": 0.0, "connect_to": (web.connect_to,), "budget": budget}
    made = FleetSettings(**{**asked, **settings})

    async def live() -> None:
        async with opened(str(folder / "fleet.sqlite"), lease_s=made.lease) as store:
            await store.create(made.config(), Budget.parse(budget))
            urls = [f"http://{host}/" for host in hosts(SITES)]
            await store.add(map(site_of, more or urls))
            blobs = FolderBlobs(folder / "blobs")
            await play(store, Worker(store, blobs, folder / "w", made, keep=True))

    asyncio.run(live())


def test_sites_are_harvested_to_their_ends_and_told_with_their_cost(
    web: Serving, tmp_path: Path
) -> None:
    async def work(store: Store, worker: Worker) -> None:
        before = len(web.asked)
        assert await worker.run() == "exhausted"
        for site in await store.sites():
            rows = await store.finds(site.name)
            assert {row["sha256"] for row in rows} == files_of(site.name)
            for row in rows:
                (table,) = Profile.read(json.loads(row["profile"])).tables
                assert [column.name for column in table.columns] == ["site", "file", "row"]
                assert table.rows == 20
            assert (site.state, site.owner) == ("exhausted", "")
            assert min(site.requests, site.bytes, site.cpu_s, site.stored_bytes) > 0
            folder = tmp_path / "w" / "sites" / site.name
            assert readonly.number(folder, "finds") == site.finds == len(files_of(site.name))
        seen = await store.overview()
        assert seen.requests == seen.drawn_requests == len(web.asked) - before
        kinds = [event.kind for event in await store.events()]
        assert kinds.count("lease") == SITES
        assert (kinds[0], kinds[-1]) == ("join", "leave")

    play(tmp_path, web, "1000", work)


def test_files_are_not_read_where_nobody_wants_it(web: Serving, tmp_path: Path) -> None:
    async def work(store: Store, worker: Worker) -> None:
        assert await worker.run() == "exhausted"
        rows = await store.finds()
        assert {row["profile"] for row in rows} == {None}
        assert {row["sha256"] for row in rows} == set.union(*map(files_of, hosts(SITES)))

    play(tmp_path, web, "1000", work, profile=False)


def test_what_was_found_and_not_told_is_read_and_told_in_the_next_life(
    web: Serving, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(store: Store, worker: Worker) -> None:
        reading = asyncio.Event()

        async def never(*_: object) -> str:
            reading.set()
            return await asyncio.Future()

        monkeypatch.setattr(worker._profiling, "profile", never)
        running = asyncio.ensure_future(worker.run())
        before = len(web.asked)
        await reading.wait()
        await asyncio.to_thread(wait_until, lambda: len(web.asked) > before + 9)  # nobody waits
        running.cancel()  # as a process that is killed: it tells nothing any more
        await asyncio.gather(running, return_exceptions=True)
        assert await store.finds() == []
        assert await Worker(*_parts(worker)).run() == "exhausted"
        rows = await store.finds()
        assert {row["sha256"] for row in rows} == set.union(*map(files_of, hosts(SITES)))
        assert all(row["profile"] for row in rows)

    play(tmp_path, web, "1000", work, lease=1.0)


def test_a_worker_that_is_ended_as_it_hears_of_something_ends(web: Serving, tmp_path: Path) -> None:
    async def work(store: Store, worker: Worker) -> None:
        beating = asyncio.ensure_future(worker._beats())
        await asyncio.sleep(0)
        worker._beat_now.set()
        await asyncio.sleep(0)  # its wait has ended, and it does not know it yet
        beating.cancel()
        ended, _ = await asyncio.wait([beating], timeout=5)
        beating.cancel()
        assert ended

    play(tmp_path, web, "1000", work)


def test_a_worker_that_is_drained_ends_no_site(web: Serving, tmp_path: Path) -> None:
    async def work(store: Store, worker: Worker) -> None:
        before = len(web.asked)
        running = asyncio.ensure_future(worker.run())
        await asyncio.to_thread(wait_until, lambda: len(web.asked) >= before + 15)
        await store.drain(worker.name)
        assert await running == "drained"
        seen = await store.overview()
        assert seen.states.get("", 0) > 0
        assert set(seen.states) <= {"", "exhausted"}
        assert seen.held == 0
        assert await Worker(*_parts(worker)).run() == "exhausted"
        assert (await store.overview()).states == {"exhausted": SITES}

    play(tmp_path, web, "1000", work, lease=1.0)


def _parts(worker: Worker) -> tuple[Any, ...]:
    return worker._store, worker._blobs, worker._folder, worker._settings


def test_a_fleet_that_is_paused_sends_nothing(web: Serving, tmp_path: Path) -> None:
    async def work(store: Store, worker: Worker) -> None:
        await store.pause(True)
        before, halt = len(web.asked), asyncio.Event()
        running = asyncio.ensure_future(worker.run(halt))
        await asyncio.sleep(1.5)
        assert len(web.asked) == before
        await store.pause(False)
        assert await running == "exhausted"

    play(tmp_path, web, "1000", work, lease=1.0)


def test_a_site_that_is_not_there_is_a_dead_letter_with_its_reason(
    web: Serving, tmp_path: Path
) -> None:
    async def work(store: Store, worker: Worker) -> None:
        assert await worker.run() == "exhausted"
        (letter,) = await store.dead_letters()
        assert (letter.name, letter.state) == ("nowhere.invalid", "nothing")
        assert "nowhere.invalid" in letter.note

    places = ("http://nowhere.invalid/", web.connect_to.replace("::", "http://") + "/")
    play(tmp_path, web, "100", work, *places, connect_to=(), retries=0)


def test_a_site_whose_pieces_are_damaged_is_a_dead_letter_and_harms_no_other(
    web: Serving, tmp_path: Path
) -> None:
    async def work(store: Store, worker: Worker) -> None:
        damaged, *others = hosts(SITES)
        await store.db.ask(  # type: ignore[attr-defined]
            "UPDATE sites SET epoch = 1, requests = 7 WHERE name = $1", damaged
        )
        await worker._blobs.put(f"sites/{damaged}/1/000001", b"filon-piece-1\nxx")
        assert await worker.run() == "exhausted"
        (letter,) = await store.dead_letters()
        assert (letter.name, letter.state, letter.requests) == (damaged, "damaged", 7)
        assert "1/000001 cannot be read" in letter.note
        assert [site.name for site in await store.sites(state="exhausted")] == others

    play(tmp_path, web, "1000", work)


def test_bytes_are_never_overspent(web: Serving, tmp_path: Path) -> None:
    async def work(store: Store, worker: Worker) -> None:
        assert await worker.run() == "budget"
        seen = await store.overview()
        assert 0 < seen.bytes <= seen.drawn_bytes <= 12_000

    play(tmp_path, web, "1000req,12000B", work)


def test_a_budget_that_no_file_fits_into_is_spent(tmp_path: Path) -> None:
    with serving() as web:
        paths = [f"/{number}.csv" for number in range(30)]
        links = "".join(f'<a href="{path}">data</a>' for path in paths)
        web.web.pages["large.test"] = {
            "/": ("text/html", f"<html><body>{links}</body></html>".encode()),
            **{path: ("text/csv", f"{path}\n".encode() * 50_000) for path in paths},
        }

        async def work(store: Store, worker: Worker) -> None:
            async with asyncio.timeout(30):
                assert await worker.run() == "budget"
            seen = await store.overview()
            assert seen.drawn_bytes <= 100_000

        play(tmp_path, web, "1000req,100000B", work, "http://large.test/")


def test_a_worker_that_was_taken_for_dead_in_the_midst_ends_with_the_budget(
    tmp_path: Path,
) -> None:
    with serving(0.2) as web:

        async def work(store: Store, worker: Worker) -> None:
            running = asyncio.ensure_future(worker.run())
            while not worker._grants.account.in_flight:  # noqa: ASYNC110, it tells nobody
                await asyncio.sleep(0.01)
            await worker._lose()
            async with asyncio.timeout(60):
                assert await running == "budget"
            assert worker._grants.account.in_flight == 0
            assert len(web.asked) <= 12

        play(tmp_path, web, "12", work)


def test_a_folder_has_one_worker_at_a_time(web: Serving, tmp_path: Path) -> None:
    async def work(store: Store, worker: Worker) -> None:
        running = asyncio.ensure_future(worker.run())
        await asyncio.sleep(0.1)
        with pytest.raises(UserError, match="in use by another process"):
            await Worker(*_parts(worker)).run()
        await running

    play(tmp_path, web, "1000", work)


def test_an_idle_worker_lets_the_one_with_the_last_site_spend_the_rest(
    web: Serving, tmp_path: Path
) -> None:
    async def work(store: Store, worker: Worker) -> None:
        blobs, settings = worker._blobs, worker._settings
        other = Worker(store, blobs, tmp_path / "other", settings)
        before = len(web.asked)
        ends = await asyncio.gather(worker.run(), other.run())
        assert set(ends) <= {"exhausted", "budget"}
        assert len(web.asked) - before <= 45
        assert (await store.overview()).states.get("exhausted") or "budget" in ends

    play(tmp_path, web, "45", work, f"http://{hosts(1)[0]}/", lease=1.0)


NAMES = ("a.test", "b.test")


def _leading_to(web: Serving, hosts: tuple[str, str], port: str = "") -> dict[str, set[str]]:
    """Let each of two sites lead to files on another host; return the hashes, by site."""
    expected: dict[str, set[str]] = {}
    for site, elsewhere in zip(NAMES, hosts, strict=True):
        paths = [f"/{site}/{number}.csv" for number in range(6)]
        links = "".join(f'<a href="http://{elsewhere}{port}{path}">data</a>' for path in paths)
        web.web.pages[site] = {"/": ("text/html", f"<html><body>{links}</body></html>".encode())}
        files = {path: ("text/csv", f"site,file\n{site},{path}\n".encode()) for path in paths}
        web.web.pages.setdefault(elsewhere, {}).update(files)
        expected[site] = {sha256(body).hexdigest() for _, body in files.values()}
    return expected


async def _harvested_by_two(store: Store, worker: Worker, expected: dict[str, set[str]]) -> None:
    """Let two workers come to the end of two sites, which bring all that they lead to."""
    other = Worker(store, worker._blobs, worker._folder.with_name("other"), worker._settings)
    for one in (worker, other):
        for name in NAMES:
            one._live.allow(f"data.{name}")
    assert set(await asyncio.gather(worker.run(), other.run())) == {"exhausted"}
    ended = await store.sites(state="exhausted")
    for site, files in zip(ended, expected.values(), strict=True):
        assert {row["sha256"] for row in await store.finds(site.name)} == files


def test_a_host_that_two_sites_lead_to_is_asked_for_one_of_them_at_a_time(tmp_path: Path) -> None:
    with serving(0.05) as web:
        expected = _leading_to(web, ("cdn.test", "cdn.test"))

        async def work(store: Store, worker: Worker) -> None:
            await _harvested_by_two(store, worker, expected)
            assert at_once(web.asked) == []
            own = [one for one in web.asked if one.host in NAMES]
            assert repeated(own) == 0  # what was asked before one was given back is not lost

        urls = [f"http://{site}/" for site in NAMES]
        abroad = {"files_from": "linked-hosts"}
        play(tmp_path, web, "1000", work, *urls, harvest=abroad, hold=1, profile=False)


def test_an_address_that_two_sites_lead_to_is_asked_for_one_of_them_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def addresses_of(name: str) -> list[str]:
        number = NAMES.index(name.removeprefix("data."))
        # The second of the two addresses that each has is the same.
        return [f"10.0.1.{number}", "10.0.9.9"] if "data" in name else [f"10.0.2.{number}"]

    for module in ("worker", "asked_hosts"):
        monkeypatch.setattr(f"filon.fleet.{module}.addresses_of", addresses_of)
    look_up = socket.getaddrinfo

    def here(name: str, *more: Any, **named: Any) -> Any:
        return look_up("127.0.0.1" if name.endswith(".test") else name, *more, **named)

    monkeypatch.setattr("socket.getaddrinfo", here)
    with serving(0.05) as web:
        expected = _leading_to(web, ("data.a.test", "data.b.test"), f":{web.port}")

        async def work(store: Store, worker: Worker) -> None:
            await _harvested_by_two(store, worker, expected)
            shared = [one for one in web.asked if one.host.startswith("data.")]
            assert at_once([replace(one, host="10.0.9.9") for one in shared]) == []

        urls = [f"http://{site}:{web.port}/" for site in NAMES]
        play(tmp_path, web, "1000", work, *urls, connect_to=(), hold=1, profile=False)
