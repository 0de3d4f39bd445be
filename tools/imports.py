"""What it costs to start: CPU and modules of an import and of commands that send nothing.

    python -m tools.imports                     # this checkout, with this Python
    python -m tools.imports RUN                 # and `filon report RUN`
    python -m tools.imports --python OTHER      # another Python, as that of another checkout

CPU is user and system time of a process of its own, the least of ten: what else the machine does
can only add to it. Modules are those in sys.modules at the end.
"""

import argparse
import json
import resource
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

RUNS = 10
#: Said by the process itself, behind all that it imports.
_COUNT = "import sys; print(len(sys.modules), file=sys.stderr)"
_COMMAND = "import sys; from filon.cli import run; run(sys.argv[1:]); " + _COUNT.partition("; ")[2]


def started(python: str, arguments: Sequence[str]) -> tuple[float, int]:
    """Return the CPU seconds of a process, and how many modules it had imported."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ended = subprocess.run(  # noqa: S603
        [python, *arguments], capture_output=True, text=True, check=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent_s = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return spent_s, int(ended.stderr.split()[-1])


def costs(python: str, run: Path | None = None, runs: int = RUNS) -> dict[str, tuple[float, int]]:
    """Return the CPU seconds and the modules of each way to start, by what is typed."""
    ways = {
        "python": ["-c", _COUNT],
        "import filon": ["-c", f"import filon; {_COUNT}"],
        "filon --version": ["-c", _COMMAND, "--version"],
        "filon --help": ["-c", _COMMAND, "--help"],
        "filon harvest --help": ["-c", _COMMAND, "harvest", "--help"],
    }
    if run:
        ways["filon report"] = ["-c", _COMMAND, "report", str(run)]
    return {name: min(started(python, typed) for _ in range(runs)) for name, typed in ways.items()}


def main() -> None:
    """Print a line a way to start."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("run", nargs="?", type=Path, help="the folder of a run, for its report")
    parser.add_argument("--python", default=sys.executable, help="another Python")
    parser.add_argument("--json", action="store_true", help="one object in place of lines")
    asked = parser.parse_args()
    told = costs(asked.python, asked.run)
    if asked.json:
        print(json.dumps(told))
        return
    for name, (spent_s, modules) in told.items():
        print(f"{name:22} {1000 * spent_s:6.0f} ms {modules:6} modules")


if __name__ == "__main__":
    main()
