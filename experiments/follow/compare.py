"""All strategies on Linked Data webs, several seeds, as tables."""

import csv
import multiprocessing
import statistics
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from experiments.follow.labelled import COMBINATIONS, MODELS, Score, labelled, table1
from experiments.follow.strategies import NAMES
from experiments.follow.trial import Trial, reachable, run
from experiments.follow.web import LodWeb
from filon.core import UserError

#: Where the graphs lie beside a checkout.
FOLDER = Path("../shared/data/follow")
SHARES = (0.5, 0.8, 0.95)
#: The recalls at which percentages are compared.
EQUAL = (0.1, 0.25, 0.4)
#: Hard URIs that the offline models are taught, from a web of other namespaces.
TAUGHT = 4_000
Progress = Callable[[int, int, str], None]


def compare(
    folder: Path,
    strategies: str,
    seeds: int,
    out: Path,
    processes: int = 0,
    progress: Progress | None = None,
    *,
    part: str = "report",
    hosts: int = 1_200,
    things: int = 8_000,
) -> Path:
    """Run strategies on a web a seed and write follow.md and follow.csv; return the first.

    strategies: names with commas, `NAME:option=value`, or "all".
    part: "tune" or "report", the namespaces that the web is made of.
    """
    if not (folder / "sweet.zip").is_file():
        raise UserError(f"{folder} holds no graphs: name the folder with sweet.zip in it.")
    if seeds < 1 or processes < 0:
        raise UserError("Less than one run compares nothing.")
    names = list(NAMES) if strategies == "all" else _names(strategies)
    out.mkdir(parents=True, exist_ok=True)
    jobs = [(folder, names, seed, part, hosts, things) for seed in range(1, seeds + 1)]
    trials: list[Trial] = []
    tables: list[dict[tuple[str, str], Score]] = []
    context = multiprocessing.get_context("spawn")
    workers = processes or min(len(jobs), multiprocessing.cpu_count())
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        awaited = [pool.submit(_one_web, *job) for job in jobs]
        for done, future in enumerate(as_completed(awaited), 1):
            course, scores = future.result()
            trials.extend(course)
            tables.append(scores)
            if progress:
                progress(done, len(jobs), f"web {done}")
    trials.sort(key=lambda trial: (names.index(trial.strategy), trial.seed))
    _write_csv(out / "follow.csv", trials)
    written = out / "follow.md"
    written.write_text(_markdown(trials, tables, names), encoding="utf-8")
    return written


def _names(strategies: str) -> list[str]:
    names: list[str] = []
    for part in filter(None, (part.strip() for part in strategies.split(","))):
        if names and "=" in part and ":" not in part and ":" in names[-1]:
            names[-1] += f",{part}"  # one more option of the strategy before it
            continue
        if part.partition(":")[0] not in NAMES:
            raise UserError(f"There is no strategy {part!r}: known are {', '.join(NAMES)}.")
        names.append(part)
    if not names:
        raise UserError("No strategy is named.")
    return names


def _one_web(
    folder: Path, strategies: list[str], seed: int, part: str, hosts: int, things: int
) -> tuple[list[Trial], dict[tuple[str, str], Score]]:
    web = LodWeb(folder, seed=seed, part=part, hosts=hosts, things=things)
    within = reachable(web, seed)
    other = "tune" if part == "report" else "report"
    school = LodWeb(folder, seed=1000 + seed, part=other, hosts=hosts // 2, things=things // 2)
    training = labelled(school, seed, TAUGHT)
    trials = []
    for told in strategies:
        name, _, settings = told.partition(":")
        options: dict[str, str | float] = {}
        for setting in filter(None, settings.split(",")):
            option, _, value = setting.partition("=")
            options[option] = value
        trial = run(name, web, seed, within, options, training)
        trial.strategy = told
        trials.append(trial)
    return trials, table1(labelled(web, seed, 2 * TAUGHT))


def _markdown(
    trials: list[Trial], tables: list[dict[tuple[str, str], Score]], strategies: list[str]
) -> str:
    by_name = {name: [one for one in trials if one.strategy == name] for name in strategies}
    base = by_name.get("bfs", trials)
    lines = [
        "# Following Linked Data",
        "",
        "Requests to reach a share of the documents with RDF",
        "",
    ]
    lines += [
        "| strategy | 50 % | 80 % | 95 % | recall | triples at half of bfs |",
        "|---|---|---|---|---|---|",
    ]
    half = {one.seed: one.requests / 2 for one in base}
    for name, runs in by_name.items():
        cells = [_cell([one.to_reach(share) for one in runs]) for share in SHARES]
        recall = _spread([one.recall for one in runs])
        triples = _spread([one.triples_at(half[one.seed]) for one in runs if one.seed in half])
        lines.append(f"| {name} | {' | '.join(cells)} | {recall} | {triples} |")
    lines += ["", "Table 2 and 3: of the hard URIs that were downloaded, those with RDF", ""]
    equal = " | ".join(f"at {share:.0%} recall" for share in EQUAL)
    lines += [
        f"| strategy | {equal} | in the end | recall | HEADs | requests | ms a selection | ECE |",
        "|---" * (len(EQUAL) + 7) + "|",
    ]
    for name, runs in by_name.items():
        ms = [1000 * one.selection_s / max(1, one.requests) for one in runs]
        cells = [_share([one.percentage_at(share) for one in runs]) for share in EQUAL]
        cells += [_spread([one.percentage for one in runs]), _spread([one.recall for one in runs])]
        cells += [_cell([one.heads for one in runs]), _cell([one.requests for one in runs])]
        errors = [one.calibration_error for one in runs]
        cells += [_spread(ms), _spread([error for error in errors if error is not None])]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    lines += ["", "Table 1: F-measure and accuracy on hard URIs", ""]
    models = [*MODELS, "FTRL, online"]
    lines += [f"| features | {' | '.join(models)} |", "|---" * (len(models) + 1) + "|"]
    for sets in COMBINATIONS:
        cells = []
        for model in models:
            f = statistics.fmean(table[sets, model].f for table in tables)
            accuracy = statistics.fmean(table[sets, model].accuracy for table in tables)
            cells.append(f"{f:.3f} {accuracy:.3f}")
        lines.append(f"| F+{'+'.join(sets)} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _cell(values: list[int | None]) -> str:
    got = [value for value in values if value is not None]
    if len(got) < len(values):
        return f"never ({len(values) - len(got)} of {len(values)})"
    spread = statistics.pstdev(got)
    return f"{statistics.fmean(got):,.0f} ± {spread:,.0f}"


def _share(values: list[float | None]) -> str:
    got = [value for value in values if value is not None]
    return _spread(got) if len(got) == len(values) else "never"


def _spread(values: list[float]) -> str:
    return f"{statistics.fmean(values):.3f} ± {statistics.pstdev(values):.3f}" if values else "-"


def _write_csv(path: Path, trials: list[Trial]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        shares = [f"to_{share:g}" for share in SHARES]
        out.writerow(["strategy", "seed", "requests", "heads", *shares, "recall", "percentage"])
        for one in trials:
            reached = [one.to_reach(share) for share in SHARES]
            out.writerow(
                [
                    one.strategy,
                    one.seed,
                    one.requests,
                    one.heads,
                    *reached,
                    one.recall,
                    one.percentage,
                ]
            )
