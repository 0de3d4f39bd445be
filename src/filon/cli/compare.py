"""`filon compare REPLICA…`: harvest strategies on recorded sites."""

import json
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from filon.cli import options as o
from filon.cli.session import Line
from filon.core import UserError
from filon.run.listing import entry
from filon.run.readonly import CONFIG
from filon.verbs.option import named_values

#: Verbs whose experiments were here: what they need no user has.
MOVED = frozenset({"discover", "enrich", "follow"})
_ELSEWHERE = "Of the experiments in a checkout, for which nothing is compared here."


def compare(
    replicas: Annotated[
        list[Path],
        typer.Argument(
            metavar="REPLICA",
            help="Recorded sites: folders made by filon replicate, or .sqlite files.",
        ),
    ],
    strategies: Annotated[
        str,
        typer.Option(
            metavar="LIST",
            help="Names with commas, NAME:option=value, all, table4, table5 or ablation.",
        ),
    ] = "all",
    seeds: Annotated[int, typer.Option(metavar="N", help="Runs of each with seeds 0, 1, …")] = 10,
    types: Annotated[str, typer.Option(metavar="LIST", help="What counts as a target.")] = "paper",
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="The folder for tables and plots.")
    ] = Path("comparison"),
    processes: Annotated[
        int, typer.Option(metavar="N", help="How many at a time; by default one a processor.")
    ] = os.cpu_count() or 1,
    set_: o.Set = None,
    json_: o.Json = False,
    experiment: Annotated[str, typer.Option(hidden=True, help=_ELSEWHERE)] = "",
    pages: Annotated[int, typer.Option(hidden=True, help=_ELSEWHERE)] = 0,
    requests: Annotated[int, typer.Option(hidden=True, help=_ELSEWHERE)] = 0,
) -> int:
    """Run strategies on recorded sites, and write the tables and plots of the paper.

    Example: filon compare sites/*.sqlite --strategies sb,bfs,dfs --seeds 10
    """
    verb = str(replicas[0])
    if verb in MOVED and not replicas[0].exists():
        raise UserError(
            f"The experiments of {verb} need data that only a checkout has beside it: run "
            f"python -m experiments.{verb} there."
        )
    # Here: plots and tables are slow to import.
    from filon.compare.compare import gather
    from filon.compare.tables import refuse, write

    refuse(out)
    line = Line(sys.stderr)

    def progress(done: int, all_runs: int, last: str) -> None:
        line.show(lambda: f"{done} of {all_runs} runs · {last}")

    names = [name.strip() for name in strategies.split(",") if name.strip()]
    options = named_values(set_ or [])
    for path in replicas:
        if missing := _missing(path):
            line.say(f"filon: {missing}")
    found = gather(replicas, names, seeds, types, options, processes, progress)
    written = write(found, out)
    line.clear()
    typer.echo(json.dumps({"verb": "compare", "written": str(written)}) if json_ else written)
    return 0


def _missing(replica: Path) -> str:
    """Return what is wrong with a folder whose run did not come to the end of its site."""
    if not (replica / CONFIG).is_file() or (run := entry(replica)).stopped == "exhausted":
        return ""
    return f"{replica} is a part of its site ({run.ending}): what it lacks counts as gone."
