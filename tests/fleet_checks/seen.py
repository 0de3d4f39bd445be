"""What has happened and what was found can be read."""

import json

from filon.fleet.model import Commit, Event
from filon.profile.shape import Column, Profile, Table
from fleet_checks.given import Open, find, fleet


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
