"""Resume is the last checkpoint and a replay of the ledger's tail."""

import asyncio
import shutil
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import pytest

import filon.run.checkpoint
from crash.walk import Turns, Walk
from filon.core import Account, Budget, Find, MachineError, Response, Step, drive
from filon.run.folder import RunFolder

SIZE = 150


def walk_all(path: Path, copies: dict[Path, int]) -> Walk:
    """Walk the maze, and copy the folder after so many answers: what a kill -9 would leave."""
    strategy, seen = Walk(), 0

    def watch(step: Step, response: Response, finds: Sequence[Find]) -> None:
        nonlocal seen
        seen += 1
        for copy, after in copies.items():
            if seen == after:
                shutil.copytree(path, copy)

    with RunFolder.create(path, {}) as run:
        account = Account(Budget(), 4)
        asyncio.run(drive(strategy, Turns(SIZE), account, run, parallel=4, watch=watch))
        run.finish("exhausted", strategy)
    return strategy


def change(path: Path, statement: str) -> None:
    ledger = sqlite3.connect(path / "ledger.sqlite")
    ledger.execute(statement)
    ledger.commit()
    ledger.close()


@pytest.fixture
def killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run that was killed after 60 answers, the last checkpoint after 50."""
    monkeypatch.setattr(filon.run.checkpoint, "EVERY_ANSWERS", 25)
    monkeypatch.setattr(filon.run.checkpoint, "SHARE", float("inf"))
    walk_all(tmp_path / "run", {tmp_path / "killed": 60})
    return tmp_path / "killed"


def test_a_killed_run_is_brought_back_with_its_steps_in_flight(killed: Path) -> None:
    with RunFolder.open(killed) as run:
        walk = Walk()
        again = run.rewind(walk)
        assert [number for number, _ in again] == [61, 62, 63]
        assert run.spent.requests == 63
        account = Account(Budget(), 4, run.spent)
        asyncio.run(drive(walk, Turns(SIZE), account, run, parallel=4, again=again))
        assert run.spent.requests == len(walk.parents) + 3
        assert len({find.url for find in run}) == len(list(run)) == run.spent.finds


def test_all_ways_back_lead_to_the_same_place(killed: Path) -> None:
    def back() -> tuple[dict[str, object], list[tuple[int, Step]]]:
        walk = Walk()
        with RunFolder.open(killed) as run:
            again = run.rewind(walk)
        return walk.state(), again

    expected = back()
    change(killed, "UPDATE checkpoints SET state = x'00' WHERE answers = 50")  # damaged
    assert back() == expected
    change(killed, "DELETE FROM checkpoints")
    assert back() == expected


@pytest.mark.parametrize(
    "other",
    [
        "UPDATE steps SET url = url || '0' WHERE step = 55",
        "UPDATE steps SET score = score + 1e-15 WHERE step = 55",
        "UPDATE steps SET idle = 1 WHERE answer = 55",
    ],
)
def test_a_strategy_that_goes_another_way_is_not_let_on(killed: Path, other: str) -> None:
    change(killed, other)
    with (
        RunFolder.open(killed) as run,
        pytest.raises(MachineError, match="was made by another version of Filon: from step"),
    ):
        run.rewind(Walk())


def test_what_happened_before_the_checkpoint_is_not_read_again(killed: Path) -> None:
    change(killed, "UPDATE steps SET warc = 'gone' WHERE answer <= 50")
    with RunFolder.open(killed) as run:
        run.rewind(Walk())
    change(killed, "UPDATE steps SET warc = 'gone' WHERE answer = 51")
    with RunFolder.open(killed) as run, pytest.raises(MachineError, match="cannot be read"):
        run.rewind(Walk())


def test_steps_that_are_not_sent_again_are_still_in_flight_next_time(killed: Path) -> None:
    with RunFolder.open(killed) as run:
        walk = Walk()
        first = run.rewind(walk)
        run.finish("budget", walk)
    with RunFolder.open(killed) as run:
        assert run.rewind(Walk()) == first
        assert run.spent.requests == 63
