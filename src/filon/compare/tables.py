"""A comparison as Markdown and CSV."""

import csv
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np

from filon.compare.compare import Comparison, Result, SiteFacts
from filon.compare.metrics import Measure, best_means
from filon.compare.variants import Variant

Row = list[str]
Figure = Callable[[Measure], float]


def write(comparison: Comparison, out: Path) -> Path:
    """Write all tables, and the figures where matplotlib is installed; return the Markdown."""
    from filon.compare.plots import available, draw

    out.mkdir(parents=True, exist_ok=True)
    tables = list(all_tables(comparison))
    for name, _, rows in tables:
        _write_csv(out / f"{name}.csv", rows)
    _write_csv(out / "runs.csv", runs(comparison))
    pictures = draw(comparison, out) if available() else []
    file = out / "comparison.md"
    file.write_text(markdown(comparison, tables, pictures), encoding="utf-8")
    return file


def markdown(
    comparison: Comparison,
    tables: Iterable[tuple[str, str, list[Row]]],
    pictures: Sequence[tuple[str, str]] = (),
) -> str:
    """Return the tables and pictures as one page."""
    parts = [
        "# Comparison",
        f"{comparison.seeds} seeds, types `{comparison.types}`. Mean ± standard deviation over the "
        "seeds; the last row is the geometric mean of the means. Lower is better.",
    ]
    for _, title, rows in tables:
        parts += [f"## {title}", _markdown_table(rows)]
    for file, title in pictures:
        parts += [f"## {title}", f"![{title}]({file})"]
    return "\n\n".join(parts) + "\n"


def all_tables(comparison: Comparison) -> Iterable[tuple[str, str, list[Row]]]:
    """Yield file name, title and rows of every table that the comparison has runs for."""
    yield "sites", "The sites", sites(comparison)
    main = comparison.table()
    if main:
        title = "Requests to 90 % of the targets, in % of a full crawl (Table 2)"
        yield "table2", title, by_site(comparison, main, lambda each: each.requests)
        title = "Of these, requests that brought no target, in % of those of a full crawl"
        yield "table2-wasted", title, by_site(comparison, main, lambda each: each.wasted)
    if bandits := [variant for variant in main if variant.strategy.startswith("sb")]:
        title = "Early stopping: requests saved \\| targets lost, in % (Table 2, lower part)"
        yield "table2-stop", title, early_stops(comparison, bandits)
    if main:
        title = "Non-target volume to 90 % of the target volume, in % of all of it (Table 3)"
        yield "table3", title, by_site(comparison, main, lambda each: each.volume)
    if stopping := [variant for variant in main if "stop" in dict(variant.options)]:
        title = "Stopping by its own rule: requests saved \\| targets found, in %"
        yield "stopping", title, stops(comparison, stopping)
    if sweep := comparison.table("ablation"):
        title = "`vein` with one part switched off: requests to 90 % of the targets, in %"
        yield "ablation", title, ablations(comparison, sweep)
    if sweep := comparison.table("table4"):
        title = "Parameters of `sb-oracle`: requests \\| non-target volume, in % (Table 4)"
        yield "table4", title, parameters(comparison, sweep)
    if sweep := comparison.table("table5"):
        title = "URL classifiers of `sb`: requests in %, misclassification rate MR in % (Table 5)"
        yield "table5", title, classifiers(comparison, sweep)
    learners = [each for each in main if _has_arms(comparison, each)]
    learners.sort(key=lambda variant: variant.label != "sb")
    if learners:
        title = "Mean and standard deviation of the arms' non-zero rewards (Table 6)"
        yield "table6", title, reward_table(comparison, learners)
        title = f"Mean reward of the ten best arms of `{learners[0].label}`, best first (Figure 5)"
        yield "figure5", title, arm_table(comparison, learners[0])


def sites(comparison: Comparison) -> list[Row]:
    """Return what a full crawl of each site meets."""
    head = ["site", "requests", "pages", "targets", "target MB", "other MB"]
    return [head, *(_site_row(site) for site in comparison.sites)]


def by_site(comparison: Comparison, variants: Sequence[Variant], figure: Figure) -> list[Row]:
    """Return a row a site and a column a variant, and the geometric means."""
    rows = [["site", *(variant.label for variant in variants)]]
    for site in comparison.sites:
        cells = [_cell(comparison.of(site.name, variant), figure) for variant in variants]
        rows.append([site.name, *cells])
    means = (_geometric(comparison, variant, figure) for variant in variants)
    rows.append(["geometric mean", *(number(mean) for mean in means)])
    return rows


def early_stops(comparison: Comparison, variants: Sequence[Variant]) -> list[Row]:
    """Return a row a site: what each variant would have saved and lost."""
    rows = [["site", *(variant.label for variant in variants)]]
    for site in comparison.sites:
        runs_of = (comparison.of(site.name, variant) for variant in variants)
        pairs = (
            (_mean(each, lambda one: one.saved), _mean(each, lambda one: one.lost))
            for each in runs_of
        )
        rows.append([site.name, *(f"{number(saved)} \\| {number(lost)}" for saved, lost in pairs)])
    return rows


def stops(comparison: Comparison, variants: Sequence[Variant]) -> list[Row]:
    """Return a row a site: what each variant saved of a full crawl, and what it found."""
    rows = [["site", *(variant.label for variant in variants)]]
    for site in comparison.sites:
        cells = []
        for variant in variants:
            each = comparison.of(site.name, variant)
            saved = 100 - 100 * _mean(each, lambda one: one.spent) / site.requests
            cells.append(f"{number(saved)} \\| {number(_mean(each, lambda one: one.found))}")
        rows.append([site.name, *cells])
    return rows


def ablations(comparison: Comparison, variants: Sequence[Variant]) -> list[Row]:
    """Return a row a part, a column a site, and the ratio of the geometric means to the whole."""
    rows = [["", *(site.name for site in comparison.sites), "geometric mean", "ratio"]]
    whole = _geometric(comparison, variants[0], lambda one: one.requests)
    for variant in variants:
        each_site = [comparison.of(site.name, variant) for site in comparison.sites]
        cells = [_cell(each, lambda one: one.requests) for each in each_site]
        mean = _geometric(comparison, variant, lambda one: one.requests)
        rows.append([variant.label, *cells, number(mean), f"{mean / whole:.3f}"])
    return rows


def parameters(comparison: Comparison, variants: Sequence[Variant]) -> list[Row]:
    """Return Table 4: a row a setting, a column a site."""
    rows = [["setting", *(site.name for site in comparison.sites), "geometric mean"]]
    for variant in variants:
        cells = []
        for site in comparison.sites:
            each = comparison.of(site.name, variant)
            requests = number(_mean(each, lambda one: one.requests))
            cells.append(f"{requests} \\| {number(_mean(each, lambda one: one.volume))}")
        requests = number(_geometric(comparison, variant, lambda one: one.requests))
        volume = number(_geometric(comparison, variant, lambda one: one.volume))
        rows.append([variant.label, *cells, f"{requests} \\| {volume}"])
    return rows


def classifiers(comparison: Comparison, variants: Sequence[Variant]) -> list[Row]:
    """Return Table 5: a row a classifier, a column a site, and the misclassification rate."""
    rows = [["classifier", *(site.name for site in comparison.sites), "geometric mean", "MR"]]
    for variant in variants:
        each_site = [comparison.of(site.name, variant) for site in comparison.sites]
        cells = [_cell(each, lambda one: one.requests) for each in each_site]
        mean = number(_geometric(comparison, variant, lambda one: one.requests))
        rates = [_mean(each, lambda one: one.misclassified) for each in each_site]
        rows.append([variant.label, *cells, mean, f"{np.mean(rates):.2f}"])
    return rows


def reward_table(comparison: Comparison, variants: Sequence[Variant]) -> list[Row]:
    """Return Table 6: mean and deviation of the rewards, each the mean over the seeds."""
    rows = [["site", *(variant.label for variant in variants)]]
    for site in comparison.sites:
        cells = []
        for variant in variants:
            each = comparison.of(site.name, variant)
            spread = number(_mean(each, lambda one: one.reward_sd))
            cells.append(f"{number(_mean(each, lambda one: one.reward))} (sd {spread})")
        rows.append([site.name, *cells])
    return rows


def arm_table(comparison: Comparison, variant: Variant) -> list[Row]:
    """Return the bars of Figure 5: a row a site, a column a rank."""
    rows = [["site", *map(str, range(1, 11))]]
    for site in comparison.sites:
        means = best_means([each.arms for each in comparison.of(site.name, variant)])
        cells = [f"{mean:.3g}" for mean in means]
        rows.append([site.name, *cells, *[""] * (10 - len(cells))])
    return rows


def runs(comparison: Comparison) -> list[Row]:
    """Return every run with all its figures."""
    keys = list(Measure.__dataclass_fields__)
    rows = [["site", "strategy", "options", "seed", *keys]]
    for (site, (strategy, options)), results in comparison.results.items():
        words = ":".join(f"{name}={value}" for name, value in options)
        for each in results:
            figures = (f"{value:.6g}" for value in asdict(each.measure).values())
            rows.append([site, strategy, words, str(each.seed), *figures])
    return rows


def number(value: float) -> str:
    """Write a figure with one decimal, as the papers do.

    >>> number(90.15), number(float("inf")), number(float("nan"))
    ('90.2', '+∞', 'NA')
    """
    if math.isnan(value):
        return "NA"
    return "+∞" if math.isinf(value) else f"{value:.1f}"


def _cell(results: Sequence[Result], figure: Figure) -> str:
    mean = _mean(results, figure)
    if len(results) == 1 or not math.isfinite(mean):
        return number(mean)
    return f"{number(mean)} ± {number(float(np.std(_values(results, figure))))}"


def _mean(results: Sequence[Result], figure: Figure) -> float:
    return float(np.mean(_values(results, figure)))


def _values(results: Sequence[Result], figure: Figure) -> list[float]:
    return [figure(result.measure) for result in results]


def _geometric(comparison: Comparison, variant: Variant, figure: Figure) -> float:
    means = [_mean(comparison.of(site.name, variant), figure) for site in comparison.sites]
    if 0 in means:
        return 0.0
    return math.exp(sum(math.log(mean) for mean in means) / len(means))


def _has_arms(comparison: Comparison, variant: Variant) -> bool:
    return any(each.arms for site in comparison.sites for each in comparison.of(site.name, variant))


def _site_row(site: SiteFacts) -> Row:
    volumes = (f"{site.target_bytes / 1e6:.1f}", f"{site.other_bytes / 1e6:.1f}")
    return [site.name, str(site.requests), str(site.pages), str(site.targets), *volumes]


def _markdown_table(rows: list[Row]) -> str:
    head, *rest = rows
    lines = [head, ["---", *("---:" for _ in head[1:])], *rest]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _write_csv(file: Path, rows: list[Row]) -> None:
    with file.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows([cell.replace("\\|", "|") for cell in row] for row in rows)
