"""`filon compare REPLICA…`, and `filon compare discover`, `enrich` or `follow [FOLDER]`."""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from filon.cli import options as o
from filon.cli.line import Line
from filon.cli.wishes import read_options
from filon.core import UserError


def compare(
    replicas: Annotated[
        list[Path],
        typer.Argument(
            metavar="REPLICA...",
            help="Recorded sites: .sqlite files or run folders. Or the word discover, enrich or "
            "follow, and the folder with the data for its experiments.",
        ),
    ],
    strategies: Annotated[
        str,
        typer.Option(
            metavar="LIST",
            help="Names with commas, NAME:option=value, all, table4, table5 or ablation.",
        ),
    ] = "all",
    experiment: Annotated[
        str,
        typer.Option(
            metavar="LIST",
            help="Of enrich: fig4 to fig9, bars, lean or all; of discover: repositories, sites, "
            "ranking, examples or all.",
        ),
    ] = "bars",
    seeds: Annotated[int, typer.Option(metavar="N", help="Runs of each with seeds 0, 1, …")] = 10,
    pages: Annotated[
        int, typer.Option(metavar="N", help="Of discover: pages that a run may read.")
    ] = 0,
    requests: Annotated[
        int,
        typer.Option(
            metavar="N",
            help="Of discover: requests of a run, calls of search services included; 1,000 where "
            "neither is given.",
        ),
    ] = 0,
    types: Annotated[str, typer.Option(metavar="LIST", help="What counts as a target.")] = "paper",
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="The folder for tables and plots.")
    ] = Path("comparison"),
    processes: Annotated[
        int, typer.Option(metavar="N", help="How many at a time; by default one a processor.")
    ] = os.cpu_count() or 1,
    set_: o.Set = None,
    json_: o.Json = False,
) -> int:
    """Run strategies on recorded sites, and write the tables and plots of the papers.

    `filon compare enrich FOLDER` does so with enrichment strategies, on tables whose matches are
    known; `filon compare follow FOLDER` with those that follow Linked Data, on webs made of real
    graphs; `filon compare discover FOLDER` with those that discover sites and repositories, on
    webs of generated portals and real pages.

    Example: filon compare sites/*.sqlite --strategies sb,bfs,dfs --seeds 10
    """
    line = Line(sys.stderr)

    def progress(done: int, all_runs: int, last: str) -> None:
        line.show(lambda: f"{done} of {all_runs} runs · {last}")

    if str(replicas[0]) == "enrich":
        written = _enrich(replicas[1:], experiment, strategies, seeds, processes, out, progress)
    elif str(replicas[0]) == "follow":
        written = _follow(replicas[1:], strategies, seeds, processes, out, progress)
    elif str(replicas[0]) == "discover":
        budget = pages, requests
        written = _discover(
            replicas[1:], experiment, strategies, seeds, budget, processes, out, progress
        )
    else:
        from filon.compare.compare import (
            compare as run,  # here: plots and tables are slow to import
        )

        names = [name.strip() for name in strategies.split(",") if name.strip()]
        options = read_options(set_ or [])
        written = run(replicas, names, seeds, types, options, processes, out, progress)
    line.clear()
    typer.echo(json.dumps({"verb": "compare", "written": str(written)}) if json_ else written)
    return 0


def _enrich(
    folders: list[Path],
    experiments: str,
    strategies: str,
    seeds: int,
    processes: int,
    out: Path,
    progress: Callable[[int, int, str], None],
) -> Path:
    from filon.compare.enrich.compare import FOLDER, compare

    if len(folders) > 1:
        raise UserError("The experiments of enrich read one folder of tables.")
    folder = folders[0] if folders else FOLDER
    return compare(folder, experiments, strategies, seeds, processes, out, progress)


def _follow(
    folders: list[Path],
    strategies: str,
    seeds: int,
    processes: int,
    out: Path,
    progress: Callable[[int, int, str], None],
) -> Path:
    from filon.compare.follow.compare import FOLDER, compare

    if len(folders) > 1:
        raise UserError("The experiments of follow read one folder of graphs.")
    folder = folders[0] if folders else FOLDER
    return compare(folder, strategies, seeds, out, processes, progress)


def _discover(
    folders: list[Path],
    experiments: str,
    strategies: str,
    seeds: int,
    budget: tuple[int, int],
    processes: int,
    out: Path,
    progress: Callable[[int, int, str], None],
) -> Path:
    from filon.compare.discover.compare import FOLDER, compare

    if len(folders) > 1:
        raise UserError("The experiments of discover read one folder of data.")
    folder, (pages, requests) = folders[0] if folders else FOLDER, budget
    return compare(
        folder,
        experiments,
        strategies,
        seeds,
        processes,
        out,
        progress,
        pages=pages,
        requests=requests,
    )
