"""Many watched sites in one process: CPU a round and memory a site.

python -m experiments.watching [SITES] [--rounds N]

The sites of experiments.many_sites, served on loopback. `filon watch --once` harvests them all, and
then looks at each again, round by round: between rounds a day goes by, as far as the run folders
tell. Nothing changes: it is what a round costs at least.
"""

import argparse
import json
import multiprocessing
import sqlite3
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from experiments.many_sites import _serve, measured

_DAY_S = 90_000.0


def _later(folder: Path) -> None:
    """Let a day go by: all that has begun, began a day before."""
    for ledger in folder.glob("watched/*/ledger.sqlite"):
        with sqlite3.connect(ledger) as db:
            db.execute("UPDATE steps SET at_s = at_s - ?", (_DAY_S,))
        db.close()
    for config in folder.glob("watched/*/rounds/*/run.toml"):
        lines = config.read_text().splitlines()
        moved = [
            f"at = {float(line.removeprefix('at = ')) - _DAY_S}"
            if line.startswith("at = ")
            else line
            for line in lines
        ]
        config.write_text("\n".join(moved))


def main() -> None:
    """Measure, and print a table and one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m experiments.watching")
    parser.add_argument("sites", nargs="?", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=2)
    asked = parser.parse_args()
    ours, theirs = multiprocessing.Pipe()
    server = multiprocessing.Process(target=_serve, args=(theirs,), daemon=True)
    server.start()
    flags = ["--connect-to", f"::127.0.0.1:{ours.recv()}", "--delay", "0", "--quiet"]
    told = []
    with TemporaryDirectory() as name:
        folder = Path(name)
        sites = (f'[[site]]\nurl = "http://s{number}.test/"\n' for number in range(asked.sites))
        (folder / "sites.toml").write_text("".join(sites))
        for number in range(asked.rounds + 1):
            watch = [sys.executable, "-m", "filon", "watch", "sites.toml", "--once", *flags]
            cpu_s, mib = measured(watch, folder)
            told.append({"round": number, "cpu_s": cpu_s / asked.sites, "mib": mib})
            _later(folder)
    server.kill()
    print(f"{'':10} {'CPU a site, s':>14} {'largest, MiB':>13} {'a site, MiB':>12}")
    for one in told:
        named = f"round {one['round']}" if one["round"] else "harvest"
        mib = one["mib"]
        print(f"{named:10} {one['cpu_s']:14.3f} {mib:13.0f} {mib / asked.sites:12.2f}")
    print(json.dumps({"sites": asked.sites, "rounds": told}))


if __name__ == "__main__":
    main()
