"""The recorded sites, and what is run on all of them."""

import os
from pathlib import Path

SITES = ("onssdg", "smtcomp", "skimage", "armdata", "canadasdg", "cantabria", "ipho")
#: Of crawlers that draw: of the bandit, and of the others, whose runs differ less. The tables of
#: docs/experiments.md have ten: FILON_SEEDS=10 makes as many here.
SEEDS = int(os.environ.get("FILON_SEEDS", "4"))
SEEDS_DRAWN = int(os.environ.get("FILON_SEEDS", "3"))
#: `sb` draws; the others do not.
RUNS = ("sb", "bfs", "dfs", "omniscient", "tp-off", "focused", "clairvoyant")
VEIN = ("vein", "vein:stop=auto", "vein:parallel=8")


def files(shared: Path, sites: tuple[str, ...]) -> list[Path]:
    """Return the replicas of sites."""
    return [shared / f"data/harvest/replicas/{site}.sqlite" for site in sites]
