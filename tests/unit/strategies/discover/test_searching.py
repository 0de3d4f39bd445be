from filon.core import Response
from filon.strategies.discover import Brief
from filon.strategies.discover.searching import MOST_RESTS, PATIENCE, Searching
from toydiscovery import Hits, ToySearcher


def fails(searching: Searching, status: int, times: int) -> None:
    for _ in range(times):
        task = searching.task("keyword", "bee", "keyword")
        if task is None:
            return
        url = searching.request(task, "keyword").url
        searching.read(task, "keyword", Response(url=url, status=status))


def test_a_service_that_is_down_rests_until_the_next_round_but_not_for_ever() -> None:
    one = Searching(Brief(searchers=(ToySearcher(),)))
    for rest in range(MOST_RESTS):
        fails(one, 503, PATIENCE - 1)
        assert one.serves("keyword")
        fails(one, 503, 1)
        assert not one.serves("keyword")
        one.wake()
        assert one.serves("keyword") == (rest < MOST_RESTS - 1)


def test_a_spent_quota_lasts() -> None:
    one = Searching(Brief(searchers=(ToySearcher(),)))
    fails(one, 429, 1)
    one.wake()
    assert not one.serves("keyword")
    assert one.told()[0]["out"] == "quota"


def test_an_answer_ends_a_row_of_failures() -> None:
    one = Searching(Brief(searchers=(ToySearcher(),)))
    fails(one, 503, PATIENCE - 1)
    task = one.task("keyword", "bee", "keyword")
    assert task is not None
    answer = Response(url="http://toy.example/", status=200, body=b'{"urls": [], "more": ""}')
    assert one.read(task, "keyword", answer) == ([], None)
    fails(one, 503, PATIENCE - 1)
    assert one.serves("keyword")


def test_the_next_service_stands_in() -> None:
    one = Searching(Brief(searchers=(ToySearcher("a"), ToySearcher("b"))))
    task = one.task("related", "http://x.example/", "related")
    assert task is not None
    _, further = one.read(task, "related", Response(url="http://a.example/", status=429))
    assert further is not None
    assert further.searcher == "b"


class Picky(ToySearcher):
    def parse(self, operator: str, response: Response) -> Hits:
        return Hits(problem="query")


def test_a_question_that_a_service_does_not_take_is_no_failure_of_it() -> None:
    one = Searching(Brief(searchers=(Picky(),)))
    fails(one, 200, 3 * PATIENCE)
    assert one.serves("keyword")
    assert one.told()[0]["failed: query"] == 3 * PATIENCE
