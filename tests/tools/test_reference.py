"""Everything that a user can type is documented, and docs/reference.md is up to date."""

from pathlib import Path
from typing import Any

from filon.cli.commands import words
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
from filon.verbs.registry import VERBS
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
    return dict(every_command())


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
    formats = [to for name in VERBS for to in VERBS.find(name)().exports()]
    for name in (*STRATEGIES, *PARAMETERS, *formats, *rules):
        assert f"`{name}`" in page, name
    assert PARAMETERS.keys() == {name for known in OPTIONS.values() for name in known}
    assert all(first_sentence(make) for make in STRATEGIES.values())
    assert "|  |" not in page
    switches = {name for known in SET.values() for name in known}
    for name in (*ENRICH, *switches, *STATES):
        assert f"`{name}" in page, name
    assert ENRICHMENT.keys() == ENRICH.keys()
    assert SWITCHES.keys() == switches
    traits = {name for known in TRAITS.values() for name in known}
    for name in (*FOLLOW, *traits):
        assert f"`{name}" in page, name
    assert FOLLOWING.keys() == FOLLOW.keys()
    assert LEARNERS.keys() == traits
    ways = {name for known in WAYS.values() for name in known}
    for name in (*DISCOVER, *VARIANTS, *ways):
        assert f"`{name}" in page, name
    assert DISCOVERY.keys() == DISCOVER.keys()
    assert CHOICES.keys() == ways


def test_every_word_of_a_config_file_is_on_the_page() -> None:
    page = PAGE.read_text("utf-8").partition("## The file for `--config`")[2]
    for name in ("harvest", "discover", "follow", "enrich"):
        for word in words(VERBS.find(name)().settings):
            assert f"`{word}`" in page, f"{name}: {word}"
