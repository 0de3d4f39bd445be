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
from filon.core import UserError

Row = list[str]
Figure = Callable[[Measure], float]


def refuse(out: Path) -> None:
    """Raise a UserError where tables cannot be written: a folder that holds something."""
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UserError(f"{out} exists already and is not an empty folder.")


def write(comparison: Comparison, out: Path) -> Path:
    """Write all tables, and the figures where matplotlib is installed; return the Markdown.

    Beside it stand runs.csv and a CSV file a table.
    """
    refuse(out)
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
    means = (_geometric(comparison, variant, figure) for variant in variants)
    last = ["geometric mean", *(number(mean) for mean in means)]
    return [*_site_rows(comparison, variants, lambda each, _: _cell(each, figure)), last]


def early_stops(comparison: Comparison, variants: Sequence[Variant]) -> list[Row]:
    """Return a row a site: what each variant would have saved and lost."""
    return _site_rows(
        comparison,
        variants,
        lambda each, _: _pair(
            _mean(each, lambda one: one.saved), _mean(each, lambda one: one.lost)
        ),
    )


def stops(comparison: Comparison, variants: Sequence[Variant]) -> list[Row]:
    """Return a row a site: what each variant saved of a full crawl, and what it found."""

    def cell(each: Sequence[Result], site: SiteFacts) -> str:
        saved = 100 - 100 * _mean(each, lambda one: one.spent) / site.requests
        return _pair(saved, _mean(each, lambda one: one.found))

    return _site_rows(comparison, variants, cell)


def reward_table(comparison: Comparison, variants: Sequence[Variant]) -> list[Row]:
    """Return Table 6: mean and deviation of the rewards, each the mean over the seeds."""

    def cell(each: Sequence[Result], _: SiteFacts) -> str:
        spread = number(_mean(each, lambda one: one.reward_sd))
        return f"{number(_mean(each, lambda one: one.reward))} (sd {spread})"

    return _site_rows(comparison, variants, cell)


def _site_rows(
    comparison: Comparison,
    variants: Sequence[Variant],
    cell: Callable[[Sequence[Result], SiteFacts], str],
) -> list[Row]:
    """Return a row a site and a column a variant, whose runs there a cell tells of."""
    rows = [["site", *(variant.label for variant in variants)]]
    for site in comparison.sites:
        cells = (cell(comparison.of(site.name, variant), site) for variant in variants)
        rows.append([site.name, *cells])
    return rows


def ablations(comparison: Comparison, variants: Sequence[Variant]) -> list[Row]:
    """Return a row a part, a column a site, and the ratio of the geometric means to the whole."""
    whole = _geometric(comparison, variants[0], _requests)

    def last(variant: Variant) -> Row:
        mean = _geometric(comparison, variant, _requests)
        return [number(mean), f"{mean / whole:.3f}"]

    heads = ("", "geometric mean", "ratio")
    return _variant_rows(comparison, variants, heads, lambda each: _cell(each, _requests), last)


def parameters(comparison: Comparison, variants: Sequence[Variant]) -> list[Row]:
    """Return Table 4: a row a setting, a column a site."""

    def cell(each: Sequence[Result]) -> str:
        return _pair(_mean(each, _requests), _mean(each, lambda one: one.volume))

    def last(variant: Variant) -> Row:
        volume = _geometric(comparison, variant, lambda one: one.volume)
        return [_pair(_geometric(comparison, variant, _requests), volume)]

    return _variant_rows(comparison, variants, ("setting", "geometric mean"), cell, last)


def classifiers(comparison: Comparison, variants: Sequence[Variant]) -> list[Row]:
    """Return Table 5: a row a classifier, a column a site, and the misclassification rate."""

    def last(variant: Variant) -> Row:
        runs = [comparison.of(site.name, variant) for site in comparison.sites]
        rates = [_mean(each, lambda one: one.misclassified) for each in runs]
        return [number(_geometric(comparison, variant, _requests)), f"{np.mean(rates):.2f}"]

    heads = ("classifier", "geometric mean", "MR")
    return _variant_rows(comparison, variants, heads, lambda each: _cell(each, _requests), last)


def _variant_rows(
    comparison: Comparison,
    variants: Sequence[Variant],
    heads: Sequence[str],
    cell: Callable[[Sequence[Result]], str],
    last: Callable[[Variant], Row],
) -> list[Row]:
    """Return a row a variant and a column a site, and what comes last in a row.

    heads: of the first column, and of the last ones.
    """
    rows = [[heads[0], *(site.name for site in comparison.sites), *heads[1:]]]
    for variant in variants:
        cells = (cell(comparison.of(site.name, variant)) for site in comparison.sites)
        rows.append([variant.label, *cells, *last(variant)])
    return rows


def _requests(one: Measure) -> float:
    return one.requests


def _pair(first: float, second: float) -> str:
    return f"{number(first)} \\| {number(second)}"


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
