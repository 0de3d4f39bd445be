"""A host goes down at a random moment, for some requests or for long: no file is lost."""

from pathlib import Path

import pytest

import filon
from faults.front import FAULTS
from faults.moments import MOMENTS, how, moments, undisturbed
from faults.verbs import CASES, see_through
from filon.core import MachineError

#: How many requests an outage befalls; 0: until the run has given up.
LASTS = (0, 0, 1, 2, 3, 5, 8, 12)


#: The guards are the same for all verbs: of those that take longer some faults do, by default.
SOME = {
    "harvest": FAULTS,
    "follow": ("closed", "500"),
    "discover": ("cut", "429"),
    "enrich": ("closed",),
}
PAIRS = [(verb, fault) for verb in CASES for fault in (FAULTS if MOMENTS > 1 else SOME[verb])]


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no run wait for long after a refusal, nor go on at a slower pace."""
    monkeypatch.setattr("filon.guards.quota.FIRST_WAIT_S", 0.02)


@pytest.mark.parametrize(("verb", "fault"), PAIRS)
def test_an_outage_at_any_moment_costs_no_file(tmp_path: Path, verb: str, fault: str) -> None:
    case, (truth, size) = CASES[verb], undisturbed(verb)
    for number, chance in enumerate(moments(verb, fault)):
        # A host that is gone before its first answer was never there: that is the user's to know.
        first, lasts = chance.randrange(4, size), chance.choice(LASTS)
        options = how(chance, **({"timeout": 0.5} if fault == "silent" else {}))
        folder = tmp_path / str(number) / "run"
        folder.parent.mkdir()
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
