"""What is expected of another look."""

from email.utils import formatdate

import numpy as np
import pytest

from filon.run.history import Dated, Thing
from filon.verbs.refresh.outlook import COMES_BACK, Known, Outlook

WEEK_S = 7 * 86_400.0


def outlook(*things: Thing) -> Outlook:
    return Outlook(Known(things=things, looks=(), now_s=WEEK_S, pages=9))


def thing(name: str, kind: str = "file", *, is_gone: bool = False, weight: float = 1.0) -> Thing:
    url = f"http://a.test/{name}"
    return Thing(url=url, kind=kind, at_s=0.0, is_gone=is_gone, weight=weight)


def test_what_has_vanished_is_hardly_looked_at_again() -> None:
    there, gone = outlook(thing("a.csv"), thing("b.csv", is_gone=True)).values()
    assert gone == pytest.approx(COMES_BACK * there)


def test_of_a_page_the_requests_for_its_new_files_are_counted() -> None:
    file, page = outlook(thing("a.csv"), thing("b.html", "page")).values()
    files = -np.log1p(-file)  # nothing was seen yet: the chances are the same
    assert page == pytest.approx(files / (1 + files))
    assert page < file


def test_a_page_that_leads_to_more_files_is_expected_to_bring_more() -> None:
    few, many = outlook(thing("a", "page"), thing("b", "page", weight=9.0)).values()
    assert few < many < 1.0


def test_what_never_changed_gives_way_to_its_neighbours() -> None:
    things = [thing(f"{name}-{n}.csv") for name in ("still", "lively") for n in range(8)]
    told = outlook(*things)
    for number in range(12):
        told.saw(number, changed=number >= 8)
    values = told.values()
    assert values[12:].min() > 3 * values[:8].max()


def test_files_that_were_old_when_they_were_first_seen_are_expected_to_stay_as_they_are() -> None:
    things = [thing(f"{name}-{n}.csv") for name in ("old", "young") for n in range(8)]
    days = [8 * n + 1_000 * (number < 8) for number, n in enumerate([*range(1, 9)] * 2)]
    dates = [
        Dated(url=one.url, modified=formatdate(2e9 - 86_400 * days_ago, usegmt=True), at_s=2e9)
        for one, days_ago in zip(things, days, strict=True)
    ]
    values = Outlook(Known(things=things, looks=(), now_s=WEEK_S, pages=9, dates=dates)).values()
    assert values[8:].min() > 5 * values[:8].max()
