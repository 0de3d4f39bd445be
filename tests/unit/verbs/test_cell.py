from typing import Any

import pytest

from filon.verbs import cell as module
from filon.verbs.cell import Cell, cell


class Handle:
    """What `display` returns: it changes what is shown."""

    def __init__(self, shown: list[str], first: object) -> None:
        self.shown = shown
        shown.append(repr(first))

    def update(self, value: object) -> None:
        self.shown.append(repr(value))


def made(shown: list[str]) -> Cell:
    def display(first: object, **_: Any) -> Handle:
        return Handle(shown, first)

    return Cell(display)


def test_a_state_is_shown_in_place_of_the_last_and_taken_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "EVERY_S", -1.0)
    shown: list[str] = []
    made_ = made(shown)
    made_.show(lambda: "1 request")
    made_.show(lambda: "2 \x1b[31mrequests")
    made_.clear()
    assert shown[0] == shown[-1] == ""
    assert shown[1] == "1 request"
    assert "\x1b" not in shown[2]


def test_states_that_come_too_often_are_not_even_made() -> None:
    shown: list[str] = []
    cell = made(shown)
    for _ in range(100):
        cell.show(lambda: pytest.fail("too often"))
    assert shown == [""]


def test_elsewhere_there_is_no_cell() -> None:
    assert cell() is None
