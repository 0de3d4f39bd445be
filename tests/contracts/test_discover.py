"""What strategies that discover promise besides: services that fail, and a list that is told."""

import asyncio
from collections.abc import Callable

import pytest

from contracts.cases import discover, modes
from filon.core import Account, Budget, Strategy, UserError, drive
from filon.core.abilities import Ranks, TellsServices, able
from filon.guards.quota import QuotaGuard
from filon.run.checkpoint import Checkpoint, dump, load
from filon.testing import STRATEGY, Case, ToyDiscovery, discover_case
from filon.testing.case import Memory
from filon.verbs.discover.strategies import OPTIONS, STRATEGIES, VARIANTS, Brief, build
from unit.guards.meters import Toy

each = pytest.mark.parametrize("name", STRATEGIES)
#: These never ask for pages about words; the last asks no service for anything.
NO_KEYWORDS = ("bipartite", "ache")
searching = pytest.mark.parametrize("name", [one for one in STRATEGIES if one not in NO_KEYWORDS])


def strategy(kind: str) -> Strategy:
    return discover(kind).make(ToyDiscovery(), 1)


def driven(name: str, web: ToyDiscovery, budget: str = "300") -> Strategy:
    one = strategy(name)
    asyncio.run(drive(one, web, Account(Budget.parse(budget), 1), Memory()))
    return one


@searching
def test_a_service_that_fails_is_told_as_failing_and_the_next_is_asked(name: str) -> None:
    one = driven(name, ToyDiscovery())
    first, second = one.summary()["searchers"]
    assert first["searcher"] == "captcha"
    assert first["out"] == "schema"
    assert first["failed: schema"] == 3
    assert second["results"] > 0
    assert not second["out"]


@searching
def test_a_spent_quota_ends_searching_and_nothing_else(name: str) -> None:
    web = ToyDiscovery(quota=12)
    one = driven(name, web)
    assert one.summary()["searchers"][1]["out"] == "quota"
    searches = [url for _, url in web.log if url.startswith("http://toy.example/")]
    tries_again_at_the_end = name == "scout"
    assert len(searches) == 13 + tries_again_at_the_end
    ends_with_it = name in ("seedfinder", "scout")
    assert web.log[-1][1].startswith("http://toy.example/") == ends_with_it


def exhausted(name: str, web: ToyDiscovery, quota: int) -> tuple[set[str], list[str]]:
    """Drive a strategy within the guard, a session for so many searches; return what it found."""
    found: set[str] = set()
    stopped: list[str] = []
    state = None
    while not stopped or stopped[-1] == "budget":
        web.allow(quota)
        meters = {"http://toy.example": Toy(name="toy")}
        one = QuotaGuard(strategy(name), meters, ["search"])
        if state is not None:
            one.restore(state)
        account = Account(Budget.parse("5000"), 1)
        stopped.append(asyncio.run(drive(one, web, account, memory := Memory())))
        found |= {find.url for find in memory.finds}
        state = load(dump(Checkpoint(state=one.state(), flying={}))).state
    return found, stopped


@each
def test_a_spent_quota_costs_nothing_where_there_are_calls_again_in_a_later_session(
    name: str,
) -> None:
    truth, (stopped,) = exhausted(name, ToyDiscovery(), 10_000)
    web = ToyDiscovery()
    found, sessions = exhausted(name, web, 7)
    learns_in_another_order = name == "scout"  # and likes a page more
    assert found >= truth if learns_in_another_order else found == truth
    assert (stopped, sessions[-1]) == ("exhausted", "exhausted")
    assert (len(sessions) > 1) == (name not in ("ache",))


@each
def test_all_that_was_found_is_told_in_the_order_of_the_summary(name: str) -> None:
    one = driven(name, ToyDiscovery())
    assert isinstance(one, Ranks)
    told = [found.row() for found in one.ranked()]
    assert told
    assert told == one.summary()["found"]


@each
def test_the_services_are_told_as_the_summary_tells_them(name: str) -> None:
    one = driven(name, ToyDiscovery(), "100")
    asking = able(one, TellsServices)
    assert asking is not None
    assert asking.services() == one.summary()["searchers"]


@pytest.mark.parametrize("check", STRATEGY, ids=lambda check: check.__name__)
def test_a_strategy_keeps_the_contract_on_the_web_that_plugins_get(
    check: Callable[[Case], None],
) -> None:
    check(discover_case("filon.verbs.discover.strategies.disco:Disco"))


@each
def test_wrong_options_are_told_in_one_sentence(name: str) -> None:
    with pytest.raises(UserError, match="no option 'colour'"):
        build(name, Brief(topic="x", options={"colour": "red"}))
    assert bool(modes(name)) == ("mode" in OPTIONS[name])
    if not modes(name):
        return
    with pytest.raises(UserError, match="no mode 'wild'"):
        build(name, Brief(topic="x", options={"mode": "wild"}))


def test_an_unknown_name_gets_a_hint() -> None:
    with pytest.raises(UserError, match="did you mean"):
        build("discoo", Brief(topic="x"))


def test_every_mode_of_the_papers_strategies_has_a_short_name() -> None:
    assert {mode: name for name in ("dsdd", "disco") for mode in modes(name)} == VARIANTS


@pytest.mark.parametrize("mode", VARIANTS)
def test_a_mode_is_a_short_name_for_its_strategy(mode: str) -> None:
    short, long = strategy(mode), strategy(f"{VARIANTS[mode]} {mode}")
    assert type(short) is type(long)
    states = [dump(Checkpoint(state=one.state(), flying={})) for one in (short, long)]
    assert states[0] == states[1]
    assert short.propose() == long.propose()
    with pytest.raises(UserError, match="leave out the mode"):
        build(mode, Brief(topic="x", options={"mode": "another"}))
