import asyncio
import json
from pathlib import Path

import pytest

from fake_run import FakeRun
from filon.core import UserError
from filon.verbs.refresh.many import SWEEP, sweep, targets


def test_links_that_lead_back_are_not_followed_and_links_to_runs_are(tmp_path: Path) -> None:
    with FakeRun(tmp_path / "elsewhere" / "run"):
        pass
    runs = tmp_path / "runs"
    runs.mkdir()
    (runs / "linked").symlink_to(tmp_path / "elsewhere" / "run")
    (runs / "back").symlink_to(runs)
    (runs / "again").symlink_to(tmp_path)
    assert targets(runs) == [runs / "linked"]


def test_a_folder_that_only_leads_back_holds_no_run(tmp_path: Path) -> None:
    (tmp_path / "back").symlink_to(tmp_path)
    with pytest.raises(UserError, match="holds no run"):
        targets(tmp_path)


def test_a_sweep_that_goes_on_tells_what_was_wrong_before_it_was_cut_short(tmp_path: Path) -> None:
    with FakeRun(tmp_path / "a") as run:
        run.meta(stopped="exhausted")
    now = {"at": 1.0, "budget": "", "shares": {}, "done": {"a": "It is down."}}
    (tmp_path / SWEEP).write_text(json.dumps(now))
    (one,) = asyncio.run(sweep(tmp_path, {}))
    assert one.problem == "It is down."
