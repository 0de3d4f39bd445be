"""A fleet on PostgreSQL and S3 while its parts fail: what is lost, asked twice, or overspent.

Usage: python -m experiments.fleet_faults [--on ray] [--faults 100] [--sites 220] [--workers 3]
       [--seed 1] [--budget 100000] [--every 5 60]

Workers are processes on this machine; with `--on ray` actors, each on a node of a Ray cluster here,
and one process beside them. At random moments one of them is killed (and begun anew, in its folder
or, as if its machine were lost, in another), or stopped for longer than its lease; the raylet of a
node is killed, which takes its actor along; PostgreSQL is restarted, in order or by a crash; S3
answers 503. The web's own log tells the rest. The same sites are harvested before, by one process
that nothing happens to, and the files of both are compared.
"""

import argparse
import os
import random
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

from experiments import postgresql, raycluster, s3server
from experiments.fleet_parts import LEASE_S, Actors, Parts, Processes, Start, anew, logged_web
from experiments.fleet_web import Asked, at_once, hosts, repeated
from filon.fleet.model import Overview

#: The shares of the faults, of workers that are processes, and on Ray.
KINDS = {"kill": 0.45, "lose": 0.15, "stop": 0.2, "postgresql": 0.1, "s3": 0.1}
RAY_KINDS = {
    "kill": 0.1, "lose": 0.05, "actor": 0.3, "raylet": 0.1, "node": 0.1, "stop": 0.15,
    "postgresql": 0.1, "s3": 0.1,
}  # fmt: skip
#: Requests between two faults, from and to; without any for so long, the next comes all the same.
EVERY, QUIET_S = (5, 60), 20.0
#: A request that was answered so shortly before a fault may not have been read yet.
UNREAD_S = 0.3


@dataclass
class Outcome:
    """What became of a run, and what happened to it."""

    found: set[tuple[str, str, str]]
    seen: Overview
    asked: list[Asked]
    faults: list[tuple[float, str]]
    seconds: float

    @property
    def in_flight(self) -> int:
        """Requests that the web had in hand, or had just answered, at each fault, in all."""
        return sum(
            one.began_s <= at_s <= one.ended_s + UNREAD_S
            for at_s, _ in self.faults
            for one in self.asked
        )

    @property
    def unexplained(self) -> list[Asked]:
        """Requests that were made again though no fault came before the next one to their host.

        A site has one request in flight, until what it brought is in a piece. It may have left as
        soon as the answer before it was whole, and the web have read it after its worker stopped.
        """
        found, last = [], dict[str, list[Asked]]()
        for one in sorted(self.asked, key=lambda each: each.began_s):
            before = last.setdefault(one.host, [])
            places = [place for place, other in enumerate(before) if other.target == one.target]
            if places:
                first = places[-1]
                left_s = before[first - 1].ended_s if first else float("-inf")
                after = [*before[first + 1 :], one][0]
                if not any(left_s <= at_s <= after.began_s for at_s, _ in self.faults):
                    found.append(one)
            before.append(one)
        return found


class Faults:
    """Does harm to the parts of a fleet, as chance has it. actors: None where there is no Ray."""

    def __init__(
        self,
        processes: Processes,
        actors: Actors | None,
        database: postgresql.PostgreSQL,
        s3: s3server.S3,
        chance: random.Random,
        kinds: Mapping[str, float],
    ) -> None:
        self._kinds = kinds
        self._processes, self._actors = processes, actors
        self._database, self._s3, self._chance = database, s3, chance
        self.done: list[tuple[float, str]] = []
        self._stopped: dict[int, float] = {}  # by process: until when

    def one(self) -> bool:
        """Do one; return whether there was somebody to do it to."""
        kind = self._chance.choices(list(self._kinds), list(self._kinds.values()))[0]
        at_s = self._do(kind)
        if at_s is not None:
            self.done.append((at_s, kind))
        return at_s is not None

    def _do(self, kind: str) -> float | None:
        """Do one of a kind; return when it was, and None where it could not be."""
        if kind in ("kill", "lose"):
            pid = self._one_of(self._processes.alive())
            return pid and self._processes.kill(pid, lose=kind == "lose")
        if kind in ("raylet", "node") and self._actors:
            nodes = self._actors.nodes(set(self._stopped))
            lose = kind == "node"
            return (
                self._actors.kill_raylet(self._chance.choice(nodes), lose=lose) if nodes else None
            )
        if kind in ("actor", "stop"):
            actors = self._actors.alive() if self._actors else []
            others = self._processes.alive() if kind == "stop" else []
            pid = self._one_of([*actors, *others])
            return pid and self._signal(pid, kind)
        at_s = time.monotonic()
        if kind == "s3":
            self._s3.refuse(self._chance.uniform(1.0, 4.0))
        else:
            self._database.stop(self._chance.choice([signal.SIGINT, signal.SIGQUIT]))
            time.sleep(self._chance.uniform(0.0, 1.0))
            self._database.start()
        return at_s

    def _one_of(self, pids: list[int]) -> int | None:
        free = [pid for pid in pids if pid not in self._stopped]
        return self._chance.choice(free) if free else None

    def _signal(self, pid: int, kind: str) -> float:
        os.kill(pid, signal.SIGSTOP if kind == "stop" else signal.SIGKILL)
        at_s = time.monotonic()
        if kind == "stop":
            self._stopped[pid] = at_s + LEASE_S * self._chance.uniform(1.3, 2.0)
        return at_s

    def wake(self, *, all_: bool = False) -> None:
        """Let workers go on that were stopped for long enough."""
        for pid, until_s in list(self._stopped.items()):
            if all_ or time.monotonic() >= until_s:
                del self._stopped[pid]
                with suppress(ProcessLookupError):  # Ray gives up nodes that a busy machine slows
                    os.kill(pid, signal.SIGCONT)


def undisturbed(sites: int, wait_s: float = 0.02) -> Outcome:
    """Harvest the sites by one process, a file and a folder."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        with logged_web(folder, wait_s) as web:
            parts = Parts(folder, web, str(folder / "fleet.sqlite"), str(folder / "blobs"))
            began_s = time.monotonic()
            parts.begin(sites, "1000000")
            worker = Processes(parts, 1)
            while worker.alive():
                time.sleep(0.1)
            return Outcome(*parts.look(), web.asked(), [], time.monotonic() - began_s)


def disturbed(
    sites: int,
    faults: int,
    workers: int,
    seed: int,
    budget: str,
    *,
    on: str = "",
    wait_s: float = 0.02,
    every: tuple[int, int] = EVERY,
    kinds: Mapping[str, float] | None = None,
    start: Start = anew,
    told: Callable[[str], None] = lambda line: None,
) -> Outcome:
    """Harvest the sites while parts fail.

    on: "ray", or "" for processes. every: requests between two faults, from and to. kinds: shares.
    start: how processes are started.
    """
    chance = random.Random(seed)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
        database, s3 = (stack.enter_context(part.serving()) for part in (postgresql, s3server))
        web = stack.enter_context(logged_web(folder, wait_s))
        parts = Parts(folder, web, database.empty(), s3.bucket("fleet"), s3.environment(), start)
        began_s = time.monotonic()
        parts.begin(sites, budget)
        actors = None
        if on:
            cluster = stack.enter_context(raycluster.serving(0))
            actors = Actors(parts, cluster, workers, budget)
            stack.callback(actors.stop)
        processes = Processes(parts, 1 if on else workers)
        stack.callback(processes.stop)
        shares = kinds or (RAY_KINDS if on else KINDS)
        harm = Faults(processes, actors, database, s3, chance, shares)
        stack.callback(lambda: harm.wake(all_=True))

        def is_alive() -> bool:
            return bool(processes.alive()) or (actors is not None and actors.is_alive())

        while is_alive():
            due = web.size() + chance.randint(*every)
            due_s = time.monotonic() + QUIET_S
            while web.size() < due and time.monotonic() < due_s and is_alive():
                harm.wake()
                time.sleep(0.02)
            if len(harm.done) < faults and is_alive() and harm.one():
                told(f"{len(harm.done)}: {harm.done[-1][1]}, {web.size()} requests")
        return Outcome(*parts.look(), web.asked(), harm.done, time.monotonic() - began_s)


def main() -> None:
    """Run both, and print what differs."""
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    for name, usual in (("faults", 100), ("sites", 220), ("workers", 3), ("seed", 1)):
        asked.add_argument(f"--{name}", type=int, default=usual)
    asked.add_argument("--budget", default="100000")
    asked.add_argument("--on", default="", choices=["", "ray"])
    asked.add_argument(
        "--every", type=int, nargs=2, default=EVERY, help="requests between two faults, from and to"
    )
    given = asked.parse_args()
    plain = undisturbed(given.sites)
    print(f"undisturbed: {len(plain.found)} files, {len(plain.asked)} requests", flush=True)
    harmed = disturbed(
        given.sites, given.faults, given.workers, given.seed, given.budget, on=given.on,
        every=tuple(given.every),
        told=lambda line: print(line, flush=True),
    )  # fmt: skip
    kinds = dict(Counter(kind for _, kind in harmed.faults))
    print(f"faults: {len(harmed.faults)} {kinds}, in {harmed.seconds:.0f} s")
    print(f"sites ended: {harmed.seen.states}, of {len(hosts(given.sites))}")
    print(f"files: {len(harmed.found)}; missing {len(plain.found - harmed.found)}, "
          f"more {len(harmed.found - plain.found)}")  # fmt: skip
    seen = harmed.seen
    print(f"requests by the web's log: {len(harmed.asked)}; drawn {seen.drawn_requests} of "
          f"{given.budget}; told {seen.requests}; lost {seen.lost_requests}")  # fmt: skip
    print(f"asked again: {repeated(harmed.asked)}; in flight at faults: {harmed.in_flight}; "
          f"without a fault before the next: {len(harmed.unexplained)}")  # fmt: skip
    print(f"hosts asked by two at once: {len(at_once(harmed.asked))}")


if __name__ == "__main__":
    main()
