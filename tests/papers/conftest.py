"""One comparison on all sites serves every test of this folder."""

import fcntl
import os
import pickle
from pathlib import Path

import pytest

from filon.compare.compare import Comparison, gather
from papers.sites import RUNS, SITES, VEIN, files


@pytest.fixture(scope="session")
def compared(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Comparison:
    """The paper's crawler, ours, and those that draw nothing, on all sites.

    Two files of tests ask for it, which pytest-xdist gives to two processes: the first makes it
    on two cores, and the other waits for it.
    """
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent  # of this session, as the processes share it
    made = folder / "compared.pickle"
    with (folder / "compared.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            found = gather(files(shared, SITES), [*RUNS, *VEIN], 10, processes=2)
            made.write_bytes(pickle.dumps(found))
    kept: Comparison = pickle.loads(made.read_bytes())
    return kept
