"""Files that are broken, huge, encrypted, lying or meant to do harm: each gets one sentence."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from filon.profile.parquet import Written, place
from filon.profile.shape import Profile
from filon.profile.source import UnreadableError
from filon.profile.worker import Worker
from unit.profile.hostile import Hostile, corpus

#: What is packed into a bomb takes longer to pack than to read.
CORPUS = [hostile._replace(make=cache(hostile.make)) for hostile in corpus()]


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    with Worker(seconds=120, memory_bytes=2 << 30) as worker:
        yield worker


@pytest.mark.parametrize("hostile", CORPUS, ids=lambda one: one.name)
def test_each_is_told_and_none_is_fatal(tmp_path: Path, worker: Worker, hostile: Hostile) -> None:
    path = tmp_path / "file"
    path.write_bytes(hostile.make())
    told = worker.profile(path, hostile.name)
    assert isinstance(told, Profile)
    assert told.problem in hostile.problem, told.detail
    assert bool(told.tables) == (not told.problem)
    if told.problem:
        assert told.detail.endswith(".")
        assert "\n" not in told.detail
        assert len(told.detail) < 400
    assert not list(tmp_path.glob("*.csv"))  # nothing is unpacked beside it


@pytest.mark.parametrize("hostile", CORPUS, ids=lambda one: one.name)
def test_no_row_of_what_is_told_as_a_problem_is_written(
    tmp_path: Path, worker: Worker, hostile: Hostile
) -> None:
    path, out = tmp_path / "file", tmp_path / "out"
    path.write_bytes(hostile.make())
    out.mkdir()
    problem, written = converted(worker, path, hostile.name, out)
    assert problem in hostile.problem or (problem == "" and not written)
    if not problem:
        whole = {place(number) for number, one in enumerate(written, start=1) if one.is_whole}
        assert {one.name for one in out.iterdir()} == whole


def converted(worker: Worker, path: Path, name: str, out: Path) -> tuple[str, list[Written]]:
    try:
        return "", worker.convert(path, name, out)
    except UnreadableError as error:
        return error.problem, []
