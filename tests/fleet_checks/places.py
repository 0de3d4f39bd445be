"""A host, and an address, is asked for one site at a time."""

from filon.fleet.model import Commit, Site
from filon.fleet.site_list import site_of
from fleet_checks.given import Open, fleet, lapse, names, site


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
