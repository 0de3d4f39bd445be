"""The recorded sites, and what is run on all of them."""

from pathlib import Path

SITES = ("onssdg", "smtcomp", "skimage", "armdata", "canadasdg", "cantabria", "ipho")
#: Of crawlers that draw; the tables of docs/experiments.md have ten.
SEEDS = 6
#: `sb` draws; the others do not.
RUNS = ("sb", "bfs", "dfs", "omniscient", "tp-off", "focused", "clairvoyant")
VEIN = ("vein", "vein:stop=auto", "vein:parallel=8")


def files(shared: Path, sites: tuple[str, ...]) -> list[Path]:
    """Return the replicas of sites."""
    return [shared / f"data/harvest/replicas/{site}.sqlite" for site in sites]
