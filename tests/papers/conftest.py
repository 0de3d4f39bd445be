"""One comparison on all sites serves every test of this folder."""

from pathlib import Path

import pytest

from filon.compare.compare import Comparison, gather
from papers.sites import RUNS, SITES, VEIN, files


@pytest.fixture(scope="session")
def compared(shared: Path) -> Comparison:
    """The paper's crawler, ours, and those that draw nothing, on all sites."""
    return gather(files(shared, SITES), [*RUNS, *VEIN], 10, processes=2)
