"""The budget is one, and all ends when it does, or when somebody wants it to."""

import asyncio

import pytest

from filon.core import UserError
from filon.fleet.model import Commit, Figures
from fleet_checks.given import Open, fleet, joined, lapse


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
    async with fleet(open_, 0, "100", "w0") as store, joined(open_, 4) as others:
        asked = [other.draw(name, 7) for name, other in others.items() for _ in range(5)]
        grants = await asyncio.gather(*asked)
        assert sum(grant.requests or 0 for grant in grants) == 100
        assert (await store.overview()).drawn_requests == 100


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
