"""`python -m experiments.acquire_live CURVES`: `filon acquire --sites` itself, on loopback.

The twelve recorded sites and, with --invented, the thirty invented ones of a seed are served on
loopback, and acquired by the verb with all that it does: robots.txt, sitemaps, several requests in
flight, one a host, runs that are put to sleep. Equal shares are by the same code with another rule:
who had the fewest requests is next. The oracle knows the curves of `experiments.curves`, made by
requests one after the other. There is no prior: the shipped one has seen the twelve.
"""

import argparse
import asyncio
import itertools
import json
import multiprocessing
import sqlite3
import subprocess
import sys
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import filon
from experiments.acquire import SHARES, budget_of, oracle, worlds
from experiments.curves import INVENTED, Curve
from experiments.invented import HOST, Invented, resampled
from experiments.priors import DATA, TYPES
from filon.compare.replica import Replica
from filon.core import Request, UserError
from filon.learn.allocation import Allocation
from filon.verbs.acquire import whole

#: Requests in flight.
PARALLEL = 8


class Equal(Allocation):
    """Gives every site the same number of requests, as long as it has any."""

    def choose(
        self, ready: Collection[str], *, left: float | None = None, soon: Collection[str] = ()
    ) -> str | None:
        """Return who had the fewest requests, of those that have not ended."""
        known = [(self.why(arm)["requests"], arm) for arm in ready if arm in set(self.alive())]
        return min(known)[1] if known else None


async def _answer(
    sites: dict[str, Invented], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    try:
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            names = [line[5:].strip() for line in head if line.lower().startswith("host:")]
            method, path, _ = head[0].split()
            told = sites[names[0]].answer(Request(url=HOST + path))
            fields = [f"{name}: {value}" for name, value in told.headers]
            fields.append(f"Content-Length: {len(told.body)}")
            lines = [f"HTTP/1.1 {told.status} X", *fields, "", ""]
            writer.write("\r\n".join(lines).encode() + (told.body if method == "GET" else b""))
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


def _serve(line: Any, seed: int) -> None:
    sites = {f"drawn{at:02}.test": site for at, site in enumerate(resampled(seed, INVENTED))}

    async def serve() -> None:
        server = await asyncio.start_server(
            lambda reader, writer: _answer(sites, reader, writer), "127.0.0.1", 0
        )
        line.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(serve())


@contextmanager
def recorded(data: Path) -> Iterator[dict[str, str]]:
    """Serve the twelve; yield where each starts, with how it is reached."""
    program = data.parent / "serve.py"
    if not program.is_file():
        raise UserError(f"There is nothing to serve {data} with.")
    process = subprocess.Popen(  # noqa: S603, our own command
        [sys.executable, str(program), "--port", "0"], stdout=subprocess.PIPE, text=True
    )
    try:
        port = json.loads(process.stdout.readline() if process.stdout else "{}")["port"]
        replicas = [Replica.open(path, TYPES) for path in sorted(data.glob("*.sqlite"))]
        yield {one.start: f"{one.name}.test:80:127.0.0.1:{port}" for one in replicas}
    finally:
        process.terminate()
        process.communicate()


@contextmanager
def invented(seed: int) -> Iterator[dict[str, str]]:
    """Serve those of a seed; yield where each starts, with how it is reached."""
    here, there = multiprocessing.Pipe()
    process = multiprocessing.Process(target=_serve, args=(there, seed), daemon=True)
    process.start()
    try:
        port = here.recv()
        hosts = [f"drawn{at:02}.test" for at in range(INVENTED)]
        yield {f"http://{name}/": f"{name}:80:127.0.0.1:{port}" for name in hosts}
    finally:
        process.terminate()
        process.join()


def acquired(
    sites: dict[str, str], budgets: Sequence[int], rule: type[Allocation], parallel: int
) -> list[int]:
    """Spend the largest budget by a rule; return the files found by each of the budgets."""
    kept, vars(whole)["Allocation"] = vars(whole)["Allocation"], rule
    try:
        with TemporaryDirectory() as folder:
            run = filon.acquire(
                sites=list(sites),
                budget=budgets[-1],
                types="paper",
                delay=0.0,
                parallel=parallel,
                profile=False,
                harvest={"prior": "none"},
                connect_to=list(sites.values()),
                out=Path(folder) / "run",
            )
            return [_found(run.path, budget) for budget in budgets]
    finally:
        vars(whole)["Allocation"] = kept


def _found(run: Path, budget: int) -> int:
    """Return the files that came by the first so many answers."""
    with closing(sqlite3.connect(run / "ledger.sqlite")) as ledger:
        rows = ledger.execute(
            "SELECT sends, (SELECT count(*) FROM finds f WHERE f.step = s.step)"
            " FROM steps s WHERE answer IS NOT NULL ORDER BY at_s, step"
        )
        spent = found = 0
        for sends, finds in rows:
            spent += sends
            if spent > budget:
                break
            found += finds
    return found


def show(
    sites: dict[str, str], curves: Sequence[Curve], shares: Sequence[float], parallel: int
) -> None:
    """Print, for each budget, what the verb found beside equal shares and the oracle."""
    budgets = [budget_of(curves, share) for share in shares]
    even = acquired(sites, budgets, Equal, parallel)
    for share, budget, equal in zip(shares, budgets, even, strict=True):
        began_s = time.monotonic()
        (found,) = acquired(sites, [budget], Allocation, parallel)
        best = oracle(curves, budget)
        cells = (f"{share:.0%}", budget, found, equal, f"{best:.0f}", f"{found / equal:.3f}")
        print(f"| {len(sites)} | {' | '.join(map(str, cells))} | {found / best:.3f} |", flush=True)
        print(f"{time.monotonic() - began_s:.0f} s", file=sys.stderr, flush=True)


def main() -> int:
    """Print a table; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m experiments.acquire_live",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", type=Path, help="curves, made by experiments.curves")
    parser.add_argument("--data", type=Path, default=DATA, help="folder with recorded sites")
    parser.add_argument("--seeds", default="0", help="of the invented sites, as 0,1")
    parser.add_argument("--invented", action="store_true", help="with the invented sites")
    parser.add_argument("--shares", default=",".join(map(str, SHARES)), help="of full crawls")
    parser.add_argument("--parallel", type=int, default=PARALLEL)
    parser.add_argument("--repeat", type=int, default=1)
    wanted = parser.parse_args()
    seeds = [int(seed) for seed in wanted.seeds.split(",")]
    shares = [float(share) for share in wanted.shares.split(",")]
    drawn = list(worlds(wanted.folder, max(seeds) + 1))
    print("| sites | budget | requests | acquire | equal shares | oracle | / equal | / oracle |")
    print("| --- |" + " ---: |" * 7)
    for seed, _ in itertools.product(seeds, range(wanted.repeat)):
        # Links stand on real pages as they stand there: the curves of order 0.
        curves = [curve for curve in drawn[0] if "drawn" not in curve.site]
        with recorded(wanted.data) as sites:
            if wanted.invented:
                curves += [curve for curve in drawn[seed] if "drawn" in curve.site]
                with invented(seed) as more:
                    show(sites | more, curves, shares, wanted.parallel)
            else:
                show(sites, curves, shares, wanted.parallel)
    return 0


if __name__ == "__main__":
    sys.exit(main())
