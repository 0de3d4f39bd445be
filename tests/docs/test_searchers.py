"""docs/searchers.md has a true line for every search service."""

import re

import pytest

from docs.pages import ROOT
from filon.core.service import OPERATORS, PROBLEMS
from filon.services.search import AT_HAND, SEARCHERS, build
from filon.services.search.local import OPERATORS as LOCAL
from filon.services.search.local import PARAMETERS
from filon.services.search.registry import OPERATORS as REGISTRY

PAGE = (ROOT / "docs/searchers.md").read_text("utf-8")
ROWS = {row[0]: row[1:] for row in re.findall(r"^\| `(\w+)` \|(.*?)\|(.*?)\|(.*?)\|", PAGE, re.M)}
NEEDED = {"searxng": {"url": "https://a.example"}, "google": {"cx": "a"}}


def test_every_service_has_a_line_and_every_line_a_service() -> None:
    assert set(SEARCHERS) == set(ROWS) - OPERATORS


@pytest.mark.parametrize("name", sorted(SEARCHERS))
def test_a_line_says_what_the_service_gives_needs_and_costs(name: str) -> None:
    operators, needs, cost = ROWS[name]
    told = {word.strip() for word in operators.split(",")}
    if name in AT_HAND:
        assert told == (LOCAL if name == "local" else REGISTRY)
        assert "free" in cost
        return
    searcher = build(name, NEEDED.get(name, {}))
    assert told == searcher.operators
    assert all(secret in needs for secret in searcher.secrets)
    assert str(searcher.cost) in cost if searcher.cost else "free" in cost or "plan" in cost


def test_every_operator_problem_and_parameter_is_explained() -> None:
    named = set(re.findall(r"^\| `(\w+)` \|", PAGE, re.M))
    assert named >= OPERATORS | (PROBLEMS - {""}) | set(PARAMETERS)
