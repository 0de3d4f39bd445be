"""Live harvests with one and with several requests in flight: what not knowing the answers costs.

With several in flight answers come in any order, and no two runs are alike: each is repeated.
"""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from experiments.imperfect import reach


@dataclass(frozen=True, slots=True, kw_only=True)
class Flights:
    """Requests to 90 % of a site's targets, by the server's log."""

    site: str
    alone: int
    several: tuple[int, ...]

    @property
    def mean(self) -> float:
        """Of the runs with several in flight."""
        return statistics.fmean(self.several)

    @property
    def ratio(self) -> float:
        """What several in flight cost, against one."""
        return self.mean / self.alone

    def __str__(self) -> str:
        spread = statistics.pstdev(self.several)
        extremes = f"{min(self.several)} to {max(self.several)}"
        return (
            f"{self.site:10} alone {self.alone:6}   in flight {self.mean:8.1f} ± {spread:.1f}"
            f"   ({extremes})   ratio {self.ratio:.3f}"
        )


def measure(data: Path, site: str, strategy: str, parallel: int, repeat: int) -> Flights:
    """Harvest a site live, once one request at a time and several times with more in flight."""
    alone = reach(data, site, strategy, {}, 1).to_share
    several = (reach(data, site, strategy, {}, parallel).to_share for _ in range(repeat))
    return Flights(site=site, alone=alone, several=tuple(several))


def mean_ratio(told: Sequence[Flights]) -> float:
    """Return the geometric mean of the sites' ratios.

    >>> one = Flights(site="a", alone=100, several=(100, 120))
    >>> other = Flights(site="b", alone=100, several=(110,))
    >>> round(mean_ratio([one, other]), 3)
    1.1
    """
    return math.exp(statistics.fmean(math.log(one.ratio) for one in told))


def show(data: Path, strategy: str, parallel: int, repeat: int) -> None:
    """Print a line a site, and the mean ratio."""
    sites = sorted(path.stem for path in (data / "replicas").glob("*.sqlite"))
    print(f"Live harvests with {strategy}, {parallel} in flight: requests to 90 % of the targets")
    told = []
    for site in sites:
        told.append(measure(data, site, strategy, parallel, repeat))
        print(f"  {told[-1]}", flush=True)
    print(f"  geometric mean {mean_ratio(told):.3f}   bar: 1.05")
