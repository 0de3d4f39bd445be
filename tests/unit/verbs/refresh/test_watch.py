"""Who waits for whom among watched sites."""

import asyncio
from pathlib import Path

import pytest

from fake_run import FakeRun
from filon.verbs.hosts import Alone
from filon.verbs.refresh.many import Refreshed
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


def test_it_is_told_which_runs_of_many_could_not_be_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b", "c"):
        with FakeRun(tmp_path / "all" / name, url=f"http://{name}.test/") as run:
            run.step(f"http://{name}.test/")
            run.meta(stopped="exhausted")

    async def sweep(path: Path, *_: object, alone: Alone) -> list[Refreshed]:
        problems = {"a": "", "b": "It is down.", "c": "It is gone."}
        return [Refreshed(path / name, problem=problem) for name, problem in problems.items()]

    monkeypatch.setattr("filon.verbs.refresh.watch.sweep", sweep)
    told: list[Told] = []
    watch = Watch(Schedule.of({"site": [{"run": "all"}]}, tmp_path), {}, told.append)
    asyncio.run(watch.once(asyncio.Event()))
    assert [one.problem for one in told] == ["", "b: It is down.", "c: It is gone."]
    assert watch.has_failed
