"""Where fleets are."""

import os
from pathlib import Path

from filon.fleet.locations import NOTE, STORE, fleets, note_store, store_in


def test_a_store_elsewhere_is_noted_without_its_password(tmp_path: Path) -> None:
    note_store(tmp_path / "a", 'postgresql://me:p%40ss@db/fl"eet')
    assert store_in(tmp_path / "a") == 'postgresql://me@db/fl"eet'
    assert "p%40ss" not in (tmp_path / "a" / NOTE).read_text()


def test_a_store_in_its_folder_needs_no_note(tmp_path: Path) -> None:
    note_store(tmp_path / "a", str(tmp_path / "a" / STORE))
    assert not (tmp_path / "a").exists()


def test_the_latest_fleet_is_first_and_strangers_are_none(tmp_path: Path) -> None:
    for number, name in enumerate(("old", "new")):
        (tmp_path / name).mkdir()
        (tmp_path / name / STORE).touch()
        os.utime(tmp_path / name / STORE, (number, number))
    (tmp_path / "run").mkdir()
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / NOTE).write_text("no [toml")
    assert list(fleets(tmp_path)) == ["new", "old"]
    assert fleets(tmp_path / "nowhere") == {}
