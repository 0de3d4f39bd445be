"""What the programs of the experiments share: their options, progress, and errors as sentences."""

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from filon.cli.session import Line
from filon.core import FilonError

#: Called with how many runs are done, how many there are, and the last one in words.
Progress = Callable[[int, int, str], None]


def options(program: str, about: str, folder: Path) -> argparse.ArgumentParser:
    """Return a parser of what every comparison takes; folder: where its data lie by default."""
    parser = argparse.ArgumentParser(prog=f"python -m {program}", description=about)
    add = parser.add_argument
    add("folder", nargs="?", type=Path, default=folder, metavar="FOLDER", help="with the data")
    add("--strategies", default="all", metavar="LIST", help="names, NAME:option=value, or all")
    add("--seeds", type=int, default=10, metavar="N", help="runs of each, or webs, one a seed")
    add("--out", type=Path, default=Path("comparison"), metavar="DIR", help="for tables and plots")
    processes = os.cpu_count() or 1
    add("--processes", type=int, default=processes, metavar="N", help="how many at a time")
    add("--json", action="store_true", help="print one JSON object in the end")
    return parser


def run(
    parser: argparse.ArgumentParser,
    arguments: Sequence[str] | None,
    compare: Callable[[argparse.Namespace, Progress], Path],
) -> int:
    """Compare as the user asks, print what was written, and return the exit code."""
    asked = parser.parse_args(arguments)
    line = Line(sys.stderr)

    def progress(done: int, all_runs: int, last: str) -> None:
        line.show(lambda: f"{done} of {all_runs} runs · {last}")

    try:
        written = compare(asked, progress)
    except FilonError as error:
        line.say(f"{parser.prog}: {error}")
        return error.exit_code
    line.clear()
    print(json.dumps({"verb": "compare", "written": str(written)}) if asked.json else written)
    return 0
