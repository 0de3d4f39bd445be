"""Strategies against each other on recorded sites, many seeds, several processes."""

import multiprocessing
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from filon.compare.metrics import Curve, Measure, curve, measure, top_arms
from filon.compare.replica import Replica
from filon.compare.trial import Arm, run
from filon.compare.variants import DETERMINISTIC, HARNESS, Variant, expand
from filon.core import UserError
from filon.page.types import Types

#: Called with how many runs are done, how many there are, and the last one in words.
Progress = Callable[[int, int, str], None]
RunKey = tuple[str, tuple[tuple[str, str | float], ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One run to make."""

    replica: str
    run: RunKey
    seed: int
    types: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteFacts:
    """What a full crawl of a site meets."""

    name: str
    requests: int
    pages: int
    targets: int
    target_bytes: int
    other_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What a run came to."""

    site: SiteFacts
    run: RunKey
    seed: int
    measure: Measure
    curve: Curve
    arms: tuple[Arm, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """All results, by site and variant."""

    sites: tuple[SiteFacts, ...]
    variants: tuple[Variant, ...]
    seeds: int
    types: str
    results: Mapping[tuple[str, RunKey], tuple[Result, ...]]

    def of(self, site: str, variant: Variant) -> tuple[Result, ...]:
        """Return the runs of a variant on a site, by seed."""
        return self.results[site, variant.run]

    def table(self, name: str = "") -> tuple[Variant, ...]:
        """Return the variants that stand in a table."""
        return tuple(variant for variant in self.variants if variant.table == name)


def gather(
    replicas: Sequence[Path],
    strategies: Sequence[str],
    seeds: int = 10,
    types: str = "paper",
    options: Mapping[str, str | float] | None = None,
    processes: int = 1,
    progress: Progress | None = None,
) -> Comparison:
    """Run every variant on every replica with seeds 0, 1, ..., and measure each run.

    strategies: names, `NAME:option=value`, "all", "table4", "table5", "ablation".
    `tables.write` makes tables and figures of it.
    """
    if seeds < 1 or processes < 1:
        raise UserError("A comparison needs at least one seed and one process.")
    variants = expand(strategies, options)
    _check(replicas, types)
    tasks = list(_tasks(replicas, variants, seeds, types))
    sites: dict[str, SiteFacts] = {}
    results: dict[tuple[str, RunKey], list[Result]] = {}
    for done, result in enumerate(_results(tasks, processes), start=1):
        sites[result.site.name] = result.site
        results.setdefault((result.site.name, result.run), []).append(result)
        if progress:
            progress(done, len(tasks), _words(result))
    return Comparison(
        sites=tuple(sites[name] for name in sorted(sites)),
        variants=tuple(variants),
        seeds=seeds,
        types=types,
        results={key: tuple(sorted(each, key=_seed)) for key, each in results.items()},
    )


def _tasks(
    replicas: Sequence[Path], variants: Sequence[Variant], seeds: int, types: str
) -> Iterator[Task]:
    """Yield site after site: a process then parses a site's pages once."""
    for path in replicas:
        for key in dict.fromkeys(variant.run for variant in variants):
            for seed in range(1 if key[0] in DETERMINISTIC else seeds):
                yield Task(replica=str(path), run=key, seed=seed, types=types)


def _results(tasks: Sequence[Task], processes: int) -> Iterator[Result]:
    if processes == 1:
        yield from map(_work, tasks)
        return
    # Spawned, not forked: a fork of a process with threads may hang.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(processes, mp_context=context, initializer=_ignore_interrupts)
    try:
        for future in as_completed([pool.submit(_work, task) for task in tasks]):
            yield future.result()
    finally:
        pool.shutdown(cancel_futures=True)


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _work(task: Task) -> Result:
    replica = _opened(task.replica, task.types)
    facts, census = _facts(replica, task.types), replica.census
    strategy, pairs = task.run
    options = dict(pairs)
    course = run(
        replica,
        strategy,
        seed=task.seed,
        types=Types.parse(task.types),
        stop=str(options.pop("stop", HARNESS["stop"])),
        parallel=int(options.pop("parallel", HARNESS["parallel"])),
        options=options,
    )
    return Result(
        site=facts,
        run=task.run,
        seed=task.seed,
        measure=measure(course, census),
        curve=curve(course, census),
        arms=top_arms(course.arms),
    )


@lru_cache(maxsize=1)  # the links of one site at a time fit in memory
def _opened(path: str, types: str) -> Replica:
    return Replica.open(Path(path), Types.parse(types))


def _check(replicas: Sequence[Path], types: str) -> None:
    """Open each replica for a moment, so that a mistake is told before the first run."""
    names = [_opened(str(path), types).name for path in replicas]
    if not names:
        raise UserError("No replica was named to compare on.")
    if len(set(names)) < len(names):
        raise UserError("Two of the replicas have the same name.")


def _facts(replica: Replica, types: str) -> SiteFacts:
    census = replica.census
    if not census.targets:
        raise UserError(f"The replica {replica.name} holds no file of the types {types}.")
    return SiteFacts(
        name=replica.name,
        requests=census.requests,
        pages=sum(kind == "html" for kind in census.kinds.values()),
        targets=len(census.targets),
        target_bytes=census.target_bytes,
        other_bytes=census.other_bytes,
    )


def _seed(result: Result) -> int:
    return result.seed


def _words(result: Result) -> str:
    name = " ".join([result.run[0], *(f"{key}={value}" for key, value in result.run[1])])
    return f"{result.site.name}: {name}, seed {result.seed}"
