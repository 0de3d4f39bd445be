"""The ledger of a whole: a copy of its runs, each step once."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from filon.core import Find, Reason, Request, Response, Step
from filon.run import readonly
from filon.run.folder import RunFolder
from filon.verbs.acquire.index import Index, Site
from filon.verbs.acquire.why import reasons, why

SITE = Site(name="a.test", url="http://a.test/")


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    RunFolder.create(tmp_path / "whole", {"verb": "acquire"}).close()
    return tmp_path / "whole"


def _step(number: int) -> Step:
    return Step(request=Request(url=f"http://a.test/{number}.csv"), reason=Reason(kind="link"))


def _answer(run: RunFolder, number: int, at_s: float = 100.0) -> None:
    step = _step(number)
    response = Response(
        url=step.request.url, status=200, body=b"a,b\n", wire_bytes=10, extra_bytes=3, at_s=at_s
    )
    find = Find(kind="file", url=step.request.url, name=f"{number}.csv", mime="text/csv")
    run.record(number, step, response, [find], idle=False)


def _counts(whole: Path) -> tuple[int, int, int]:
    with closing(sqlite3.connect(whole / readonly.LEDGER)) as db:
        return tuple(
            db.execute(
                "SELECT (SELECT count(*) FROM steps), (SELECT count(*) FROM finds),"
                " (SELECT sum(sends) FROM steps)"
            ).fetchone()
        )


def _two_answers(run: RunFolder) -> None:
    for number in (1, 2):
        run.begin(_step(number))
        _answer(run, number)
    run.commit()


def test_what_is_copied_again_is_counted_once(whole: Path) -> None:
    with RunFolder.create(whole / SITE.path, {}) as run, Index(whole) as index:
        index.add(SITE)
        _two_answers(run)
        for _ in range(3):
            index.copy(SITE, [0.5, 0.25])
        assert _counts(whole) == (2, 2, 2)
        answers = index.answers(lambda name, row: f"{name}: {row['name']}")
        rows = [(name, sends, *finds) for name, sends, finds in answers]
    assert rows == [("a.test", 1, "a.test: 1.csv"), ("a.test", 1, "a.test: 2.csv")]
    with readonly.reading(whole) as ledger:
        assert [row[0] for row in ledger.execute("SELECT expected FROM turns")] == [0.5, 0.25]
        assert readonly.bytes_besides(readonly.meta(ledger)) == 6


def test_what_was_expected_before_a_kill_is_told_as_not_known(whole: Path) -> None:
    with RunFolder.create(whole / SITE.path, {}) as run, Index(whole) as index:
        index.add(SITE)
        _two_answers(run)
        index.copy(SITE)
    told = why(whole, "a.test")
    assert "First 1 request: it is not known what was expected, 1.00 came (1)." in told
    assert [turn["expected"] for turn in reasons(whole, "a.test")["turns"]] == [None, None]
    with readonly.reading(whole) as ledger:  # it says nothing of arms either
        assert {row[0] for row in ledger.execute("SELECT expected FROM steps")} == {0.0}


def test_a_step_in_flight_is_counted_and_its_answer_comes_later(whole: Path) -> None:
    with RunFolder.create(whole / SITE.path, {}) as run, Index(whole) as index:
        index.add(SITE)
        run.begin(_step(1))
        run.commit()
        index.copy(SITE)
        assert _counts(whole) == (1, 0, 1)
        _answer(run, 1)
        run.commit()
        index.copy(SITE)
        index.copy(SITE)
        assert _counts(whole) == (1, 1, 1)


def test_a_run_in_the_middle_of_a_write_holds_up_nobody(whole: Path) -> None:
    with RunFolder.create(whole / SITE.path, {}) as run, Index(whole) as index:
        index.add(SITE)
        run.begin(_step(1))
        run.commit()
        run.begin(_step(2))
        index.copy(SITE)
        assert _counts(whole) == (1, 0, 1)
        run.commit()
        index.copy(SITE)
        assert _counts(whole) == (2, 0, 2)


def _answered(whole: Path, site: Site, *times: tuple[float, float]) -> None:
    """Have a site answer more at such times of day, at which its run had lasted so long."""
    path = whole / site.path
    is_there = path.exists()
    with RunFolder.open(path) if is_there else RunFolder.create(path, {}) as run:
        for at_s, _ in times:
            number = run.begin(_step(1))
            _answer(run, number, at_s=at_s)
        run.commit()
    with closing(sqlite3.connect(path / readonly.LEDGER)) as db, db:
        db.executemany("UPDATE steps SET run_s = ?2, took_s = -1 WHERE at_s = ?1", times)


def _times(whole: Path) -> list[float]:
    with readonly.reading(whole) as ledger:
        return [row[0] for row in ledger.execute("SELECT run_s FROM steps ORDER BY at_s, step")]


def test_what_a_kill_kept_from_being_copied_has_its_place_in_time(whole: Path) -> None:
    with Index(whole) as index:
        index.add(SITE)
        _answered(whole, SITE, (1_000_005.0, 2.0))
        index.copy(SITE, lasted=lambda at_s: at_s - 1_000_000.0)
        _answered(whole, SITE, (1_000_009.0, 6.0))
        index.copy(SITE)
    assert _times(whole) == [5.0, 9.0]


def test_a_kill_before_anything_was_copied_leaves_a_length_and_no_time_of_day(whole: Path) -> None:
    other = Site(name="b.test", url="http://b.test/")
    with Index(whole) as index:
        for site in (SITE, other):
            index.add(site)
        _answered(whole, SITE, (1_000_005.0, 2.0), (1_000_007.0, 4.0))
        _answered(whole, other, (1_000_006.0, 1.0), (1_000_008.0, 3.0))
        index.catch_up()
    assert _times(whole) == [2.0, 3.0, 4.0, 5.0]


def test_a_site_that_went_on_alone_adds_its_time_and_not_the_time_between(whole: Path) -> None:
    with Index(whole) as index:
        index.add(SITE)
        _answered(whole, SITE, (1_000_005.0, 5.0))
        index.copy(SITE, lasted=lambda at_s: at_s - 1_000_000.0)
        index.set_meta(seconds="7.0", seconds_at_s="1000007.0")
        _answered(whole, SITE, (1_000_602.0, 7.0), (1_000_604.0, 9.0))
        index.catch_up()
    assert _times(whole) == [5.0, 9.0, 11.0]


def test_a_site_keeps_its_name_and_takes_what_is_new(whole: Path) -> None:
    with Index(whole) as index:
        index.add(SITE)
        index.add(Site(name="a.test", url="http://a.test/", state="exhausted", note="all"))
        assert [(site.state, site.note) for site in index.sites()] == [("exhausted", "all")]


def test_a_run_that_has_not_begun_has_nothing_to_copy(whole: Path) -> None:
    with Index(whole) as index:
        index.add(SITE)
        index.copy(SITE)
    assert _counts(whole)[0] == 0
