import asyncio
from pathlib import Path

import pytest

import fleet_checks
from filon.core import MachineError
from filon.fleet.sql import SqlStore
from filon.fleet.sqlite import Sqlite


@pytest.mark.parametrize("check", fleet_checks.CHECKS, ids=lambda check: check.__name__)
def test_sqlite_keeps_what_a_store_promises(check: fleet_checks.Check, tmp_path: Path) -> None:
    async def open_() -> SqlStore:
        return SqlStore(Sqlite(tmp_path / "fleet.sqlite"))

    asyncio.run(check(open_))


def test_there_are_checks() -> None:
    assert len(fleet_checks.CHECKS) > 20


def test_a_file_that_is_no_store_is_told(tmp_path: Path) -> None:
    path = tmp_path / "fleet.sqlite"
    path.write_bytes(b"no database at all" * 100)
    with pytest.raises(MachineError, match="is damaged"):
        Sqlite(path)
