from filon.core import Request
from filon.verbs.follow.strategies import Candidate
from filon.verbs.follow.strategies.tasks import MOST, Task, Tasks


def task(url: str, kind: str = "dump") -> Task:
    return Task(kind, Candidate(uri=url, document=url))


def test_domains_take_turns_and_a_busy_one_waits() -> None:
    tasks = Tasks(lambda url: True)
    for url in ("http://a.org/1", "http://a.org/2", "http://a.org/3", "http://b.org/1"):
        tasks.push(task(url))
    taken = []
    while one := tasks.pop():
        taken.append(one.candidate.document)
        tasks.send(one, Request(url=one.candidate.document))
    assert taken == ["http://a.org/1", "http://b.org/1", "http://a.org/2"]
    assert len(tasks) == 1


def test_what_is_claimed_by_others_or_is_no_url_is_not_asked_for() -> None:
    tasks = Tasks(lambda url: url != "http://a.org/seen")
    origin = Candidate(uri="http://a.org/", document="http://a.org/")
    assert not tasks.visit("dump", "http://a.org/seen", origin)
    assert not tasks.visit("dump", "mailto:x", origin)
    assert tasks.visit("dump", "http://a.org/new", origin)
    assert len(tasks) == 1


def test_there_are_so_many_at_most() -> None:
    tasks = Tasks(lambda url: True)
    for number in range(MOST + 5):
        tasks.push(task(f"http://a.org/{number}"))
    assert len(tasks) == MOST


def test_the_state_of_an_older_run_is_read() -> None:
    tasks = Tasks(lambda url: True)
    tasks.push(task("http://a.org/all.nt"))
    state = tasks.state()
    older = [
        [
            {"lead" if key == "candidate" else key: value for key, value in one.items()}
            for one in queue
        ]
        for queue in state["queues"]
    ]
    assert older != state["queues"]
    again = Tasks(lambda url: True)
    again.restore({**state, "queues": older})
    assert len(again) == 1
    assert again.pop() == tasks.pop()
