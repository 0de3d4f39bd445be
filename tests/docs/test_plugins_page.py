"""docs/plugins.md names every kind of plugin, and its template holds one of each."""

import re
import tomllib

import pytest

from contracts.package import modules
from docs.pages import ROOT
from filon import testing
from filon.core.plugins import Registry

PAGE = (ROOT / "docs/plugins.md").read_text("utf-8")
#: The groups of entry points that the package looks into, by the registries in its modules.
REGISTRIES = {
    thing.group: thing.kind
    for module in modules()
    for thing in vars(module).values()
    if isinstance(thing, Registry)
}


def test_there_are_six_kinds() -> None:
    assert len(REGISTRIES) == 6


@pytest.mark.parametrize("group", REGISTRIES)
def test_a_kind_has_a_row_in_the_table_and_a_section(group: str) -> None:
    (kind,) = re.findall(rf"^\| ([a-z ]+) \| `{group}` \| .+ \| .+ \|$", PAGE, re.M)
    assert REGISTRIES[group].startswith(kind)
    assert re.search(rf"^## An? (.*, a )?{kind}$|^## An? {kind}", PAGE, re.M)


def test_the_template_holds_one_of_each() -> None:
    told = tomllib.loads((ROOT / "docs/plugin-template/pyproject.toml").read_text("utf-8"))
    assert {*told["project"]["entry-points"]} == {*REGISTRIES}


def test_every_check_is_named() -> None:
    checks = [name for name in testing.__all__ if name.startswith("check_")]
    assert [name for name in checks if f"`{name}`" not in PAGE] == []
