"""One comparison on all sites serves every test of this folder."""

import pickle
from dataclasses import replace
from functools import reduce
from pathlib import Path

import pytest

from filon.compare.compare import Comparison, gather
from once import once
from papers.sites import SITES, files, runs_on


@pytest.fixture(scope="session")
def compared(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Comparison:
    """The paper's crawlers and ours, on all sites.

    Two files of tests ask for it, which pytest-xdist gives to two processes: the first makes it,
    in this one process, which reads the pages of a site once, and the other waits for it.
    """

    def make(folder: Path) -> None:
        found = [
            gather(files(shared, (site,)), names, seeds)
            for site in SITES
            for names, seeds in runs_on(site)
        ]
        (folder / "compared.pickle").write_bytes(pickle.dumps(reduce(_joined, found)))

    made = once(tmp_path_factory, "compared", make) / "compared.pickle"
    kept: Comparison = pickle.loads(made.read_bytes())
    return kept


def _joined(one: Comparison, other: Comparison) -> Comparison:
    return replace(
        one,
        sites=tuple(dict.fromkeys((*one.sites, *other.sites))),
        variants=tuple(dict.fromkeys((*one.variants, *other.variants))),
        results={**one.results, **other.results},
    )
