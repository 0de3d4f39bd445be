"""Bar 2 in short: parts fail at random moments, and the files are those of a run in peace."""

from typing import Any

import pytest

from command import start_logged
from experiments import postgresql, raycluster, s3server
from experiments.fleet_faults import Outcome, disturbed
from experiments.fleet_web import at_once, files_of, hosts, repeated
from fleet.missing import missing

SITES = 8
#: What can happen to a fleet on Ray and to no other.
OF_RAY = {"actor": 1.0, "raylet": 1.0, "node": 1.0}


def harmed(budget: str, **more: Any) -> Outcome:
    try:
        return disturbed(SITES, 6, 2, 5, budget, every=(5, 20), start=start_logged, **more)
    except (postgresql.NoPostgreSQLError, s3server.NoS3Error, raycluster.NoRayError) as error:
        missing(str(error))


@pytest.mark.parametrize("more", [{}, {"on": "ray", "kinds": OF_RAY}], ids=["processes", "Ray"])
def test_what_fails_costs_no_file_and_asks_for_nothing_again_but_what_was_in_flight(
    more: dict[str, Any],
) -> None:
    outcome = harmed("1000", **more)
    assert outcome.faults
    truth = {(host, sha256) for host in hosts(SITES) for sha256 in files_of(host)}
    assert {(site, sha256) for site, _, sha256 in outcome.found} == truth
    assert outcome.seen.states == {"exhausted": SITES}
    assert len(outcome.asked) <= outcome.seen.drawn_requests <= 1000
    assert repeated(outcome.asked) <= outcome.in_flight
    assert outcome.unexplained == []
    assert at_once(outcome.asked) == []


def test_a_budget_that_is_short_is_never_overspent_whatever_dies() -> None:
    outcome = harmed("90", kinds={"kill": 1.0, "lose": 1.0})
    assert outcome.faults
    assert len(outcome.asked) <= outcome.seen.drawn_requests <= 90
    assert outcome.seen.states[""] > 0
