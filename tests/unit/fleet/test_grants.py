"""What a worker may spend, and what its next life gives back."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from filon.core import Budget, Request, Response
from filon.fleet import grants
from filon.fleet.grants import Grants, Unspent
from filon.fleet.model import Grant, Spending
from filon.fleet.sql import SqlStore
from filon.fleet.sqlite import Sqlite

REQUEST = Request(url="http://x.test/")
SEEN = Spending(
    budget={"requests": 1000, "bytes": 1 << 30}, drawn_requests=0, drawn_bytes=0, workers=1
)


def answer(size: int) -> Response:
    return Response(url=REQUEST.url, status=200, at_s=1.0, wire_bytes=size, sent="yes")


async def fleet(folder: Path) -> SqlStore:
    store = SqlStore(Sqlite(folder / "fleet.sqlite"))
    await store.create({}, Budget.parse("1000req,1GiB"))
    await store.join("w1")
    return store


async def drawn(store: SqlStore, folder: Path) -> Grants:
    made = Grants(4)
    made.keep(folder / "unspent")
    made.look(SEEN)
    assert not await made.draw(store, "w1")
    return made


def test_what_a_killed_life_had_left_is_given_back_once(tmp_path: Path) -> None:
    async def run() -> None:
        store = await fleet(tmp_path)
        killed = await drawn(store, tmp_path)
        account = killed.account
        flying = [account.grant(REQUEST, 0.0) for _ in range(3)]
        account.settle(flying[0], answer(1000), 0, 0.0)
        assert (account.budget.requests, account.budget.bytes) == (20, 256 << 20)
        again = SqlStore(Sqlite(tmp_path / "fleet.sqlite"))
        for _ in range(2):  # the second has nothing to give back
            next_ = Grants(4)
            next_.keep(tmp_path / "unspent")
            await again.join("w1")
            await next_.recover(again, "w1")
            next_.close()
            seen = await again.overview()
            assert seen.drawn_requests == 3
            assert seen.drawn_bytes == 1000 + account.reserved_bytes
            assert (seen.lost_requests, seen.lost_bytes) == (3, seen.drawn_bytes)
        killed.close()
        for one in (store, again):
            await one.close()

    asyncio.run(run())


def test_the_first_worker_leaves_bytes_for_others_until_an_answer_does_not_fit(
    tmp_path: Path,
) -> None:
    async def run() -> None:
        store = await fleet(tmp_path)
        first = await drawn(store, tmp_path)
        await store.join("w2")
        assert (await store.draw("w2", 1, 256 << 20)).bytes == 256 << 20
        account = first.account
        share = account.grant(REQUEST, 0.0)
        large = Response(url=REQUEST.url, status=200, at_s=1.0, cut="budget", sent="yes")
        account.settle(share, large, 0, 0.0)
        assert account.alone
        assert not await first.draw(store, "w1")
        assert not account.alone
        assert account.budget.bytes == (1 << 30) - (256 << 20)
        account.settle(account.grant(REQUEST, 0.0), large, 0, 0.0)
        assert await first.draw(store, "w1")  # there is no more
        assert account.alone
        first.close()
        await store.close()

    asyncio.run(run())


def test_who_has_spent_what_it_drew_can_send_until_there_is_no_more(tmp_path: Path) -> None:
    async def run() -> None:
        store = await fleet(tmp_path)
        made = Grants(4)
        assert made.can_send
        made.look(SEEN)
        assert not made.can_send
        await made.draw(store, "w1")
        spent = 0
        while spent < 1000:
            assert made.can_send
            while made.account.left[0]:
                made.account.settle(made.account.grant(REQUEST, 0.0), answer(1), 0, 0.0)
                spent += 1
            assert made.can_send  # it has not asked yet
            await made.draw(store, "w1")
        assert not made.can_send
        await store.give_back("w1", 10)
        made._dry_s = float("-inf")
        await made.draw(store, "w1")
        assert made.can_send
        await made.give_back(store, "w1")
        assert not made.can_send
        await store.close()

    asyncio.run(run())


def test_what_was_given_back_is_not_given_back_by_the_next_life(tmp_path: Path) -> None:
    async def run() -> None:
        store = await fleet(tmp_path)
        made = await drawn(store, tmp_path)
        await made.give_back(store, "w1")
        made.close()
        assert Unspent(tmp_path / "unspent").before == Grant(requests=0, bytes=0)
        await store.close()

    asyncio.run(run())


@pytest.mark.parametrize("text", ["", "x", "{boot} 5", "{boot} a b", "another-boot 5 5"])
def test_what_cannot_be_relied_on_is_not_given_back(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    boot = tmp_path / "boot"
    boot.write_text("this-boot\n")
    monkeypatch.setattr(grants, "_BOOT", boot)
    path = tmp_path / "unspent"
    path.write_text(text.format(boot="this-boot"))
    assert Unspent(path).before == Grant(requests=0, bytes=0)
    path.write_text("this-boot 5 6")
    assert Unspent(path).before == Grant(requests=5, bytes=6)
    boot.unlink()
    assert Unspent(path).before == Grant(requests=0, bytes=0)


def test_a_worker_draws_for_as_long_as_it_has_been_at_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moment: list[Any] = [0.0]
    monkeypatch.setattr(grants, "now_s", lambda: moment[0])

    async def run() -> None:
        store = await fleet(tmp_path)
        made = await drawn(store, tmp_path)
        sizes = []
        for moment[0] in (2.0, 4.0, 8.0, 16.0, 300.0):
            before = made.account.budget.requests or 0
            while made.account.spent.requests < before:
                made.account.settle(made.account.grant(REQUEST, 0.0), answer(1), 0, 0.0)
            await made.draw(store, "w1")
            sizes.append((made.account.budget.requests or 0) - before)
        assert sizes == [20, 40, 80, 160, 64]  # in the end for a minute at its pace
        made.close()
        await store.close()

    asyncio.run(run())
