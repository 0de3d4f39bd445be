"""A host goes down at a random moment, for some requests or for long: no file is lost."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

import filon
from faults.front import FAULTS
from faults.moments import MOMENTS, how, moments, undisturbed
from faults.verbs import CASES, see_through
from filon.core import MachineError

#: How many requests an outage befalls; 0: until the run has given up.
LASTS = (0, 0, 1, 2, 3, 5, 8, 12)
#: The same where nothing is tried again: one page, or two, may fail by themselves.
LASTS_LONG = (0, 0, 8, 12)

#: The guards are the same for all verbs: of those that take longer some faults do, by default.
SOME = {
    "harvest": FAULTS,
    "follow": ("closed", "500"),
    "discover": ("cut", "429"),
    "enrich": ("closed",),
}
PAIRS = [(verb, fault) for verb in CASES for fault in (FAULTS if MOMENTS > 1 else SOME[verb])]
SOME_PAIRS = [("harvest", fault) for fault in ("refused", "closed", "503")] + [
    ("discover", "closed")
]


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no run wait for long after a refusal, nor go on at a slower pace."""
    monkeypatch.setattr("filon.guards.quota.FIRST_WAIT_S", 0.02)
    monkeypatch.setattr("filon.guards.outage.MAX_WAIT_S", 0.1)


@pytest.mark.parametrize(("verb", "fault"), PAIRS)
def test_an_outage_at_any_moment_costs_no_file(tmp_path: Path, verb: str, fault: str) -> None:
    for number, chance in enumerate(moments(verb, fault)):
        _see_an_outage(tmp_path / str(number), verb, fault, LASTS, chance)


@pytest.mark.parametrize(("verb", "fault"), PAIRS if MOMENTS > 1 else SOME_PAIRS)
def test_without_retries_it_costs_none_either(tmp_path: Path, verb: str, fault: str) -> None:
    for number, chance in enumerate(moments(verb, fault, "once")):
        _see_an_outage(tmp_path / str(number), verb, fault, LASTS_LONG, chance, retries=0)


def _see_an_outage(
    place: Path, verb: str, fault: str, lengths: Sequence[int], chance: Random, **more: object
) -> None:
    case, (truth, size) = CASES[verb], undisturbed(verb)
    # A host that is gone before its first answer was never there: that is the user's to know.
    first, lasts = chance.randrange(4, size), chance.choice(lengths)
    options = how(chance, **({"timeout": 0.5} if fault == "silent" else {}), **more)
    folder = place / "run"
    place.mkdir()
    with case.web() as front:
        front.break_at(first, fault, lasts)
        stopped = see_through(case, front, folder, options, {})
        served = front.whole
    assert case.found(folder) == truth, (first, lasts, options, stopped)
    assert not case.files or truth <= served, "by the server's own log"


@pytest.mark.parametrize("verb", CASES)
def test_a_host_that_is_still_down_at_a_resume_is_no_mistake_of_the_user(
    tmp_path: Path, verb: str
) -> None:
    case, (truth, _) = CASES[verb], undisturbed(verb)
    folder = tmp_path / "run"
    with case.web() as front:
        front.break_at(8, "refused")
        with pytest.raises(MachineError, match="filon resume"):
            case.begin(front, folder, {})
        with pytest.raises(MachineError, match="filon resume"):
            filon.resume(folder)
        front.repair()
        see_through(case, front, folder, {}, {}, begun=True)
    assert case.found(folder) == truth
