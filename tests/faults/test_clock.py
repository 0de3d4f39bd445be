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
    """The time of day by a clock that somebody sets: right after an answer, and now and then.

    after: the numbers of requests after whose answers it is set back.
    """

    def __init__(self, front: Front, chance: Random, after: list[int]) -> None:
        self._front, self._chance, self._after = front, chance, after
        self._wrong_s = DAY_S
        self._answered = False

    def __call__(self) -> float:
        if self._answered:
            self._answered = False
            self._wrong_s -= self._chance.uniform(DAY_S / 10, 2 * DAY_S)
        elif self._after and self._front.count > self._after[0]:
            self._after.pop(0)
            self._answered = True
        elif self._chance.randrange(100) == 0:
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
            patch.setattr("filon.guards.quota.FIRST_WAIT_S", 0.02)
            fault, lasts = chance.choice(["503", "429", "closed"]), chance.randrange(1, 4)
            front.break_at(first, fault, lasts, retry_after=1)
            patch.setattr(time, "time", Jumping(front, chance, [first, first + 1, first + lasts]))
            # Sessions of some requests: the clock is set between them as well.
            budgets = [{"budget": share} for share in range(size // 3, 20 * size, size // 3)]
            options = how(chance, **budgets[0])
            stopped = see_through(case, front, folder, options, *budgets[1:])
        assert case.found(folder) == truth, (first, options, stopped)
