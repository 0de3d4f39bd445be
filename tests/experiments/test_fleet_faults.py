"""What explains that a request was made again: the judge of the trial with faults."""

import pytest

from experiments.fleet_faults import Outcome
from experiments.fleet_web import Asked
from filon.fleet.model import Overview


def run(fault_s: float) -> Outcome:
    """Three requests to a site, the second of them made again after a while, and one fault."""
    asked = [
        Asked("a.test", "/", 1.0, 1.1),
        Asked("a.test", "/one", 2.0, 2.1),
        Asked("a.test", "/one", 9.0, 9.1),
        Asked("a.test", "/two", 10.0, 10.1),
    ]
    seen = Overview(
        budget={}, is_paused=False, elapsed_s=11.0, states={"exhausted": 1}, held=0, begun=1,
        workers=1, drawn_requests=4, drawn_bytes=0, lost_requests=0, lost_bytes=0,
    )  # fmt: skip
    return Outcome(set(), seen, asked, [(fault_s, "stop")], 11.0)


@pytest.mark.parametrize("fault_s", [1.9, 2.05, 5.0])
def test_a_fault_explains_it_from_when_the_request_may_have_left_to_when_it_was_made_again(
    fault_s: float,
) -> None:
    assert run(fault_s).unexplained == []


@pytest.mark.parametrize("fault_s", [1.05, 9.05, 10.5])
def test_no_fault_before_it_left_or_after_it_was_made_again_does(fault_s: float) -> None:
    (told,) = run(fault_s).unexplained
    assert told.began_s == 9.0
