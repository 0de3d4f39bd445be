"""The version stands in one place, and whatever else tells it has it from there."""

import re
from datetime import date
from itertools import pairwise

import filon
from filon.core.version import __version__
from project.checkout import ROOT, pyproject

_HEADING = re.compile(r"^## (.+)$", re.M)
_RELEASE = re.compile(r"(\d+)\.(\d+)\.(\d+)(?: \((\d{4}-\d{2}-\d{2})\))?")


def headings() -> list[str]:
    """Return the versions; what comes with the next one stands before them."""
    found = _HEADING.findall((ROOT / "CHANGELOG.md").read_text("utf-8"))
    return found[1:] if found[0] == "Unreleased" else found


def releases() -> list[re.Match[str]]:
    return [found for heading in headings() if (found := _RELEASE.fullmatch(heading))]


def number(release: re.Match[str]) -> tuple[int, ...]:
    return tuple(int(part) for part in release.groups()[:3])


def test_the_build_reads_it_where_the_package_does() -> None:
    project = pyproject()
    assert "version" not in project["project"]
    assert project["project"]["dynamic"] == ["version"]
    told = project["tool"]["hatch"]["version"]["path"]
    assert f'__version__ = "{__version__}"' in (ROOT / told).read_text("utf-8").splitlines()


def test_it_can_be_a_tag() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", __version__)
    assert filon.__version__ == __version__


def test_the_changelog_begins_with_it_and_its_date() -> None:
    first = releases()[0]
    assert headings()[0] == first[0]
    assert ".".join(first.groups()[:3]) == __version__
    assert date.fromisoformat(first[4])


def test_the_changelog_is_a_list_of_versions_the_newest_first() -> None:
    found = releases()
    assert [release[0] for release in found] == headings()
    assert all(number(later) > number(earlier) for later, earlier in pairwise(found))
