import asyncio
import shutil
import sqlite3
import tracemalloc
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgpack
import numpy as np
import pytest

import filon.run.folder
from crash.walk import Turns, Walk
from filon.core import Account, Budget, Find, MachineError, Reason, Request, Response, Step, drive
from filon.core.blocks import blocks, by_blocks
from filon.run.checkpoint import Checkpoint, Pieces, UnreadableError, dump, load, rewind
from filon.run.folder import RunFolder
from filon.run.ledger import Ledger


def test_plain_data_comes_back_as_it_was() -> None:
    state = {
        "version": 1,
        "bytes": b"\x00\xff",
        "text": "é😀\udcff",
        "none": None,
        "numbers": [0, -1, 2**63, 2**64 - 1, 2**127, -(2**200), 1.5, float("inf")],
        "by number": {1: "a", -2: [True, False]},
        "generator": np.random.default_rng(3).bit_generator.state,
    }
    assert load(dump(Checkpoint(state=state))).state == state


@pytest.mark.parametrize(
    "array",
    [
        np.arange(12, dtype=np.int32).reshape(3, 4),
        np.array([], dtype=np.uint64),
        np.array(2.5),
        np.asfortranarray(np.ones((2, 3), dtype=np.float32)),
        np.array([1, 2], dtype=">u2"),
        np.array(["a", "bc"]),
    ],
    ids=str,
)
def test_arrays_come_back_with_their_type_and_shape_and_can_be_written(array: np.ndarray) -> None:
    back = load(dump(Checkpoint(state={"a": array}))).state["a"]
    assert back.dtype == array.dtype
    assert back.shape == array.shape
    assert (back == array).all()
    assert back.flags.writeable


def test_numbers_of_numpy_become_numbers() -> None:
    assert load(dump(Checkpoint(state={"n": np.float32(0.5)}))).state == {"n": 0.5}


def test_steps_in_flight_come_back_equal() -> None:
    request = Request(
        url="http://example.org/",
        method="POST",
        headers=(("Accept", "x"),),
        body=b"\x00",
        unwanted=("image/", "text/css"),
        max_bytes=5,
        not_before_s=1.5,
    )
    step = Step(request=request, reason=Reason(kind="retry", score=0.1, text="é"), parent="p")
    flying = {3: step, 12: Step(request=Request(url="http://example.org/b"))}
    assert load(dump(Checkpoint(state={}, flying=flying))).flying == flying


def test_credentials_of_a_request_are_not_saved() -> None:
    headers = (("Authorization", "Bearer hunter2"), ("Accept", "x"))
    step = Step(request=Request(url="http://example.org/", headers=headers))
    back = load(dump(Checkpoint(state={}, flying={1: step}))).flying[1]
    assert back.request.headers == (("Accept", "x"),)


def test_what_is_not_plain_data_is_refused() -> None:
    for value in ({1, 2}, object(), np.array([object()])):
        with pytest.raises(TypeError, match="a state is plain data"):
            dump(Checkpoint(state={"x": value}))


def test_damage_and_other_versions_are_noticed() -> None:
    data = dump(Checkpoint(state={"urls": [f"http://example.org/{n}" for n in range(100)]}))
    flipped = data[:-20] + bytes([data[-20] ^ 1]) + data[-19:]
    for damaged in (b"", b"filon-checkpoint-0\n", data[:-30], flipped):
        with pytest.raises(UnreadableError):
            load(damaged)


def test_a_checkpoint_cannot_smuggle_in_objects() -> None:
    for code, data in ((1, msgpack.packb(["|O", [1]]) + b"\0" * 8), (9, b"cos\nsystem\n")):
        data = dump(Checkpoint(state={"x": msgpack.ExtType(code, data)}))
        with pytest.raises(UnreadableError):
            load(data)


def test_a_long_state_is_packed_without_a_copy_of_it_whole() -> None:
    places = [[f"http://a.org/{number:080}", "b"] for number in range(100_000)]
    state = {"arms": [places], "short": [1, (2, 3)], "names": {"a": ("b", [None, True])}}
    tracemalloc.start()
    try:
        data = dump(Checkpoint(state=state))
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak_bytes < 6 << 20  # packed whole: more than 9 MB
    assert load(data).state == {
        "arms": [places],
        "short": [1, [2, 3]],
        "names": {"a": ["b", [None, True]]},
    }


SIZE = 150


class Long:
    """A strategy with a long state in blocks, which does nothing."""

    def __init__(self, count: int = 0) -> None:
        self.parts = [[f"part {place}"] for place in range(count)]
        self._marks = [0] * count

    def change(self, *places: int) -> None:
        """Change some parts, those that are not there yet too."""
        for place in places:
            if place == len(self.parts):
                self.parts.append([])
                self._marks.append(0)
            self.parts[place].append(f"change {self._marks[place]}")
            self._marks[place] += 1

    def propose(self) -> None:
        """Have nothing to ask for."""

    def observe(self, step: Step, response: Response) -> list[Find]:
        """Learn nothing."""
        return []

    def state(self) -> dict[str, Any]:
        """Return all parts."""
        read = lambda place: list(self.parts[place])  # noqa: E731
        return {"parts": blocks(self, "parts", self._marks, read)}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        self.parts = state["parts"]
        self._marks = [0] * len(self.parts)

    def summary(self) -> dict[str, Any]:
        """Tell nothing."""
        return {}


def test_only_blocks_that_have_changed_are_written() -> None:
    strategy, pieces, stored = Long(100), Pieces(), dict[int, bytes]()
    before, sizes = b"", []
    for changed in ((), (), (3, 4), (100, 101), (4,), (), (0, 102)):
        last = [list(part) for part in strategy.parts]
        strategy.change(*changed)
        with by_blocks():
            now = dump(Checkpoint(state=strategy.state()), pieces)
        sizes.append(len(pieces.new))
        stored |= dict(pieces.new)
        for gone in pieces.old:
            del stored[gone]
        pieces.keep()
        assert load(now, stored.__getitem__).state == {"parts": strategy.parts}
        if before:  # it is still there, should the new one be damaged
            assert load(before, stored.__getitem__).state == {"parts": last}
        before = now
    assert sizes == [100, 0, 2, 2, 1, 0, 2]
    assert len(stored) == 103 + 1  # and what only the checkpoint before the last one needs


def test_what_could_not_be_written_is_written_with_the_next_checkpoint() -> None:
    strategy, pieces = Long(10), Pieces()
    for _ in range(2):
        with by_blocks():
            dump(Checkpoint(state=strategy.state()), pieces)
        assert len(pieces.new) == 10
    pieces.keep()
    assert not pieces.new


def test_a_run_with_blocks_goes_on_after_a_kill_in_any_session(tmp_path: Path) -> None:
    path, strategy = tmp_path / "run", Long(50)
    RunFolder.create(path, {}).close()
    for session in range(4):
        with RunFolder.open(path) as folder:
            for turn in range(5):
                strategy.change(turn, len(strategy.parts))
                folder.checkpoint(strategy, now=True)
                copy = tmp_path / f"killed-{session}-{turn}"
                shutil.copytree(path, copy)
                assert _restored(copy) == strategy.parts
                with sqlite3.connect(copy / "ledger.sqlite") as ledger:
                    assert ledger.execute("SELECT count(*) FROM pieces").fetchone()[0] < 170
                    newest = "(SELECT max(piece) FROM pieces)"
                    ledger.execute(f"DELETE FROM pieces WHERE piece = {newest}")
                ledger.close()
                if turn or session:  # the newest has a hole: the one before it is whole
                    parts = [list(part) for part in strategy.parts[:-1]]
                    parts[turn].pop()
                    assert _restored(copy) == parts
        twin = Long()
        twin.restore({"parts": _restored(path)})
        strategy = twin


def _restored(path: Path) -> list[list[str]]:
    strategy, ledger = Long(), Ledger.open(path / "ledger.sqlite")
    rewind(path, ledger, strategy)
    ledger.close()
    return strategy.parts


def walk_all(path: Path, copies: dict[Path, int]) -> Walk:
    """Walk the maze, and copy the folder after so many answers: what a kill -9 would leave."""
    strategy, seen = Walk(), 0

    def watch(step: Step, response: Response, finds: Sequence[Find]) -> None:
        nonlocal seen
        seen += 1
        for copy, after in copies.items():
            if seen == after:
                run.commit()
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
    monkeypatch.setattr(filon.run.folder, "EVERY_ANSWERS", 25)
    monkeypatch.setattr(filon.run.folder, "SHARE", float("inf"))
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
