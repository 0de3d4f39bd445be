"""The same in Python: in a script, in a coroutine, in a notebook."""

import asyncio
import inspect
from pathlib import Path

import pytest

import filon
from loopback import portal, serving
from patience import until


def test_a_harvest_returns_a_run_to_iterate_over(tmp_path: Path) -> None:
    with serving(portal(1, 3)) as site:
        run = filon.harvest(site.url, out=tmp_path / "run", delay=0, strategy="bfs")
    with run:
        finds = list(run)
        assert run.stopped == "exhausted"
        assert run.spent.requests == len(site.log)
    assert sorted(find.name for find in finds) == ["0-0.csv", "0-1.csv", "0-2.csv"]
    assert all(find.path and find.path.read_bytes().startswith(b"name,value") for find in finds)


def test_a_notebook_whose_loop_is_running_can_harvest(tmp_path: Path) -> None:
    async def cell() -> int:
        with filon.harvest(site.url, out=tmp_path / "run", delay=0, budget=10) as run:
            return run.spent.requests

    with serving(portal()) as site:
        assert asyncio.run(cell()) == 10


def test_a_mistake_in_a_notebook_is_an_exception(tmp_path: Path) -> None:
    async def cell() -> None:
        filon.harvest("http://a.test/", out=tmp_path / "run", budget="lots")

    with pytest.raises(filon.UserError, match="lots"):
        asyncio.run(cell())


def test_a_coroutine_can_be_halted_and_resumed(tmp_path: Path) -> None:
    async def halted() -> str:
        halt = asyncio.Event()
        seen = 0

        def watch(*_: object) -> None:
            nonlocal seen
            seen += 1
            if seen == 10:
                halt.set()

        run = await filon.aharvest(
            site.url, out=tmp_path / "run", delay=0, strategy="bfs", halt=halt, watch=watch
        )
        with run:
            return run.stopped

    with serving(portal(2, 5)) as site:
        assert asyncio.run(halted()) == "interrupted"
        before = len(site.log)
        with filon.resume(tmp_path / "run") as run:
            assert run.stopped == "exhausted"
            assert len(list(run)) == 10
    assert before < len(site.log)
    assert max(site.counts().values()) == 1


def test_a_cancelled_coroutine_leaves_a_run_to_resume(tmp_path: Path) -> None:
    async def cancelled() -> None:
        work = asyncio.ensure_future(
            filon.aharvest(site.url, out=tmp_path / "run", delay=0, strategy="bfs")
        )
        await until(lambda: len(site.log) > 5)
        work.cancel()
        await work

    with serving(portal(2, 5), wait_s=0.08) as site:
        with pytest.raises(asyncio.CancelledError):
            asyncio.run(cancelled())
        assert (tmp_path / "run/report.html").is_file()
        with filon.resume(tmp_path / "run") as run:
            assert run.stopped == "exhausted"
            assert len(list(run)) == 10
    assert sum(site.counts().values()) - len(site.counts()) <= 1


def test_a_finished_run_is_opened_to_be_read(tmp_path: Path) -> None:
    with serving(portal(1, 2)) as site:
        filon.harvest(site.url, out=tmp_path / "run", delay=0).close()
    with filon.open_run(tmp_path / "run") as first, filon.open_run(tmp_path / "run") as second:
        assert [find.url for find in first] == [find.url for find in second]
        assert len(list(first)) == 2


def test_a_run_is_reported_exported_and_explained_by_itself_or_by_its_path(tmp_path: Path) -> None:
    with serving(portal(1, 2)) as site:
        run = filon.harvest(site.url, out=tmp_path / "run", delay=0)
    with run:
        assert repr(run).startswith(f"<Run '{tmp_path / 'run'}': filon harvest {site.url};")
        report = filon.report(run)
        assert report == filon.report(tmp_path / "run") == tmp_path / "run/report.html"
        table = filon.export(run, "jsonl", tmp_path / "finds.jsonl")
        assert len(table.read_text().splitlines()) == 2
        first = next(iter(run))
        assert filon.why(run, first.url) == filon.why(tmp_path / "run", first.name)
        assert "it is the start page" in filon.why(run, first.url)


def test_a_site_is_copied_whole(tmp_path: Path) -> None:
    with (
        serving(portal(1, 2)) as site,
        filon.replicate(site.url, out=tmp_path / "copy", delay=0) as run,
    ):
        assert run.config["verb"] == "replicate"
        assert run.stopped == "exhausted"
        assert len(list(run)) == 2


def test_the_public_names_are_these() -> None:
    assert all(inspect.getdoc(getattr(filon, name)) for name in filon.__all__ if name[0] != "_")
    names = {name for name in vars(filon) if not inspect.ismodule(getattr(filon, name))}
    ours = {name for name in names if not name.startswith("_")} | {"__version__"}
    assert ours - {"TYPE_CHECKING"} == {*filon.__all__}  # each was imported above
