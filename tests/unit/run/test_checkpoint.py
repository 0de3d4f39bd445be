import asyncio
import shutil
import sqlite3
import tracemalloc
from collections.abc import Sequence
from pathlib import Path

import msgpack
import numpy as np
import pytest

import filon.run.folder
from crash.walk import Turns, Walk
from filon.core import Account, Budget, Find, MachineError, Reason, Request, Response, Step, drive
from filon.run.checkpoint import Checkpoint, UnreadableError, dump, load
from filon.run.folder import RunFolder


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
