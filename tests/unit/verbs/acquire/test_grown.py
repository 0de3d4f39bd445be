"""Sites that a round has found: when each is harvested."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from filon.run.folder import RunFolder
from filon.verbs.acquire.grown import LATE, grow
from filon.verbs.acquire.index import Index, Site


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    """Return a whole with two sites that a round has found."""
    folder = tmp_path / "whole"
    RunFolder.create(folder, {"verb": "acquire", "topic": "food"}).close()
    with Index(folder) as index:
        for name in ("a.test", "b.test"):
            index.add(Site(name=name, url=f"http://{name}/", why=f"{LATE}1"))
    return folder


def _grow(
    whole: Path, monkeypatch: pytest.MonkeyPatch, halt: asyncio.Event, *, ends: bool = False
) -> list[str]:
    """Let a whole grow; return what happened. ends: somebody ends it while a host is waited for."""
    happened: list[str] = []

    async def harvest(_job: Any, _folder: Path, site: Site, *_: object) -> str:
        happened.append(f"harvest {site.name}")
        return "It is down."

    @asynccontextmanager
    async def alone(name: str) -> AsyncIterator[None]:
        happened.append(f"take {name}")
        if ends:
            halt.set()
        yield
        happened.append(f"leave {name}")

    monkeypatch.setattr("filon.verbs.acquire.grown._harvest", harvest)
    asyncio.run(grow(whole, {}, None, halt, None, alone))
    return happened


def test_a_site_that_is_new_is_asked_while_nobody_else_does(
    whole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    happened = _grow(whole, monkeypatch, asyncio.Event())
    assert happened == [
        f"{what} {name}" for name in ("a.test", "b.test") for what in ("take", "harvest", "leave")
    ]


def test_nothing_is_asked_where_the_end_came_while_a_host_was_waited_for(
    whole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    happened = _grow(whole, monkeypatch, asyncio.Event(), ends=True)
    assert happened == ["take a.test", "leave a.test"]
