"""Writes down what the golden tests hold: run it on purpose, and say in the commit what changed.

export PYTHONPATH=tests
python -m golden.write                           # all but the stored run folders
python -m golden.write steps harvest/demo        # the steps of runs whose names begin so
python -m golden.write json                      # what commands end with under --json
python -m golden.write resumed                   # what is made of the stored folders
python -m golden.write show harvest/demo/vein    # print steps, to compare two checkouts
python -m golden.write folders NAME              # make a stored folder that is not there yet
"""

import gzip
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from golden.commands import RUNS, objects, working_in
from golden.expected import DEMO_STEPS, EXPECTED, expected
from golden.folders import FOLDERS, KILLED, PACKED, say
from golden.play import DEMO, RECORDED, demo, recorded, serving
from golden.resumed import looked, resumed
from golden.trace import Trace

SHARED = Path(__file__).resolve().parents[3] / "shared"
#: An enrichment that dies when all calls are made and the table is about to be written.
_DYING = """
import os, sys
import filon.verbs.enrich.fill
from filon.cli import run
filon.verbs.enrich.fill.fill = lambda *parts: os._exit(9)
sys.exit(run(sys.argv[1:]))
"""


def trace(name: str) -> Trace:
    """Return the steps of a run."""
    made = Trace()
    if name in RECORDED:
        recorded(name, SHARED, made)
        return made
    with tempfile.TemporaryDirectory() as folder:
        demo(name, Path(folder), made)
    return made


def steps(begins: str = "") -> None:
    """Write the steps of runs."""
    told = expected()
    lines = json.loads(gzip.decompress(DEMO_STEPS.read_bytes())) if DEMO_STEPS.exists() else {}
    for name in [name for name in (*DEMO, *RECORDED) if name.startswith(begins)]:
        made = trace(name)
        told["steps"][name] = made.stored()
        if name in DEMO:
            lines[name] = made.lines
    for kept in (told["steps"], lines):
        for gone in kept.keys() - {*DEMO, *RECORDED}:
            del kept[gone]
    _save(told)
    packed = json.dumps(lines, ensure_ascii=False, indent=0).encode()
    DEMO_STEPS.write_bytes(gzip.compress(packed, 9, mtime=0))


def endings() -> None:
    """Write what commands end with."""
    with tempfile.TemporaryDirectory() as folder:
        _save(expected() | {"json": objects(Path(folder))})


def continued() -> None:
    """Write what is made of the stored folders."""
    told = expected()
    for name in FOLDERS:
        if name != KILLED:
            with tempfile.TemporaryDirectory() as work:
                told["looked"][name] = looked(name, Path(work))
        with tempfile.TemporaryDirectory() as work:
            told["resumed"][name] = resumed(name, Path(work))
    _save(told)


def folder(name: str) -> None:
    """Make a stored folder with the Filon of today; one that is there stays."""
    packed = PACKED / f"{name}.tar.gz"
    if packed.exists():
        sys.exit(f"{packed} is there: it is worth something because it is old.")
    PACKED.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as work, serving() as server, working_in(Path(work)):
        words = {**RUNS, "acquire": _acquire(), "refresh": RUNS["harvest"]}[name.partition("-")[0]]
        here = ("--connect-to", server.connect_to, "--delay", "0", "--out", name)
        if name == KILLED:
            arguments = [sys.executable, "-c", _DYING, *map(str, (*words, *here))]
            ended = subprocess.run(arguments, env=os.environ, check=False).returncode
            assert ended == 9, ended
        else:
            assert say(*words, *here)[0] == 0
        if name == "refresh":
            assert say("refresh", name, "--budget", "20req")[0] == 0
        with tarfile.open(packed, "w:gz") as tar:
            tar.add(name, filter=_nobody)


def _acquire() -> tuple[object, ...]:
    """Return a run of two sites, which are named in a file of the working folder."""
    hosts = ("upper-lakes-water-agency", "capital-district-water-agency")
    Path("sites.txt").write_text("".join(f"http://{host}.test/\n" for host in hosts))
    return "acquire", "--sites", "sites.txt", "--budget", "40req"


def _nobody(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    """Leave out whose files they were."""
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    return entry


def _save(told: dict[str, object]) -> None:
    text = json.dumps(told, ensure_ascii=False, indent=1, sort_keys=True)
    EXPECTED.write_text(f"{text}\n", "utf-8")


def main(what: str = "", name: str = "") -> None:
    """Do what was asked."""
    if what == "show":
        print(*trace(name).lines, sep="\n")
    elif what == "folders":
        folder(name)
    if what in ("", "steps"):
        steps(name)
    if what in ("", "json"):
        endings()
    if what in ("", "resumed"):
        continued()


if __name__ == "__main__":
    main(*sys.argv[1:])
