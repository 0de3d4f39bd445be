"""Coverage over calls, a panel a setting (Figures 4 to 9)."""

import math
from pathlib import Path
from typing import Any

import numpy as np

from experiments.enrich.compare import Comparison
from experiments.enrich.experiments import Experiment, Setting
from filon.compare.plots import DPI, SPARE

#: One colour a strategy in every picture.
COLOURS = {
    "prospect": "#111111",
    "smartcrawl-b": "#d62728",
    "smartcrawl-u": "#ff9f1c",
    "simple": "#1f77b4",
    "bound": "#2a9d8f",
    "full": "#7b2cbf",
    "full-adaptive": "#8c6d46",
    "naive": "#8d99ae",
    "ideal": "#6b9e00",
}
POINTS = 101


def draw(comparison: Comparison, experiment: Experiment, out: Path) -> str:
    """Draw the curves of an experiment into a folder; return the file's name."""
    # Not pyplot: it keeps every figure, and needs a choice of screen.
    from matplotlib.figure import Figure

    columns = min(3, len(experiment.settings))
    rows = math.ceil(len(experiment.settings) / columns)
    figure = Figure(figsize=(4.2 * columns, 3.1 * rows + 0.5), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False)
    for panel, setting in zip(axes.flat, experiment.settings, strict=False):
        _curves(panel, comparison, experiment, setting)
    for panel in axes.flat[len(experiment.settings) :]:
        panel.set_axis_off()
    handles, labels = axes[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=4, frameon=False)
    name = f"{experiment.name}.png"
    figure.savefig(out / name, dpi=DPI)
    return name


def _curves(panel: Any, comparison: Comparison, experiment: Experiment, setting: Setting) -> None:
    from experiments.enrich.tables import at_parts

    parts = np.linspace(0, 1, POINTS)
    for order, name in enumerate(experiment.strategies):
        courses = comparison.of(setting, name)
        heights = np.array([at_parts(course, list(parts)) for course in courses])
        _band(panel, parts * courses[0].budget, heights, name, order)
    panel.grid(color="#dddddd", linewidth=0.6)
    panel.set_axisbelow(True)
    panel.spines[["top", "right"]].set_visible(False)
    panel.set(title=setting.label, xlabel="calls", ylabel="rows covered, %", ylim=(0, 103))


def _band(panel: Any, at: Any, heights: Any, name: str, order: int) -> None:
    """Draw the mean of the runs, and a standard deviation on both sides."""
    colour = COLOURS.get(name, SPARE[order % len(SPARE)])
    mean, spread = heights.mean(axis=0), heights.std(axis=0)
    style = "--" if name.partition(":")[0] == "ideal" else "-"
    panel.plot(at, mean, style, color=colour, linewidth=1.5, label=name)
    if len(heights) > 1:
        panel.fill_between(at, mean - spread, mean + spread, color=colour, alpha=0.15, linewidth=0)
