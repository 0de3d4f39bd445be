"""What lists say of changes, and how far it is believed."""

from datetime import UTC, datetime
from email.utils import formatdate

import numpy as np
import pytest

from filon.page.dates import dated
from filon.run.history import Dated, Thing
from filon.verbs.refresh.told import ages_of, believed, by_dates

NOON = datetime(2026, 6, 15, 12, tzinfo=UTC)


def test_a_list_that_names_few_is_believed_and_one_that_names_all_is_not() -> None:
    chances, some = np.full(100, 0.05), np.arange(100) < 5
    told = believed(chances, some)
    assert told[0] > 0.6
    assert told[-1] < 0.02
    assert believed(chances, np.ones(100, dtype=bool)) == pytest.approx(chances)
    assert (believed(chances, np.zeros(100, dtype=bool)) < chances).all()


def test_where_hardly_any_change_is_expected_a_list_is_still_believed() -> None:
    told = believed(np.full(100, 1e-6), np.arange(100) < 5)
    assert told[0] > 0.3
    assert told[-1] < 0.02


def test_what_is_believed_is_what_comes_true() -> None:
    # A list that names 70 % of what changed, and 20 % of what has not.
    random = np.random.default_rng(3)
    changed = random.random(20_000) < 0.1
    named = np.where(changed, random.random(20_000) < 0.7, random.random(20_000) < 0.2)
    told = believed(np.full(20_000, 0.1), named)
    for said in (True, False):
        assert told[named == said].mean() == pytest.approx(changed[named == said].mean(), abs=0.02)


def test_chances_stay_chances() -> None:
    for chances in (np.zeros(4), np.ones(4), np.array([0.0, 1e-12, 0.5, 1.0])):
        for named in range(5):
            told = believed(chances, np.arange(4) < named)
            assert ((told >= 0) & (told <= 1)).all()
    assert len(believed(np.zeros(0), np.zeros(0, dtype=bool))) == 0


def test_a_date_of_the_day_on_which_it_was_seen_says_nothing() -> None:
    dates = ("2026-06-15", "2026-06-16", "2026-06-14", "2026-06-15T11:59:59Z", "")
    things = [
        Thing(url=f"http://a.org/{number}", kind="file", at_s=NOON.timestamp())
        for number in range(len(dates))
    ]
    spans = {f"http://a.org/{n}": span for n, date in enumerate(dates) if (span := dated(date))}
    assert by_dates(things, spans) == {1: True, 2: False, 3: False}


def modified(*ages_s: float) -> list[Dated]:
    """Return the dates of files, as they are seen at one time."""
    now_s = NOON.timestamp()
    dates = (formatdate(now_s - age_s, usegmt=True) for age_s in ages_s)
    return [Dated(url=str(n), modified=date, at_s=now_s) for n, date in enumerate(dates)]


def test_the_day_on_which_a_site_was_put_up_tells_nothing_of_its_files() -> None:
    put_up, own = [3 * 86_400.0 + n for n in range(60)], [86_400.0 * n for n in range(10, 50)]
    assert [*ages_of(modified(*put_up, *own)).values()] == own


def test_what_is_made_as_it_is_asked_for_has_no_age() -> None:
    assert [*ages_of(modified(0.0, 60.0, 7_200.0)).values()] == [7_200.0]


def test_dates_that_are_none_or_lie_ahead_tell_nothing() -> None:
    odd = Dated(url="odd", modified="last week", at_s=NOON.timestamp())
    assert ages_of([odd, *modified(-86_400.0)]) == {}
