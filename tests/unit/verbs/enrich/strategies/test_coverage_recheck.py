import json
from collections.abc import Sequence

from filon.core import (
    Answer,
    Find,
    Reason,
    Record,
    Request,
    Response,
    State,
    Step,
    Summary,
)
from filon.verbs.enrich.strategies.coverage import Recheck

ROWS = ["oak form 1", "elm form 2", "fir form 3", "?"]


class Service:
    """Takes at most three words, and tells the query in the address."""

    name, page_size, joins = "toy", 5, "and"

    def takes(self, query: str) -> bool:
        return len(query.split()) <= 2

    def request(self, query: str, page: str = "") -> Request:
        return Request(url=f"http://toy.example/{query.replace(' ', '+')}")

    def parse(self, response: Response) -> Answer:
        return Answer(
            records=tuple(Record(id=str(n), fields={}) for n in json.loads(response.body))
        )


class Matcher:
    """A record is that of the row with its number; from 10 on it is only like that row's."""

    def __init__(self) -> None:
        self.doubts: dict[int, bool] = {}

    def rows(self, record: Record) -> Sequence[int]:
        number = int(record.id)
        row = number % 10
        self.doubts[row] = self.doubts.get(row, True) and number >= 10
        return [row]


class Inner:
    """Asks once; all that comes covers."""

    def __init__(self, service: Service, matcher: Matcher) -> None:
        self.service, self.matcher, self.asked = service, matcher, False

    def propose(self) -> Step | None:
        if self.asked:
            return None
        self.asked = True
        return Step(request=self.service.request("form"), reason=Reason(kind="query"))

    def observe(self, step: Step, response: Response) -> list[Find]:
        for record in self.service.parse(response).records:
            self.matcher.rows(record)
        return []

    def state(self) -> State:
        return {"asked": self.asked}

    def restore(self, state: State) -> None:
        self.asked = state["asked"]

    def summary(self) -> Summary:
        return {"inner": 1}


def made() -> Recheck:
    service, matcher = Service(), Matcher()
    return Recheck(Inner(service, matcher), service, matcher, ROWS)


def answer(step: Step, *numbers: int) -> Response:
    body = json.dumps(numbers).encode()
    return Response(url=step.request.url, status=200, body=body)


def taken(one: Recheck) -> Step:
    step = one.propose()
    assert step is not None
    return step


def test_rows_in_doubt_are_asked_for_by_their_own_words_when_all_else_is_done() -> None:
    one = made()
    first = taken(one)
    assert one.propose() is None  # the first answer may end a doubt
    one.observe(first, answer(first, 0, 11, 12))
    second, third = taken(one), taken(one)
    assert second.request.url == "http://toy.example/elm+form"
    assert third.request.url == "http://toy.example/fir+form"
    assert "row 2" in second.reason.text
    assert one.propose() is None
    assert one.observe(second, answer(second, 1)) == []
    assert one.observe(third, answer(third)) == []
    assert one.propose() is None  # once is enough
    assert one.summary() == {"inner": 1, "looked at once more": 2}


def test_a_sure_record_that_comes_late_spares_the_question() -> None:
    one = made()
    first = taken(one)
    one.observe(first, answer(first, 11, 12))
    second = taken(one)
    one.observe(second, answer(second, 2))
    assert one.propose() is None


def test_rows_without_words_are_not_asked_for() -> None:
    one = made()
    first = taken(one)
    one.observe(first, answer(first, 13))
    assert one.propose() is None


def test_it_goes_on_from_its_state() -> None:
    one, other = made(), made()
    first = taken(one)
    one.observe(first, answer(first, 11, 12))
    second = taken(one)
    other.restore(one.state())
    assert other.propose() == one.propose()
    for each in (one, other):
        assert each.observe(second, answer(second, 1)) == []
        assert each.propose() is None
    assert other.state() == one.state()
