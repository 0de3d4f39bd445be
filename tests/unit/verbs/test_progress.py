from collections.abc import Callable

import pytest

from filon.core import Budget, Find, Reason, Request, Response, Spent, Step
from filon.verbs.progress import Progress, ShowsParts

STEP = Step(request=Request(url="http://example.org/"))


class Nothing:
    """Shows nothing."""

    def show(self, text: Callable[[], str | list[str]]) -> None: ...

    def clear(self) -> None: ...


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def progress(budget: Budget, spent: Spent | None = None) -> tuple[Progress, Clock]:
    clock = Clock()
    return Progress(Nothing(), budget, spent, clock), clock


def answer(told: Progress, clock: Clock, *, finds: int = 0, wire_bytes: int = 10) -> None:
    clock.now_s += 1
    response = Response(url=STEP.request.url, status=200, wire_bytes=wire_bytes)
    told.watch(STEP, response, [Find(kind="file", url="u", name="a.csv")] * finds)


def test_says_what_is_spent_of_the_budget_and_what_it_brought() -> None:
    told, clock = progress(Budget(requests=50, finds=9))
    for _ in range(3):
        answer(told, clock, finds=1)
    assert told.text().startswith(
        "3 of 50 requests · 30 B · 3.0 s · 3 finds of 9 · 3 in the last 3"
    )
    assert told.text().endswith("a.csv")


def test_goes_on_from_what_earlier_sittings_have_spent() -> None:
    told, clock = progress(Budget(), Spent(requests=40, bytes=1000, seconds=60, finds=5))
    answer(told, clock)
    assert told.text().startswith("41 requests · 1.01 kB · 1 min 1 s · 5 finds · 0 in the last 1")


def test_names_a_host_that_asked_to_be_left_alone_until_that_is_over() -> None:
    told, clock = progress(Budget())
    busy = Response(url=STEP.request.url, status=429, headers=(("Retry-After", "3600"),))
    told.watch(STEP, busy, [])
    clock.now_s += 60
    assert " · example.org asks to be left alone for 59 min · " in told.text()
    clock.now_s += 3540
    assert "left alone" not in told.text()
    told.watch(STEP, busy, [])
    answer(told, clock)
    assert "left alone" not in told.text()


def test_the_yield_is_that_of_the_last_hundred() -> None:
    told, clock = progress(Budget())
    for number in range(150):
        answer(told, clock, finds=int(number < 60))
    assert "60 finds · 10 in the last 100" in told.text()


def test_without_a_budget_there_is_no_forecast() -> None:
    told, clock = progress(Budget())
    answer(told, clock)
    answer(told, clock)
    assert told.forecast_s() is None
    assert "ends" not in told.text()


@pytest.mark.parametrize(
    ("budget", "left_s"),
    [
        (Budget(requests=21), 10.0),
        (Budget(seconds=60), 49.0),
        (Budget(requests=21, seconds=12), 1.0),
        (Budget(requests=5), 0.0),
    ],
)
def test_the_forecast_is_of_the_bound_that_ends_first(budget: Budget, left_s: float) -> None:
    told, clock = progress(budget)
    for _ in range(11):
        answer(told, clock)
    assert told.forecast_s() == pytest.approx(left_s)


def test_the_forecast_of_files_left_fits_into_a_narrow_terminal() -> None:
    told, _ = progress(Budget())
    step = Step(
        request=STEP.request, reason=Reason(kind="link", outlook="about 32 ± 11 files left")
    )
    told.watch(step, Response(url=STEP.request.url, status=200, wire_bytes=10_000_000), [])
    assert "about 32 ± 11 files left" in told.text()[:72]


def test_the_parts_of_a_whole_stand_below_the_state() -> None:
    said: list[str] = []

    class _Line:
        def show(self, text: Callable[[], str | list[str]]) -> None:
            said.extend(text())

        def say(self, sentence: str) -> None:
            said.append(f"said {sentence}")

        def clear(self) -> None:
            pass

    progress = Progress(_Line(), Budget())
    progress.show_parts(lambda: ["a.test: 3 requests"])
    progress.say("b.test ended")
    assert progress.lines()[1:] == ["a.test: 3 requests"]
    assert said == ["said b.test ended"]
    assert isinstance(progress, ShowsParts)
