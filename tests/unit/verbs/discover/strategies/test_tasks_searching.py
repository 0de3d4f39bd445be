import json
from urllib.parse import urlsplit

from filon.core import Response
from filon.core.service import Hits
from filon.testing.discovery import ToySearcher
from filon.verbs.discover.strategies import Brief, operators
from filon.verbs.discover.strategies.tasks import (
    MOST_BARREN,
    MOST_RESTS,
    PATIENCE,
    Searching,
    Task,
    Tasks,
)


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


def test_a_service_whose_quota_is_spent_is_asked_again_when_nobody_else_is_left() -> None:
    one = Searching(Brief(searchers=(ToySearcher("a"), ToySearcher("b", ("keyword",)))))
    fails(one, 429, 1)
    one.wake()
    assert [told["out"] for told in one.summary()] == ["quota", ""]
    assert one.serves("keyword")
    assert not one.serves("related")
    only = one.task("related", "http://x.example/", "related")
    assert only is not None
    assert only.searcher == "a"
    assert one.routed(only, "related") == only
    assert one.elsewhere(only, "related") is None
    assert one.renew()
    assert one.serves("related")
    assert not one.renew()


def test_a_quota_without_a_guard_that_keeps_questions_lasts() -> None:
    one = Searching(Brief(searchers=(ToySearcher(),)))
    fails(one, 429, 1)
    one.wake()
    assert not one.renew()
    assert not one.serves("keyword")
    assert one.task("keyword", "bee", "keyword") is None
    assert one.summary()[0]["out"] == "quota"


def test_an_answer_tells_that_there_are_calls_again() -> None:
    one = Searching(Brief(searchers=(ToySearcher("a"), ToySearcher("b"))))
    waits = one.task("keyword", "wasp", "keyword")
    assert waits is not None
    fails(one, 429, 1)
    assert one.is_spent("a")
    one.read(waits, "keyword", answer([]))
    assert one.answers("a")


def test_a_registry_cannot_stand_in_for_another() -> None:
    one = Searching(Brief(searchers=(ToySearcher("a", ("seeds",)), ToySearcher("b", ("seeds",)))))
    task = Task(kind="search", operator="seeds", searcher="a", query="bee")
    assert one.elsewhere(task, "seeds") is None


def test_an_answer_ends_a_row_of_failures() -> None:
    one = Searching(Brief(searchers=(ToySearcher(),)))
    fails(one, 503, PATIENCE - 1)
    task = one.task("keyword", "bee", "keyword")
    assert task is not None
    answer = Response(url="http://toy.example/", status=200, body=b'{"urls": [], "more": ""}')
    assert one.read(task, "keyword", answer) == ([], None)
    fails(one, 503, PATIENCE - 1)
    assert one.serves("keyword")


def test_a_service_that_was_given_up_and_answers_is_asked_again() -> None:
    one = Searching(Brief(searchers=(ToySearcher(),)))
    waits = one.task("keyword", "bee", "keyword")
    assert waits is not None
    fails(one, 503, PATIENCE)
    assert not one.serves("keyword")
    answer = Response(url="http://toy.example/", status=200, body=b'{"urls": [], "more": ""}')
    one.read(waits, "keyword", answer)
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
    assert one.summary()[0]["failed: query"] == 3 * PATIENCE


def test_nobody_is_asked_what_he_does_not_take() -> None:
    class Short(ToySearcher):
        def takes(self, operator: str, query: str) -> bool:
            return super().takes(operator, query) and len(query) < 5

    one = Searching(Brief(searchers=(Short("short"), ToySearcher("long"))))
    first, second = one.task("keyword", "bee", "keyword"), one.task("keyword", "beehive", "keyword")
    assert first is not None
    assert second is not None
    assert (first.searcher, second.searcher) == ("short", "long")
    alone = Searching(Brief(searchers=(Short("short"),)))
    assert alone.task("keyword", "beehive", "keyword") is None


def answer(urls: list[str], more: str = "") -> Response:
    body = json.dumps({"urls": urls, "more": more}).encode()
    return Response(url="http://toy.example/", status=200, body=body)


def test_an_answer_without_results_goes_on_where_it_names_another_but_not_for_ever() -> None:
    one = Searching(Brief(searchers=(ToySearcher(operators=("seeds",)),)))
    task: Task | None = Task(kind="search", operator="seeds", searcher="toy", query="bee")
    for page in range(MOST_BARREN):
        assert task is not None, page
        found, task = one.read(task, "seeds", answer([], more=str(page + 1)))
        assert not found
    assert task is None
    first = Task(kind="search", operator="seeds", searcher="toy", query="bee")
    _, task = one.read(first, "seeds", answer([], more="1"))
    assert task is not None
    found, task = one.read(task, "seeds", answer(["http://bee1.example/"], more="2"))
    assert list(found) == ["http://bee1.example/"]
    assert task is not None
    assert (task.cursor, task.got, task.barren) == ("2", 1, 0)


def test_a_page_of_many_that_cannot_be_had_does_not_cost_those_after_it() -> None:
    class Torn(ToySearcher):
        def parse(self, operator: str, response: Response) -> Hits:
            return Hits(problem="down", more="next")

    one = Searching(Brief(searchers=(Torn("torn"), ToySearcher("other"))))
    task: Task | None = Task(kind="search", operator="keyword", searcher="torn", query="bee")
    for _ in range(PATIENCE - 1):
        assert task is not None
        _, task = one.read(task, "keyword", answer([]))
        assert task is not None
        assert (task.searcher, task.cursor) == ("torn", "next")
    assert task is not None
    _, task = one.read(task, "keyword", answer([]))
    assert task is not None
    assert (task.searcher, task.cursor) == ("other", "")


def test_every_registry_is_asked_for_the_topic_and_only_once() -> None:
    registries = (ToySearcher("one", ("seeds",)), ToySearcher("two", ("seeds", "keyword")))
    tasks = Tasks(Brief(topic="bee", searchers=registries))
    assert operators.run("keyword", tasks, (), ["bee data"]) == 3
    assert operators.run("keyword", tasks, (), []) == 0
    steps = [tasks.propose() for _ in range(3)]
    asked = [urlsplit(step.request.url) for step in steps if step]
    assert [(url.hostname, url.query.split("&")[0]) for url in asked] == [
        ("one.example", "op=seeds"),
        ("two.example", "op=seeds"),
        ("two.example", "op=keyword"),
    ]


def test_what_a_registry_lists_is_told_as_listed() -> None:
    tasks = Tasks(Brief(topic="bee", searchers=(ToySearcher(operators=("seeds",)),)))
    operators.run("keyword", tasks, (), ["bee"])
    step = tasks.propose()
    assert step is not None
    assert step.reason.kind == "search"
    task = tasks.landed(step)
    operators.results(tasks, task, tasks.results(task, answer(["http://bee1.example/"])))
    page = tasks.propose()
    assert page is not None
    assert page.reason.text == "toy lists it under “bee”"
    assert page.reason.arm == "seeds"


def test_the_links_of_a_wikis_own_page_are_asked_of_the_wiki() -> None:
    class Wiki(ToySearcher):
        def takes(self, operator: str, query: str) -> bool:
            return operator == "backlinks" or query.startswith("http://toy.example/wiki")

    tasks = Tasks(Brief(topic="bee", searchers=(Wiki(operators=("backlinks", "outlinks")),)))
    tasks.search("backlinks", "http://bee1.example/", "backward", "http://bee1.example/")
    step = tasks.propose()
    assert step is not None
    hubs = ["http://toy.example/wiki/Bees", "http://hub1.example/list"]
    task = tasks.landed(step)
    operators.results(tasks, task, tasks.results(task, answer(hubs)))
    first, second = tasks.propose(), tasks.propose()
    assert first is not None
    assert second is not None
    assert "op=outlinks" in first.request.url
    assert second.request.url == hubs[1]
    task = tasks.landed(first)
    operators.results(tasks, task, tasks.results(task, answer(["http://bee2.example/"])))
    page = tasks.propose()
    assert page is not None
    assert (page.request.url, page.parent) == ("http://bee2.example/", hubs[0])
    assert page.reason.text == f"{hubs[0]} links to it"
