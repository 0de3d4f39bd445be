"""A bug that one answer brings to light costs that answer, and nothing else."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from warcio.archiveiterator import ArchiveIterator

import filon
from filon.core import Find, Response, Step
from filon.verbs.harvest.strategies.uninformed import BreadthFirst
from loopback import Loopback, Page, portal, serving


class Stumbles(BreadthFirst):
    """Has learnt half of an answer when it fails on it."""

    why = "it was next"

    def observe(self, step: Step, response: Response) -> list[Find]:
        finds = super().observe(step, response)
        if b"<!-- odd -->" in response.body:
            raise LookupError("http://me:secret@example.org/")
        return finds


class Clumsy(Stumbles):
    """Fails again, in the middle of an answer."""

    def observe(self, step: Step, response: Response) -> list[Find]:
        if b"<!-- odd -->" in response.body:
            self.propose()
            self.frontier.clear()
        return super().observe(step, response)


def odd(pages: dict[str, Page], *targets: str) -> dict[str, Page]:
    return pages | {target: Page(body=pages[target].body + b"<!-- odd -->") for target in targets}


def harvest(site: Loopback, out: Path, strategy: Any = Stumbles, **more: Any) -> filon.Run:
    return filon.harvest(site.url, strategy=strategy, delay=0, out=out, portals=False, **more)


@pytest.mark.parametrize("strategy", [Stumbles, Clumsy])
@pytest.mark.parametrize("parallel", [1, 4])
def test_the_run_goes_on_without_the_answer(tmp_path: Path, strategy: Any, parallel: int) -> None:
    pages = odd(portal(4, 3), "/list/1", "/list/2")
    with serving(pages) as site:
        run = harvest(site, tmp_path / "run", strategy, parallel=parallel)
    assert run.stopped == "exhausted"
    assert len(run.finds) == 6, "those of the two other lists"
    failed = [row for row in run.requests if row["error"] == "bug"]
    assert sorted(row["url"][-7:] for row in failed) == ["/list/1", "/list/2"]
    assert max(site.counts().values()) == 1, "nothing is sent twice"
    (detail,) = {row["detail"] for row in failed}
    assert "LookupError at end_to_end/test_bug.py:" in detail
    assert "Please report it" in detail
    assert "secret" not in detail
    assert "a bug, please report it" in filon.report(run).read_text("utf-8")


def test_a_resume_after_it_goes_on_to_the_same_end(tmp_path: Path) -> None:
    pages = odd(portal(4, 3), "/list/1")
    with serving(pages) as site:
        whole = harvest(site, tmp_path / "whole")
    ends = []
    for requests in range(2, 12):
        with serving(pages) as site:
            out = tmp_path / str(requests)
            harvest(site, out, budget=requests)
            # As after a kill: the answers are there, the checkpoints are not.
            copy = shutil.copytree(out, tmp_path / f"{requests}-bare")
            with filon.open_run(copy) as run:
                assert run.stopped == "budget"
            _forget_checkpoints(copy)
            for folder in (out, copy):
                run = filon.resume(folder, strategy=Stumbles, budget=500)
                ends.append((run.stopped, sorted(find["url"][-12:] for find in run.finds)))
    assert ends == [("exhausted", sorted(find["url"][-12:] for find in whole.finds))] * 20


def _forget_checkpoints(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "ledger.sqlite")) as ledger, ledger:
        ledger.execute("DELETE FROM checkpoints")


def test_the_answer_itself_is_kept_for_whoever_mends_the_bug(tmp_path: Path) -> None:
    with serving(odd(portal(1, 1), "/list/0")) as site:
        harvest(site, tmp_path / "run")
    (archive,) = (tmp_path / "run/archive").iterdir()
    with archive.open("rb") as file:
        bodies = [record.content_stream().read() for record in ArchiveIterator(file)]
    assert any(b"<!-- odd -->" in body for body in bodies)
