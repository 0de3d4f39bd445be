"""Live harvests of a recorded site as it is and with the server's imperfections, by its log."""

import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from experiments.live import Server, filon_command, serving
from filon.compare.replica import Replica

#: All that the server of the recorded sites can do wrong, without what only takes time.
IMPERFECTIONS: dict[str, float | bool] = {
    "extless": 0.5,
    "extless_direct": 0.4,
    "wrong_type": 0.1,
    "no_type": 0.1,
    "octet": 0.2,
    "session": True,
    "soft404": True,
    "err500": 0.03,
    "head405": True,
}
SHARE = 0.9


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """What a live harvest asked for: in all, and until 90 % of the targets were there."""

    requests: int
    to_share: int
    found: int
    targets: int


def reach(
    data: Path, site: str, strategy: str, faults: Mapping[str, float | bool], parallel: int = 1
) -> Reach:
    """Harvest a site live and count by the server's own log, robots.txt and retries included."""
    replica = Replica.open(data / f"replicas/{site}.sqlite")
    with serving(data, site, faults) as server, TemporaryDirectory() as folder:
        more = ["--strategy", strategy, "--types", "paper"]
        command = filon_command(server, replica.start, Path(folder) / "run", parallel, more)
        subprocess.run(command, check=True, capture_output=True)  # noqa: S603
        return _counted(server, len(replica.targets()))


def _counted(server: Server, targets: int) -> Reach:
    found: set[object] = set()
    to_share = 0
    asked = server.asked()
    for number, entry in enumerate(asked, start=1):
        if entry["class"] == "target" and entry["status"] == 200 and entry["method"] == "GET":
            found.add(entry["target"])
        if not to_share and len(found) >= SHARE * targets:
            to_share = number
    return Reach(requests=len(asked), to_share=to_share, found=len(found), targets=targets)


def show(data: Path, strategy: str) -> None:
    """Print a line a site, and the mean ratios."""
    sites = sorted(path.stem for path in (data / "replicas").glob("*.sqlite"))
    cases: dict[str, tuple[Mapping[str, float | bool], int]] = {
        "as it is": ({}, 1),
        "imperfect": (IMPERFECTIONS, 1),
        "8 in flight": ({}, 8),
    }
    print(f"Live harvests with {strategy}: requests to 90 % of the targets, by the server's log")
    ratios: dict[str, float] = dict.fromkeys(cases, 1.0)
    for site in sites:
        told = {case: reach(data, site, strategy, *how) for case, how in cases.items()}
        base = told["as it is"].to_share
        for case, one in told.items():
            ratios[case] *= (one.to_share / base) ** (1 / len(sites))
            print(
                f"  {site:10} {case:12} {one.to_share:6} of {one.requests:6} requests"
                f"   {one.found} of {one.targets} targets   ratio {one.to_share / base:.3f}"
            )
        sys.stdout.flush()
    for case, ratio in ratios.items():
        print(f"  geometric mean, {case:12} {ratio:.3f}")
