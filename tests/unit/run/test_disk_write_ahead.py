"""A file is written ahead, also where others make it in the same moment."""

import sqlite3
import threading
from pathlib import Path

import pytest

from filon.run import disk
from filon.run.disk import write_ahead


def test_who_is_in_the_way_is_waited_for(tmp_path: Path) -> None:
    other = sqlite3.connect(tmp_path / "a", isolation_level=None, check_same_thread=False)
    other.execute("CREATE TABLE t (x)")
    other.execute("BEGIN EXCLUSIVE")
    db = sqlite3.connect(tmp_path / "a", isolation_level=None, timeout=0)
    ends = threading.Timer(0.2, other.execute, ["COMMIT"])
    ends.start()
    write_ahead(db)
    ends.join()
    assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_who_stays_in_the_way_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "BUSY_S", 0.05)
    other = sqlite3.connect(tmp_path / "a", isolation_level=None)
    other.execute("CREATE TABLE t (x)")
    other.execute("BEGIN EXCLUSIVE")
    db = sqlite3.connect(tmp_path / "a", isolation_level=None, timeout=0)
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        write_ahead(db)
