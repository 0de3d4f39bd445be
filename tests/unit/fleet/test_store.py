"""Stores by their addresses."""

import asyncio
from pathlib import Path

import pytest

import fleet_checks
from filon.core import Budget, MachineError, UserError
from filon.fleet.store import open_store, opened


def test_a_path_is_a_sqlite_file(tmp_path: Path) -> None:
    async def run() -> int:
        async with opened(str(tmp_path / "new" / "fleet.sqlite")) as store:
            await store.create({}, Budget.parse("1"))
            return await store.add([fleet_checks.site(1)])

    assert asyncio.run(run()) == 1
    assert (tmp_path / "new" / "fleet.sqlite").is_file()


def test_an_address_of_something_else_is_told() -> None:
    with pytest.raises(UserError, match="The store 'mysql://x/y' is not known"):
        asyncio.run(open_store("mysql://x/y"))


def test_a_server_that_is_not_there_is_told_at_once() -> None:
    pytest.importorskip("asyncpg")
    with pytest.raises(MachineError, match=r"PostgreSQL at 127\.0\.0\.1 does not answer"):
        asyncio.run(open_store("postgresql://me:secret@127.0.0.1:1/fleet"))


def test_a_store_in_postgresql_without_its_extra_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "asyncpg", None)
    with pytest.raises(UserError, match=r"pip install 'filon\[fleet\]'"):
        asyncio.run(open_store("postgresql://127.0.0.1/fleet"))
