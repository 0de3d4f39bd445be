"""The ledger of a whole: a copy of its runs, each step once."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from filon.core import Find, Reason, Request, Response, Step
from filon.run import readonly
from filon.run.folder import RunFolder
from filon.verbs.acquire.index import Index, Site

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


def test_what_is_copied_again_is_counted_once(whole: Path) -> None:
    with RunFolder.create(whole / SITE.path, {}) as run, Index(whole) as index:
        index.add(SITE)
        for number in (1, 2):
            run.begin(_step(number))
            _answer(run, number)
        run.commit()
        for _ in range(3):
            index.copy(SITE, [0.5, 0.25])
        assert _counts(whole) == (2, 2, 2)
        rows = [(name, sends, len(finds)) for name, sends, finds in index.answers()]
    assert rows == [("a.test", 1, 1), ("a.test", 1, 1)]
    with readonly.reading(whole) as ledger:
        assert [row[0] for row in ledger.execute("SELECT expected FROM turns")] == [0.5, 0.25]
        assert readonly.bytes_besides(readonly.meta(ledger)) == 6


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


def test_what_a_kill_kept_from_being_copied_has_its_place_in_time(whole: Path) -> None:
    with RunFolder.create(whole / SITE.path, {}) as run, Index(whole) as index:
        index.add(SITE)
        for number, at_s in ((1, 1_000_005.0), (2, 1_000_009.0)):
            run.begin(_step(number))
            _answer(run, number, at_s=at_s)
            run.commit()
            index.copy(SITE, zero_s=1_000_000.0 if number == 1 else None)
    with readonly.reading(whole) as ledger:
        assert [row[0] for row in ledger.execute("SELECT run_s FROM steps")] == [5.0, 9.0]


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
