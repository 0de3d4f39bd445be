"""`filon learn RUN…`: a prior over sites, for `filon harvest --prior`."""

import json
import sys
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from filon.cli import options as o
from filon.cli.session import Line
from filon.core import UserError


def learn(
    runs: Annotated[
        list[Path],
        typer.Argument(
            metavar="RUN",
            help="Sites: folders of filon harvest or filon replicate, or .sqlite files.",
        ),
    ],
    out: Annotated[Path, typer.Option(metavar="FILE", help="The file to write.")] = Path(
        "prior.npz"
    ),
    types: Annotated[str, typer.Option(metavar="LIST", help="What counts as a file.")] = "paper",
    json_: o.Json = False,
) -> int:
    """Learn from recorded sites what links mean, for the next harvest of a new one.

    Each site is harvested again from what was recorded, without a request. What links that were
    files, or led to files, had in common on several sites goes into the prior: numbers of hashed
    words, no address and no text. Runs of the same site count once each, so name one a site.

    Example: filon learn filon-runs/* --out ours.npz
    """
    # Here: numbers are slow to import.
    from filon.compare.prior import examples
    from filon.compare.prior import learn as learnt
    from filon.compare.replica import Replica
    from filon.page.types import Types
    from filon.verbs.harvest.prior import save

    if out.exists():
        raise UserError(f"{out} is there already: name another file with --out.")
    line, wanted = Line(sys.stderr), Types.parse(types)
    taught = []
    for number, run in enumerate(runs):
        line.show(partial(_progress, number, len(runs), run))
        taught.append(examples(Replica.open(run, wanted), wanted))
    sites = [site for site in taught if len(site.yields)]
    if len(sites) < 2:
        raise UserError("A prior is learnt from two sites or more that have links.")
    save(learnt(sites), out)
    line.clear()
    links = sum(len(site.yields) for site in sites)
    told = {"verb": "learn", "sites": len(sites), "links": links, "written": str(out)}
    typer.echo(json.dumps(told) if json_ else out)
    return 0


def _progress(number: int, runs: int, run: Path) -> str:
    return f"{number} of {runs} sites · {run}"
