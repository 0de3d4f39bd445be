"""A service in trouble, as the session hears of it."""

from pathlib import Path

import pytest

from filon.core import Answer, MachineError, Request, Response, Step, UserError
from filon.verbs.enrich import EnrichSettings, job
from filon.verbs.enrich.job import PATIENCE, Service, prepare

STEP = Step(request=Request(url="http://box.test/"))
OK = Response(url="http://box.test/", status=200)


class Script:
    """A provider whose answers are given beforehand."""

    name, page_size, joins = "box", 10, "and"

    def __init__(self, *problems: str) -> None:
        self._problems = list(problems)

    def takes(self, query: str) -> bool:
        return True

    def request(self, query: str, page: str = "") -> Request:
        return STEP.request

    def parse(self, response: Response) -> Answer:
        return Answer(problem=self._problems.pop(0), detail="It says so.")


def watched(*problems: str, response: Response = OK) -> None:
    service = Service(Script(*problems))
    for _ in problems:
        service.watch(STEP, response, [])


def test_a_wrong_key_at_the_first_call_is_the_users_mistake() -> None:
    with pytest.raises(UserError, match="does not accept the key: It says so"):
        watched("key")
    watched("", "key")


def test_answers_that_have_changed_end_the_sitting_and_it_can_be_resumed() -> None:
    watched("", "schema", "schema", "", "schema", "schema")
    with pytest.raises(MachineError, match="filon resume"):
        watched("", *["schema"] * PATIENCE["schema"])
    with pytest.raises(UserError, match="as its description says"):
        watched(*["schema"] * PATIENCE["schema"])


def test_a_service_that_was_never_reached_is_told_at_once() -> None:
    gone = Response(url="http://box.test/", error="connect")
    with pytest.raises(UserError, match="does not answer"):
        watched("down", response=gone)
    with pytest.raises(MachineError, match="filon resume"):
        watched("", *["down"] * PATIENCE["down"], response=gone)


def test_quotas_are_left_to_the_strategy() -> None:
    watched(*["quota"] * 30)


TABLE = "title,year,note\nRed,1961,x\nRed,1962,y\nBlue,1963,z\n"


def test_other_columns_are_those_of_the_first_like_row_and_may_be_forbidden(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = tmp_path / "t.csv"
    table.write_text(TABLE)
    settings = EnrichSettings(table=str(table), source="crossref", match="title", add="note=doi")
    assert prepare(settings).others == {"year": ["1961", "1963"]}
    named = EnrichSettings(
        table=str(table), source="crossref", match="title", add="note=doi", columns="title"
    )
    assert prepare(named).others == {}
    monkeypatch.setattr(job, "MOST_ROWS", 1)
    assert prepare(settings).others == {}
