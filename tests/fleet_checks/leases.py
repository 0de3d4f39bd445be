"""Sites are leased to workers that live, under an epoch, and are told of once."""

import asyncio

import pytest

from filon.core import Budget, UserError
from filon.fleet.leasing import LOSSES
from filon.fleet.model import Commit
from filon.fleet.store import LEASE_S
from fleet_checks.given import Open, find, fleet, joined, lapse, look, names, site


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
    async with fleet(open_, 60, "10", "w1") as store, joined(open_, 3) as others:
        asked = [store.lease("w1", 20)]
        asked += [other.lease(name, 20) for name, other in others.items()]
        given = [name for leases in await asyncio.gather(*asked) for name in names(leases)]
        assert len(given) == len(set(given))
        assert 20 <= len(given) <= 60


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


async def a_store_is_migrated_once(open_: Open) -> None:
    async with fleet(open_) as store:
        assert await store.migrate() == 0
