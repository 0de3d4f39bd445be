"""The file of `filon watch`: what it says, and when a site is due."""

import math
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from filon.core import UserError
from filon.verbs.refresh.lengths import seconds
from filon.verbs.refresh.schedule import Schedule, Watched

HOUR_S = 3600.0
ONE = {"url": "http://a.test/"}


def at(hour: int, minute: int = 0) -> float:
    return datetime(2026, 11, 16, hour, minute, tzinfo=ZoneInfo("Europe/Paris")).timestamp()


def watched(quiet: str = "", interval_s: float = 6 * HOUR_S) -> Watched:
    run = Path("run")
    return Watched(run=run, interval_s=interval_s, quiet=quiet, zone="Europe/Paris")


def test_it_is_due_an_interval_after_the_last_round() -> None:
    assert watched().due_s(at(6), at(7)) == at(12)
    assert watched().due_s(at(6), at(13)) == at(13)
    assert watched().due_s(0.0, at(13)) == at(13)


@pytest.mark.parametrize(
    ("quiet", "now", "due"),
    [
        ("08:00-18:00", (7, 59), (7, 59)),
        ("08:00-18:00", (8, 0), (18, 0)),
        ("08:00-18:00", (17, 30), (18, 0)),
        ("08:00-18:00", (18, 0), (18, 0)),
        ("22:00-06:00", (3, 0), (6, 0)),
        ("22:00-06:00", (12, 0), (12, 0)),
    ],
)
def test_in_quiet_hours_it_waits(quiet: str, now: tuple[int, int], due: tuple[int, int]) -> None:
    assert watched(quiet).due_s(0.0, at(*now)) == at(*due)


def test_quiet_hours_over_midnight_end_on_the_next_day() -> None:
    assert watched("22:00-06:00").due_s(0.0, at(23)) == at(6) + 24 * HOUR_S


def test_a_clock_that_was_set_back_is_not_waited_for() -> None:
    assert watched().due_s(at(23), at(13)) == at(13)
    assert watched().due_s(at(14), at(13)) == at(20)  # it may be off by a little


@pytest.mark.parametrize(
    ("quiet", "now", "left_h"),
    [
        ("08:00-18:00", (7, 30), 0.5),
        ("08:00-18:00", (8, 0), 0.0),
        ("08:00-18:00", (18, 0), 14.0),
        ("22:00-06:00", (3, 0), 0.0),
        ("22:00-06:00", (21, 0), 1.0),
        ("", (3, 0), math.inf),
    ],
)
def test_how_long_it_is_until_quiet_hours(quiet: str, now: tuple[int, int], left_h: float) -> None:
    assert watched(quiet).until_quiet_s(at(*now)) == left_h * HOUR_S


@pytest.mark.parametrize(("day", "hours"), [(28, 7.0), (25, 9.0)])
def test_quiet_hours_keep_to_the_clock_on_the_wall(day: int, hours: float) -> None:
    """In the nights of 28 March and 25 October 2026 clocks are changed in Paris."""
    month = 3 if day == 28 else 10
    evening = datetime(2026, month, day, 22, 0, tzinfo=ZoneInfo("Europe/Paris"))
    evening = evening.replace(day=day if month == 3 else day - 1)
    due_s = watched("22:00-06:00").due_s(0.0, evening.timestamp())
    assert (due_s - evening.timestamp()) / HOUR_S == hours


def test_what_is_said_above_holds_for_all_sites() -> None:
    other = {"url": "http://b.test/x", "interval": "2h", "budget": 30, "run": "b"}
    table = {"interval": "1d", "budget": "5req", "feed": "new.atom", "site": [ONE, other]}
    schedule = Schedule.of(table, Path("here"))
    first, second = schedule.sites
    assert (first.interval_s, first.budget, first.run) == (
        24 * HOUR_S,
        "5req",
        Path("here/watched/a.test"),
    )
    assert (second.interval_s, second.budget, second.run) == (2 * HOUR_S, "30", Path("here/b"))
    assert schedule.feed == Path("here/new.atom")


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ({}, "names no site"),
        ({"site": [{}]}, "needs a url"),
        ({"site": [{"url": "nonsense"}]}, "not a web address"),
        ({"site": [ONE, ONE]}, "two sites are to be kept in"),
        ({"site": [{**ONE, "interval": "often"}]}, "write it like 6h"),
        ({"site": [{**ONE, "interval": "1s"}]}, "too short"),
        ({"site": [{**ONE, "quiet": "at night"}]}, "write them like 08:00-18:00"),
        ({"site": [{**ONE, "quiet": "25:00-26:00"}]}, "write them like 08:00-18:00"),
        ({"site": [{**ONE, "zone": "Mars/Olympus"}]}, "name one like Europe/Paris"),
        ({"site": [{**ONE, "budget": "much"}]}, "is not understood"),
        ({"site": [{**ONE, "pages": 7}]}, "a share from 0 to 1"),
        ({"site": [{**ONE, "intervall": "1d"}]}, "interval"),
        ({"fed": "x", "site": [ONE]}, "feed"),
        ({"feed": 3, "site": [ONE]}, "must be a text"),
    ],
)
def test_a_mistake_is_told_in_a_sentence(table: dict[str, object], says: str) -> None:
    with pytest.raises(UserError, match=says):
        Schedule.of(table, Path("here"))


def test_a_file_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read"):
        Schedule.read(tmp_path / "none.toml")
    (tmp_path / "odd.toml").write_text("= nothing")
    with pytest.raises(UserError, match="is not TOML"):
        Schedule.read(tmp_path / "odd.toml")


def test_lengths() -> None:
    assert seconds("90 min") == 1.5 * HOUR_S
    assert seconds("2w") == 14 * 24 * HOUR_S


def test_a_hook_of_blanks_is_none() -> None:
    assert Schedule.of({"site": [ONE], "hook": "  "}, Path("here")).hook == ""
