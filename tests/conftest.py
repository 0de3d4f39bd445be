"""What all tests may ask for."""

import gc
import os
import pickle
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from command import Ended, filon, forks
from filon.profile.process import Process
from forks import Workers
from once import once

# No wall clock in a test, the same examples in every run, and nothing left behind.
# How many examples is up to tests/fuzzing.py.
settings.register_profile(
    "filon",
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("filon")

# What collecting makes is there to the end: nobody need look through it for what can go.
gc.disable()

# Where files lie in memory, and how much room there must be.
MEMORY, MEMORY_BYTES = Path("/dev/shm"), 4 << 30

# The rooms of long files begin first, so that the last minutes find all workers busy: those that
# compute, and by turns those that wait for servers and processes most of the time.
COMPUTING = (
    "papers",
    "contracts",
    "golden",
    "experiments",
    "memory",
    "fuzz",
    "conformance",
    "unit",
)
WAITING = ("docs", "fleet", "hostile", "end_to_end", "faults", "crash", "project", "tools")


def pytest_configure() -> None:
    """Let what tests write lie in memory where there is room: they wait for a disk often else.

    Kills are what they try, and memory outlives these as a disk does.
    """
    if "TMPDIR" not in os.environ and _has_room(MEMORY):
        os.environ["TMPDIR"] = str(MEMORY)
        tempfile.tempdir = None  # it was looked for already


def _has_room(folder: Path) -> bool:
    """Tell whether a folder of this system has room for all tests, and lets programs run there."""
    if sys.platform != "linux" or not os.access(folder, os.W_OK):
        return False
    told = os.statvfs(folder)
    return told.f_bavail * told.f_frsize >= MEMORY_BYTES and not told.f_flag & os.ST_NOEXEC


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of recorded sites and conformance suites that lies beside the checkout."""
    path = Path(__file__).resolve().parents[2] / "shared"
    if not path.is_dir():
        # Where tests decide what is merged, they must not pass by being skipped.
        if os.environ.get("CI") == "true":
            pytest.fail(f"{path} is missing, and CI does not do without")
        pytest.skip(f"needs the folder {path}")
    return path


@pytest.fixture(scope="session", autouse=True)
def workers() -> Iterator[None]:
    """Files are read by forks; tests/unit/profile/test_worker.py tries a process made anew."""
    usual = Process.context
    if sys.platform == "linux":
        Process.context = Workers(forks)
    yield
    Process.context = usual


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Ended]:
    """The folder in which `filon demo --all` was typed once, and what it printed."""

    def make(folder: Path) -> None:
        ended = filon(folder, "demo", "--all")
        (folder / "ended.pickle").write_bytes(pickle.dumps(ended))

    folder = once(tmp_path_factory, "demo", make)
    return folder, pickle.loads((folder / "ended.pickle").read_bytes())


def pytest_make_parametrize_id(val: object) -> str | None:
    """Name bytes by their kind alone: packed ones hold the time, and even their length changes."""
    return "bytes" if isinstance(val, bytes) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Take files that compute and files that wait by turns; each file keeps its order."""
    files: dict[Path, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.path, []).append(item)
    turns = zip_longest(_of(COMPUTING, files), _of(WAITING, files))
    first = [path for pair in turns for path in pair if path]
    items[:] = [item for path in dict.fromkeys((*first, *files)) for item in files[path]]


def _of(rooms: Sequence[str], files: Iterable[Path]) -> list[Path]:
    """Return the files of rooms, room after room."""
    here = Path(__file__).parent
    return [path for room in rooms for path in files if path.is_relative_to(here / room)]


def pytest_collection_finish() -> None:
    """Look for what can go among the things that tests make, and among these alone."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)  # they make a lot: to look as often as usual costs 5 %
    gc.enable()
