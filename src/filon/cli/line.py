"""One line on standard error that says how things are going, drawn over itself on a terminal.

Elsewhere it is a plain line every few seconds. What is shown may come from the web: it is made
harmless first. A line that cannot be written is not worth a run: a closed stream is ignored.
"""

import contextlib
import os
import time
from collections.abc import Callable
from typing import TextIO

from rich.cells import set_cell_size

from filon.run.text import plain

#: A live line is drawn again so often; more is only flicker.
LIVE_EVERY_S = 0.2
#: Elsewhere, a log grows by a line so often.
PLAIN_EVERY_S = 5.0
_CLEAR = "\r\x1b[K"


class Line:
    """Shows a state, the newest only."""

    def __init__(self, stream: TextIO) -> None:
        self.live = stream.isatty() and os.environ.get("TERM") != "dumb"
        self._stream = stream
        self._shown_s = time.monotonic()

    def show(self, text: Callable[[], str]) -> None:
        """Show a text, which is made only if the last one is long enough ago."""
        now_s = time.monotonic()
        if now_s - self._shown_s < (LIVE_EVERY_S if self.live else PLAIN_EVERY_S):
            return
        self._shown_s = now_s
        if self.live:
            # A line as wide as the screen would wrap, and could not be drawn over.
            self._write(f"\r{set_cell_size(plain(text()), self._width() - 1)}")
        else:
            self._write(f"{plain(text())}\n")

    def say(self, sentence: str) -> None:
        """Write a line that stays."""
        self.clear()
        self._write(f"{plain(sentence)}\n")

    def clear(self) -> None:
        """Take the live line away: what follows is the result."""
        if self.live:
            self._write(_CLEAR)

    def _width(self) -> int:
        try:
            return os.get_terminal_size(self._stream.fileno()).columns or 80
        except (OSError, ValueError):
            return 80

    def _write(self, text: str) -> None:
        with contextlib.suppress(OSError, ValueError):
            self._stream.write(text)
            self._stream.flush()
