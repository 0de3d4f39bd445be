"""The timetable is the file of `filon watch`: what is wrong is refused before anything is lost."""

from pathlib import Path

import pytest

from filon.core import UserError
from filon.serve.timetable import FEED, Entry, Timetable
from filon.verbs.refresh.schedule import Schedule


def test_a_home_without_a_file_watches_nothing(tmp_path: Path) -> None:
    table = Timetable(tmp_path)
    assert table.sites() == ()
    assert table.feed == tmp_path / FEED
    assert not table.path.exists()


def test_entries_are_added_changed_and_dropped(tmp_path: Path) -> None:
    table = Timetable(tmp_path)
    table.put(Entry(run="a", interval="6h", budget="50req", quiet="08:00-18:00"))
    table.put(Entry(run="b"))
    table.put(Entry(run="a", interval="12h"))
    found = Schedule.read(table.path)
    assert {site.run: site.interval_s for site in found.sites} == {
        tmp_path / "a": 43_200.0,
        tmp_path / "b": 86_400.0,
    }
    assert found.feed == tmp_path / FEED
    table.drop("a")
    assert [site.run for site in table.sites()] == [tmp_path / "b"]
    table.drop("b")
    assert table.sites() == ()


@pytest.mark.parametrize(
    "wrong",
    [{"interval": "soon"}, {"interval": "1s"}, {"budget": "much"}, {"quiet": "at night"}],
)
def test_what_is_wrong_changes_nothing(tmp_path: Path, wrong: dict[str, str]) -> None:
    table = Timetable(tmp_path)
    table.put(Entry(run="a"))
    before = table.path.read_bytes()
    with pytest.raises(UserError, match=r"^[A-Z]"):
        table.put(Entry(run="b", **wrong))
    assert table.path.read_bytes() == before


def test_what_somebody_wrote_by_hand_stays(tmp_path: Path) -> None:
    table = Timetable(tmp_path)
    table.path.write_text('hook = "echo new"\n[[site]]\nurl = "http://a.example/"\n')
    table.put(Entry(run="b"))
    found = Schedule.read(table.path)
    assert found.hook == "echo new"
    assert [site.url for site in found.sites] == ["http://a.example/", ""]


def test_a_file_that_is_no_toml_is_left_alone(tmp_path: Path) -> None:
    table = Timetable(tmp_path)
    table.path.write_text("no [toml")
    with pytest.raises(UserError, match="cannot be read"):
        table.put(Entry(run="b"))
    assert table.path.read_text() == "no [toml"
