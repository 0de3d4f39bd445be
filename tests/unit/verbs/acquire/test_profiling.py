"""Files are profiled as they come, each content once."""

import asyncio
from pathlib import Path

import pytest

from filon.core import Find, Reason, Request, Response, Step
from filon.profile.store import Profiles
from filon.profile.worker import Worker
from filon.run.folder import RunFolder
from filon.verbs.acquire.profiling import Profiling


def _run(folder: Path, *bodies: str) -> Path:
    with RunFolder.create(folder, {}) as run:
        for number, body in enumerate(bodies, start=1):
            url = f"http://{folder.name}/{number}.csv"
            step = Step(request=Request(url=url), reason=Reason(kind="link"))
            run.begin(step)
            response = Response(url=url, status=200, body=body.encode(), size_bytes=len(body))
            find = Find(kind="file", url=url, name=f"{number}.csv", mime="text/csv")
            run.record(number, step, response, [find], idle=False)
    return folder


def test_what_two_sites_have_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    real = Worker.profile

    def profile(worker: Worker, path: Path, name: str = "") -> object:
        read.append(path.name)
        return real(worker, path, name)

    monkeypatch.setattr(Worker, "profile", profile)
    one, other = _run(tmp_path / "a", "x,y\n1,2\n"), _run(tmp_path / "b", "x,y\n1,2\n", "z\n3\n")

    async def work() -> None:
        profiling = Profiling()
        profiling.hear(one)
        await profiling.finish([one, other], None)
        await profiling.close()

    asyncio.run(work())
    assert len(read) == len(set(read)) == 2
    for run, files in ((one, 1), (other, 2)):
        with Profiles(run) as profiles:
            assert not profiles.missing()
            assert len(list(profiles)) == files


def test_what_is_cut_short_is_left_for_another_time(tmp_path: Path) -> None:
    run = _run(tmp_path / "a", "x,y\n1,2\n", "z\n3\n")

    async def work() -> None:
        profiling = Profiling()
        profiling.hear(run)
        await profiling.close()

    asyncio.run(work())
    with Profiles(run) as profiles:
        assert not [profile for _, profile in profiles if profile.problem]


def test_a_halt_does_not_wait_for_the_files(tmp_path: Path) -> None:
    run = _run(tmp_path / "a", "x,y\n1,2\n")

    async def work() -> None:
        halt, profiling = asyncio.Event(), Profiling()
        halt.set()
        await profiling.finish([run], halt)
        await profiling.close()

    asyncio.run(work())
    with Profiles(run) as profiles:
        profiles.make()
        assert not profiles.missing()
