"""Discovery strategies on webs of generated portals and real pages, a web a seed."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from experiments import command
from experiments.discover.compare import EXPERIMENTS, FIRST, FOLDER, compare


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the tables; return the exit code."""
    parser = command.options("experiments.discover", __doc__, FOLDER)
    known = f"{', '.join(EXPERIMENTS)} or all; by default repositories and sites"
    parser.add_argument("--experiment", default="bars", metavar="LIST", help=known)
    parser.add_argument("--pages", type=int, default=0, metavar="N", help="that a run may read")
    bound = "of a run, calls of search services included; 1,000 where neither is given"
    parser.add_argument("--requests", type=int, default=0, metavar="N", help=bound)
    first = "the first seed: from 0 to develop, from 310 to report"
    parser.add_argument("--first", type=int, default=FIRST, metavar="N", help=first)
    return command.run(parser, arguments, _compare)


def _compare(asked: argparse.Namespace, progress: command.Progress) -> Path:
    return compare(
        asked.folder,
        asked.experiment,
        asked.strategies,
        asked.seeds,
        asked.processes,
        asked.out,
        progress,
        first=asked.first,
        pages=asked.pages,
        requests=asked.requests,
    )


if __name__ == "__main__":
    sys.exit(main())
