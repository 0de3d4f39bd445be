"""docs/api.md is up to date, and tells of every public name with an example."""

import inspect
from pathlib import Path

import pytest

import filon
from tools.api import SECTIONS, api, markdown, signature

PAGE = Path(__file__).parents[2] / "docs/api.md"
NAMES = [name for names in SECTIONS.values() for name in names]


def test_the_page_is_what_the_package_says() -> None:
    assert PAGE.read_text("utf-8") == api(), "make docs writes it anew"


def test_every_public_name_is_on_the_page() -> None:
    twins = {f"a{name}" for name in NAMES if hasattr(filon, f"a{name}")}
    assert {*NAMES} | twins | {"__version__"} == {*filon.__all__}


@pytest.mark.parametrize("name", NAMES)
def test_every_public_name_has_an_example(name: str) -> None:
    thing = getattr(filon, name)
    if inspect.isclass(thing) and issubclass(thing, filon.FilonError):
        thing = filon.FilonError  # one example shows all of them
    assert "```py" in markdown(inspect.getdoc(thing) or "")


def test_every_parameter_is_told_of() -> None:
    for name in NAMES:
        thing = getattr(filon, f"a{name}", getattr(filon, name))
        if not inspect.isfunction(thing) or name == "replicate":  # it takes those of harvest
            continue
        said = inspect.getdoc(thing) or ""
        untold = [
            parameter
            for parameter in inspect.signature(thing).parameters
            if f"{parameter}:" not in said and f"{parameter}, " not in said
        ]
        assert set(untold) <= {"run", "path", "url"}, name


def test_a_long_signature_has_a_line_a_parameter_with_the_real_defaults() -> None:
    lines = signature(filon.harvest, "harvest").splitlines()
    assert lines[0] == "harvest("
    assert "    strategy: str | Callable[[Brief], Strategy] = 'vein'," in lines
    assert "    **network: Unpack[NetworkOptions]," in lines
    assert "    stop: Literal['auto', 'paper', 'never'] = 'auto'," in lines
    assert lines[-1] == ") -> Run"


def test_what_is_stable_is_said() -> None:
    stable = PAGE.read_text("utf-8").partition("## What is stable")[2].partition("\n## ")[0]
    for word in ("public names", "flags", "run folder", "protocols", "Nothing else"):
        assert word in stable
