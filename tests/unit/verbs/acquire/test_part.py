"""One run of a whole, before it is driven."""

import asyncio
from pathlib import Path
from typing import Any

from filon.core import Response
from filon.verbs.acquire.index import Site
from filon.verbs.acquire.part import Part
from filon.verbs.harvest import Harvest, HarvestSettings

SITE = Site(name="a.test", url="http://a.test/")


def _part(folder: Path, **changes: Any) -> Part:
    return Part(SITE, folder, Harvest(), lambda: HarvestSettings(url=SITE.url), changes)


def _opened(part: Part) -> bool:
    """Open a part and close it again; return whether it is new."""
    _, run, is_new = asyncio.run(part._opened())
    run.close()
    return is_new


def test_what_a_kill_left_before_anything_was_acknowledged_is_begun_anew(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run/ledger.sqlite").touch()
    assert _opened(_part(tmp_path / "run"))
    assert not _opened(_part(tmp_path / "run"))


def test_a_run_that_has_begun_takes_what_the_whole_was_asked_for_anew(tmp_path: Path) -> None:
    _opened(_part(tmp_path / "run"))
    job, run, _ = asyncio.run(_part(tmp_path / "run", delay=7.0)._opened())
    run.close()
    assert (job.settings.url, job.settings.delay) == (SITE.url, 7.0)


def test_after_a_bug_the_new_parts_are_those_that_are_asked(tmp_path: Path) -> None:
    part = _part(tmp_path / "run")
    _opened(part)
    assert part.reopen(tmp_path / "run", HarvestSettings(url=SITE.url)) is part.job


def test_an_answer_ends_a_flight_and_one_that_was_at_hand_costs_nothing(tmp_path: Path) -> None:
    part = _part(tmp_path / "run")
    part.outlook = 0.5
    for moment_s in (1.0, 2.0):
        part.left(moment_s)
    part.came(Response(url=SITE.url, status=200))
    part.came(Response(url=SITE.url, status=200, sent="cached"))
    assert (part.requests, part.served, part.expected) == (1, 2, [0.5, 0.5])
    assert not part.is_busy
