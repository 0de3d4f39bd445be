"""Discovery strategies on generated webs, a web a seed, several processes.

Seeds 0 to 4 are for development; what is reported was measured on 310 to 314.
"""

import multiprocessing
import signal
import statistics
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path

from experiments.discover import ranking
from experiments.discover.trial import (
    REGISTRY,
    WITH_REGISTRY,
    Trial,
    repositories,
    sites,
    split,
)
from experiments.discover.truth import count
from experiments.discover.web import TOPICS, DiscoverWeb
from filon.core import UserError
from filon.verbs.discover.strategies import OPTIONS, STRATEGIES

#: Where the data lie beside a checkout.
FOLDER = Path("../shared/data")
FIRST = 310
#: Requests of a run, where neither these nor pages are given.
REQUESTS = 1_000
EXPERIMENTS = ("repositories", "sites", "ranking", "examples")
#: What is meant by no name: rankings are for those who ask for them.
DEFAULT = ("repositories", "sites")
#: Strategies that look for repositories, and those that look for sites like examples; any other
#: does both.
FOR_REPOSITORIES = frozenset({"dsdd"})
FOR_SITES = frozenset({"disco", "seedfinder", "bipartite", "ache"})
#: Strategies whose modes are methods of their paper, each of which is compared.
WITH_MODES = frozenset({"dsdd", "disco"})
#: Called with how many webs are done, how many there are, and the last one in words.
Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is to be run. pages, requests: where a run ends; 0: no bound."""

    folder: Path
    experiments: tuple[str, ...]
    variants: tuple[str, ...]
    pages: int
    requests: int
    topics: tuple[str, ...] = tuple(TOPICS)


@dataclass(slots=True)
class Outcome:
    """What came of it.

    truths: for each seed and topic ("" for any) how many repositories there are, by each way.
    ranks: for each seed, ranker and kind.
    examples: P@60 in the mean of all kinds, for each seed, ranker and number of examples.
    """

    repositories: list[Trial] = field(default_factory=list)
    sites: list[Trial] = field(default_factory=list)
    truths: dict[tuple[int, str], dict[str, int]] = field(default_factory=dict)
    ranks: dict[tuple[int, str, str], ranking.Result] = field(default_factory=dict)
    examples: dict[tuple[int, str, int], float] = field(default_factory=dict)

    def add(self, other: "Outcome") -> None:
        """Take in what came of another web."""
        self.repositories += other.repositories
        self.sites += other.sites
        self.truths |= other.truths
        self.ranks |= other.ranks
        self.examples |= other.examples


def compare(
    folder: Path,
    experiments: str,
    strategies: str,
    seeds: int,
    processes: int,
    out: Path,
    progress: Progress | None = None,
    *,
    first: int = FIRST,
    pages: int = 0,
    requests: int = 0,
) -> Path:
    """Run strategies and write discover.md, tables as CSV and figures; return the first.

    experiments: names with commas, "all", or "bars" for all but the rankings.
    strategies: names with commas, `NAME:option=value`, or "all": each in all its modes.
    """
    # Here, so that a comparison in Python can do without files and plots.
    from experiments.discover.tables import write

    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UserError(f"{out} exists already and is not an empty folder.")
    plan = planned(folder, experiments, strategies, pages, requests)
    return write(gather(plan, range(first, first + seeds), processes, progress), plan, out)


def planned(
    folder: Path, experiments: str, strategies: str, pages: int = 0, requests: int = 0
) -> Plan:
    """Return what the user's words mean."""
    if not (folder / "discover" / "catalogues.jsonl.gz").is_file():
        raise UserError(f"{folder} holds no discover/catalogues.jsonl.gz: name the folder above.")
    if pages < 0 or requests < 0:
        raise UserError("Pages and requests are numbers from 1.")
    known = {"all": EXPERIMENTS, "bars": DEFAULT}.get(experiments)
    chosen = known or tuple(name.strip() for name in experiments.split(",") if name.strip())
    for name in chosen:
        if name not in EXPERIMENTS:
            told = ", ".join((*EXPERIMENTS, "all"))
            raise UserError(f"There is no experiment {name!r}: known are {told}.")
    words = list(STRATEGIES) if strategies == "all" else strategies.split(",")
    variants = [one for word in words if word.strip() for one in expand(word.strip())]
    if not chosen or not variants:
        raise UserError("No experiment or no strategy was named to compare.")
    return Plan(
        folder=folder,
        experiments=chosen,
        variants=tuple(dict.fromkeys(variants)),
        pages=pages,
        requests=requests or (0 if pages else REQUESTS),
    )


def expand(word: str) -> list[str]:
    """Return a strategy of a paper in all its modes, any other as it is told.

    The first mode goes by the name alone.

    >>> expand("dsdd:mode=bd"), expand("disco")[:2]
    (['dsdd:mode=bd'], ['disco', 'disco:mode=keyword'])
    """
    name, options = split(word)
    if name not in STRATEGIES:
        raise UserError(f"There is no strategy {name!r}: known are {', '.join(STRATEGIES)}.")
    for option, value in options.items():
        known = option in OPTIONS[name] or (option == REGISTRY and name in WITH_REGISTRY)
        if not known or value == "":
            raise UserError(f"{word!r} is not understood at {option!r}: write NAME:option=value.")
    if options or name not in WITH_MODES:
        return [word]
    return [word, *(f"{word}:mode={mode}" for mode in getattr(STRATEGIES[name], "modes", ())[1:])]


def gather(
    plan: Plan, seeds: Sequence[int], processes: int = 1, progress: Progress | None = None
) -> Outcome:
    """Run all on a web a seed."""
    if not seeds or processes < 1:
        raise UserError("A comparison needs at least one seed and one process.")
    whole = Outcome()
    for done, (seed, outcome) in enumerate(_outcomes(plan, seeds, processes), 1):
        whole.add(outcome)
        if progress:
            progress(done, len(seeds), f"web {seed}")
    for runs in (whole.repositories, whole.sites):
        runs.sort(key=lambda one: (plan.variants.index(one.strategy), one.seed, one.topic))
    return whole


def _outcomes(plan: Plan, seeds: Sequence[int], processes: int) -> Iterator[tuple[int, Outcome]]:
    if processes == 1 or len(seeds) == 1:
        yield from ((seed, one_web(plan, seed)) for seed in seeds)
        return
    # Spawned, not forked: a fork of a process with threads may hang.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(
        min(processes, len(seeds)), mp_context=context, initializer=_ignore_interrupts
    )
    try:
        awaited = {pool.submit(one_web, plan, seed): seed for seed in seeds}
        for future in as_completed(awaited):
            yield awaited[future], future.result()
    finally:
        pool.shutdown(cancel_futures=True)


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def one_web(plan: Plan, seed: int) -> Outcome:
    """Run all that is planned on the web of a seed."""
    outcome = Outcome()
    if "ranking" in plan.experiments:
        outcome.ranks = {(seed, *key): told for key, told in _ranks(plan, seed).items()}
    if "examples" in plan.experiments:
        outcome.examples = {(seed, *key): told for key, told in _examples(plan, seed).items()}
    if set(plan.experiments) & {"repositories", "sites"}:
        web = DiscoverWeb(plan.folder, seed)
        for variant in plan.variants:
            _one_variant(plan, web, variant, seed, outcome)
        if "repositories" in plan.experiments:
            outcome.truths = {
                (seed, topic): count(web.truth.values(), topic) for topic in ("", *plan.topics)
            }
    return outcome


def _one_variant(plan: Plan, web: DiscoverWeb, variant: str, seed: int, outcome: Outcome) -> None:
    name = variant.partition(":")[0]
    if "sites" in plan.experiments and name not in FOR_REPOSITORIES:
        outcome.sites.append(sites(web, variant, seed, plan.pages, plan.requests))
    if "repositories" not in plan.experiments or name in FOR_SITES:
        return
    for topic in plan.topics:
        # As many pages for the second phase as for the first, as in the paper.
        run = repositories(web, variant, seed, topic, plan.pages, plan.requests, plan.pages)
        outcome.repositories.append(run)


def _ranks(plan: Plan, seed: int) -> dict[tuple[str, str], ranking.Result]:
    return {
        (name, kind.name): corpus.measure(ranker, kind, seed)
        for corpus in _corpora(plan)
        for kind in corpus.kinds
        for name, ranker in ranking.ALL.items()
    }


def _examples(plan: Plan, seed: int) -> dict[tuple[str, int], float]:
    corpora = _corpora(plan)
    return {
        (name, number): statistics.fmean(
            corpus.measure(ranking.ALL[name], kind, seed, number).precision
            for corpus in corpora
            for kind in corpus.kinds
        )
        for name in ranking.SHOWN_TO
        for number in ranking.NUMBERS
    }


def _corpora(plan: Plan) -> tuple[ranking.Corpus, ranking.Corpus]:
    folder = plan.folder / "discover"
    return ranking.catalogues(folder), ranking.webkb(folder)
