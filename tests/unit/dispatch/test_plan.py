from pathlib import Path

import pytest

from filon.core import UserError
from filon.dispatch.dispatcher import Dispatcher
from filon.dispatch.plan import PlanError, launch, planned, verb_named


class Idle(Dispatcher):
    """Begins nothing."""

    def tick(self) -> None:
        pass


def test_a_plan_sends_and_writes_nothing(tmp_path: Path) -> None:
    plan = planned(tmp_path, "harvest", {"url_": "https://a.test/", "budget_": "90"})
    assert plan.words[-2:] == ("--out", str(tmp_path / "a.test-001"))
    assert plan.estimate
    assert plan.estimate.requests == 90
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("verb", "typed"),
    [
        ("harvest", {"url_": "https://a.test/"}),
        ("discover", {"topic_": ["Bees of the world"], "search_": ["datacite"]}),
        ("acquire", {"topic_": ["bees"], "search_": ["datacite"]}),
        ("follow", {"seeds_": ["http://a.test/id/1"]}),
    ],
)
def test_a_run_is_called_as_the_plan_has_said(
    verb: str, typed: dict[str, object], tmp_path: Path
) -> None:
    said = planned(tmp_path, verb, typed).words
    dispatcher = Idle(tmp_path)
    name = launch(dispatcher, verb, typed)
    work = dispatcher.queue.work(name)
    assert work
    assert work.begin == said
    assert said[-1] == str(tmp_path / name)
    assert work.roams == (verb != "harvest")


def test_two_that_begin_at_once_have_two_folders(tmp_path: Path) -> None:
    dispatcher = Idle(tmp_path)
    typed = {"url_": "https://a.test/"}
    assert [launch(dispatcher, "harvest", typed) for _ in range(2)] == ["a.test-001", "a.test-002"]


def test_what_the_command_would_refuse_is_refused_before(tmp_path: Path) -> None:
    dispatcher = Idle(tmp_path)
    with pytest.raises(PlanError) as wrong:
        launch(dispatcher, "discover", {"topic_": ["bees"], "search_": ["no-such-service"]})
    assert "no-such-service" in wrong.value.errors[""]
    assert dispatcher.queue.all() == {}


def test_verbs_about_runs_do_not_begin_one() -> None:
    for name in ("refresh", "resume", "replicate", "nonsense"):
        with pytest.raises(UserError, match="cannot begin"):
            verb_named(name)
