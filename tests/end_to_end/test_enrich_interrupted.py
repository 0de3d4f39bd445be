"""`filon enrich` that is interrupted, killed or loses its table: nothing is lost or paid twice."""

import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from command import filon, finish, start
from enriching import ABSENT, HIDDEN, LOCAL, QUICK, WISH, enrich, rows_of
from searchbox import serving, write_table


def forget_the_last_answer(folder: Path) -> None:
    """Leave a run as if it had died when the cache had its tenth answer, and the ledger not."""
    with closing(sqlite3.connect(folder / "ledger.sqlite")) as ledger:
        ledger.execute("UPDATE meta SET value = '' WHERE key = 'stopped'")
        ledger.execute("DELETE FROM checkpoints")
        ledger.execute("DELETE FROM finds WHERE step = 10")
        ledger.execute("UPDATE steps SET answer = NULL, status = NULL WHERE step = 10")
        ledger.commit()


def test_resuming_needs_nothing_but_the_run_folder(tmp_path: Path) -> None:
    with serving(HIDDEN) as box:
        enrich(tmp_path, box, "--budget", 15)
        for name in ("t.csv", "box.toml"):
            (tmp_path / name).unlink()
        (tmp_path / "run").rename(tmp_path / "moved")
        ended = filon(tmp_path, "resume", "moved", "--budget", 500, "--json")
    assert ended.code == 0, ended.err
    assert ended.json["rows"] == {"filled": 60, "absent": 10}


def test_ctrl_c_fills_what_came_and_the_run_goes_on(tmp_path: Path) -> None:
    with serving(HIDDEN, wait_s=0.02) as box:
        box.source(tmp_path)
        write_table(tmp_path / "t.csv", LOCAL)
        process = start(
            tmp_path, "enrich", "t.csv", "--from", "box.toml", *WISH, *QUICK, "--out", "run"
        )
        box.wait_for(12)
        process.send_signal(signal.SIGINT)
        ended = finish(process)
        assert ended.code == 130, ended.err
        filled = sum(bool(row["filon_id"]) for row in rows_of(tmp_path / "run/enriched.csv"))
        assert 0 < filled < 60
        assert "filon resume run" in ended.out
        resumed = filon(tmp_path, "resume", "run", "--json")
    assert resumed.json["rows"] == {"filled": 60}
    assert max(box.counts().values()) == 1


@pytest.mark.parametrize(
    ("strategy", "moments"), [("simple", (1,)), ("simple", (8, 20)), ("prospect", (5, 14))]
)
def test_after_kill_9_no_call_is_paid_twice_but_those_in_flight(
    tmp_path: Path, strategy: str, moments: tuple[int, ...]
) -> None:
    parallel = 3
    first = ("enrich", "t.csv", "--from", "box.toml", *WISH, "--delay", 0, "--strategy", strategy)
    with serving(HIDDEN, wait_s=0.02) as box:
        box.source(tmp_path)
        write_table(tmp_path / "t.csv", LOCAL + ABSENT)
        for calls in moments:
            going = (tmp_path / "run/run.toml").exists()
            new = (*first, "--out", "run", "--parallel", parallel, "--budget", 90)
            process = start(tmp_path, *(("resume", "run") if going else new))
            box.wait_for(calls)
            process.kill()
            finish(process)
        ended = filon(tmp_path, "resume", "run", "--json")
    assert ended.code == 0, ended.err
    assert ended.json["rows"]["filled"] >= 50
    again = sum(count - 1 for count in box.counts().values())
    assert again <= parallel * len(moments)
    assert box.calls <= ended.json["calls"] <= 90
    told = rows_of(tmp_path / "run/enriched.csv")
    wrong = [r for r, t in zip(told, LOCAL, strict=False) if r["filon_id"] not in ("", t["id"])]
    assert wrong == []


def test_an_answer_that_came_before_the_kill_is_at_hand_after_it(tmp_path: Path) -> None:
    with serving(HIDDEN) as box:
        enrich(tmp_path, box, "--budget", 10)
        paid = box.calls
        forget_the_last_answer(tmp_path / "run")
        ended = filon(tmp_path, "resume", "run", "--budget", 11, "--json")
    assert ended.code == 0, ended.err
    assert box.calls == paid + 1
    assert ended.json["calls"] == 11
    assert max(box.counts().values()) == 1


def test_the_last_answer_of_the_budget_is_used_after_a_kill(tmp_path: Path) -> None:
    """It was paid for and is in the cache; no call is left, and none is needed."""
    with serving(HIDDEN) as box:
        enrich(tmp_path, box, "--budget", 10)
        whole = rows_of(tmp_path / "run/enriched.csv")
        forget_the_last_answer(tmp_path / "run")
        ended = filon(tmp_path, "resume", "run", "--json")
    assert ended.code == 0, ended.err
    assert box.calls == ended.json["calls"] == 10
    assert rows_of(tmp_path / "run/enriched.csv") == whole


def test_a_run_that_was_killed_while_it_was_filled_in_is_filled_by_resume(tmp_path: Path) -> None:
    with serving(HIDDEN) as box:
        first = enrich(tmp_path, box, "--budget", 15)
        for name in ("enriched.csv", "records.sqlite"):
            (tmp_path / "run" / name).unlink()
        ended = filon(tmp_path, "resume", "run", "--json")
        assert ended.code == 0, ended.err
        assert ended.json["rows"] == first.json["rows"]
        assert box.calls == 15
        spent = filon(tmp_path, "resume", "run")
    assert spent.code == 2
    assert "--budget" in spent.sentence


@pytest.mark.parametrize("name", ["enriched.csv", "not-found.csv"])
@pytest.mark.parametrize("command", ["report", "resume"])
def test_what_was_deleted_of_a_finished_run_is_written_again(
    tmp_path: Path, name: str, command: str
) -> None:
    with serving(HIDDEN) as box:
        enrich(tmp_path, box, "--budget", 15)
        whole = (tmp_path / "run" / name).read_bytes()
        (tmp_path / "run" / name).unlink()
        ended = filon(tmp_path, command, "run")
    assert ended.code == 0, ended.err
    assert (tmp_path / "run" / name).read_bytes() == whole
    assert box.calls == 15


def test_a_table_that_changes_or_goes_in_mid_run_is_filled_as_it_was(tmp_path: Path) -> None:
    command = ("enrich", "t.csv", "--from", "box.toml", *WISH, *QUICK, "--budget", 20)
    with serving(HIDDEN, wait_s=0.02) as box:
        box.source(tmp_path)
        table = write_table(tmp_path / "t.csv", LOCAL)
        process = start(tmp_path, *command, "--out", "run")
        box.wait_for(5)
        table.unlink()
        ended = finish(process)
    assert ended.code == 0, ended.err
    after = rows_of(tmp_path / "run/enriched.csv")
    assert [row["title"] for row in after] == [row["title"] for row in LOCAL]
    assert any(row["filon_id"] for row in after)


def test_a_run_under_way_has_a_report(tmp_path: Path) -> None:
    with serving(HIDDEN, wait_s=0.1) as box:
        box.source(tmp_path)
        write_table(tmp_path / "t.csv", LOCAL)
        command = ("enrich", "t.csv", "--from", "box.toml", *WISH, *QUICK, "--budget", 60)
        process = start(tmp_path, *command, "--out", "run")
        box.wait_for(5)
        told = filon(tmp_path, "report", "run")
        page = (tmp_path / "run/report.html").read_text()
        process.send_signal(signal.SIGINT)
        finish(process)
    assert told.code == 0, told.err
    assert "told when the run pauses" in page
    assert "Still running" in page
