"""The examples in docstrings, run as they stand: no network, and the same figures everywhere."""

import doctest
import importlib
from pathlib import Path

import pytest

from contracts.package import classes
from docs.pages import ROOT
from filon.core.abilities import Guard

SOURCE = ROOT / "src"
#: Modules with examples.
EXAMPLES = sorted(path for path in SOURCE.rglob("*.py") if ">>> " in path.read_text("utf-8"))
#: Learners, rankers and guards, each of which shows a figure.
LEARNERS = sorted((SOURCE / "filon/learn").rglob("[a-z]*.py"))
GUARDS = [kind for kind in classes("filon.guards") if issubclass(kind, Guard)]

#: Strategies of all verbs, each of which shows a figure and says where it comes from.
STRATEGIES = [
    (verb, name)
    for verb in ("harvest", "discover", "follow", "enrich")
    for name in importlib.import_module(f"filon.verbs.{verb}.strategies").STRATEGIES
]


def _name(path: Path) -> str:
    return ".".join(path.relative_to(SOURCE).with_suffix("").parts)


@pytest.mark.parametrize("name", [_name(path) for path in EXAMPLES])
def test_the_examples_of_a_module_print_what_they_say(name: str) -> None:
    module = importlib.import_module(name.removesuffix(".__init__"))
    failed, tried = doctest.testmod(module)
    assert tried
    assert not failed


@pytest.mark.parametrize("path", LEARNERS, ids=_name)
def test_a_learner_shows_an_example(path: Path) -> None:
    assert path in EXAMPLES


@pytest.mark.parametrize(("verb", "name"), STRATEGIES)
def test_a_strategy_shows_an_example_and_says_what_it_goes_by(verb: str, name: str) -> None:
    strategies = importlib.import_module(f"filon.verbs.{verb}.strategies").STRATEGIES
    assert ">>> " in strategies[name].__doc__
    assert "Reference: " in strategies[name].__doc__


@pytest.mark.parametrize("kind", GUARDS, ids=lambda kind: kind.__name__)
def test_a_guard_shows_an_example_and_says_what_it_goes_by(kind: type) -> None:
    told = kind.__doc__ or ""
    assert ">>> print(" in told or "...     print(" in told
    assert "Reference: " in told
