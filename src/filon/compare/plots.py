"""A comparison as pictures: curves with spread (Figure 4), the best arms (Figure 5)."""

import importlib.util
import math
from pathlib import Path
from typing import Any

import numpy as np

from filon.compare.compare import Comparison, SiteFacts
from filon.compare.metrics import best_means
from filon.compare.variants import Variant
from filon.core import UserError

#: One colour a strategy in every picture; told apart also by those who see few colours.
COLOURS = {
    "vein": "#111111",
    "clairvoyant": "#6b9e00",
    "sb": "#d62728",
    "sb-oracle": "#ff9f1c",
    "omniscient": "#9a9a9a",
    "focused": "#1f77b4",
    "tp-off": "#2a9d8f",
    "bfs": "#7b2cbf",
    "dfs": "#8c6d46",
    "random": "#8d99ae",
}
#: What cannot be reached on a live site is drawn with a broken line.
UNREAL = frozenset({"sb-oracle", "omniscient", "clairvoyant"})
SPARE = ("#e377c2", "#17becf", "#bcbd22", "#4c4c4c")
DPI = 110


def available() -> bool:
    """Tell whether pictures can be drawn."""
    return importlib.util.find_spec("matplotlib") is not None


def draw(comparison: Comparison, out: Path) -> list[tuple[str, str]]:
    """Draw all pictures into a folder; return their file names and titles."""
    if not available():
        raise UserError("Pictures need matplotlib: pip install 'filon[plots]'.")
    drawn = []
    if comparison.table():
        _curves(comparison).savefig(out / "figure4.png", dpi=DPI)
        drawn.append(("figure4.png", "Targets over requests, volume over volume (Figure 4)"))
    if learner := _learner(comparison):
        _arms(comparison, learner).savefig(out / "figure5.png", dpi=DPI)
        title = f"Mean reward of the ten best arms of `{learner.label}` (Figure 5)"
        drawn.append(("figure5.png", title))
    return drawn


def _curves(comparison: Comparison) -> Any:
    pairs = 2 if len(comparison.sites) > 1 else 1
    rows = math.ceil(len(comparison.sites) / pairs)
    figure, axes = _figure(rows, 2 * pairs, width=4.2 * 2 * pairs, height=3.1 * rows + 0.5)
    for at, site in enumerate(comparison.sites):
        row, column = divmod(at, pairs)
        _draw_targets(axes[row][2 * column], comparison, site)
        _draw_volume(axes[row][2 * column + 1], comparison, site)
    for panel in axes.flat[2 * len(comparison.sites) :]:
        panel.set_axis_off()
    handles, labels = axes[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=8, frameon=False)
    return figure


def _draw_targets(panel: Any, comparison: Comparison, site: SiteFacts) -> None:
    at = np.linspace(0, site.requests, _points(comparison, site))
    panel.set(title=f"{site.name}: targets", xlabel="requests", ylabel="targets")
    for order, variant in enumerate(comparison.table()):
        runs = comparison.of(site.name, variant)
        heights = np.array([each.curve.targets for each in runs]) * site.targets
        _band(panel, at, heights, variant, order)
    panel.set(xlim=(0, site.requests), ylim=(0, site.targets * 1.03))


def _draw_volume(panel: Any, comparison: Comparison, site: SiteFacts) -> None:
    at = np.linspace(0, site.other_bytes / 1e6, _points(comparison, site))
    panel.set(title=f"{site.name}: volume", xlabel="non-target MB", ylabel="target MB")
    for order, variant in enumerate(comparison.table()):
        runs = comparison.of(site.name, variant)
        heights = np.array([each.curve.volume for each in runs]) * site.target_bytes / 1e6
        _band(panel, at, heights, variant, order)
    panel.set(xlim=(0, site.other_bytes / 1e6), ylim=(0, site.target_bytes / 1e6 * 1.03))


def _band(panel: Any, at: Any, heights: Any, variant: Variant, order: int) -> None:
    """Draw the mean of the runs, and a standard deviation on both sides."""
    colour = _colour(variant, order)
    mean, spread = heights.mean(axis=0), heights.std(axis=0)
    style = "--" if variant.strategy in UNREAL else "-"
    width, above = (2.2, 3.0) if variant.label in ("sb", "vein") else (1.3, 2.0)
    panel.plot(at, mean, style, color=colour, linewidth=width, label=variant.label, zorder=above)
    if len(heights) > 1:
        panel.fill_between(at, mean - spread, mean + spread, color=colour, alpha=0.15, linewidth=0)


def _arms(comparison: Comparison, variant: Variant) -> Any:
    columns = min(4, len(comparison.sites))
    rows = math.ceil(len(comparison.sites) / columns)
    figure, axes = _figure(rows, columns, width=3.4 * columns, height=2.7 * rows + 0.4)
    for panel, site in zip(axes.flat, comparison.sites, strict=False):
        means = best_means([each.arms for each in comparison.of(site.name, variant)])
        panel.bar(range(1, len(means) + 1), means, color=_colour(variant, 0), width=0.7)
        panel.set(title=site.name, xticks=range(1, 11), xlim=(0.4, 10.6))
        if means:
            _log_scale(panel, means)
    for panel in axes.flat[len(comparison.sites) :]:
        panel.set_axis_off()
    figure.supxlabel("arm, best first")
    figure.supylabel("mean reward (targets a pull)")
    return figure


def _log_scale(panel: Any, means: list[float]) -> None:
    """Let the bars stand on a whole power of ten: a logarithmic axis has no zero."""
    bottom, top = math.floor(math.log10(min(means)) - 0.05), math.ceil(math.log10(max(means)))
    panel.set_yscale("log")
    panel.set_ylim(10.0**bottom, 10.0 ** max(top, bottom + 1))
    panel.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    panel.yaxis.set_minor_formatter(lambda value, _: "")


def _figure(rows: int, columns: int, *, width: float, height: float) -> tuple[Any, Any]:
    # Not pyplot: it keeps every figure, and needs a choice of screen.
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False)
    for panel in axes.flat:
        panel.grid(color="#dddddd", linewidth=0.6)
        panel.set_axisbelow(True)
        panel.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _learner(comparison: Comparison) -> Variant | None:
    """Return the first variant whose arms can be shown, `sb` before others."""
    ranked = sorted(comparison.table(), key=lambda variant: variant.label != "sb")
    sites = [site.name for site in comparison.sites]
    for variant in ranked:
        if any(each.arms for site in sites for each in comparison.of(site, variant)):
            return variant
    return None


def _points(comparison: Comparison, site: SiteFacts) -> int:
    return len(comparison.of(site.name, comparison.table()[0])[0].curve.targets)


def _colour(variant: Variant, order: int) -> str:
    return COLOURS.get(variant.label, SPARE[order % len(SPARE)])
