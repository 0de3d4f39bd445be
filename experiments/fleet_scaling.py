"""One worker and four on the same 2,000 sites: requests a second, and CPU a site beside a harvest.

python -m experiments.fleet_scaling [--sites 2000] [--workers 1 4] [--wait S] [--window S] [--own N]

The sites are generated and served on loopback by a process of its own; each answer takes `wait`
seconds, so that a worker with 32 sites uses little of its core. Requests are counted by the server,
in a window that begins when all workers are at work. Then the first sites are harvested to their
ends by one worker, and by `filon harvest --sites`, which is the crawl without a fleet: the
difference is what the fleet costs.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from experiments.fleet_web import listed

FILON = [sys.executable, "-m", "filon"]
_TICKS = os.sysconf("SC_CLK_TCK")
#: Requests a worker has sent before the window begins.
WARM = 40


@dataclass
class Web:
    """The sites, in a process of their own: a line of its log is a request."""

    port: int
    log: Path

    def asked(self) -> int:
        """Return how many requests were answered."""
        with self.log.open("rb") as lines:
            return sum(1 for _ in lines)


@contextmanager
def served(folder: Path, wait_s: float) -> Iterator[Web]:
    """Serve the sites, each answer after so long."""
    log = folder / f"asked-{time.monotonic_ns()}.jsonl"
    words = [sys.executable, "-m", "experiments.fleet_web", str(log), str(wait_s)]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)  # noqa: S603, our own
    try:
        line = process.stdout.readline() if process.stdout else ""
        yield Web(int(line), log)
    finally:
        process.kill()
        process.wait()


def _children(above: int) -> list[int]:
    """Return a process and all below it."""
    found = [above]
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(place.read_text().rpartition(")")[2].split()[1])
        except (OSError, IndexError):
            continue  # it has ended meanwhile
        if parent == above:
            found += _children(int(place.parent.name))
    return found


def cpu_s(above: int) -> float:
    """Return the seconds of CPU that a process and those below it have used."""
    used = 0.0
    for process in _children(above):
        try:
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        used += (int(fields[11]) + int(fields[12])) / _TICKS
    return used


def paced(
    folder: Path, sites: int, workers: int, wait_s: float, window_s: float
) -> dict[str, float]:
    """Return requests a second of so many workers, and the cores that one of them used."""
    with served(folder, wait_s) as web:
        out = folder / f"paced-{workers}"
        words = [
            "fleet",
            "run",
            str(listed(folder / "sites.txt", sites)),
            "--quiet",
            "--delay",
            "0",
        ]
        words += ["--connect-to", f"::127.0.0.1:{web.port}", "--out", str(out)]
        process = subprocess.Popen([*FILON, *words, "--workers", str(workers)])  # noqa: S603
        try:
            while web.asked() < WARM * workers:
                if process.poll() is not None:
                    raise SystemExit("the fleet ended before it was measured")
                time.sleep(0.1)
            asked, used, began_s = web.asked(), cpu_s(process.pid), time.monotonic()
            time.sleep(window_s)
            lasted_s = time.monotonic() - began_s
            rate, cores = (web.asked() - asked) / lasted_s, (cpu_s(process.pid) - used) / lasted_s
            if process.poll() is not None:
                raise SystemExit("the fleet ended within the window: more sites")
        finally:
            process.send_signal(signal.SIGINT)
            process.wait()
    return {"workers": workers, "requests_s": rate, "cores_a_worker": cores / workers}


def alone(folder: Path, sites: int, name: str, *words: str) -> float:
    """Return the seconds of CPU a site that a command takes for all of them."""
    with served(folder, 0.0) as web:
        flags = ["--connect-to", f"::127.0.0.1:{web.port}", "--delay", "0", "--stop", "never"]
        command = [*FILON, *words, *flags, "--quiet", "--out", str(folder / name)]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)  # noqa: S603, our own
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} failed")
    return (used.ru_utime + used.ru_stime) / sites


def main() -> None:
    """Measure, and print a JSON object."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sites", type=int, default=2000)
    parser.add_argument("--workers", type=int, nargs="*", default=[1, 4])
    parser.add_argument("--wait", type=float, default=3.0, help="seconds of an answer")
    parser.add_argument("--window", type=float, default=120.0, help="seconds that are measured")
    parser.add_argument("--own", type=int, default=60, help="sites of which the CPU is told")
    asked = parser.parse_args()
    with TemporaryDirectory() as name:
        folder = Path(name)
        told = [
            paced(folder, asked.sites, workers, asked.wait, asked.window)
            for workers in asked.workers
        ]
        for one in told:
            print(json.dumps(one), flush=True)
        if len(told) > 1:
            print(json.dumps({"times": told[-1]["requests_s"] / told[0]["requests_s"]}), flush=True)
        if asked.own:
            few = str(listed(folder / "few.txt", asked.own))
            crawl_s = alone(folder, asked.own, "crawl", "harvest", "--sites", few)
            fleet_s = alone(folder, asked.own, "own", "fleet", "run", few)
            more_ms = 1000.0 * (fleet_s - crawl_s)
            print(json.dumps({"crawl_s": crawl_s, "fleet_s": fleet_s, "more_ms": more_ms}))


if __name__ == "__main__":
    main()
