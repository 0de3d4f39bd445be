"""Runs that an older Filon left half way are looked at and resumed by today's."""

import copy
from pathlib import Path

import pytest

from golden.expected import first_difference, held
from golden.folders import FOLDERS, KILLED
from golden.resumed import looked, resumed


@pytest.mark.parametrize("name", [name for name in FOLDERS if name != KILLED])
def test_a_stored_run_is_told_as_it_was(name: str, tmp_path: Path) -> None:
    assert not first_difference(held("looked")[name], looked(name, tmp_path))


@pytest.mark.parametrize("name", FOLDERS)
def test_a_stored_run_goes_on_to_the_same_end(name: str, tmp_path: Path) -> None:
    assert not first_difference(held("resumed")[name], resumed(name, tmp_path))


def test_an_enrichment_that_was_killed_before_its_table_is_told_as_one(tmp_path: Path) -> None:
    """Its calls are those of the run that was not killed; only the times of day differ."""
    told, whole = looked(KILLED, tmp_path), copy.deepcopy(held("looked")["enrich"])
    for each in (told, whole):
        each["why"] = each["why"][:1]
        each["exports"] = {
            to: [part for part in parts if not isinstance(part, dict)]
            for to, parts in each["exports"].items()
        }
    assert not first_difference(whole, told)
