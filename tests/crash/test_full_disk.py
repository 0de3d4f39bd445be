"""Promise 3: a full disk stops the run cleanly with exit 4, and it resumes when there is room."""

import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from crash.check import PARALLEL, check, end, reachable, start
from crash.walk import ROOT
from filon.core import MachineError
from filon.run.folder import RunFolder
from patience import PATIENCE_S

SIZE = 900


def run_out_of_room(run: Path, log: Path, *limit: int) -> None:
    process = start(run, SIZE, log, *(f"limit={bytes}" for bytes in limit))
    _, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == MachineError.exit_code, err
    assert err.startswith("The disk is full:"), err
    assert f"`filon resume {run}` goes on when there is room." in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("limit", "what"), [(70_000, "an archive file"), (400_000, "the ledger")], ids=lambda v: str(v)
)
def test_a_file_that_may_not_grow_stops_the_run_and_room_lets_it_go_on(
    tmp_path: Path, limit: int, what: str
) -> None:
    run, log = tmp_path / "run", tmp_path / "log"
    run_out_of_room(run, log, limit)
    run_out_of_room(run, log, limit)
    with RunFolder.open(run, read_only=True) as opened:
        assert opened.spent.requests >= len(log.read_text().split()), what
        assert opened.stopped == ""
    told = end(start(run, SIZE, log))

    truth = reachable(ROOT, SIZE)
    check(run, told, truth)
    asked = Counter(log.read_text().split())
    assert asked.total() - len(truth) <= 2 * PARALLEL


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)]
    try:
        done = subprocess.run(mount, capture_output=True, text=True)
    except FileNotFoundError:
        pytest.skip("there is no mount command here")
    if done.returncode:
        pytest.skip(f"no small disk can be mounted here: {done.stderr.strip()}")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def test_a_full_disk_stops_the_run_and_room_lets_it_go_on(small_disk: Path, tmp_path: Path) -> None:
    run, log = small_disk / "run", tmp_path / "log"
    run_out_of_room(run, log)
    subprocess.run(["mount", "-o", "remount,size=64m", str(small_disk)], check=True)
    told = end(start(run, SIZE, log))

    truth = reachable(ROOT, SIZE)
    check(run, told, truth)
    assert len(log.read_text().split()) - len(truth) <= PARALLEL
