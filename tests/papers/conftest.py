"""One comparison on all sites serves every test of this folder."""

import pickle
from pathlib import Path

import pytest

from filon.compare.compare import Comparison, gather
from once import once
from papers.sites import RUNS, SEEDS, SITES, VEIN, files


@pytest.fixture(scope="session")
def compared(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Comparison:
    """The paper's crawler, ours, and those that draw nothing, on all sites.

    Two files of tests ask for it, which pytest-xdist gives to two processes: the first makes it,
    in this one process, which reads the pages of a site once, and the other waits for it.
    """

    def make(folder: Path) -> None:
        found = gather(files(shared, SITES), [*RUNS, *VEIN], SEEDS)
        (folder / "compared.pickle").write_bytes(pickle.dumps(found))

    made = once(tmp_path_factory, "compared", make) / "compared.pickle"
    kept: Comparison = pickle.loads(made.read_bytes())
    return kept
