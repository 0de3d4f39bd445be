"""A spider of Scrapy on recorded sites: in Scrapy's own orders, in that of `vein`, and a harvest.

    python -m experiments.scrapy_order [SITE ...] [--parallel N] [--repeat N]

Requests until 90 % of the files are there, as the server counts them. The spider is the plain one
of `rival_scrapy`: it follows every link of the site, and only settings differ between the orders.
Nobody knows of other sites (`--prior none`).
"""

import argparse
import json
import math
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import geometric_mean, mean
from tempfile import TemporaryDirectory
from typing import Any

from experiments.live import Server, filon_command, serving
from filon.core import FilonError, MachineError, UserError

#: Beside a checkout.
DATA = Path("../shared/data/harvest")
SITES = ("skimage", "cantabria", "ipho", "sgeth")
HARVEST = "harvest"
WAYS = ("own", "breadth-first", "vein", HARVEST)
SHARE = 0.9
#: Between two looks at the log; and the longest that a crawl may take, on any machine.
LOOK_S, MOST_S = 0.2, 1800.0


def requests_to(log: Sequence[dict[str, object]], enough: int) -> int | None:
    """Return how many requests it took until so many files were there; None: they are not."""
    files = set[object]()
    for count, entry in enumerate(log, start=1):
        if entry["class"] == "target":
            files.add(entry["target"])
            if len(files) >= enough:
                return count
    return None


def _known(data: Path, site: str) -> dict[str, Any]:
    try:
        known: dict[str, Any] = json.loads((data / "sites.json").read_text("utf-8"))[site]
    except (OSError, KeyError) as error:
        raise UserError(f"There is no recorded site {site} in {data}.") from error
    return known


def crawl(data: Path, site: str, way: str, parallel: int) -> int:
    """Crawl a site until enough files are there; return the requests that this took."""
    known = _known(data, site)
    enough = math.ceil(SHARE * known["targets"])
    with serving(data, site) as server, TemporaryDirectory() as folder:
        command = _command(way, server, known["start"], parallel, Path(folder))
        proxy = {} if way == HARVEST else {"http_proxy": f"http://127.0.0.1:{server.port}"}
        env = os.environ | proxy | {"OPENBLAS_NUM_THREADS": "1"}
        with (Path(folder) / "said").open("w") as said:
            process = subprocess.Popen(command, env=env, stdout=said, stderr=said)  # noqa: S603
        try:
            return _awaited(process, server, enough)
        finally:
            process.kill()
            process.wait()


def _awaited(process: "subprocess.Popen[bytes]", server: Server, enough: int) -> int:
    log: list[dict[str, object]] = []
    until_s = time.monotonic() + MOST_S
    while time.monotonic() < until_s:
        is_over = process.poll() is not None
        log += server.asked()
        if count := requests_to(log, enough):
            return count
        if is_over:
            break
        time.sleep(LOOK_S)
    raise MachineError(f"A crawl ended after {len(log):,} requests without {enough:,} files.")


def _command(way: str, server: Server, url: str, parallel: int, folder: Path) -> list[str]:
    if way == HARVEST:
        more = ["--types", "paper", "--stop", "never", "--prior", "none"]
        return filon_command(server, url, folder / "run", parallel, more)
    rival = Path(__file__).with_name("rival_scrapy.py")
    return [sys.executable, "-P", str(rival), url, str(parallel), way]


def show(data: Path, sites: Sequence[str], parallel: int, repeat: int) -> None:
    """Print a line a site, and the ratios."""
    print("site", *WAYS, sep=" | ")
    counts: dict[str, list[float]] = {way: [] for way in WAYS}
    for site in sites:
        for way in WAYS:
            counts[way].append(mean(crawl(data, site, way, parallel) for _ in range(repeat)))
        print(site, *(f"{counts[way][-1]:,.0f}" for way in WAYS), sep=" | ", flush=True)
    for other in ("own", "breadth-first", HARVEST):
        pairs = zip(counts["vein"], counts[other], strict=True)
        ratios = [mine / theirs for mine, theirs in pairs]
        print(f"of {other}: {geometric_mean(ratios):.2f}, worst {max(ratios):.2f}")


def main() -> int:
    """Print the table; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m experiments.scrapy_order", description=__doc__)
    parser.add_argument("sites", nargs="*", default=SITES, help="of those recorded")
    parser.add_argument("--data", type=Path, default=DATA, help="folder with recorded sites")
    parser.add_argument("--parallel", type=int, default=8, help="requests in flight")
    parser.add_argument("--repeat", type=int, default=3, help="crawls of each")
    wanted = parser.parse_args()
    try:
        show(wanted.data, wanted.sites, wanted.parallel, wanted.repeat)
    except FilonError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
