"""The recorded sites, and what is run on all of them."""

import os
from pathlib import Path

SITES = ("onssdg", "smtcomp", "skimage", "armdata", "canadasdg", "cantabria", "ipho")
#: `sb` draws; the others do not.
RUNS = ("sb", "bfs", "dfs", "omniscient", "tp-off", "focused", "clairvoyant")
VEIN = ("vein",)
#: What is held against `vein` itself: one run says as much as several, which hardly differ.
VARIED = ("vein:stop=auto", "vein:parallel=8")
#: Where a crawler that draws at random is compared. Not on smtcomp: its runs differ by 11 to 17
#: points (one standard deviation), and our means of ten are 3.2 (`sb-oracle`) and 6.9 (`random`)
#: off. Nor `sb-oracle` on ipho, 7 points off: an empty class makes the difference.
DRAWN = {
    "sb-oracle": ("onssdg", "skimage", "armdata", "canadasdg", "cantabria"),
    "random": ("onssdg", "skimage", "armdata", "canadasdg", "cantabria", "ipho"),
}


def _seeds(usual: int) -> int:
    """The tables of docs/experiments.md have ten: FILON_SEEDS=10 makes as many here."""
    return int(os.environ.get("FILON_SEEDS", usual))


#: What is run together, and with how many seeds: most for the bandit, whose runs differ most.
GROUPS = ((RUNS, _seeds(4)), (VEIN, _seeds(2)), (VARIED, _seeds(1)), (tuple(DRAWN), _seeds(3)))


def runs_on(site: str) -> list[tuple[tuple[str, ...], int]]:
    """Return what is run on a site."""
    told = [
        (tuple(name for name in names if site in DRAWN.get(name, SITES)), seeds)
        for names, seeds in GROUPS
    ]
    return [(names, seeds) for names, seeds in told if names]


def files(shared: Path, sites: tuple[str, ...]) -> list[Path]:
    """Return the replicas of sites."""
    return [shared / f"data/harvest/replicas/{site}.sqlite" for site in sites]
