"""The same work in other processes, where strings hash otherwise: a process a seed."""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from patience import PATIENCE_S

_SCRIPT = """
import importlib, json, sys
module = importlib.import_module(sys.argv[1])
told = {name: module.told(name) for name in json.loads(sys.argv[2])}
print(json.dumps(told))
"""


def digest(*parts: bytes) -> str:
    """Return a short word for bytes of any number."""
    return hashlib.sha256(b"".join(parts)).hexdigest()


def told_elsewhere(module: str, names: list[str], *seeds: int) -> Mapping[str, set[str]]:
    """Return what a module's `told` returns for each name in a fresh process a hash seed."""
    tests = Path(__file__).parents[1]
    paths = os.pathsep.join(map(str, [tests, tests.parent, tests.parent / "src"]))
    found: dict[str, set[str]] = {name: set() for name in names}
    for seed in seeds:
        done = subprocess.run(
            [sys.executable, "-c", _SCRIPT, module, json.dumps(names)],
            env={**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": paths},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
            timeout=PATIENCE_S,
        )
        for name, told in json.loads(done.stdout).items():
            found[name].add(told)
    return found
