"""The recorded sites, and what is run on all of them."""

import os
from pathlib import Path

#: FILON_SEEDS=10 makes what stands in docs/experiments.md: ten seeds, on all sites. Otherwise a
#: few seeds are enough, and the site that takes a third of the time of all is left out.
SEEDS = int(os.environ.get("FILON_SEEDS", 0))
SITES: tuple[str, ...] = ("smtcomp", "skimage", "armdata", "canadasdg", "cantabria", "ipho")
SITES += ("onssdg",) * bool(SEEDS)
#: `sb` draws; the others do not.
RUNS = ("sb", "bfs", "dfs", "omniscient", "tp-off", "focused", "clairvoyant")
#: Ours, which does not draw either.
VEIN = ("vein", "vein:stop=auto")
IN_FLIGHT = "vein:parallel=8"
#: Where several are in flight: not on the two largest.
SMALLER = ("skimage", "armdata", "canadasdg", "cantabria", "ipho")
#: Where a crawler that draws at random is compared. Not on smtcomp: its runs differ by 11 to 17
#: points (one standard deviation), and our means of ten are 3.2 (`sb-oracle`) and 6.9 (`random`)
#: off. Nor `sb-oracle` on ipho, 7 points off: an empty class makes the difference.
DRAWN = {
    "sb-oracle": ("onssdg", "skimage", "armdata", "canadasdg", "cantabria"),
    "random": ("onssdg", "skimage", "armdata", "canadasdg", "cantabria", "ipho"),
}


def runs_on(site: str) -> list[tuple[tuple[str, ...], int]]:
    """Return what is run on a site together, and with how many seeds."""
    drawn = tuple(name for name, sites in DRAWN.items() if site in sites)
    ours = (*VEIN, IN_FLIGHT) if site in SMALLER else VEIN
    runs = ((RUNS, SEEDS or 2), (ours, 1), (drawn, SEEDS or 2))
    return [(names, seeds) for names, seeds in runs if names]


def files(shared: Path, sites: tuple[str, ...]) -> list[Path]:
    """Return the replicas of sites."""
    return [shared / f"data/harvest/replicas/{site}.sqlite" for site in sites]
