"""The program of the wheel serves a table to a client that is none of ours: the package reconciler.

OpenRefine is no package that a test could install; this client sends what it sends.
"""

import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pandas
import pytest
from reconciler import reconcile

from patience import PATIENCE_S
from project import clean as environments

STATES = "iso,country,capital\nML,Mali,Bamako\nMT,Malta,Valletta\nMU,Mauritius,Port Louis\n"


@contextmanager
def served(clean: Path, folder: Path, *arguments: str) -> Iterator[str]:
    """Start the service as a person does; give its address."""
    process = subprocess.Popen(
        [str(clean / "filon"), "reconcile", "serve", *arguments, "--port", "0"],
        cwd=folder,
        env=environments.environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout
    try:
        yield process.stdout.readline().partition("  ")[0]
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE_S)


@pytest.mark.filterwarnings("ignore:The inplace keyword")  # the client's, of pandas
def test_a_column_is_reconciled(clean_with: Callable[[str], Path], tmp_path: Path) -> None:
    (tmp_path / "states.csv").write_text(STATES)
    mine = pandas.Series(["Malta", "mali", "Mauritus", "Atlantis"])
    with served(clean_with(""), tmp_path, "states.csv", "--id", "iso") as url:
        found = reconcile(mine, type_id="record", reconciliation_endpoint=url)
    told = found.set_index("input_value")
    assert told["id"][:3].to_dict() == {"Malta": "MT", "mali": "ML", "Mauritus": "MU"}
    assert told["match"].to_dict() == {
        "Malta": True,
        "mali": True,
        "Mauritus": False,
        "Atlantis": False,
    }
