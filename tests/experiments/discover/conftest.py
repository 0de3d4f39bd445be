"""The truth of the web with seed 0, which takes a while to read, is read once for all tests."""

import pickle
from pathlib import Path

import pytest

from experiments.discover import web
from experiments.discover.truth import Truth
from once import once


@pytest.fixture(scope="session")
def truth(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Truth]:
    """What is true of the web with seed 0."""

    def make(folder: Path) -> None:
        found = web.DiscoverWeb(shared / "data", seed=0).truth
        (folder / "truth.pickle").write_bytes(pickle.dumps(found))

    made = once(tmp_path_factory, "truth", make) / "truth.pickle"
    kept: dict[str, Truth] = pickle.loads(made.read_bytes())
    return kept
