import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from fake_run import FakeRun
from filon.core import UserError
from filon.run.summary import summarise
from filon.serve.glance import FINDS, LOOKED_INTO, STEPS, glance


def test_the_figures_are_those_of_the_summary(tmp_path: Path) -> None:
    with FakeRun(tmp_path / "run", budget="40req,9finds") as run:
        for number in range(20):
            run.step(f"https://a.test/{number}")
        run.find("https://a.test/1.csv")
        run.step("https://a.test/flying", answered=False)
    for _ in range(2):
        seen, told = glance(tmp_path / "run"), summarise(tmp_path / "run")
        assert (seen.requests, seen.answers, seen.finds) == (
            told.requests,
            told.answers,
            told.finds,
        )
        assert seen.bytes == told.bytes
    assert seen.share == pytest.approx(told.requests / 40)


def test_what_has_come_since_is_added(tmp_path: Path) -> None:
    with FakeRun(tmp_path / "run") as run:
        run.find("https://a.test/1.csv")
        run.ledger.commit()
        first = glance(tmp_path / "run")
        run.step("https://a.test/flying", answered=False)
        run.find("https://a.test/2.csv", b"c,d\n3,4\n")
        run.ledger.commit()
        second = glance(tmp_path / "run")
    assert second.answers > first.answers
    assert second.finds == 2
    assert "2 finds" in second.curve
    assert second.requests == summarise(tmp_path / "run").requests


def test_a_folder_that_was_made_anew_is_read_anew(tmp_path: Path) -> None:
    for number in (5, 2):
        with FakeRun(tmp_path / "run") as run:
            for each in range(number):
                run.step(f"https://a.test/{each}")
        assert glance(tmp_path / "run").answers == number
        (tmp_path / "run").rename(tmp_path / f"old-{number}")


def test_lists_are_bounded_and_the_latest_is_first(tmp_path: Path) -> None:
    with FakeRun(tmp_path / "run") as run:
        for number in range(30):
            run.find(f"https://a.test/{number}.csv", f"a,b\n{number},1\n".encode())
    seen = glance(tmp_path / "run")
    assert (len(seen.steps), len(seen.latest)) == (STEPS, FINDS)
    assert seen.latest[0].url == "https://a.test/29.csv"
    samples = [find.sample for find in seen.latest if find.sample]
    assert len(samples) == LOOKED_INTO
    assert samples[0].rows == [["29", "1"]]


def test_a_round_at_work_is_what_is_seen(tmp_path: Path) -> None:
    with FakeRun(tmp_path / "run") as run:
        run.step("https://a.test/")
        run.meta(stopped="exhausted")
    with FakeRun(tmp_path / "run" / "rounds" / "0002", verb="refresh") as run:
        for number in range(3):
            run.step(f"https://a.test/{number}")
    seen = glance(tmp_path / "run")
    assert (seen.round, seen.requests, seen.verb) == (2, 3, "harvest")
    with closing(sqlite3.connect(tmp_path / "run/rounds/0002/ledger.sqlite")) as db, db:
        db.execute("UPDATE meta SET value = 'exhausted' WHERE key = 'stopped'")
    assert glance(tmp_path / "run").round == 0


def test_what_is_no_run_is_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(UserError):
        glance(tmp_path)
