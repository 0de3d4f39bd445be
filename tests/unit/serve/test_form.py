from dataclasses import fields
from typing import Any

import pytest

from filon.serve.form import check, command, panels, typed_of
from filon.serve.plan import BEGINS
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


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"depth_": "x"}, "depth_"),
        ({"budget_": "x"}, "budget_"),
        ({"strategy_": "no such"}, "strategy_"),
        ({"depth_": 3, "seed_": -1}, "seed_"),
        ({"per_site_": 5}, "per_site_"),
    ],
)
def test_a_sentence_stands_at_the_field_that_it_is_about(typed: dict[str, Any], field: str) -> None:
    checked = check(Harvest(), {"url_": "https://a.test/", **typed})
    assert checked.settings is None
    assert list(checked.errors) == [field]


def test_what_is_wrong_with_the_address_is_about_the_whole() -> None:
    assert list(check(Harvest(), {"url_": "ftp://a.test/", "depth_": 2}).errors) == [""]


def test_a_list_of_sites_is_an_acquisition_and_typed_as_a_harvest() -> None:
    typed = {"sites_": __file__.replace("test_form.py", "sites.txt")}
    assert command(Harvest(), typed)[:2] == ["harvest", "--sites"]


def test_secrets_do_not_pass_and_files_of_them_do() -> None:
    url = {"url_": "https://a.test/"}
    assert list(check(Harvest(), {**url, "header_": ["Cookie: a=b"]}).errors) == ["header_"]
    assert list(check(Harvest(), {**url, "proxy_": "http://u:p@x.test/"}).errors) == ["proxy_"]
    assert not check(Harvest(), {**url, "proxy_": "http://x.test:3128/"}).errors
