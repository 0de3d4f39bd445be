"""A comparison of enrichment strategies as Markdown and CSV."""

import csv
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from experiments.enrich.compare import Comparison
from experiments.enrich.experiments import Experiment, Setting
from experiments.enrich.trial import Course

Row = list[str]
#: Where the curves are read for the table of curves, in parts of the budget.
MARKS = (0.05, 0.1, 0.25, 0.5, 0.75, 1.0)


def write(comparison: Comparison, out: Path) -> Path:
    """Write all tables, and the figures where matplotlib is installed; return the Markdown."""
    from experiments.enrich.plots import draw
    from filon.compare.plots import available

    out.mkdir(parents=True, exist_ok=True)
    parts = [
        "# Enrichment",
        f"{comparison.seeds} seeds. Rows covered, in % of those that have a match in the hidden "
        "table, when the calls are spent; mean ± standard deviation over the seeds. The hidden "
        "table's own count of calls. Higher is better.",
    ]
    for experiment in comparison.experiments:
        rows = table(comparison, experiment)
        _write_csv(out / f"{experiment.name}.csv", rows)
        parts += [f"## {experiment.title}", markdown(rows)]
        if available():
            picture = draw(comparison, experiment, out)
            parts.append(f"![{experiment.title}]({picture})")
    _write_csv(out / "runs.csv", runs(comparison))
    _write_csv(out / "curves.csv", curves(comparison))
    file = out / "comparison.md"
    file.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    return file


def table(comparison: Comparison, experiment: Experiment) -> list[Row]:
    """Return a row a setting and a column a strategy."""
    rows = [["setting", *experiment.strategies]]
    for setting in experiment.settings:
        cells = [_cell(comparison.of(setting, name)) for name in experiment.strategies]
        rows.append([setting.label, *cells])
    return rows


def runs(comparison: Comparison) -> list[Row]:
    """Return every run with its figures."""
    head = ["experiment", "setting", "strategy", "seed", "calls", "coverage"]
    rows = [[*head, "building_s", "choosing_ms"]]
    for experiment, setting, name, courses in _each(comparison):
        for seed, course in enumerate(courses):
            times = f"{course.building_s:.2f}", f"{course.choosing_s * 1000:.2f}"
            cells = str(seed), str(course.calls), f"{course.last:.2f}"
            rows.append([experiment.name, setting.label, name, *cells, *times])
    return rows


def curves(comparison: Comparison) -> list[Row]:
    """Return the mean coverage at parts of the budget."""
    rows = [["experiment", "setting", "strategy", *(f"{mark:.0%}" for mark in MARKS)]]
    for experiment, setting, name, courses in _each(comparison):
        grid = np.mean([at_parts(course, MARKS) for course in courses], axis=0)
        rows.append([experiment.name, setting.label, name, *(f"{value:.2f}" for value in grid)])
    return rows


def at_parts(course: Course, parts: Sequence[float]) -> list[float]:
    """Return the coverage after parts of the budget; one that ended early keeps its last."""
    ends = [round(part * course.budget) for part in parts]
    last = len(course.coverage)
    return [float(course.coverage[min(end, last) - 1]) if end and last else 0.0 for end in ends]


def markdown(rows: list[Row]) -> str:
    """Return rows as a Markdown table."""
    head, *rest = rows
    lines = [head, ["---", *("---:" for _ in head[1:])], *rest]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _each(
    comparison: Comparison,
) -> list[tuple[Experiment, Setting, str, tuple[Course, ...]]]:
    return [
        (experiment, setting, name, comparison.of(setting, name))
        for experiment in comparison.experiments
        for setting in experiment.settings
        for name in experiment.strategies
    ]


def _cell(courses: Sequence[Course]) -> str:
    values = [course.last for course in courses]
    mean = f"{np.mean(values):.1f}"
    return mean if len(values) == 1 else f"{mean} ± {np.std(values):.1f}"


def _write_csv(file: Path, rows: list[Row]) -> None:
    with file.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows(rows)
