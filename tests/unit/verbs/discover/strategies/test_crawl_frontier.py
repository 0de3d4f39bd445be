import pytest

from filon.core import Response
from filon.verbs.discover.strategies import Brief, crawl
from filon.verbs.discover.strategies.crawl import (
    Frontier,
    chances,
    link_classifier,
    link_words,
    outlinks,
)
from filon.verbs.discover.strategies.tasks import Task, Tasks


def waiting(per_site: int = 100) -> Frontier:
    return Frontier(Tasks(Brief(sites="host")), per_site)


def task(url: str, score: float = 0.0, kind: str = "page") -> Task:
    return Task(kind=kind, url=url, operator="forward", score=score, link_words=link_words(url))


def drained(one: Frontier) -> list[str]:
    urls = []
    while one.take():
        step = one._tasks.propose()
        assert step is not None
        urls.append(step.request.url)
    return urls


def test_the_most_promising_goes_first_then_the_older_and_hubs_last() -> None:
    one = waiting()
    one.put(task("http://hub.example/", 0.9, "hub"))
    one.put(task("http://a.example/", 0.2))
    one.put(task("http://b.example/", 0.7))
    one.put(task("http://c.example/", 0.2))
    assert [url[7] for url in drained(one)] == ["b", "a", "c", "h"]


def test_of_two_links_to_a_page_the_more_promising_counts() -> None:
    one = waiting()
    one.put(task("http://a.example/", 0.2))
    one.put(task("http://b.example/", 0.5))
    one.put(task("http://a.example/", 0.8))
    one.put(task("http://a.example/", 0.1))
    assert len(one) == 2
    assert [url[7] for url in drained(one)] == ["a", "b"]


def test_no_more_pages_of_a_site_are_taken_than_allowed() -> None:
    one = waiting(per_site=3)
    one.visit("http://a.example/")
    for number in range(5):
        one.put(task(f"http://a.example/{number}"))
    assert len(drained(one)) == 2


def test_of_too_many_the_least_promising_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crawl, "MOST_WAITING", 40)
    one = waiting()
    for number in range(200):
        one.put(task(f"http://s{number}.example/", number % 50 / 50))
        assert len(one) <= 40
        assert len(one._heap) <= 80
    assert "http://s49.example/" in drained(one)


def test_after_judging_anew_the_order_is_another_and_the_state_holds_it() -> None:
    one = waiting()
    for number in range(5):
        one.put(task(f"http://s{number}.example/", number / 10))
    one.rescore(lambda tasks: [-task.score for task in tasks])
    other = waiting()
    other.restore(one.state())
    assert drained(one) == drained(other) == [f"http://s{n}.example/" for n in range(5)]


def test_a_page_that_was_asked_for_never_waits_again() -> None:
    one = waiting()
    one._tasks.want("http://a.example/", Task(kind="seed"))
    one.put(task("http://a.example/"))
    assert len(one) == 0


def test_links_are_read_with_their_words_and_files_are_left_out() -> None:
    html = (
        b"<p>Of the spring term: <a href='/cs/101'>Databases</a> <a href='/x.pdf'>slides</a></p>"
        b"<link rel=next href='/2'><iframe src='http://b.example/'></iframe>"
    )
    head = (("Content-Type", "text/html"),)
    found = outlinks(Response(url="http://a.example/", status=200, headers=head, body=html))
    assert list(found) == ["http://a.example/cs/101", "http://b.example/"]
    assert {"u:cs", "a:databases", "r:spring"} <= set(found["http://a.example/cs/101"].split())


def test_links_like_those_that_led_somewhere_promise_more() -> None:
    one = link_classifier()
    for number in range(10):
        one.add(link_words(f"http://s{number}.example/courses/{number}", "course").split(), True)
        one.add(link_words(f"http://s{number}.example/people/{number}", "staff").split(), False)
    one.refit()
    good, bad = chances(
        one, [link_words("http://new.example/courses/"), link_words("http://new.example/people/")]
    )
    assert good > 0.5 > bad
