import time
import tracemalloc

import msgpack
import numpy as np
import pytest

import filon.run.checkpoint as module
from filon.core import Reason, Request, Step
from filon.run.checkpoint import Checkpoint, Rhythm, UnreadableError, dump, load


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


def test_a_checkpoint_is_due_after_enough_answers() -> None:
    rhythm = Rhythm(100)
    assert not rhythm.due(100 + module.EVERY_ANSWERS - 1)
    assert rhythm.due(100 + module.EVERY_ANSWERS)


def test_dear_checkpoints_are_rare(monkeypatch: pytest.MonkeyPatch) -> None:
    now_s = 1000.0
    monkeypatch.setattr(time, "monotonic", lambda: now_s)
    rhythm = Rhythm()
    rhythm.took(200, 3.0)
    now_s += 3.0 / module.SHARE - 1
    assert not rhythm.due(10_000)
    now_s += 2
    assert rhythm.due(10_000)


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
