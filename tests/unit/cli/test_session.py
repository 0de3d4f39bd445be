import io
import re
from pathlib import Path
from typing import Any

import pytest

from filon.cli import session as line_module
from filon.cli.session import Line, Progress
from filon.core import Budget, Find, MachineError, Reason, Request, Response, Spent, Step
from filon.verbs.registry import VERBS

STEP = Step(request=Request(url="http://example.org/"))


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def progress(budget: Budget, spent: Spent | None = None) -> tuple[Progress, Clock]:
    clock = Clock()
    return Progress(Line(io.StringIO()), budget, spent, clock), clock


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


def test_what_comes_from_the_web_is_made_harmless(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_module, "LIVE_EVERY_S", -1.0)
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    line = Line(terminal)
    line.show(lambda: "a\x1b]0;evil\x07\r\nb\u202e")
    line.say("c\x1b[2Jd")
    shown = terminal.getvalue().replace("\r\x1b[K", "")
    assert re.search(r"[\x1b\x07\u202e]", shown) is None
    assert shown.count("\n") == 1
    assert shown.count("\r") == 1


def test_a_live_line_is_never_wider_than_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_module, "LIVE_EVERY_S", -1.0)
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    Line(terminal).show(lambda: "表" * 200)
    assert len(terminal.getvalue().strip()) < 40


def test_elsewhere_lines_come_only_every_few_seconds() -> None:
    stream = io.StringIO()
    line = Line(stream)
    for _ in range(100):
        line.show(lambda: "too often")
    assert stream.getvalue() == ""
    line.say("this stays")
    assert stream.getvalue() == "this stays\n"


def test_a_dumb_terminal_gets_plain_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    assert not Line(Terminal()).live


def test_a_stream_that_is_closed_does_not_end_the_run() -> None:
    stream = io.StringIO()
    line = Line(stream)
    stream.close()
    line.say("nobody hears this")
    assert stream.closed


def test_the_forecast_of_files_left_fits_into_a_narrow_terminal() -> None:
    told, _ = progress(Budget())
    step = Step(
        request=STEP.request, reason=Reason(kind="link", outlook="about 32 ± 11 files left")
    )
    told.watch(step, Response(url=STEP.request.url, status=200, wire_bytes=10_000_000), [])
    assert "about 32 ± 11 files left" in told.text()[:72]


@pytest.mark.parametrize(("files", "said"), [(2, True), (1, False), (0, False)])
def test_a_run_is_to_be_gone_on_with_only_where_it_has_begun(
    tmp_path: Path, files: int, said: bool
) -> None:
    for name in ("ledger.sqlite", "run.toml")[:files]:
        (tmp_path / name).touch()

    async def work(*_: Any) -> None:
        raise MachineError("The disk is full.")

    with pytest.raises(MachineError) as failed:
        line_module._attend(
            VERBS.find("harvest")(),
            tmp_path,
            work,
            Budget(),
            Spent(),
            Line(io.StringIO()),
            as_json=False,
        )
    assert ("filon resume" in str(failed.value)) is said
