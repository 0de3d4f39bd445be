"""`python -m experiments.curves FOLDER`: what each request of `vein` brings, on many sites.

The sites are the twelve recorded ones, in several orders of their links (see experiments.priors),
and for each seed thirty that are invented with sizes and yields drawn from the twelve. A file a
site has, for each request in turn, whether it brought a file and what `vein` thought of it before.
There is no prior: the shipped one has seen the twelve. `experiments.acquire` plays the curves.
"""

import argparse
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from experiments.invented import Invented, resampled
from experiments.priors import DATA, TYPES, Shuffled
from experiments.rebuild import SITES
from filon.compare.memory import LinkMemory
from filon.compare.replica import Replica
from filon.verbs.harvest.strategies.brief import Brief, Reader
from filon.verbs.harvest.strategies.vein.strategy import Vein

#: Sites that are invented for a seed.
INVENTED = 30


@dataclass(frozen=True, slots=True)
class Curve:
    """A harvest until it stops by itself.

    whole: requests of a full crawl. finds: of each request. worth: what `vein` thought of the link,
    in files for each request that brings none; -1 where it had no choice.
    """

    site: str
    whole: int
    finds: NDArray[np.int64]
    worth: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.finds)


def record(site: Replica | Invented, read: Reader, whole: int) -> Curve:
    """Harvest a site; robots.txt is its first request, as it is for the guards."""
    vein = Vein(Brief(start=site.start, types=TYPES, read=read))
    rows = [(0, -1.0)]
    while step := vein.propose():
        worth = step.reason.score if step.reason.outlook else -1.0
        rows.append((len(vein.observe(step, site.answer(step.request))), worth))
    finds, thought = zip(*rows, strict=True)
    return Curve(site.name, whole, np.array(finds), np.array(thought))


def save(curve: Curve, path: Path) -> None:
    """Write a curve."""
    np.savez_compressed(path, whole=curve.whole, finds=curve.finds, worth=curve.worth)


def load(path: Path) -> Curve:
    """Read a curve."""
    with np.load(path) as file:
        name = path.stem.rpartition("-")[0]
        return Curve(name, int(file["whole"]), file["finds"], file["worth"])


def sites(data: Path, seed: int) -> Iterator[tuple[str, Replica | Invented, Reader, int]]:
    """Yield the sites of a seed: a name, the site, how its links are read, a full crawl."""
    known = tomllib.loads(SITES.read_text("utf-8"))
    for path in sorted(data.glob("*.sqlite")):
        replica = Replica.open(path, TYPES)
        yield replica.name, replica, Shuffled(replica, seed), known[replica.name]["requests"]
    for number, site in enumerate(resampled(seed, INVENTED)):
        yield f"drawn{number:02}", site, LinkMemory().read, site.requests


def main() -> int:
    """Record what is missing; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m experiments.curves", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--data", type=Path, default=DATA, help="folder with recorded sites")
    parser.add_argument("--seeds", type=int, default=5, help="how many")
    wanted = parser.parse_args()
    wanted.folder.mkdir(parents=True, exist_ok=True)
    for seed in range(wanted.seeds):
        for name, site, read, whole in sites(wanted.data, seed):
            path = wanted.folder / f"{name}-{seed}.npz"
            if not path.exists():
                curve = record(site, read, whole)
                save(curve, path)
                print(f"{path.name}: {len(curve)} requests, {curve.finds.sum()} files", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
