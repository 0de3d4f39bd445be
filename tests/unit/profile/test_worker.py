"""Files are read in another process, which may take too long or die."""

import multiprocessing
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from filon.profile.process import Process
from filon.profile.worker import Worker

#: Asks for a file that is never read to its end, and says who reads it.
_ASKING = """
import sys
from pathlib import Path
from threading import Thread

from filon.profile.worker import Worker

worker = Worker()
worker.profile(Path("gone"))
Thread(target=worker.profile, args=[Path(sys.argv[1])]).start()
print(worker._process.pid, flush=True)
"""


@pytest.fixture(autouse=True)
def made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a user's run: no fork."""
    monkeypatch.setattr(Process, "context", multiprocessing.get_context("spawn"))


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "a.csv"
    path.write_text("a,b\n1,2\n3,4\n")
    return path


def test_many_files_are_read_by_one_process(table: Path) -> None:
    with Worker() as worker:
        assert worker.profile(table).tables[0].rows == 2
        first = worker._process.pid
        assert worker.profile(table, "b.csv").tables[0].rows == 2
        assert worker._process.pid == first
    assert worker._process.pid == 0


def test_a_process_that_dies_costs_one_file(table: Path) -> None:
    with Worker() as worker:
        worker.profile(table)
        os.kill(worker._process.pid, signal.SIGKILL)
        assert worker.profile(table).problem == "crashed"
        assert worker.profile(table).problem == ""


def test_a_process_ends_with_who_asked_in_the_middle_of_a_job(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)  # nobody writes to it: opening it to read never ends
    asking = subprocess.Popen([sys.executable, "-c", _ASKING, pipe], stdout=subprocess.PIPE)
    assert asking.stdout
    reader = os.pidfd_open(int(asking.stdout.readline()))
    asking.kill()
    asking.communicate()
    with open(reader, "rb", buffering=0) as ended:
        assert select.select([ended], [], [], 120)[0]


def test_a_file_that_takes_too_long_is_given_up(table: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)  # nobody writes to it: opening it to read never ends
    with Worker(seconds=0.5) as worker:
        assert worker.profile(pipe).problem == "too slow"


def test_a_file_that_takes_too_much_memory_is_given_up(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("a,b\n" + "1,2\n" * 1_000_000)
    with Worker(memory_bytes=300 << 20) as worker:
        assert worker.profile(path).problem in ("too large", "crashed", "unreadable")


def test_a_missing_file_is_a_problem_not_an_exception(tmp_path: Path) -> None:
    with Worker() as worker:
        assert worker.profile(tmp_path / "gone").problem == "unreadable"
