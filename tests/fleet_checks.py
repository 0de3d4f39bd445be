"""What every store of a fleet promises, as checks that each is held to.

A check takes a function that opens the store: who calls it twice has two processes at one store.
"""

import asyncio
import inspect
import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import pytest

from filon.core import Budget, UserError
from filon.fleet.leasing import LOSSES
from filon.fleet.model import Commit, Event, Figures, Lease, Site
from filon.fleet.site_list import site_of
from filon.fleet.sql import SqlStore
from filon.fleet.store import LEASE_S
from filon.profile.shape import Column, Profile, Table

Open = Callable[[], Awaitable[SqlStore]]
Check = Callable[[Open], Coroutine[Any, Any, None]]


def site(number: int, **more: Any) -> Site:
    name = f"site-{number:03}"
    return Site(name=name, url=f"http://{name}.test/", host=f"{name}.test", **more)


def find(number: int, name: str = "a.csv", **more: Any) -> dict[str, Any]:
    return {
        "find": number,
        "step": number,
        "kind": "file",
        "url": f"http://x.test/{number}",
        "name": name,
        "mime": "text/csv",
        "parent": "",
        "size_bytes": 5,
        "sha256": "ab" * 32,
        "at_s": 1.0,
        "link_text": "",
        "around": "",
        "page_title": "",
        "headings": "",
        "licence": "",
        "modified": "",
        **more,
    }


@asynccontextmanager
async def fleet(
    open_: Open, sites: int = 0, budget: str = "1000", *workers: str
) -> AsyncIterator[SqlStore]:
    store = await open_()
    try:
        assert await store.create({"strategy": "vein"}, Budget.parse(budget))
        await store.add(site(number) for number in range(1, sites + 1))
        for worker in workers:
            await store.join(worker)
        yield store
    finally:
        await store.close()


async def lapse(store: SqlStore, worker: str) -> None:
    """Let a worker have been silent for its lease, and a store look for such at once."""
    await look(store)
    sign, _ = store._signs[worker]
    store._signs[worker] = sign, float("-inf")
    store._reaped_s = float("-inf")


async def look(store: SqlStore) -> None:
    """Let a store look at once who was not heard for too long."""
    store._reaped_s = float("-inf")
    await store._reap()


def names(leases: list[Lease]) -> list[str]:
    return [lease.site.name for lease in leases]


async def a_store_without_a_fleet_says_so(open_: Open) -> None:
    store = await open_()
    try:
        with pytest.raises(UserError, match="no fleet"):
            await store.settings()
    finally:
        await store.close()


async def a_fleet_keeps_its_settings_and_takes_another_budget(open_: Open) -> None:
    async with fleet(open_, 0, "10") as store:
        assert not await store.create({"strategy": "other"}, Budget.parse("20"))
        assert await store.settings() == {"strategy": "vein"}
        assert (await store.overview()).budget["requests"] == 20


async def a_site_is_added_once(open_: Open) -> None:
    async with fleet(open_, 3) as store:
        assert await store.add([site(3), site(4)]) == 1
        assert (await store.overview()).sites == 4


async def the_best_free_sites_are_leased_first(open_: Open) -> None:
    async with fleet(open_, 0, "10", "w1", "w2") as store:
        await store.add([site(1, promise=0.1), site(2, promise=0.9), site(3, promise=0.5)])
        assert names(await store.lease("w1", 2)) == ["site-002", "site-003"]
        assert (await store.beat("w2")).best == 0.1
        assert names(await store.lease("w2", 2)) == ["site-001"]
        assert await store.lease("w2", 2, ["site-001"]) == []
        assert (await store.beat("w2")).best is None


async def two_at_once_never_get_the_same_site(open_: Open) -> None:
    async with fleet(open_, 60, "10", "w1") as store:
        others = [await open_() for _ in range(3)]
        try:
            for number, other in enumerate(others):
                await other.join(f"x{number}")
            asked = [store.lease("w1", 20)]
            asked += [other.lease(f"x{number}", 20) for number, other in enumerate(others)]
            given = [name for leases in await asyncio.gather(*asked) for name in names(leases)]
            assert len(given) == len(set(given))
            assert 20 <= len(given) <= 60
        finally:
            for other in others:
                await other.close()


async def a_commit_under_another_epoch_is_not_heard(open_: Open) -> None:
    async with fleet(open_, 1, "10", "w1", "w2") as store:
        (first,) = await store.lease("w1", 1)
        await lapse(store, "w1")
        (second,) = await store.lease("w2", 1)
        assert second.epoch == first.epoch + 1
        late = Commit(site=first.site.name, epoch=first.epoch, requests=99, rows=[find(1)])
        assert await store.commit("w1", [late]) == set()
        assert await store.commit("w2", [late]) == set()
        assert await store.finds() == []
        assert (await store.overview()).requests == 0
        good = Commit(site=first.site.name, epoch=second.epoch, requests=2)
        assert await store.commit("w2", [good]) == {first.site.name}


async def who_was_taken_for_dead_hears_it_and_joins_again(open_: Open) -> None:
    async with fleet(open_, 2, "10", "w1", "w2") as store:
        await store.lease("w1", 2)
        await lapse(store, "w1")
        assert len(await store.lease("w2", 2)) == 2
        assert (await store.beat("w1")).is_lost
        assert await store.lease("w1", 2) == []
        assert not (await store.join("w1")).is_lost
        assert not (await store.beat("w1")).is_lost


async def a_beat_keeps_the_sites(open_: Open) -> None:
    async with fleet(open_, 1, "10", "w1", "w2") as store:
        await store.lease("w1", 1)
        await lapse(store, "w1")
        assert (await store.beat("w1")).lease_s > 0
        assert await store.lease("w2", 1) == []


async def a_jump_of_its_clock_takes_no_site_from_who_is_alive(open_: Open) -> None:
    async with fleet(open_, 1, "10", "w1", "w2") as store:
        await store.lease("w1", 1)
        await store.db.ask("UPDATE workers SET lease_until_s = 0")  # as if it were tomorrow
        await look(store)
        assert await store.lease("w2", 1) == []
        assert not (await store.beat("w1")).is_lost


async def a_clock_that_was_put_back_keeps_no_site_for_the_dead(open_: Open) -> None:
    async with fleet(open_, 1, "10", "w1", "w2") as store:
        await store.lease("w1", 1)
        await store.db.ask("UPDATE workers SET seen_s = 1e12, lease_until_s = 1e12")
        await lapse(store, "w1")
        assert len(await store.lease("w2", 1)) == 1
        assert (await store.beat("w1")).is_lost


async def who_is_not_heard_is_dead_after_a_lease_that_somebody_watched(open_: Open) -> None:
    async with fleet(open_, 1, "10", "w1", "w2") as store:
        moment_s = [0.0]
        store._clock = lambda: moment_s[0]
        await store.lease("w1", 1)
        for moment_s[0], given in ((LEASE_S / 2, 0), (0.9 * LEASE_S, 0), (1.2 * LEASE_S, 1)):
            await store.beat("w2")
            assert len(await store.lease("w2", 1)) == given


async def a_new_life_gets_its_own_sites_first_under_a_new_epoch(open_: Open) -> None:
    async with fleet(open_, 3, "10", "w1") as store:
        (old,) = await store.lease("w1", 1)
        again = await open_()
        try:
            await again.join("w1")
            first, *rest = sorted(await again.lease("w1", 2), key=lambda each: -each.epoch)
            assert (first.site, first.epoch) == (old.site, old.epoch + 1)
            assert len(rest) == 1
            assert (await store.beat("w1")).is_lost
        finally:
            await again.close()


async def an_answer_that_never_came_is_given_again(open_: Open) -> None:
    async with fleet(open_, 3, "10", "w1") as store:
        (kept, *_) = await store.lease("w1", 2)
        again = await store.lease("w1", 1, [kept.site.name])
        assert len(again) == 1
        assert again[0].epoch == 2


async def a_commit_makes_a_piece_true_and_a_release_frees(open_: Open) -> None:
    async with fleet(open_, 1, "10", "w1", "w2") as store:
        (lease,) = await store.lease("w1", 1)
        said = Commit(
            site="site-001",
            epoch=1,
            piece=7,
            piece_epoch=1,
            requests=4,
            bytes=400,
            finds=2,
            cpu_s=0.5,
            stored_bytes=50,
            expected=0.25,
            rows=[find(1), find(2)],
        )
        assert await store.commit("w1", [said]) == {"site-001"}
        assert await store.commit("w1", [said]) == {"site-001"}
        assert len(await store.finds("site-001")) == 2
        released = Commit(
            site="site-001", epoch=1, piece=7, piece_epoch=1, requests=5, release=True
        )
        assert await store.commit("w1", [released]) == {"site-001"}
        assert await store.commit("w1", [released]) == set()
        (taken,) = await store.lease("w2", 1)
        assert (taken.piece, taken.piece_epoch, taken.requests) == (7, 1, 5)
        members = {member.name: member for member in await store.workers()}
        assert members["w1"].used_requests == 5
        assert lease.piece == 0


async def a_site_that_ended_is_not_leased_until_it_is_retried(open_: Open) -> None:
    async with fleet(open_, 2, "10", "w1") as store:
        await store.lease("w1", 2)
        bad = Commit(site="site-001", epoch=1, state="outage", note="no answer")
        good = Commit(site="site-002", epoch=1, state="exhausted")
        await store.commit("w1", [bad, good])
        assert await store.lease("w1", 2) == []
        assert (await store.beat("w1")).over == "exhausted"
        (letter,) = await store.dead_letters()
        assert (letter.name, letter.state, letter.note) == ("site-001", "outage", "no answer")
        assert (await store.overview()).dead_letters == 1
        assert await store.retry(["site-002"]) == 0
        assert await store.retry() == 1
        assert names(await store.lease("w1", 2)) == ["site-001"]


async def a_site_whose_workers_all_die_is_left_alone(open_: Open) -> None:
    async with fleet(open_, 1, "10") as store:
        for _ in range(LOSSES):
            await store.join("w1")
            assert len(await store.lease("w1", 1)) == 1
            await lapse(store, "w1")
            await look(store)
        (letter,) = await store.dead_letters()
        assert letter.state == "dead"
        assert "died" in letter.note


async def a_host_is_asked_for_one_site_at_a_time(open_: Open) -> None:
    async with fleet(open_, 0, "10", "w1", "w2") as store:
        same = [Site(name=f"s{n}", url=f"http://h.test/{n}/", host="h.test") for n in range(3)]
        await store.add(same)
        assert names(await store.lease("w1", 3)) == ["s0"]
        assert await store.lease("w2", 3) == []
        assert (await store.beat("w2")).over == ""
        await store.commit("w1", [Commit(site="s0", epoch=1, state="exhausted")])
        (next_,) = await store.lease("w2", 3)
        assert await store.lease("w1", 3) == []
        await store.commit("w2", [Commit(site="s1", epoch=next_.epoch, state="exhausted")])
        (last,) = await store.lease("w1", 3)
        await store.commit("w1", [Commit(site="s2", epoch=last.epoch, state="exhausted")])
        assert (await store.beat("w1")).over == "exhausted"


async def a_site_within_another_waits_for_it(open_: Open) -> None:
    async with fleet(open_, 0, "10", "w1", "w2") as store:
        # A harvest of the one leads to the hosts below it, of which the other is one.
        await store.add(map(site_of, ("http://www.h.test/", "http://data.h.test/", "http://h.uk/")))
        assert names(await store.lease("w1", 1)) == ["data.h.test"]
        assert names(await store.lease("w2", 3)) == ["h.uk"]
        await store.commit("w1", [Commit(site="data.h.test", epoch=1, state="exhausted")])
        assert names(await store.lease("w2", 3, ["h.uk"])) == ["h.test"]


async def a_hold_goes_with_its_site(open_: Open) -> None:
    async with fleet(open_, 1, "10", "w1", "w2") as store:
        await store.lease("w1", 1)
        # As one that waits for its address, and is free before its worker lets go of its host.
        await store.db.ask("UPDATE sites SET owner = ''")
        assert names(await store.lease("w2", 1)) == ["site-001"]
        await store._let_go(store.db.ask, "w1")
        assert await store.db.ask("SELECT owner FROM holds") == [{"owner": "w2"}]


async def who_was_late_holds_nothing(open_: Open) -> None:
    async with fleet(open_, 2, "10", "w1", "w2") as store:
        rows = await store._claim(store.db.ask, "w1", 1, [])
        await store.db.ask("UPDATE sites SET owner = 'w2' WHERE owner = 'w1'")
        assert await store._hold(store.db.ask, "w1", rows) == {"site-001"}
        assert await store.db.ask("SELECT * FROM holds") == []
        assert (await store.sites())[0].owner == "w2"


async def a_host_that_a_dead_worker_left_behind_is_free(open_: Open) -> None:
    async with fleet(open_, 0, "10", "w1", "w2") as store:
        await store.leave("w1")
        await store.db.ask("INSERT INTO holds (what, site, owner) VALUES ('h.test', 's0', 'w1')")
        await store.add([Site(name="s1", url="http://h.test/", host="h.test")])
        assert names(await store.lease("w2", 1)) == ["s1"]


async def an_address_is_asked_for_one_site_at_a_time(open_: Open) -> None:
    async with fleet(open_, 4, "10", "w1", "w2") as store:
        first, second = await store.lease("w1", 1), await store.lease("w2", 1)
        own, other = first[0].site.name, second[0].site.name
        assert await store.place("w1", {own: "10.0.0.1 10.0.0.2"}) == {own}
        assert await store.place("w2", {other: "10.0.0.2 10.0.0.3"}) == set()
        assert names(await store.lease("w2", 2)) == ["site-003", "site-004"]
        assert await store.lease("w1", 2, names(first)) == []
        late = Commit(site=second[0].site.name, epoch=second[0].epoch, requests=5)
        assert await store.commit("w2", [late]) == set()
        await store.leave("w1")
        assert len(await store.lease("w2", 2, ["site-003", "site-004"])) == 1


async def a_place_that_a_run_leads_to_is_asked_for_one_site_at_a_time(open_: Open) -> None:
    async with fleet(open_, 2, "10", "w1", "w2") as store:
        ((first,), (second,)) = await store.lease("w1", 1), await store.lease("w2", 1)
        places = ["10.0.0.1", "cdn.test"]
        for _ in range(2):  # what is said twice counts once
            assert await store.hold("w1", "site-001", places)
        assert not await store.hold("w1", "site-002", ["10.0.0.2"])  # which is not its own
        before = store.statements
        assert await store.hold("w2", "site-002", ["10.0.0.2"])
        assert store.statements == before + 1
        for _ in range(2):
            assert not await store.hold("w2", "site-002", places)
        given = Commit(site="site-002", epoch=second.epoch, release=True)
        assert await store.commit("w2", [given]) == {"site-002"}
        assert await store.lease("w2", 2) == []  # it waits, and holds nothing
        assert await store.hold("w1", "site-001", ["10.0.0.2"])
        assert (await store.beat("w2")).over == ""
        await store.commit("w1", [Commit(site="site-001", epoch=first.epoch, state="exhausted")])
        (again,) = await store.lease("w2", 2)
        assert set(again.site.address.split()) == set(places)
        held = await store.db.ask("SELECT what, owner FROM holds ORDER BY what")
        assert [row["what"] for row in held] == [*places, "site-002.test"]
        await store.commit("w2", [Commit(site="site-002", epoch=again.epoch, state="exhausted")])
        assert (await store.beat("w2")).over == "exhausted"


async def sites_that_want_what_the_other_has_both_come_to_it(open_: Open) -> None:
    async with fleet(open_, 2, "10", "w1", "w2") as store:
        wanted = {"w1": ["10.0.0.1", "10.0.0.2"], "w2": ["10.0.0.2", "10.0.0.1"]}
        ended: list[str] = []
        for _ in range(4):  # leases of both at the same time
            leases = {worker: await store.lease(worker, 1) for worker in wanted}
            at_work = {worker: lease for worker, (lease, *_) in filter(all, leases.items())}
            got = dict.fromkeys(at_work, True)
            for place in range(2):
                for worker, lease in at_work.items():
                    if got[worker]:
                        site = lease.site.name
                        got[worker] = await store.hold(worker, site, [wanted[worker][place]])
            for worker, lease in at_work.items():
                state = "exhausted" if got[worker] else ""
                said = Commit(site=lease.site.name, epoch=lease.epoch, state=state, release=True)
                await store.commit(worker, [said])
                ended += [lease.site.name] if state else []
        assert sorted(ended) == ["site-001", "site-002"]


async def a_place_that_is_taken_keeps_nobody_from_others(open_: Open) -> None:
    async with fleet(open_, 0, "10", "w1", "w2") as store:
        await store.add(site(n, address="10.0.0.1") for n in range(1, 9))
        await store.add(site(n, address=f"10.0.1.{n}", promise=0.5) for n in range(9, 13))
        assert names(await store.lease("w1", 1)) == ["site-001"]
        # The best seven wait for the first; the rest is found behind them.
        others = [f"site-{number:03}" for number in range(9, 13)]
        assert names(await store.lease("w2", 4)) == others


async def the_addresses_of_a_dead_worker_are_free(open_: Open) -> None:
    async with fleet(open_, 0, "10", "w1", "w2") as store:
        await store.add([site(1, address="10.0.0.1"), site(2, address="10.0.0.1")])
        await store.lease("w1", 1)
        assert await store.lease("w2", 2) == []
        await lapse(store, "w1")
        (lease,) = await store.lease("w2", 2)
        await store.commit("w2", [Commit(site=lease.site.name, epoch=lease.epoch, release=True)])
        assert len(await store.lease("w2", 2)) == 1


async def who_waits_at_a_place_that_nobody_holds_is_found(open_: Open) -> None:
    async with fleet(open_, 2, "10", "w1") as store:
        await store.db.ask("UPDATE sites SET parked = 'gone.test'")
        assert (await store.beat("w1")).over == ""
        (first,) = await store.lease("w1", 2)
        store._reaped_s = float("-inf")
        (second,) = await store.lease("w1", 2, [first.site.name])
        assert first.site != second.site


async def what_another_tells_of_a_dead_worker_is_not_lost(open_: Open) -> None:
    async with fleet(open_, 1, "100req,1000B", "w1", "w2") as store:
        await store.draw("w1", 10, 100)
        await store.lease("w1", 1)
        await lapse(store, "w1")
        (lease,) = await store.lease("w2", 1)
        said = Commit(site=lease.site.name, epoch=lease.epoch, requests=8, bytes=70)
        await store.commit("w2", [said])
        seen = await store.overview()
        assert (seen.lost_requests, seen.lost_bytes) == (2, 30)


async def the_budget_is_never_overdrawn(open_: Open) -> None:
    async with fleet(open_, 0, "100req,1000B", "w1", "w2") as store:
        grant = await store.draw("w1", 60, 600)
        assert (grant.requests, grant.bytes) == (60, 600)
        grant = await store.draw("w2", 60, 300)
        assert (grant.requests, grant.bytes) == (40, 300)
        assert (await store.draw("w1", 1, 1)).requests == 0
        seen = await store.spending()
        assert (seen.drawn_requests, seen.drawn_bytes, seen.workers) == (100, 900, 2)
        assert seen.budget["requests"] == 100
        left = (await store.beat("w1")).left
        assert (left.requests, left.bytes) == (0, 100)
        await store.give_back("w2", 10, 100)
        grant = await store.draw("w1", 50, 500)
        assert (grant.requests, grant.bytes) == (10, 200)


async def many_who_draw_at_once_get_the_budget_and_no_more(open_: Open) -> None:
    async with fleet(open_, 0, "100", "w0") as store:
        others = [await open_() for _ in range(4)]
        try:
            for number, other in enumerate(others):
                await other.join(f"x{number}")
            asked = [
                other.draw(f"x{number}", 7) for number, other in enumerate(others) for _ in range(5)
            ]
            grants = await asyncio.gather(*asked)
            assert sum(grant.requests or 0 for grant in grants) == 100
            assert (await store.overview()).drawn_requests == 100
        finally:
            for other in others:
                await other.close()


async def what_a_dead_worker_had_drawn_is_spent_and_told(open_: Open) -> None:
    async with fleet(open_, 1, "100", "w1", "w2") as store:
        await store.draw("w1", 30)
        await store.lease("w1", 1)
        await store.commit("w1", [Commit(site="site-001", epoch=1, requests=12)])
        await lapse(store, "w1")
        await store.lease("w2", 1)
        overview = await store.overview()
        assert (overview.drawn_requests, overview.requests, overview.lost_requests) == (30, 12, 18)
        assert (await store.draw("w2", 100)).requests == 70
        again = await open_()
        try:
            await again.join("w1")
            assert (await again.overview()).lost_requests == 18
        finally:
            await again.close()


async def a_fleet_is_over_when_all_is_drawn_and_nobody_can_send(open_: Open) -> None:
    async with fleet(open_, 5, "10", "w1", "w2") as store:
        await store.draw("w1", 10)
        assert (await store.beat("w2", Figures())).over == ""
        assert (await store.beat("w1", Figures(can_send=True))).over == ""
        assert (await store.beat("w1", Figures(can_send=False))).over == "budget"
        assert (await store.beat("w2", Figures())).over == "budget"


async def a_fleet_is_over_when_it_has_its_goal(open_: Open) -> None:
    async with fleet(open_, 2, "100req,3finds", "w1") as store:
        await store.lease("w1", 1)
        await store.commit("w1", [Commit(site="site-001", epoch=1, finds=3, requests=3)])
        assert (await store.beat("w1")).over == "goal"
        assert (await store.draw("w1", 5)).requests == 0


async def a_fleet_is_over_when_its_time_is(open_: Open) -> None:
    async with fleet(open_, 2, "60s", "w1") as store:  # of which nobody draws
        first = (await store.beat("w1")).left_s
        assert first is not None
        assert 0 < first <= 60
        assert (await store.overview()).elapsed_s >= 0
        await store.db.ask("UPDATE fleet SET at_s = at_s - 40")
        left_s = (await store.beat("w1")).left_s
        assert left_s is not None
        assert left_s <= first - 40
        assert (await store.overview()).elapsed_s >= 40
        await store.leave("w1")
        await store.db.ask("UPDATE fleet SET at_s = at_s - 1000")  # nobody was there
        await store.db.ask("UPDATE workers SET seen_s = seen_s - 1000")
        orders = await store.join("w1")
        assert orders.over == ""
        assert 0 < (orders.left_s or 0) <= left_s
        await store.db.ask("UPDATE fleet SET at_s = at_s - 30")
        assert (await store.beat("w1")).over == "budget"


async def a_paused_fleet_gives_nothing_out(open_: Open) -> None:
    async with fleet(open_, 2, "100", "w1") as store:
        await store.pause(True)
        assert (await store.beat("w1")).is_paused
        assert await store.lease("w1", 2) == []
        assert (await store.draw("w1", 5)).requests == 0
        await store.pause(False)
        assert len(await store.lease("w1", 2)) == 2
        assert (await store.draw("w1", 5)).requests == 5


async def a_worker_that_is_drained_gets_no_more(open_: Open) -> None:
    async with fleet(open_, 3, "100", "w1", "w2") as store:
        await store.lease("w1", 1)
        await store.drain("w1")
        assert (await store.beat("w1")).is_draining
        assert await store.lease("w1", 2) == []
        await store.leave("w1")
        assert len(await store.lease("w2", 3)) == 3
        with pytest.raises(UserError, match="no worker 'w1'"):
            await store.drain("w1")


async def events_are_read_on(open_: Open) -> None:
    async with fleet(open_, 1, "10", "w1") as store:
        await store.tell([Event(worker="w1", site="site-001", kind="error", text="no \0 answer")])
        first, second = await store.events()
        assert (first.kind, second.kind, second.text) == ("join", "error", "no \ufffd answer")
        assert await store.events(first.number) == [second]
        assert await store.events(-1, limit=1) == [second]
        assert await store.events(site="site-001") == [second]


async def finds_are_searched_by_words(open_: Open) -> None:
    async with fleet(open_, 1, "10", "w1") as store:
        await store.lease("w1", 1)
        columns = (Column(name="gauge_height", kind="number"), Column(name="e", label="Été"))
        seen = Profile(format="csv", tables=(Table(name="Levels", columns=columns),))
        rows = [
            find(1, "rainfall-2020.csv", link_text="Rainfalls by station"),
            find(2, "b.csv", page_title="Rivers and lakes", licence=None, sha256=None),
            find(3, "c.csv", headings="Weather > Rainfall", around="\ud800 odd"),
            find(4, "d.csv", profile=json.dumps(seen.plain())),
        ]
        await store.commit("w1", [Commit(site="site-001", epoch=1, rows=rows)])
        for words, found in {
            "rainfall": [3, 1],
            "Rainfall stations": [1],
            "river": [2],
            "2020": [1],
            "gauge ETE levels": [4],
            "number": [],
            "nowhere": [],
            " ": [],
            "rainfall nowhere": [],
            "' OR 1=1 -- & | ! : * % _ ~": [],
        }.items():
            assert [row["find"] for row in await store.search(words)] == found, words
        assert len(await store.search("csv", 2)) == 2
        assert len(await store.search("csv", site="site-001")) == 4
        assert await store.search("csv", site="site-002") == []


async def sites_are_paged_by_name(open_: Open) -> None:
    async with fleet(open_, 5, "10", "w1") as store:
        listed = await store.sites(limit=2)
        assert [each.name for each in listed] == ["site-001", "site-002"]
        assert [each.name for each in await store.sites(name="site-004")] == [
            "site-004",
            "site-005",
        ]
        assert await store.sites(state="exhausted") == []


async def a_store_is_migrated_once(open_: Open) -> None:
    async with fleet(open_) as store:
        assert await store.migrate() == 0


def _is_check(value: object) -> bool:
    return inspect.iscoroutinefunction(value) and value.__module__ == __name__


CHECKS = [
    check
    for _, check in inspect.getmembers(sys.modules[__name__], _is_check)
    if [*inspect.signature(check).parameters] == ["open_"]
]
