import asyncio

from filon.core import Account, Budget, Response, drive
from filon.testing.case import Memory
from filon.verbs.follow.strategies import Brief, Scope
from filon.verbs.follow.strategies.bfs import BreadthFirst
from filon.verbs.follow.strategies.heuristic import Heuristic
from toyweb import GRAPHS, SEED, ToyWeb


def crawl(brief: Brief) -> tuple[set[str], ToyWeb]:
    web, memory = ToyWeb(), Memory()
    asyncio.run(drive(BreadthFirst(brief), web, Account(Budget.parse("100")), memory))
    return {find.url for find in memory.finds}, web


def test_finds_every_graph_and_asks_for_each_document_once() -> None:
    found, web = crawl(Brief(seeds=(SEED,)))
    assert found == GRAPHS
    assert len(web.log) == len(set(web.log))


def test_parts_of_one_document_are_one_request() -> None:
    _, web = crawl(Brief(seeds=(SEED, "http://a.example/start#you")))
    assert web.log.count(("GET", "http://a.example/start")) == 1


def test_only_the_roles_that_are_wanted_are_followed() -> None:
    _, web = crawl(Brief(seeds=(SEED,), roles=("predicate",)))
    assert [url for _, url in web.log] == ["http://a.example/start", "http://v.example/knows"]


def test_scope_bounds_hosts_prefixes_and_depth() -> None:
    found, _ = crawl(Brief(seeds=(SEED,), scope=Scope(within="host")))
    assert found == {"http://a.example/start"}
    found, _ = crawl(Brief(seeds=(SEED,), scope=Scope(prefixes=("http://b.example/",))))
    assert found == {"http://a.example/start", "http://b.example/1", "http://b.example/2"}
    _, web = crawl(Brief(seeds=(SEED,), scope=Scope(depth=1)))
    assert ("GET", "http://b.example/4") not in web.log


def test_domains_take_turns() -> None:
    _, web = crawl(Brief(seeds=(SEED,), roles=("object",)))
    hosts = [url.split("/")[2] for _, url in web.log[1:6]]
    assert hosts == ["b.example", "c.example", "dead.example", "d.example", "void.example"]


def test_what_the_rules_turn_down_is_counted() -> None:
    strategy = Heuristic(Brief(seeds=(SEED,)))
    step = strategy.propose()
    assert step is not None
    body = b"<> <http://v.example/page> <http://a.example/page.html> ."
    headers = (("Content-Type", "text/turtle"),)
    strategy.observe(step, Response(url=SEED, status=200, headers=headers, body=body))
    while strategy.propose():
        pass
    again = Heuristic(Brief(seeds=(SEED,)))
    again.restore(strategy.state())
    assert strategy.summary()["skipped"] == again.summary()["skipped"] == {"unlikely": 1}


def test_a_chain_of_alternates_ends() -> None:
    strategy = BreadthFirst(Brief(seeds=("http://a.example/0",)))
    asked: list[str] = []
    while (step := strategy.propose()) and len(asked) < 50:
        asked.append(step.request.url)
        number = int(step.request.url.rpartition("/")[2] or 0)
        link = f'</{number + 1}>; rel="describedby"'
        headers = (("Content-Type", "text/html"), ("Link", link))
        answer = Response(url=step.request.url, status=200, headers=headers, body=b"<p>A page")
        strategy.observe(step, answer)
    assert asked == ["http://a.example/0", "http://a.example/1"]
