"""What every strategy that follows Linked Data promises besides the contract of all strategies."""

import asyncio

import pytest

from contracts.cases import follow
from experiments.follow.strategies import NAMES
from filon.core import Account, Budget, drive
from filon.testing.case import Memory, run
from toyweb import GRAPHS, ToyWeb


@pytest.mark.parametrize("name", NAMES)
def test_what_it_finds_are_documents_with_rdf(name: str) -> None:
    found = [find.url for find in run(follow(name), "200").finds]
    assert set(found) <= GRAPHS
    assert "http://a.example/start" in found


@pytest.mark.parametrize("name", ["bfs", "lode"])
def test_those_with_shortcuts_find_all_and_ask_for_nothing_that_a_dump_told(name: str) -> None:
    memory, web = Memory(), ToyWeb()
    one = follow(name).make(web, 1)
    asyncio.run(drive(one, web, Account(Budget.parse("200")), memory))
    assert {find.url for find in memory.finds} == GRAPHS
    assert not [url for _, url in web.log if url.startswith("http://dump.example/id/")]
    shortcuts = one.summary()["shortcuts"]
    assert shortcuts["endpoints"]["http://sparql.example/q"] == {"pages": 3, "triples": 1200}
    assert shortcuts["contexts"] == {"kept": 1, "failed": 1}
    assert shortcuts["covered"] >= 1
    assert shortcuts["covered_prefixes"] == ["http://dump.example/id/"]
