"""The tools of the formats themselves, most in a process of their own, as their users start them.

So what they warn of is their affair, and what a test says holds for a shell as well.
"""

import json
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pyshacl


def run(module: str, *arguments: str | Path) -> "subprocess.CompletedProcess[str]":
    """Run a module of Python; what it prints is text in UTF-8."""
    return subprocess.run(
        [sys.executable, "-X", "utf8", "-m", module, *map(str, arguments)],
        capture_output=True,
        encoding="utf-8",
        timeout=300,
    )


def frictionless(package: Path) -> dict[str, Any]:
    """Return the report of `frictionless validate`."""
    done = run("frictionless", "validate", package / "datapackage.json", "--json")
    assert done.stdout, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def mlcroissant(package: Path) -> str:
    """Return what `mlcroissant validate` complains of; "" where it finds nothing wrong."""
    done = run("mlcroissant.scripts.validate", "--jsonld", package / "croissant.json")
    return done.stderr if done.returncode else ""


def records(package: Path, name: str) -> str:
    """Return the records of a record set, as `mlcroissant load` prints them."""
    where = ("--jsonld", package / "croissant.json", "--record_set", name, "--num_records", "-1")
    done = run("mlcroissant.scripts.load", *where)
    assert done.returncode == 0, done.stderr
    return done.stdout


def shacl(document: Path, shapes: str) -> str:
    """Return what pyshacl finds wrong with JSON-LD by shapes of ours; "" where it conforms."""
    where = Path(__file__).with_name("shapes") / shapes
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its own past is its own affair
        conforms, _, text = pyshacl.validate(
            str(document),
            shacl_graph=str(where),
            data_graph_format="json-ld",
            shacl_graph_format="turtle",
        )
    return "" if conforms else str(text)
