"""The progress of a run in the cell of a notebook: some lines of text, drawn over again."""

import sys
import time
from collections.abc import Callable
from typing import Any

from filon.run.text import plain

#: A notebook sends each state over a socket and keeps it in its file: fewer than in a terminal.
EVERY_S = 0.5


class Cell:
    """Shows a state below the cell that runs, the newest only.

    display: IPython's, which makes an output and returns a handle to change it by.
    """

    def __init__(self, display: Callable[..., Any]) -> None:
        self._handle = display(_Line(""), display_id=True)
        self._shown_s = time.monotonic()

    def show(self, text: Callable[[], str | list[str]]) -> None:
        """Show a line or some, which are made only if the last were long enough ago."""
        now_s = time.monotonic()
        if now_s - self._shown_s >= EVERY_S:
            self._shown_s = now_s
            self._handle.update(_Line(text()))

    def clear(self) -> None:
        """Take it away: what follows is the result."""
        self._handle.update(_Line(""))


class _Line:
    """A text that a notebook shows as it is."""

    def __init__(self, text: str | list[str]) -> None:
        self._lines = [text] if isinstance(text, str) else text

    def __repr__(self) -> str:
        return "\n".join(map(plain, self._lines))


def cell() -> Cell | None:
    """Return where progress is shown; None: this is no notebook."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    if shell is None or not hasattr(shell, "kernel"):
        return None
    from IPython.display import display

    return Cell(display)
