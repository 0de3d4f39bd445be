from typing import Any

import numpy as np

from filon.core import Response
from filon.verbs.follow.strategies import Brief
from filon.verbs.follow.strategies.lode import AHEAD, PATIENCE, EarlyStop, Lode

SEED = "http://a.example/start"
DEAD = 600
TURTLE = (("Content-Type", "text/turtle"),)


def walk(strategy: Lode, most: int = 10_000) -> list[str]:
    """Let a strategy follow a web of one document that mentions hundreds of dead ends."""
    body = "".join(f"<> <http://v.example/p> <http://b.example/x/{n}> ." for n in range(DEAD))
    asked: list[str] = []
    while len(asked) < most and (step := strategy.propose()):
        url = step.request.url
        asked.append(url)
        answer = Response(url=url, status=404)
        if url == SEED:
            answer = Response(url=url, status=200, headers=TURTLE, body=body.encode())
        strategy.observe(step, answer)
    return asked


def test_it_stops_where_nothing_is_to_be_expected() -> None:
    strategy = Lode(Brief(seeds=(SEED,), stop="auto"))
    asked = walk(strategy)
    assert 200 < len(asked) < 300
    assert strategy.summary()["stopped"] == "early-stop"
    assert strategy.summary()["frontier"] > 300


def test_it_goes_on_to_the_last_where_it_is_told_never_to_stop() -> None:
    strategy = Lode(Brief(seeds=(SEED,), stop="never"))
    assert len(walk(strategy)) > DEAD
    assert not strategy.summary()["stopped"]


def test_what_is_on_its_way_is_waited_for_before_it_stops() -> None:
    strategy = Lode(Brief(seeds=(SEED,), stop="auto"))
    walk(strategy, 100)
    slow = strategy.propose()
    assert slow is not None
    walk(strategy)
    assert strategy.propose() is None
    assert not strategy.summary()["stopped"]
    strategy.observe(slow, Response(url=slow.request.url, status=404))
    assert strategy.propose() is None
    assert strategy.summary()["stopped"] == "early-stop"


def test_a_stopped_walk_goes_on_where_it_is_told_to() -> None:
    strategy = Lode(Brief(seeds=(SEED,), stop="auto"))
    walk(strategy)
    again = Lode(Brief(seeds=(SEED,), stop="never"))
    again.restore(strategy.state())
    assert again.propose() is not None


def older(strategy: Lode) -> dict[str, Any]:
    """Return a state as the first version wrote it, with kinds by folder alone."""
    state = strategy.state()
    queue = [candidate for queue in state["queues"] for candidate in queue]
    told = np.array([[len(queue), 5.0, 4.0, 5.0, 8.0, 0.5, 900.0, 0.8]])
    kinds = {"names": ["b.example/x/*"], "told": told, "dice": []}
    return state | {"version": 1, "kinds": kinds, "queues": [queue]}


def test_a_run_of_the_first_version_goes_on_with_what_it_knew() -> None:
    strategy = Lode(Brief(seeds=(SEED,)))
    walk(strategy, 1)
    again = Lode(Brief(seeds=(SEED,)))
    again.restore(older(strategy))
    assert again.kinds.waiting == strategy.kinds.waiting >= DEAD
    assert again.kinds.record(again.kinds.numbers["b.example/x/*"]) == (5, 4)
    assert len(walk(again)) >= DEAD


def test_a_name_that_says_rdf_is_believed_until_such_names_are_known() -> None:
    body = "".join(f"<> <http://v.example/p> <http://h{n}.example/x.ttl> ." for n in range(40))
    strategy = Lode(Brief(seeds=(SEED,)))
    chances = []
    while step := strategy.propose():
        url = step.request.url
        answer = Response(url=url, status=404)
        if url == SEED:
            answer = Response(url=url, status=200, headers=TURTLE, body=body.encode())
        elif url.endswith("ttl"):
            chances.append(step.reason.expected)
        strategy.observe(step, answer)
    assert chances[0] > 0.7
    assert chances[-1] < 0.2


def after(answers: int, found: int = 0) -> EarlyStop:
    """The rule after so many answers, the last find in one of them."""
    rule = EarlyStop()
    for number in range(1, answers + 1):
        rule.note(found=number == found)
    return rule


def test_it_goes_on_as_long_as_something_was_found_lately() -> None:
    assert not after(PATIENCE - 1).is_over(lambda ahead: 0.0)
    assert not after(2 * PATIENCE, found=2 * PATIENCE - 5).is_over(lambda ahead: 0.0)


def test_after_long_without_a_find_what_is_expected_of_the_next_ones_decides() -> None:
    rule = after(2 * PATIENCE, found=3)
    assert rule.is_over(lambda ahead: 0.3 if ahead == AHEAD else 9.0)
    assert not rule.is_over(lambda ahead: 2.0)


def test_who_has_asked_much_waits_longer() -> None:
    assert after(PATIENCE + 20).is_over(lambda ahead: 0.0)
    assert not after(21 * PATIENCE, found=20 * PATIENCE - 5).is_over(lambda ahead: 0.0)
