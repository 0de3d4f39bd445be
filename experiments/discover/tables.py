"""A comparison of discovery strategies as Markdown and CSV."""

import csv
import statistics
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from experiments.discover import ranking
from experiments.discover.compare import Outcome, Plan
from experiments.discover.overlap import overlaps
from experiments.discover.trial import COLUMNS, Trial

Row = list[str]
#: Where the curves are read, in parts of the budget.
MARKS = (0.1, 0.25, 0.5, 0.75, 1.0)


def write(outcome: Outcome, plan: Plan, out: Path) -> Path:
    """Write all tables, and the figures where matplotlib is installed; return the Markdown."""
    from experiments.discover.plots import draw
    from filon.compare.plots import available

    out.mkdir(parents=True, exist_ok=True)
    for name, rows in _tables(outcome, plan).items():
        _write_csv(out / f"{name.split(':')[0].replace(' ', '-')}.csv", rows)
    for kind in ("repositories", "sites"):
        if runs := getattr(outcome, kind):
            _write_csv(out / f"{kind}-runs.csv", _runs(runs))
            _write_csv(out / f"{kind}-curves.csv", _curves(runs, plan))
    pictures = draw(outcome, plan, out) if available() else []
    parts = [markdown(outcome, plan), *(f"![{title}]({name})" for name, title in pictures)]
    file = out / "discover.md"
    file.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    return file


def markdown(outcome: Outcome, plan: Plan) -> str:
    """Return all tables as Markdown."""
    seeds = {run.seed for run in (*outcome.repositories, *outcome.sites)}
    seeds |= {key[0] for key in (*outcome.ranks, *outcome.examples)}
    budget = f"{plan.pages:,} pages" if plan.pages else f"{plan.requests:,} requests"
    parts = [
        "# Discovery",
        f"{len(seeds)} seeds ({min(seeds)} to {max(seeds)}), runs of {budget}. Means ± standard "
        "deviations over the seeds. A request is a page or a call of a search service.",
    ]
    for title, rows in _tables(outcome, plan).items():
        parts += [f"## {title[0].upper()}{title[1:]}", _markdown(rows)]
    return "\n\n".join(parts)


def _tables(outcome: Outcome, plan: Plan) -> dict[str, list[Row]]:
    """Return all tables by their titles: what stands before a colon names the file."""
    told: dict[str, list[Row]] = {}
    if outcome.repositories:
        told["truth: what there is to find, before any run"] = _truth(outcome)
        told["repositories: found and cost"] = _found(outcome.repositories, tuple(COLUMNS))
        told["topics: repositories found for each topic"] = _by_topic(outcome.repositories)
        told["same pages: against as many pages of the first"] = _same(outcome.repositories)
        told["coverage: in % of what all found (Figure 3 of DSDD)"] = _overlap(outcome.repositories)
    collected = [run for run in outcome.repositories if run.datasets]
    if plan.pages and collected:
        told["dataset pages: after the second phase (Table 1 of DSDD)"] = _datasets(collected)
    if outcome.sites:
        told["sites: found and cost (Figures 6 and 7 of DISCO)"] = _found(outcome.sites, ("any",))
        told["site coverage: in % of what all found (Figure 8 of DISCO)"] = _overlap(outcome.sites)
    for name, measure in _MEASURES.items():
        if outcome.ranks:
            told[name] = _ranks(outcome, measure)
    if outcome.examples:
        told["examples: P@60 by the number of examples (Figure 5 of DISCO)"] = _examples(outcome)
    return told


def _names(runs: Iterable[Trial]) -> list[str]:
    return list(dict.fromkeys(run.strategy for run in runs))


def spread(runs: Sequence[Trial], value: Callable[[Trial], float], digits: int = 1) -> str:
    """Return the mean over all runs, and the deviation of the seeds' means."""
    each = [
        statistics.fmean(value(run) for run in runs if run.seed == seed)
        for seed in sorted({run.seed for run in runs})
    ]
    mean = f"{statistics.fmean(each):.{digits}f}"
    return mean if len(each) == 1 else f"{mean} ± {statistics.pstdev(each):.{digits}f}"


def _truth(outcome: Outcome) -> list[Row]:
    topics = list(dict.fromkeys(topic for _, topic in outcome.truths))
    rows = [["topic", "Definition 2 of DSDD", "by an API", "either way"]]
    for topic in topics:
        mine = [told for (_, one), told in outcome.truths.items() if one == topic]
        means = [statistics.fmean(told[way] for told in mine) for way in ("html", "api", "either")]
        rows.append([topic or "any", *(f"{mean:.1f}" for mean in means)])
    return rows


def _found(runs: Sequence[Trial], columns: Sequence[str]) -> list[Row]:
    heads = {"any": "found", "html": "by Definition 2", "topic": "of the topic"}
    rows = [
        [
            "strategy",
            "pages",
            "calls",
            *(heads[column] for column in columns),
            "per 100 pages",
            "per 100 requests",
            *(f"coverage, {heads[column]}" for column in columns),
            "s",
        ]
    ]
    for name in _names(runs):
        mine = [run for run in runs if run.strategy == name]
        rows.append(
            [
                name,
                spread(mine, lambda run: run.pages, 0),
                spread(mine, lambda run: run.calls, 0),
                *(spread(mine, lambda run, c=c: run.count(c)) for c in columns),  # type: ignore[misc]
                spread(mine, lambda run: run.rate, 2),
                spread(mine, lambda run: 100 * run.count() / max(1, run.requests), 2),
                *(spread(mine, lambda run, c=c: run.coverage(c), 3) for c in columns),  # type: ignore[misc]
                spread(mine, lambda run: run.took_s),
            ]
        )
    return rows


def _by_topic(runs: Sequence[Trial]) -> list[Row]:
    topics = list(dict.fromkeys(run.topic for run in runs))
    rows = [["strategy", *(head for topic in topics for head in (topic, f"{topic}, on topic"))]]
    for name in _names(runs):
        cells = []
        for topic in topics:
            mine = [run for run in runs if run.strategy == name and run.topic == topic]
            cells += [
                spread(mine, lambda run: run.count()),
                spread(mine, lambda r: r.count("topic")),
            ]
        rows.append([name, *cells])
    return rows


def _same(runs: Sequence[Trial]) -> list[Row]:
    """Pair each run with the first strategy's after as many pages, and as many requests."""
    first = {(run.seed, run.topic): run for run in runs if run.strategy == runs[0].strategy}
    rows = [
        ["strategy", "found", f"{runs[0].strategy} after as many pages", "after as many requests"]
    ]
    for name in _names(runs):
        mine = [run for run in runs if run.strategy == name]
        rows.append(
            [
                name,
                spread(mine, lambda run: run.count()),
                spread(mine, lambda run: first[run.seed, run.topic].after(run.pages)),
                spread(
                    mine, lambda run: first[run.seed, run.topic].after(run.requests, "requests")
                ),
            ]
        )
    return rows


def _overlap(runs: Sequence[Trial]) -> list[Row]:
    """Compare what the strategies found for each seed and topic, and take the mean."""
    names, keys = _names(runs), sorted({(run.seed, run.topic) for run in runs})
    shares = [
        overlaps(
            {
                run.strategy: {spot.name for spot in run.found}
                for run in runs
                if (run.seed, run.topic) == key
            }
        )
        for key in keys
    ]
    rows = [["strategy", "found by others too", "only by this", "both"]]
    for name in names:
        shared = 100 * statistics.fmean(share[name].intersection for share in shares)
        alone = 100 * statistics.fmean(share[name].complement for share in shares)
        rows.append([name, f"{shared:.1f}", f"{alone:.1f}", f"{shared + alone:.1f}"])
    return rows


def _datasets(runs: Sequence[Trial]) -> list[Row]:
    topics = list(dict.fromkeys(run.topic for run in runs))
    rows = [["strategy", *topics, "with markup, %"]]
    for name in _names(runs):
        mine = [run for run in runs if run.strategy == name]
        cells = [
            spread([run for run in mine if run.topic == topic], lambda run: len(run.datasets), 0)
            for topic in topics
        ]
        marked = [100 * statistics.fmean(run.datasets.values()) for run in mine if run.datasets]
        rows.append([name, *cells, f"{statistics.fmean(marked):.1f}" if marked else "-"])
    return rows


_MEASURES: dict[str, Callable[[ranking.Result], float]] = {
    "precision: P@60 (Figure 2 of DISCO)": lambda told: told.precision,
    "mean rank: of what was hidden (Figure 3 of DISCO)": lambda told: told.mean_rank,
    "median rank: of what was hidden (Figure 4 of DISCO)": lambda told: told.median_rank,
}


def _ranks(outcome: Outcome, measure: Callable[[ranking.Result], float]) -> list[Row]:
    names = list(dict.fromkeys(name for _, name, _ in outcome.ranks))
    kinds = list(dict.fromkeys(kind for _, _, kind in outcome.ranks))
    grid = [
        [
            statistics.fmean(
                measure(told)
                for (_, one, other), told in outcome.ranks.items()
                if (one, other) == (name, kind)
            )
            for name in names
        ]
        for kind in kinds
    ]
    digits = 3 if grid[0][0] < 1 else 0
    rows = [["kind", *names]]
    rows += [
        [kind, *(f"{v:.{digits}f}" for v in line)] for kind, line in zip(kinds, grid, strict=True)
    ]
    means = [statistics.fmean(column) for column in zip(*grid, strict=True)]
    return [*rows, ["mean", *(f"{mean:.{digits}f}" for mean in means)]]


def _examples(outcome: Outcome) -> list[Row]:
    names = list(dict.fromkeys(name for _, name, _ in outcome.examples))
    rows = [["examples", *names]]
    for number in sorted({number for _, _, number in outcome.examples}):
        cells = []
        for name in names:
            told = outcome.examples.items()
            each = [value for key, value in told if key[1:] == (name, number)]
            cells.append(f"{statistics.fmean(each):.3f} ± {statistics.pstdev(each):.3f}")
        rows.append([str(number), *cells])
    return rows


def _runs(runs: Sequence[Trial]) -> list[Row]:
    head = ["strategy", "seed", "topic", "pages", "calls", *COLUMNS, "claims"]
    rows = [[*head, *(f"true_{column}" for column in COLUMNS), "took_s"]]
    for run in runs:
        counts = [str(run.count(column)) for column in COLUMNS]
        true = [str(run.true[column]) for column in COLUMNS]
        told = [run.strategy, str(run.seed), run.topic, str(run.pages), str(run.calls)]
        rows.append([*told, *counts, str(run.claims), *true, f"{run.took_s:.2f}"])
    return rows


def _curves(runs: Sequence[Trial], plan: Plan) -> list[Row]:
    """Return the mean count after parts of the budget, by pages and by requests."""
    most = plan.pages or plan.requests
    rows = [["strategy", "by", *(f"{round(mark * most)}" for mark in MARKS)]]
    for name in _names(runs):
        mine = [run for run in runs if run.strategy == name]
        for by in ("pages", "requests"):
            ends = (round(mark * most) for mark in MARKS)
            cells = [f"{statistics.fmean(run.after(end, by) for run in mine):.2f}" for end in ends]
            rows.append([name, by, *cells])
    return rows


def _markdown(rows: list[Row]) -> str:
    head, *rest = rows
    lines = [head, ["---", *("---:" for _ in head[1:])], *rest]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _write_csv(file: Path, rows: list[Row]) -> None:
    with file.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows(rows)
