"""Who waits for whom among watched sites."""

import asyncio
from pathlib import Path

import pytest

from fake_run import FakeRun
from filon.verbs.hosts import Alone
from filon.verbs.refresh.schedule import Schedule, Watched
from filon.verbs.refresh.watch import Told, Watch


def test_no_host_of_a_folder_of_runs_is_asked_by_another_round(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hosts = {"all/a": "a", "all/b": "b", "alone": "a", "other": "c"}
    for name, host in hosts.items():
        with FakeRun(tmp_path / name, url=f"http://{host}.test/") as run:
            run.step(f"http://{host}.test/")
            run.meta(stopped="exhausted")
    schedule = Schedule.of({"site": [{"run": run} for run in ("all", "alone", "other")]}, tmp_path)
    under_way: set[str] = set()
    together: set[frozenset[str]] = set()

    async def look(_: Watch, site: Watched, halt: asyncio.Event, alone: Alone) -> Told:
        under_way.add(site.run.name)
        for _turn in range(3):
            await asyncio.sleep(0)
            together.add(frozenset(under_way))
        under_way.remove(site.run.name)
        return Told(site)

    monkeypatch.setattr(Watch, "_look", look)
    told: list[Told] = []
    asyncio.run(Watch(schedule, {}, told.append).once(asyncio.Event()))
    assert len(told) == 3
    assert {"all", "other"} in together
    assert not [some for some in together if {"all", "alone"} <= some]
