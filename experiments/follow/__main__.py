"""Strategies that follow Linked Data on webs made of real graphs, a web a seed."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from experiments import command
from experiments.follow.compare import FOLDER, compare


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the tables; return the exit code."""
    return command.run(command.options("experiments.follow", __doc__, FOLDER), arguments, _compare)


def _compare(asked: argparse.Namespace, progress: command.Progress) -> Path:
    how = asked.seeds, asked.out, asked.processes
    return compare(asked.folder, asked.strategies, *how, progress)


if __name__ == "__main__":
    sys.exit(main())
