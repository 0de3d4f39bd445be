"""Everything that a user can type is documented, and docs/reference.md is up to date."""

from pathlib import Path
from typing import Any

import typer

from filon.cli.app import app
from filon.cli.export import FORMATS
from filon.cli.wishes import DISCOVER_FIELDS, ENRICH_FIELDS, FIELDS, FOLLOW_FIELDS
from filon.page.url import KeyRules
from filon.verbs.discover.strategies import OPTIONS as WAYS
from filon.verbs.discover.strategies import STRATEGIES as DISCOVER
from filon.verbs.discover.strategies import VARIANTS
from filon.verbs.enrich.records import STATES
from filon.verbs.enrich.strategies import OPTIONS as SET
from filon.verbs.enrich.strategies import STRATEGIES as ENRICH
from filon.verbs.follow.strategies import OPTIONS as TRAITS
from filon.verbs.follow.strategies import STRATEGIES as FOLLOW
from filon.verbs.harvest.strategies import OPTIONS, STRATEGIES
from tools.reference import (
    CHOICES,
    DISCOVERY,
    ENRICHMENT,
    FOLLOWING,
    LEARNERS,
    PARAMETERS,
    SWITCHES,
    every_command,
    first_sentence,
    reference,
)

PAGE = Path(__file__).parents[2] / "docs/reference.md"


def commands() -> dict[str, Any]:
    group: Any = typer.main.get_command(app)
    return dict(every_command(group))


def test_the_page_is_what_the_program_says() -> None:
    assert PAGE.read_text("utf-8") == reference(), "make docs writes it anew"


def test_every_command_and_option_has_words() -> None:
    assert {"harvest", "resume", "report", "export", "why", "replicate", "compare", "demo"} <= {
        *commands()
    }
    for name, command in commands().items():
        assert command.help, name
        for parameter in command.params:
            assert parameter.help, f"filon {name}: {parameter.name} has no help"


def test_every_command_and_option_is_on_the_page() -> None:
    page = PAGE.read_text("utf-8")
    for name, command in commands().items():
        section = page.partition(f"## filon {name}\n")[2].partition("\n## ")[0]
        for parameter in command.params:
            is_option = parameter.param_type_name == "option" and not parameter.hidden
            if is_option and "--help" not in parameter.opts:
                assert parameter.opts[-1] in section, f"filon {name} {parameter.opts[-1]}"


def test_every_strategy_parameter_format_and_rule_is_on_the_page() -> None:
    page = PAGE.read_text("utf-8")
    rules = KeyRules.__dataclass_fields__
    for name in (*STRATEGIES, *PARAMETERS, *FORMATS, *FIELDS, *rules):
        assert f"`{name}`" in page, name
    assert PARAMETERS.keys() == {name for known in OPTIONS.values() for name in known}
    assert all(first_sentence(make) for make in STRATEGIES.values())
    assert "|  |" not in page
    switches = {name for known in SET.values() for name in known}
    for name in (*ENRICH, *switches, *ENRICH_FIELDS, *STATES):
        assert f"`{name}" in page, name
    assert ENRICHMENT.keys() == ENRICH.keys()
    assert SWITCHES.keys() == switches
    traits = {name for known in TRAITS.values() for name in known}
    for name in (*FOLLOW, *traits, *FOLLOW_FIELDS):
        assert f"`{name}" in page, name
    assert FOLLOWING.keys() == FOLLOW.keys()
    assert LEARNERS.keys() == traits
    ways = {name for known in WAYS.values() for name in known}
    for name in (*DISCOVER, *VARIANTS, *ways, *DISCOVER_FIELDS):
        assert f"`{name}" in page, name
    assert DISCOVERY.keys() == DISCOVER.keys()
    assert CHOICES.keys() == ways


def test_every_option_of_the_config_file_is_a_flag_of_harvest() -> None:
    flags = {flag for parameter in commands()["harvest"].params for flag in parameter.opts}
    for name in FIELDS:
        assert flags & {f"--{name}", f"--no-{name}"}, name
    flags = {flag for parameter in commands()["follow"].params for flag in parameter.opts}
    for name in FOLLOW_FIELDS:
        assert flags & {f"--{name}", f"--no-{name}"}, name
    flags = {flag for parameter in commands()["discover"].params for flag in parameter.opts}
    for name in DISCOVER_FIELDS:
        assert flags & {f"--{name}", f"--no-{name}"}, name
    flags = {flag for parameter in commands()["enrich"].params for flag in parameter.opts}
    for name in ENRICH_FIELDS:
        assert flags & {f"--{name}", f"--no-{name}"}, name
