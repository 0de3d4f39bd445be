"""Promise 1, at the points where luck would seldom strike: within a write."""

import signal
import sqlite3
from pathlib import Path

import pytest

from crash.check import PARALLEL, check, end, reachable, responses, start
from crash.seams import SEAMS
from crash.walk import ROOT
from filon.run.folder import RunFolder
from patience import PATIENCE_S

SIZE = 400


@pytest.mark.parametrize("seam", SEAMS)
def test_a_kill_leaves_what_was_acknowledged_and_nothing_else(tmp_path: Path, seam: str) -> None:
    run, log = tmp_path / "run", tmp_path / "log"
    process = start(run, SIZE, log, f"die={seam}")
    _, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == -signal.SIGKILL, err

    RunFolder.open(run).close()
    ledger = sqlite3.connect(run / "ledger.sqlite")
    rows = ledger.execute("SELECT url FROM steps WHERE warc IS NOT NULL ORDER BY answer").fetchall()
    ledger.close()
    assert [url for url, _ in responses(run)] == [url for (url,) in rows]

    told = end(start(run, SIZE, log))
    truth = reachable(ROOT, SIZE)
    check(run, told, truth)
    assert len(log.read_text().split()) - len(truth) <= PARALLEL
