"""Enrichment strategies against each other, many seeds, several processes."""

import copy
import multiprocessing
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from experiments.enrich.datasets import Dataset, Wish, load
from experiments.enrich.experiments import Experiment, Setting, choose
from experiments.enrich.hidden import Hidden
from experiments.enrich.strategies import NAMES
from experiments.enrich.trial import Course, run
from filon.core import UserError
from filon.verbs.enrich.strategies import OPTIONS

#: Called with how many runs are done, how many there are, and the last one in words.
Progress = Callable[[int, int, str], None]
#: Where the tables lie beside a checkout.
FOLDER = Path("../shared/data/enrich")


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One run to make."""

    folder: Path
    setting: Setting
    strategy: str
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """All runs by setting and strategy, in the order of their seeds."""

    experiments: tuple[Experiment, ...]
    seeds: int
    courses: Mapping[tuple[Setting, str], tuple[Course, ...]]

    def of(self, setting: Setting, strategy: str) -> tuple[Course, ...]:
        """Return the runs of a strategy in a setting."""
        return self.courses[setting, strategy]


def compare(
    folder: Path = FOLDER,
    experiments: str = "bars",
    strategies: str = "all",
    seeds: int = 5,
    processes: int = 1,
    out: Path = Path("comparison"),
    progress: Progress | None = None,
) -> Path:
    """Repeat experiments; return the Markdown file written in the folder `out`.

    experiments: names with commas: fig4 to fig9, bars, lean, or "all".
    strategies: names with commas, `NAME:option=value`; "all": those of the paper's figure.
    """
    # Here, so that a comparison in Python can do without files and plots.
    from experiments.enrich.tables import write

    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UserError(f"{out} exists already and is not an empty folder.")
    return write(gather(folder, experiments, strategies, seeds, processes, progress), out)


def gather(
    folder: Path,
    experiments: str = "bars",
    strategies: str = "all",
    seeds: int = 5,
    processes: int = 1,
    progress: Progress | None = None,
) -> Comparison:
    """Run every strategy in every setting with seeds 0, 1, ..."""
    if seeds < 1 or processes < 1:
        raise UserError("A comparison needs at least one seed and one process.")
    chosen = [_with(each, strategies) for each in choose(experiments)]
    return trials(folder, chosen, seeds, processes, progress)


def trials(
    folder: Path,
    experiments: Sequence[Experiment],
    seeds: int,
    processes: int = 1,
    progress: Progress | None = None,
) -> Comparison:
    """Run experiments as they are; the same run in two of them is made once."""
    tasks = list(dict.fromkeys(_tasks(folder, experiments, seeds)))
    found: dict[tuple[Setting, str], dict[int, Course]] = {}
    for done, (task, course) in enumerate(_courses(_longest(tasks), processes), start=1):
        found.setdefault((task.setting, task.strategy), {})[task.seed] = course
        if progress:
            words = f"{task.setting.label}: {task.strategy}, seed {task.seed}"
            progress(done, len(tasks), words)
    return Comparison(
        experiments=tuple(experiments),
        seeds=seeds,
        courses={key: tuple(runs[seed] for seed in sorted(runs)) for key, runs in found.items()},
    )


def _with(experiment: Experiment, strategies: str) -> Experiment:
    if strategies == "all":
        return experiment
    names = tuple(name.strip() for name in strategies.split(",") if name.strip())
    for name in names:
        _read(name)
    if not names:
        raise UserError("No strategy was named to compare.")
    return replace(experiment, strategies=names)


def _read(variant: str) -> tuple[str, dict[str, str | float]]:
    """Return the name and the options of `NAME:option=value`."""
    name, *parts = variant.split(":")
    if name not in NAMES:
        known = ", ".join(NAMES)
        raise UserError(f"There is no enrichment strategy {name!r}: known are {known}.")
    options: dict[str, str | float] = {}
    for part in parts:
        option, equals, value = part.partition("=")
        if not equals or option not in OPTIONS.get(name, {}):
            raise UserError(f"{variant!r} is not understood at {part!r}: write NAME:option=value.")
        options[option] = value
    return name, options


def _tasks(folder: Path, experiments: Sequence[Experiment], seeds: int) -> Iterator[Task]:
    """Yield dataset after dataset: a process then reads one once."""
    for seed in range(seeds):
        for each in experiments:
            for setting in each.settings:
                for strategy in each.strategies:
                    yield Task(folder=folder, setting=setting, strategy=strategy, seed=seed)


def _longest(tasks: Sequence[Task]) -> list[list[Task]]:
    """Put together what differs by its budget only, the largest first.

    No strategy looks at what is left, so a run with a smaller budget is the beginning of it.
    """
    alike: dict[Task, list[Task]] = {}
    for task in tasks:
        key = replace(task, setting=replace(task.setting, label="", budget=0.0))
        alike.setdefault(key, []).append(task)
    return [sorted(some, key=lambda task: -task.setting.budget) for some in alike.values()]


def _courses(runs: Sequence[list[Task]], processes: int) -> Iterator[tuple[Task, Course]]:
    if processes == 1:
        for run in runs:
            yield from _work(run)
        return
    # Spawned, not forked: a fork of a process with threads may hang.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(processes, mp_context=context, initializer=_ignore_interrupts)
    try:
        for future in as_completed([pool.submit(_work, run) for run in runs]):
            yield from future.result()
    finally:
        pool.shutdown(cancel_futures=True)


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _work(tasks: list[Task]) -> list[tuple[Task, Course]]:
    """Make the run of the largest budget; the others are its beginnings."""
    task = tasks[0]
    setting = task.setting
    dataset = _dataset(task.folder, replace(setting.wish, seed=task.seed))
    hidden = copy.copy(_hidden(task.folder, replace(setting.wish, size=1, absent=0, errors=0.0)))
    hidden.page_size, hidden.joins, hidden.totals = setting.k, setting.joins, setting.totals
    name, options = _read(task.strategy)
    # A strategy that is told to draw its sample gets none.
    sample = None if options.get("sample") else dataset.sample(setting.ratio, task.seed)
    course = run(
        dataset,
        hidden,
        name,
        calls=_calls(setting, dataset),
        seed=task.seed,
        sample=sample,
        options=options,
    )
    return [(each, course.until(_calls(each.setting, dataset))) for each in tasks]


def _calls(setting: Setting, dataset: Dataset) -> int:
    return max(1, round(setting.budget * dataset.size))


@lru_cache(maxsize=2)
def _dataset(folder: Path, wish: Wish) -> Dataset:
    return load(folder, wish)


@lru_cache(maxsize=1)  # the hidden table is the same for all seeds and sizes, and large
def _hidden(folder: Path, wish: Wish) -> Hidden:
    return Hidden(load(folder, wish).hidden, page_size=1)
