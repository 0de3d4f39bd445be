"""A run's time ends at a random moment: what did not leave is not spent, and nothing is lost."""

from pathlib import Path
from typing import Any

import pytest

import filon
from faults.moments import how, moments, undisturbed
from faults.verbs import CASES, Case, see_through

LONG = {"budget": "3000s"}


def requests(folder: Path) -> int:
    with filon.open_run(folder) as run:
        return run.spent.requests


def check(case: Case, folder: Path, options: dict[str, Any], busy: int = -1) -> list[str]:
    """See a run through under a time that does not suffice, and hold it to the server's log.

    busy: the number of the request from which on the host asks to be left alone for a while.
    """
    folder.parent.mkdir()
    with case.web() as front:
        if busy >= 0:
            front.break_at(busy, "429", lasts=2, retry_after=3)
        stopped = see_through(case, front, folder, options, LONG)
        told, sent, served = requests(folder), front.count, front.whole
    # One that is written in the very moment in which the time ends may be closed before it leaves:
    # it counts as sent, as nobody here can know.
    assert told in (sent, sent + 1), f"{told} requests were told, and {sent} sent: {stopped}"
    assert not case.files or case.found(folder) <= served, "by the server's own log"
    return stopped


@pytest.mark.parametrize("verb", CASES)
def test_a_time_that_ends_at_any_moment_costs_no_file(tmp_path: Path, verb: str) -> None:
    case, (truth, size) = CASES[verb], undisturbed(verb)
    for number, chance in enumerate(moments(verb, "time")):
        delay = 0.02
        budget = {"budget": f"{chance.uniform(0.05, delay * size):.3f}s"}
        folder = tmp_path / str(number) / "run"
        stopped = check(case, folder, how(chance, delay=delay, **budget))
        assert case.found(folder) == truth, (budget, stopped)


@pytest.mark.parametrize("verb", CASES)
def test_a_host_that_asks_for_more_time_than_is_left_costs_no_file(
    tmp_path: Path, verb: str
) -> None:
    case, (truth, size) = CASES[verb], undisturbed(verb)
    for number, chance in enumerate(moments(verb, "retry-after")):
        busy = chance.randrange(1, size)
        folder = tmp_path / str(number) / "run"
        stopped = check(case, folder, how(chance, budget="2.5s"), busy)
        assert case.found(folder) == truth, (busy, stopped)
