"""What strategies stand on: steps out of queries, covered rows out of answers."""

from filon.core import Answer, Reason, Record, Request, Response
from filon.verbs.enrich.strategies import Brief
from filon.verbs.enrich.strategies.coverage import TRIES, Coverage

REASON = Reason(kind="query")


class Service:
    """Takes at most two words; answers what it was told to."""

    name = "service"
    page_size = 2
    joins = "and"

    def __init__(self) -> None:
        self.answer = Answer()

    def takes(self, query: str) -> bool:
        return 0 < len(query.split()) <= 2

    def request(self, query: str, page: str = "") -> Request:
        return Request(url=f"http://service.invalid/?q={query.replace(' ', '+')}&page={page}")

    def parse(self, response: Response) -> Answer:
        return self.answer


class Matches:
    def rows(self, record: Record) -> list[int]:
        return [int(part) for part in record.id.split("+")]


def coverage() -> tuple[Coverage, Service]:
    service = Service()
    columns = {"title": ["a b c", "a b d", "e"]}
    return Coverage(Brief(columns=columns, provider=service, matcher=Matches())), service


def response(url: str) -> Response:
    return Response(url=url, status=200)


def test_a_record_of_two_rows_is_two_finds_and_covers_them_once() -> None:
    here, service = coverage()
    service.answer = Answer(records=(Record(id="0+2", url="http://service.invalid/r"),))
    for tag, finds in ((1, 2), (2, 0)):
        step = here.ask(tag, f"q{tag}", REASON)
        assert step
        outcome = here.observe(step, response(step.request.url))
        assert (outcome.tag, len(outcome.finds)) == (tag, finds)
        assert outcome.rows.tolist() == [0, 2]
    assert here.covered.tolist() == [True, False, True]


def test_a_record_without_an_address_gets_a_stable_one() -> None:
    here, service = coverage()
    service.answer = Answer(records=(Record(id="1"),))
    step = here.ask(1, "a", REASON)
    assert step
    (find,) = here.observe(step, response(step.request.url)).finds
    assert find.url == f"{step.request.url}#1"
    assert find.parent == step.request.url
    assert find.name == "row 2: a b d"


def test_a_long_query_is_shortened_and_not_asked_twice() -> None:
    here, _ = coverage()
    first = here.ask(1, "a b c", REASON)
    assert first
    assert first.request.url.endswith("q=a+b&page=")
    here.observe(first, response(first.request.url))
    assert here.ask(2, "a b d", REASON) is None
    assert here.ask(3, "", REASON) is None


def test_what_fails_in_passing_may_be_asked_again_but_not_for_ever() -> None:
    here, service = coverage()
    service.answer = Answer(problem="quota")
    told = []
    for _ in range(TRIES):
        step = here.ask(1, "a", REASON)
        assert step
        told.append(here.observe(step, response(step.request.url)).again)
    assert told == [True] * (TRIES - 1) + [False]
    service.answer = Answer(problem="query")
    step = here.ask(2, "e", REASON)
    assert step
    assert not here.observe(step, response(step.request.url)).again
    assert here.summary()["problems"] == {"quota": TRIES, "query": 1}


def test_an_answer_is_solid_where_it_has_all_that_matches() -> None:
    here, service = coverage()
    one, two = Record(id="0"), Record(id="1")
    cases = [
        (Answer(records=(one,)), True),
        (Answer(records=(one, two)), False),
        (Answer(records=(one, two), total=2), True),
        (Answer(records=(one, two), total=3), False),
        (Answer(records=(), total=0), True),
    ]
    for tag, (answer, solid) in enumerate(cases):
        service.answer = answer
        step = here.ask(tag, f"q{tag}", REASON)
        assert step
        assert here.observe(step, response(step.request.url)).solid == solid
