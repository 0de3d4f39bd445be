from dataclasses import fields

import pytest

from filon.dispatch.plan import BEGINS
from filon.serve.form import panels, typed_of
from filon.verbs.harvest import Harvest, HarvestSettings
from filon.verbs.option import name_of, ways
from filon.verbs.registry import VERBS


@pytest.mark.parametrize("name", BEGINS)
def test_every_option_of_a_verb_has_a_field(name: str) -> None:
    verb = VERBS.find(name)()
    shown = {one.name for _, inputs in panels(verb, {}, {}) for one in inputs}
    places = {name_of(e, n) for e, n, way in ways(verb.settings) if way.argument}
    assert shown | places == {name_of(e, n) for e, n, _ in ways(verb.settings)}
    assert not shown & places


def test_fields_have_the_help_and_the_flags_of_the_command_line() -> None:
    found = {one.name: one for _, inputs in panels(Harvest(), {}, {}) for one in inputs}
    robots, delay, stop = found["robots_"], found["delay_"], found["stop_"]
    assert (robots.flag, robots.shape) == ("--no-robots", "switch")
    assert (delay.flag, delay.shape, delay.usual) == ("--delay", "number", "1")
    assert (stop.shape, stop.choices) == ("choice", ("auto", "paper", "never"))
    assert found["include_"].shape == "lines"
    assert found["cookie_file_"].flag == "--cookies"
    for entry in fields(HarvestSettings):
        for way in entry.metadata.get("options", ()):
            assert way.argument or way.help in {one.help for one in found.values()}


def test_what_is_empty_was_not_typed_and_nought_was() -> None:
    given = {"url_": ["a.test"], "delay_": ["0"], "budget_": [" "], "include_": ["a\n\n b"]}
    assert typed_of(HarvestSettings, {**given, "other": ["x"]}) == {
        "url_": "a.test",
        "delay_": 0.0,
        "include_": ["a", "b"],
    }
