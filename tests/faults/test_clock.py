"""The clock is set back and ahead at random moments: no run waits for it, and nothing is lost."""

import time
from pathlib import Path
from random import Random

import pytest

from faults.front import Front
from faults.moments import how, moments, undisturbed
from faults.verbs import CASES, see_through

DAY_S = 86_400.0
_REAL = time.time


class Jumping:
    """The time of day, by a clock that somebody sets now and then."""

    def __init__(self, chance: Random, every: int) -> None:
        self._chance, self._every = chance, every
        self._wrong_s = 0.0

    def __call__(self) -> float:
        if self._chance.randrange(self._every) == 0:
            self._wrong_s = self._chance.uniform(-DAY_S, DAY_S)
        return _REAL() + self._wrong_s


@pytest.mark.parametrize("verb", CASES)
def test_a_clock_that_is_set_costs_no_file_and_no_time(
    tmp_path: Path, verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    case, (truth, size) = CASES[verb], undisturbed(verb)
    for number, chance in enumerate(moments(verb, "clock")):
        folder = tmp_path / str(number) / "run"
        folder.parent.mkdir()
        first = chance.randrange(1, size)
        with case.web() as front, monkeypatch.context() as patch:
            patch.setattr(time, "time", Jumping(chance, chance.choice([3, 30, 300])))
            _stumble(front, first, chance)
            # Sessions of some requests: the clock is set between them as well.
            budgets = [{"budget": share} for share in range(size // 3, 20 * size, size // 3)]
            options = how(chance, **budgets[0])
            stopped = see_through(case, front, folder, options, *budgets[1:])
        assert case.found(folder) == truth, (first, options, stopped)


def _stumble(front: Front, first: int, chance: Random) -> None:
    """Let something fail that is waited for by the time of day."""
    fault = chance.choice(["503", "429", "closed"])
    front.break_at(first, fault, lasts=chance.randrange(1, 4), retry_after=chance.randrange(2))
