"""A run folder is a replica too."""

import asyncio
from pathlib import Path

import pytest

from filon.compare.replica import Replica
from filon.compare.trial import run
from filon.core import Account, Budget, Request, UserError, drive
from filon.page.types import Types
from filon.run.folder import RunFolder
from filon.verbs.harvest.strategies import build
from filon.verbs.harvest.strategies.brief import Brief
from replicas import write_replica

PAPER = Types.parse("paper")


@pytest.fixture
def copied(tmp_path: Path) -> tuple[Replica, Path]:
    """A recorded site, and the run of a full crawl of it."""
    replica, folder = Replica.open(write_replica(tmp_path)), tmp_path / "copy"
    brief = Brief(start=replica.start, types=PAPER, stop="never")
    strategy, store = build("bfs", brief), RunFolder.create(folder, {"url": replica.start})
    stopped = asyncio.run(drive(strategy, replica.fresh(), Account(Budget()), store))
    store.finish(stopped, strategy)
    store.close()
    return replica, folder


def test_a_copy_answers_as_the_site_did(copied: tuple[Replica, Path]) -> None:
    site, copy = copied[0], Replica.open(copied[1])
    assert (copy.start, copy.name) == (site.start, "portal.test")
    for url in site.census.kinds:
        one, other = (each.answer(Request(url=url)) for each in (site, copy))
        assert (one.status, one.body, one.mime) == (other.status, other.body, other.mime), url
        assert one.header("location") == other.header("location")
        assert one.wire_bytes == other.wire_bytes
    assert copy.answer(Request(url="http://portal.test/never-seen")).status == 404


def test_a_copy_has_the_same_census_and_the_same_runs(copied: tuple[Replica, Path]) -> None:
    site, copy = copied[0], Replica.open(copied[1])
    assert copy.census == site.census
    one, other = (run(each, "sb", seed=3, types=PAPER) for each in (site, copy))
    assert one.targets.tolist() == other.targets.tolist()


def test_a_run_without_answers_is_an_empty_replica(tmp_path: Path) -> None:
    RunFolder.create(tmp_path / "run", {"url": "http://portal.test/"}).close()
    with pytest.raises(UserError, match="it holds no answer"):
        Replica.open(tmp_path / "run")
