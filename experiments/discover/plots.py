"""Harvest rates as curves (Figures 6 and 7 of DISCO, 2 of DSDD), coverage and ranks as bars."""

import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from experiments.discover.compare import Outcome, Plan
from experiments.discover.overlap import overlaps
from experiments.discover.trial import Trial

POINTS = 101
#: Told apart also by those who see few colours.
COLOURS = (
    "#111111",
    "#d62728",
    "#1f77b4",
    "#2a9d8f",
    "#ff9f1c",
    "#7b2cbf",
    "#8c6d46",
    "#e377c2",
    "#17becf",
    "#8d99ae",
    "#6b9e00",
    "#4c4c4c",
)


def draw(outcome: Outcome, plan: Plan, out: Path) -> list[tuple[str, str]]:
    """Draw what there is into a folder; return the names and titles of the files."""
    drawn = []
    for kind in ("repositories", "sites"):
        runs: list[Trial] = getattr(outcome, kind)
        if runs:
            _save(_harvest(runs, plan, kind), out / f"{kind}.svg")
            _save(_coverage(runs), out / f"{kind}-coverage.svg")
            drawn += [
                (f"{kind}.svg", f"{kind.capitalize()} found over pages and over requests"),
                (f"{kind}-coverage.svg", f"Coverage of {kind}: found by others too, and only here"),
            ]
    if outcome.ranks:
        _save(_ranks(outcome), out / "ranking.svg")
        drawn.append(("ranking.svg", "P@60, the mean of all kinds"))
    return drawn


def _save(figure: Any, file: Path) -> None:
    # The same runs make the same file: no date, and names of parts that do not depend on chance.
    from matplotlib import rc_context

    with rc_context({"svg.hashsalt": "filon"}):
        figure.savefig(file, metadata={"Date": None})


def _names(runs: Sequence[Trial]) -> list[str]:
    return list(dict.fromkeys(run.strategy for run in runs))


def _harvest(runs: Sequence[Trial], plan: Plan, kind: str) -> Any:
    from matplotlib.figure import Figure  # not pyplot: it keeps every figure

    topics = list(dict.fromkeys(run.topic for run in runs))
    figure = Figure(figsize=(8.4, 3.1 * len(topics) + 0.7), layout="constrained")
    axes = figure.subplots(len(topics), 2, squeeze=False)
    for row, topic in zip(axes, topics, strict=True):
        mine = [run for run in runs if run.topic == topic]
        for panel, by in zip(row, ("pages", "requests"), strict=True):
            _curves(panel, mine, plan, by)
            panel.set(title=topic, xlabel=by, ylabel=kind)
    handles, labels = axes[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=4, frameon=False)
    return figure


def _curves(panel: Any, runs: Sequence[Trial], plan: Plan, by: str) -> None:
    most = plan.pages or plan.requests
    at = np.linspace(0, most, POINTS)
    for order, name in enumerate(_names(runs)):
        heights = np.array(
            [[run.after(int(end), by) for end in at] for run in runs if run.strategy == name]
        )
        mean, deviation = heights.mean(axis=0), heights.std(axis=0)
        colour = COLOURS[order % len(COLOURS)]
        panel.plot(at, mean, color=colour, linewidth=1.5, label=name)
        low, high = mean - deviation, mean + deviation
        panel.fill_between(at, low, high, color=colour, alpha=0.1, linewidth=0)
    panel.grid(color="#dddddd", linewidth=0.6)
    panel.spines[["top", "right"]].set_visible(False)


def _coverage(runs: Sequence[Trial]) -> Any:
    from matplotlib.figure import Figure

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
    shared = [100 * statistics.fmean(one[name].intersection for one in shares) for name in names]
    alone = [100 * statistics.fmean(one[name].complement for one in shares) for name in names]
    figure = Figure(figsize=(6.5, 0.35 * len(names) + 1.2), layout="constrained")
    panel = figure.subplots()
    panel.barh(names, shared, color="#ffffff", edgecolor="#444444", label="found by others too")
    panel.barh(names, alone, left=shared, color="#999999", edgecolor="#444444", label="only here")
    panel.invert_yaxis()
    panel.set(xlabel="% of what all found")
    panel.legend(frameon=False)
    panel.spines[["top", "right"]].set_visible(False)
    return figure


def _ranks(outcome: Outcome) -> Any:
    from matplotlib.figure import Figure

    names = list(dict.fromkeys(name for _, name, _ in outcome.ranks))
    means = [
        statistics.fmean(t.precision for (_, one, _), t in outcome.ranks.items() if one == name)
        for name in names
    ]
    figure = Figure(figsize=(6.5, 0.35 * len(names) + 1.0), layout="constrained")
    panel = figure.subplots()
    panel.barh(names, means, color="#1f77b4")
    panel.invert_yaxis()
    panel.set(xlabel="P@60")
    panel.spines[["top", "right"]].set_visible(False)
    return figure
