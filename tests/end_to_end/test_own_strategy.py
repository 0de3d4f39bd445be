"""A strategy of one's own, as a class from Python and by its dotted path."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

import filon
from command import filon as command
from filon.verbs.harvest.strategies.brief import Brief
from filon.verbs.harvest.strategies.uninformed import BreadthFirst
from loopback import portal, serving

MODULE = """
from filon.verbs.harvest.strategies.uninformed import DepthFirst

class Mine(DepthFirst):
    why = "mine liked it"
"""


def whys(run: filon.Run) -> set[str]:
    return {row["why"] for row in run.requests}


def stored(folder: Path) -> Any:
    return tomllib.loads((folder / "run.toml").read_text())["strategy"]


def test_a_class_that_can_be_imported_is_stored_by_its_path_and_resumed_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my_strategies.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    import my_strategies  # type: ignore[import-not-found]

    with serving(portal(2, 3)) as site:
        run = filon.harvest(
            site.url, strategy=my_strategies.Mine, budget=6, delay=0, out=tmp_path / "run"
        )
        assert run.stopped == "budget"
        assert stored(tmp_path / "run") == "my_strategies:Mine"
        ended = command(tmp_path, "resume", "run", "--budget", 500, "--json")
    assert ended.code == 0, ended.err
    assert ended.json["stopped"] == "exhausted"
    assert len([*run]) == 6
    assert "mine liked it" in whys(run)
    assert max(site.counts().values()) == 1


def test_a_class_of_a_notebook_works_and_is_asked_for_again(tmp_path: Path) -> None:
    class Mine(BreadthFirst):
        why = "mine liked it"

    with serving(portal(2, 3)) as site:
        filon.harvest(site.url, strategy=Mine, budget=6, delay=0, out=tmp_path / "run")
        refused = command(tmp_path, "resume", "run", "--budget", 500)
        assert refused.code == 2
        assert "The strategy Mine was handed over in Python and cannot be imported" in refused.err
        assert "filon.resume(run, strategy=Mine)" in refused.err
        assert command(tmp_path, "report", "run").code == 0
        with pytest.raises(filon.UserError, match="cannot go on with bfs"):
            filon.resume(tmp_path / "run", strategy=BreadthFirst, budget=500)
        run = filon.resume(tmp_path / "run", strategy=Mine, budget=500)
    assert run.stopped == "exhausted"
    assert len(run.finds) == 6
    assert "mine liked it" in whys(run)


def test_a_function_that_makes_one_will_do_and_its_options_are_its_own(tmp_path: Path) -> None:
    heard: list[Any] = []

    def make(brief: Brief) -> BreadthFirst:
        heard.append(brief.options)
        return BreadthFirst(brief)

    with serving(portal(1, 1)) as site:
        filon.harvest(
            site.url, strategy=make, set={"eagerness": 3}, budget=3, delay=0, out=tmp_path / "run"
        )
    assert heard == [{"eagerness": 3}]


def test_a_path_that_leads_nowhere_is_told_before_anything_is_written(tmp_path: Path) -> None:
    ended = command(
        tmp_path, "harvest", "http://a.test/", "--strategy", "no_such.module:Mine", "--out", "run"
    )
    assert ended.code == 2
    assert "The strategy no_such.module:Mine cannot be loaded" in ended.err
    assert not (tmp_path / "run").exists()
