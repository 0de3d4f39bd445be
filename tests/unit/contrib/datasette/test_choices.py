"""What the metadata of a Datasette may say of the plugin."""

from pathlib import Path
from typing import Any

import pytest

from filon.contrib.datasette import NAME
from filon.contrib.datasette.choices import choices, run_path
from filon.core import UserError


class Told:
    """A Datasette as far as the settings of plugins go."""

    def __init__(self, told: Any) -> None:
        self._told = {NAME: told}

    def plugin_config(self, name: str) -> Any:
        return self._told.get(name)


def test_without_settings_the_usual_folder_and_sources_that_need_nothing() -> None:
    chosen = choices(Told(None))
    assert chosen.folder.name == "filon-runs"
    assert "openalex" in chosen.sources
    assert "ckan" not in chosen.sources  # it must be told where
    assert "nominatim" not in chosen.sources  # its terms forbid it


def test_sources_are_named_or_told_their_parameters() -> None:
    ckan = {"source": "ckan", "set": {"url": "https://demo.ckan.org"}}
    chosen = choices(Told({"sources": ["openalex", ckan, ckan], "budget": 7, "delay": 2}))
    assert list(chosen.sources) == ["openalex", "ckan", "ckan (3)"]
    assert chosen.sources["ckan"].set == ckan["set"]
    assert (chosen.budget, chosen.delay) == (7, 2)


@pytest.mark.parametrize(
    "told",
    [
        "filon-runs",
        {"foldr": "x"},
        {"budget": True},
        {"budget": 0},
        {"delay": "1"},
        {"sources": {"a": 1}},
        {"sources": [1]},
        {"sources": ["opnalex"]},
    ],
)
def test_what_makes_no_sense_is_told_in_a_sentence(told: Any) -> None:
    with pytest.raises(UserError):
        choices(Told(told))


@pytest.mark.parametrize("name", ["", ".", "..", "../secret", "/etc", "none", "a/../../secret"])
def test_no_name_leads_out_of_the_folder(tmp_path: Path, name: str) -> None:
    (tmp_path / "runs" / "a").mkdir(parents=True)
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "run.toml").touch()
    with pytest.raises(UserError, match="no run"):
        run_path(tmp_path / "runs", name)


def test_a_run_within_another_is_found(tmp_path: Path) -> None:
    inner = tmp_path / "all" / "sites" / "one"
    inner.mkdir(parents=True)
    (inner / "run.toml").touch()
    assert run_path(tmp_path, "all/sites/one") == inner.resolve()
