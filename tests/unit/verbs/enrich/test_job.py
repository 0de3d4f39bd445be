"""The small parts of an enrichment: different rows, absent rows, a service in trouble."""

import pytest

from filon.core import Answer, MachineError, Record, Request, Response, Step, UserError
from filon.verbs.enrich.absent import absent, shows_all
from filon.verbs.enrich.job import PATIENCE, Service
from filon.verbs.enrich.settings import pairs
from filon.verbs.enrich.table import Distinct

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


def test_rows_that_say_the_same_are_one_and_empty_ones_none() -> None:
    rows = Distinct({"a": ["x", "x ", "y", "", "x"], "b": ["1", "1", "1", " ", "2"]})
    assert rows.of.tolist() == [0, 0, 1, -1, 2]
    assert rows.columns == {"a": ["x", "y", "x"], "b": ["1", "1", "2"]}
    assert rows.rows() == [[0, 1], [2], [4]]


def test_cells_are_not_taken_for_one_by_where_they_are_cut() -> None:
    assert len(Distinct({"a": ["xy", "x"], "b": ["z", "yz"]})) == 2


DOCUMENTS = ["red fox", "red hen and chicks", "blue whale", "grey wolf"]


def test_a_row_whose_words_were_asked_for_in_vain_is_absent() -> None:
    asked = [("red", True), ("blue whale", False), ("wolf", True)]
    assert absent(DOCUMENTS, [0, 1, 2], asked, "and") == {0, 1}
    assert absent(DOCUMENTS, [3], asked, "and") == {3}
    assert absent(DOCUMENTS, [0], [("red dog", True)], "and") == set()


def test_where_any_word_matches_a_query_of_most_of_the_row_tells() -> None:
    assert absent(DOCUMENTS, [0, 1], [("red fox", False), ("red", False)], "or") == {0}


def test_an_answer_shows_all_where_the_total_or_a_short_page_says_so() -> None:
    two = (Record(id="1"), Record(id="2"))
    assert shows_all(Answer(records=two, total=2), 2)
    assert not shows_all(Answer(records=two, total=3), 2)
    assert shows_all(Answer(records=two), 3)
    assert not shows_all(Answer(records=two), 2)
    assert not shows_all(Answer(problem="down"), 2)


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


def test_columns_and_fields_are_read_from_an_option() -> None:
    told = {"title": "name", "authors": "author", "year": ""}
    assert pairs("title=name,authors = author, year,") == told
    assert pairs('"a=b, c" = d, "e"') == {"a=b, c": "d", "e": ""}
    assert pairs('5" disk=size,x="y, z"') == {'5" disk': "size", "x": "y, z"}
