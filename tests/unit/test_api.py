"""The public functions: typed to the last keyword, by the words of the settings.

`make check` runs mypy on this file: what is marked as an error must be one, as unused marks are
errors too.
"""

import asyncio
import inspect
from collections.abc import Callable
from dataclasses import fields
from typing import Any, Literal, assert_type, get_origin, get_type_hints

import pytest

import filon
from filon.verbs.discover import DiscoverSettings
from filon.verbs.enrich import EnrichSettings
from filon.verbs.follow import FollowSettings
from filon.verbs.harvest import HarvestSettings
from filon.verbs.harvest.strategies.uninformed import BreadthFirst
from filon.verbs.keywords import NetworkOptions
from filon.verbs.settings import Settings

VERBS: list[tuple[Callable[..., Any], type[Settings]]] = [
    (filon.aharvest, HarvestSettings),
    (filon.adiscover, DiscoverSettings),
    (filon.afollow, FollowSettings),
    (filon.aenrich, EnrichSettings),
]
#: Which every verb has as keywords of its own.
EVERYWHERE = {"budget", "seed", "delay", "parallel", "set"}
#: What settings remember, and nobody is asked for.
REMEMBERED = {
    *("verb", "url", "guessed_scheme", "input", "rate_s", "since_s", "unasked", "accepted"),
    *("rejected", "more_urls", "options_file", "prior_hash", "before"),
}


class Streamed:
    """A data frame of a library of one's own."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return None


def typed(site: str) -> None:
    """Never called: mypy reads it."""
    assert_type(filon.harvest(site, stop="never", delay=2, retries=0, header="A: b"), filon.Run)
    filon.harvest(site, strategy=BreadthFirst)
    filon.harvest([site, site], include="/data/*", depth=2, files_from="linked-hosts")
    filon.harvest(site, files_from="everywhere")  # type: ignore[arg-type]
    filon.harvest(site, stop="later")  # type: ignore[arg-type]
    filon.harvest(site, dealy=2)  # type: ignore[call-arg]
    filon.harvest(site, retries="two")  # type: ignore[arg-type]
    filon.harvest(site, strategy=dict)  # type: ignore[arg-type]
    filon.follow(site, follow=("subject", "type"), within="host", timeout=3.5)
    filon.follow(site, follow=("verb",))  # type: ignore[arg-type]
    filon.discover("bees", sites="host", search=["datacite"], robots=False)
    filon.discover("bees", sites="page")  # type: ignore[arg-type]
    run = filon.enrich("t.csv", source="openalex", add="doi", parallel=4, contact="me@example.org")
    assert_type(run.table().columns, tuple[str, ...])
    filon.enrich("t.csv", source="openalex")  # type: ignore[call-overload]
    assert_type(filon.enrich(Streamed(), source="openalex", add="doi"), Streamed)
    filon.resume(run, budget=600, delay=0, proxy="http://proxy.test/")
    filon.resume(run, types="csv")  # type: ignore[call-arg]
    filon.replicate(site, budget=30, max_size=1000)
    filon.replicate(site, strategy="sb")  # type: ignore[call-arg]


async def typed_too(site: str) -> None:
    """Never called: mypy reads it."""
    halt = asyncio.Event()
    assert_type(await filon.aharvest(site, halt=halt, connect_to=["::127.0.0.1:80"]), filon.Run)
    await filon.aresume("run", halt=None, headers=())  # type: ignore[call-arg]


def test_the_shared_keywords_are_the_shared_settings() -> None:
    shared = {entry.name for entry in fields(Settings)}
    assert {*NetworkOptions.__annotations__} | EVERYWHERE == shared
    assert not {*NetworkOptions.__annotations__} & EVERYWHERE
    said = inspect.getdoc(NetworkOptions) or ""
    assert all(f"\n{name}: " in said for name in NetworkOptions.__annotations__)


@pytest.mark.parametrize(("function", "settings"), VERBS)
def test_a_function_takes_every_setting_of_its_verb(
    function: Callable[..., Any], settings: type[Settings]
) -> None:
    parameters = inspect.signature(function).parameters
    own = {*parameters} - {"network", "out", "halt", "watch"}
    known = {entry.name for entry in fields(settings)}
    assert own | {*NetworkOptions.__annotations__} == (known - REMEMBERED) | (own & {"url"})


@pytest.mark.parametrize("name", [name for name in filon.__all__ if not name.startswith("_")])
def test_nothing_public_is_any(name: str) -> None:
    thing = getattr(filon, name)
    if not inspect.isfunction(thing):
        return
    hints = get_type_hints(thing)
    assert {*inspect.signature(thing).parameters, "return"} == {*hints}
    assert Any not in hints.values()


def test_defaults_are_those_of_the_settings() -> None:
    for function, settings in VERBS:
        defaults = {entry.name: entry.default for entry in fields(settings)}
        for name, parameter in inspect.signature(function).parameters.items():
            told = (None, inspect.Parameter.empty)
            if name in defaults and parameter.default not in told and name != "strategy":
                assert parameter.default == defaults[name], (function.__name__, name)


def test_few_words_are_literal() -> None:
    for function, settings in VERBS:
        for entry in fields(settings):
            if get_origin(entry.type) is Literal:
                assert get_type_hints(function)[entry.name] == entry.type


def test_blocking_twins_have_the_same_signature() -> None:
    for name in ("harvest", "discover", "follow", "enrich", "replicate", "resume"):
        blocking, awaited = getattr(filon, name), getattr(filon, f"a{name}")
        assert inspect.signature(blocking).parameters == inspect.signature(awaited).parameters
        assert blocking.__name__ == name
