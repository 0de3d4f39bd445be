"""What all tests may ask for."""

import gc
import os
import pickle
import sys
from collections.abc import Iterator
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

# The rooms of long files: they begin first, so that the last minutes find all workers busy.
LONG = (
    "papers", "contracts", "docs", "golden", "experiments", "hostile", "crash", "memory",
    "end_to_end", "project",
)  # fmt: skip


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
    """Put the files of long tests first; each file, and each room, keeps its order."""
    here = Path(__file__).parent

    def rank(item: pytest.Item) -> int:
        room = item.path.relative_to(here).parts[0] if item.path.is_relative_to(here) else ""
        return LONG.index(room) if room in LONG else len(LONG)

    items.sort(key=rank)


def pytest_collection_finish() -> None:
    """Look for what can go among the things that tests make, and among these alone."""
    gc.freeze()
    gc.enable()
