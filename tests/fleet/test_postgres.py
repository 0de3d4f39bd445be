"""PostgreSQL as a store, with a real server: the promises of any store, and faults of its own."""

import asyncio
import signal
from pathlib import Path

import pytest

import fleet_checks
from experiments.postgresql import PostgreSQL
from filon.core import Budget, MachineError, UserError
from filon.fleet.database import Ask
from filon.fleet.migration import migrate
from filon.fleet.model import Commit
from filon.fleet.postgres import Postgres
from filon.fleet.schema import VERSION
from filon.fleet.search_words import search_words
from filon.fleet.session import Places, Session
from filon.fleet.settings import FleetSettings
from filon.fleet.sql import SqlStore
from filon.fleet.store import open_store


async def opened(address: str, **more: float) -> SqlStore:
    return SqlStore(await Postgres(address, **more).open())


@pytest.mark.parametrize("check", fleet_checks.CHECKS, ids=lambda check: check.__name__)
def test_postgresql_keeps_what_a_store_promises(
    check: fleet_checks.Check, postgres: PostgreSQL
) -> None:
    address = postgres.empty()
    asyncio.run(check(lambda: opened(address)))


def test_tables_change_while_workers_work(
    postgres: PostgreSQL, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = postgres.empty()

    async def work(store: SqlStore, worker: str, over: asyncio.Event) -> int:
        """Lease, tell finds and end sites, as a worker of the first version does."""
        ended = 0
        while not over.is_set() or ended < 20:
            for lease in await store.lease(worker, 2):
                name = lease.site.name
                done = Commit(site=name, epoch=lease.epoch, state="exhausted", requests=1)
                assert await store.commit(worker, [done]) == {name}
                row = fleet_checks.find(1)
                await store.db.ask(
                    "INSERT INTO finds (site, find, url, words) VALUES ($1, 1, $2, $3)",
                    *(name, row["url"], search_words(row)),
                )
                ended += 1
        return ended

    async def run() -> None:
        first = await opened(address)
        assert await migrate(first.db, 1) == 1
        monkeypatch.setattr("filon.fleet.leasing.migrate", _nothing)  # it knows no other tables
        await first.db.ask("INSERT INTO fleet (one, settings, at_s) VALUES (1, '{}', 0)")
        await first.add(fleet_checks.site(number) for number in range(2000))
        over = asyncio.Event()
        workers = [await opened(address) for _ in range(2)]
        for number, store in enumerate(workers):
            await store.join(f"w{number}")
        tasks = [
            asyncio.create_task(work(store, f"w{number}", over))
            for number, store in enumerate(workers)
        ]
        await asyncio.sleep(0)
        newer = await opened(address)
        assert await newer.migrate() == VERSION - 1
        over.set()
        ended = sum(await asyncio.gather(*tasks))
        assert (await newer.overview()).states["exhausted"] == ended
        assert len(await newer.search("csv", 5000)) == ended
        for store in (first, newer, *workers):
            await store.close()

    asyncio.run(run())


async def _nothing(_: object) -> int:
    return 0


def test_who_waits_to_change_tables_holds_up_no_index(postgres: PostgreSQL) -> None:
    address, made = postgres.empty(), []

    async def run() -> None:
        first, second = await opened(address), await opened(address)
        await first.migrate()
        begun = asyncio.Event()

        async def index(ask: Ask) -> None:
            made.append("index")
            begun.set()
            await ask("SELECT pg_sleep(1.5)")  # who waits was looked at for deadlocks by then
            await ask("CREATE INDEX CONCURRENTLY another ON finds (url)")

        async def nothing(ask: Ask) -> None:
            made.append("nothing")

        making = asyncio.ensure_future(first.db.alone(index))
        await begun.wait()
        await asyncio.gather(making, second.db.alone(nothing))
        for store in (first, second):
            await store.close()

    asyncio.run(run())
    assert made == ["index", "nothing"]


def test_a_step_to_newer_tables_may_take_longer_than_a_statement(
    postgres: PostgreSQL, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("filon.fleet.postgres.TIMEOUT_S", 0.2)
    address = postgres.empty()

    async def run() -> None:
        database = await Postgres(address, patience_s=1.0).open()

        async def step(ask: Ask) -> None:
            await ask("SELECT pg_sleep(0.5)")

        await database.alone(step)
        await database.close()

    asyncio.run(run())


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT])
def test_a_restart_of_the_server_is_waited_for(postgres: PostgreSQL, how: signal.Signals) -> None:
    address = postgres.empty()

    async def run() -> None:
        store = await opened(address)
        await store.create({}, Budget.parse("100"))
        await store.add([fleet_checks.site(1)])
        await store.join("w1")
        await store.lease("w1", 1)
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(None, postgres.stop, how)
        said = Commit(site="site-001", epoch=1, requests=3, rows=[fleet_checks.find(1)])
        asked = asyncio.gather(
            store.beat("w1"), store.commit("w1", [said]), store.draw("w1", 40), store.lease("w1", 1)
        )
        await loop.run_in_executor(None, postgres.start)
        beat, heard, grant, _ = await asked
        assert not beat.is_lost
        assert heard == {"site-001"}
        assert grant.requests == 40
        overview = await store.overview()
        assert (overview.requests, overview.drawn_requests) == (3, 40)
        assert len(await store.finds()) == 1
        await store.close()

    asyncio.run(run())


def test_a_clock_of_the_server_that_jumps_takes_no_site_from_who_is_alive(
    postgres: PostgreSQL,
) -> None:
    address = postgres.empty()

    async def run() -> None:
        first, second = await opened(address), await opened(address)
        await first.create({}, Budget.parse("100"))
        await first.add([fleet_checks.site(1)])
        for worker, store in (("w1", first), ("w2", second)):
            await store.join(worker)
        await first.lease("w1", 1)
        for ahead_s in (86_400, -86_400):
            await second.db.ask(
                "CREATE OR REPLACE FUNCTION moment_s() RETURNS DOUBLE PRECISION LANGUAGE sql AS"
                " 'SELECT CAST(extract(epoch FROM clock_timestamp()) AS DOUBLE PRECISION)"
                f" + {ahead_s}'"
            )
            await fleet_checks.look(second)
            assert await second.lease("w2", 1) == []
            assert not (await first.beat("w1")).is_lost
        await fleet_checks.lapse(second, "w1")
        assert len(await second.lease("w2", 1)) == 1
        for store in (first, second):
            await store.close()

    asyncio.run(run())


def test_a_connection_that_broke_in_the_midst_of_an_answer_is_replaced(
    postgres: PostgreSQL,
) -> None:
    asyncpg = pytest.importorskip("asyncpg")
    address = postgres.empty()

    class Broken:
        """As asyncpg leaves one for a moment when the server goes down."""

        is_terminated = False

        def is_closed(self) -> bool:
            return False

        async def fetch(self, *_: object) -> None:
            raise asyncpg.InternalClientError("another operation (2) is in progress")

        def terminate(self) -> None:
            self.is_terminated = True

    async def run() -> None:
        database = await Postgres(address).open()
        store, broken = SqlStore(database), Broken()
        await store.create({}, Budget.parse("100"))
        await store.join("w1")
        await database._own.close()
        database._own = broken
        assert not (await store.beat("w1")).is_lost
        assert broken.is_terminated
        await store.close()

    asyncio.run(run())


def test_a_server_that_stays_away_is_told_in_a_sentence(postgres: PostgreSQL) -> None:
    address = postgres.empty()

    async def run() -> None:
        store = await opened(address, patience_s=0.3)
        await asyncio.get_running_loop().run_in_executor(None, postgres.stop)
        try:
            with pytest.raises(MachineError, match=r"PostgreSQL at 127\.0\.0\.1 does not answer"):
                await store.overview()
            with pytest.raises(MachineError, match=r"PostgreSQL at 127\.0\.0\.1 does not answer"):
                await open_store(address)
        finally:
            await asyncio.get_running_loop().run_in_executor(None, postgres.start)
        await store.close()

    asyncio.run(run())


def test_what_is_no_store_is_told_without_the_password(postgres: PostgreSQL) -> None:
    wrong = postgres.address.replace("filon@", "filon:geheim@").replace("/postgres", "/nowhere")
    for address in (wrong, wrong.replace("/nowhere", "/nowhere?port=abc")):
        with pytest.raises(UserError, match="cannot be used") as told:
            asyncio.run(open_store(address))
        assert "geheim" not in str(told.value)
    with pytest.raises(UserError, match="is not known"):
        asyncio.run(open_store("mysql://somewhere"))


def test_a_fleet_that_is_not_there_is_not_gone_on_with(
    postgres: PostgreSQL, tmp_path: Path
) -> None:
    places = Places(store=postgres.empty(), blobs=str(tmp_path / "b"), folder=tmp_path / "f")

    async def run() -> None:
        with pytest.raises(UserError, match="no fleet in this store"):
            await Session(places, FleetSettings()).begin(None)
        store = await open_store(places.store)
        with pytest.raises(UserError, match="no fleet"):  # and none was begun
            await store.settings()
        await store.close()

    asyncio.run(run())
