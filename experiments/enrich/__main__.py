"""Enrichment strategies on tables whose matches are known: the figures of SMARTCRAWL."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from experiments import command
from experiments.enrich.compare import FOLDER, compare


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the tables; return the exit code."""
    parser = command.options("experiments.enrich", __doc__, FOLDER)
    known = "fig4 to fig9, bars, lean or all"
    parser.add_argument("--experiment", default="bars", metavar="LIST", help=known)
    return command.run(parser, arguments, _compare)


def _compare(asked: argparse.Namespace, progress: command.Progress) -> Path:
    what = asked.experiment, asked.strategies
    return compare(asked.folder, *what, asked.seeds, asked.processes, asked.out, progress)


if __name__ == "__main__":
    sys.exit(main())
