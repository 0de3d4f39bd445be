import io
import os
import re
from pathlib import Path
from typing import Any

import pytest

from filon.cli import session as line_module
from filon.cli.session import Line
from filon.core import Budget, MachineError, Spent
from filon.verbs.registry import VERBS


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


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


def test_a_live_line_ends_with_a_whole_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_module, "LIVE_EVERY_S", -1.0)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(Line, "_size", lambda _: os.terminal_size((30, 24)))
    terminal = Terminal()
    Line(terminal).show(lambda: "16 of 40 requests · 1.07 MB · 12.5 s")
    assert terminal.getvalue().strip() == "16 of 40 requests · 1.07 MB"


def test_elsewhere_lines_come_only_every_few_seconds() -> None:
    stream = io.StringIO()
    line = Line(stream)
    for _ in range(100):
        line.show(lambda: "too often")
    assert stream.getvalue() == ""
    line.say("this stays")
    assert stream.getvalue() == "this stays\n"


def test_a_log_has_a_few_lines_of_many_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PLAIN_EVERY_S", "PARTS_EVERY_S"):
        monkeypatch.setattr(line_module, name, -1.0)
    stream = io.StringIO()
    Line(stream).show(lambda: [f"part {n}" for n in range(100)])
    assert stream.getvalue().splitlines() == [f"part {n}" for n in range(10)]


def test_a_dumb_terminal_gets_plain_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    assert not Line(Terminal()).live


def test_a_stream_that_is_closed_does_not_end_the_run() -> None:
    stream = io.StringIO()
    line = Line(stream)
    stream.close()
    line.say("nobody hears this")
    assert stream.closed


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


def test_how_to_go_on_is_said_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run = Path("run")
    run.mkdir()
    (run / "run.toml").touch()
    (run / "ledger.sqlite").touch()

    async def work(*_: Any) -> None:
        raise MachineError(f"The disk is full: `filon resume {tmp_path / run}` goes on.")

    with pytest.raises(MachineError) as failed:
        line_module._attend(
            VERBS.find("harvest")(), run, work, Budget(), Spent(), Line(None), as_json=False
        )
    assert str(failed.value).count("filon resume") == 1


def test_the_parts_of_a_whole_are_drawn_below_the_line_and_taken_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(line_module, "LIVE_EVERY_S", -1.0)
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    line = Line(terminal)
    line.show(lambda: ["all", "a.test", "b.test"])
    assert terminal.getvalue().count("\n") == 2
    assert terminal.getvalue().endswith("\x1b[2A")
    line.show(lambda: ["all"])
    line.clear()
    assert terminal.getvalue().count("\r\x1b[J") == 2
    assert terminal.getvalue().endswith("\r\x1b[K")
