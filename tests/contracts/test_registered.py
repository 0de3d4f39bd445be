"""Whatever has a name in a registry, or a class in a room, goes through `filon.testing`.

Names come from the registries and classes from the modules, so that a new one cannot be forgotten:
it is tried, or its absence is told. Webs and learners are counted where they are tried.
"""

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from contracts import cases, test_providers
from contracts.package import classes
from filon.core import Strategy
from filon.core.abilities import Guard, TimedGuard
from filon.portals import ADAPTERS
from filon.run.export import EXPORTS
from filon.services.describe import find, shipped
from filon.testing import check_export, check_portal, check_verb
from filon.testing.case import harvest_brief
from filon.verbs.harvest.strategies import build
from filon.verbs.registry import VERBS
from golden.folders import unpack
from toytable import ToyTable

#: The strategies that the suites try, by verb.
TRIED = {
    "harvest": {name.removeprefix("harvest ") for name in cases.CASES},
    "follow": {name.removeprefix("follow ") for name in cases.CASES},
    "discover": {kind.partition(" ")[0] for kind in cases.DISCOVERING},
    "enrich": {name.removeprefix("enrich ") for name in cases.CASES},
}
#: Verbs that are driven by the strategies of another.
OF_OTHERS = {"replicate", "acquire", "refresh"}
#: Run folders, a verb each; every format is tried on the rows of one.
FORMATS = [(name, to) for name in VERBS for to in VERBS.find(name)().exports()]


@pytest.mark.parametrize("name", VERBS)
def test_every_strategy_of_a_verb_is_tried(name: str) -> None:
    known = {*VERBS.find(name)().strategies()}
    assert name in OF_OTHERS or known <= TRIED[name]


def test_every_guard_is_tried() -> None:
    kinds = {kind for kind in classes() if issubclass(kind, Guard)} - {Guard, TimedGuard}
    stacks = [make(build("bfs", harvest_brief())) for make in cases.GUARDS.values()]
    stacks += [cases.recheck(ToyTable())]
    assert {type(one) for stack in stacks for one in guards(stack)} == kinds


def guards(strategy: Strategy) -> Iterator[Guard]:
    """Yield a guard and those within."""
    while isinstance(strategy, Guard):
        yield strategy
        strategy = strategy.inner


def test_every_source_is_tried() -> None:
    usable = {name for name in shipped() if not find(name).forbidden}
    assert usable == {*test_providers.SOURCES}


@pytest.mark.parametrize("name", ADAPTERS)
def test_a_portal_keeps_the_contract(name: str) -> None:
    check_portal(ADAPTERS[name])


@pytest.mark.parametrize("name", VERBS)
def test_a_verb_keeps_the_contract(name: str) -> None:
    check_verb(VERBS[name])


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Returns the stored run of a verb: its files are profiled once, for the first who asks."""
    return cache(lambda name: unpack(name, tmp_path_factory.mktemp(name)))


@pytest.mark.parametrize(("name", "to"), FORMATS)
def test_a_format_keeps_the_contract(name: str, to: str, stored: Callable[[str], Path]) -> None:
    export, kinds = VERBS.find(name)().exports()[to], VERBS.find(name)().rows()
    check_export(export, kinds[export.kind](stored(name)))
    if export.kind == "table":
        check_export(export)


def test_every_format_is_tried() -> None:
    own = {to for name in VERBS for to in VERBS.find(name)().formats()}
    assert {to for _, to in FORMATS} == {*EXPORTS} | own
