"""A run in the foreground of a terminal, with its progress and its interruption.

The line that shows how things are going serves other commands too: what a run needs besides is
imported when one begins.
"""

import asyncio
import contextlib
import json
import os
import shlex
import signal
import sys
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from functools import partial
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, TextIO

import typer
from rich.cells import cell_len, set_cell_size

from filon.cli import INTERRUPTED
from filon.cli.outcome import tell
from filon.core import Budget, MachineError, Spent
from filon.core.plugins import loaded
from filon.run.readonly import CONFIG
from filon.run.text import plain
from filon.verbs.progress import LIVE_EVERY_S, Progress
from filon.verbs.settings import Settings
from filon.verbs.verb import Verb

if TYPE_CHECKING:
    from filon.core.loop import Watch
    from filon.verbs.job import Plan

    Work = Callable[[asyncio.Event, Watch], Coroutine[Any, Any, None]]


def launch(
    verb: Verb[Any],
    settings: Settings,
    out: str | Path | None,
    *,
    dry_run: bool,
    as_json: bool,
    quiet: bool = False,
    review: bool = False,
) -> int:
    """Begin a run and see it through, or only say what would be done; return the exit code."""
    from filon.verbs.session import place

    job = verb.prepare(settings)
    folder = place(out, job.settings.url, job.name, claim=not dry_run)
    if dry_run:
        return rehearse(job, folder, as_json=as_json)
    line = Line(None if quiet else sys.stderr)
    for sentence in job.greeting:
        line.say(sentence)
    work = partial(loaded(f"{verb.session}:begin"), verb, job, folder, claimed=out is None)
    code = _attend(verb, folder, work, job.settings.bound(), Spent(), line, as_json=as_json)
    if review and not code and verb.is_reviewable(folder):
        from filon.cli.review import review as ask

        return ask(folder, json_=as_json)
    return code


def take_up(
    verb: Verb[Any],
    folder: Path,
    settings: Settings,
    spent: Spent,
    *,
    as_json: bool,
    quiet: bool = False,
) -> int:
    """Go on with a run and see it through; return the exit code."""
    work = partial(loaded(f"{verb.session}:go_on"), verb, folder, settings)
    line = Line(None if quiet else sys.stderr)
    return _attend(verb, folder, work, settings.bound(), spent, line, as_json=as_json)


def _attend(
    verb: Verb[Any],
    folder: Path,
    work: "Work",
    budget: Budget,
    spent: Spent,
    line: "Line",
    *,
    as_json: bool,
) -> int:
    from filon.verbs.session import run_here

    progress = Progress(line, budget, spent, nouns=verb.nouns)

    async def foreground() -> None:
        halt = asyncio.Event()
        with interruptible(halt, line.say):
            async with progress.shown():
                await work(halt, progress)

    try:
        run_here(foreground())
    except MachineError as error:
        again = f"filon resume {shlex.quote(str(folder))}"
        told = again in str(error) or f"filon resume {folder.resolve()}" in str(error)
        if told or not (folder / CONFIG).exists():
            raise
        raise MachineError(f"{error} Go on with: {again}") from error
    return tell(folder, as_json=as_json, quiet=line.quiet)


def rehearse(job: "Plan", folder: Path, *, as_json: bool) -> int:
    """Print what would be done: the effective configuration, the first requests and the folder.

    The parts are put together as for a run, since each refuses what it does not understand.
    """
    job.check(folder)
    first = job.first_urls()
    config = job.settings.config()
    if as_json:
        plan = {"dry_run": True, "run": str(folder), "first_requests": first, "config": config}
        typer.echo(json.dumps(plan))
        return 0
    typer.echo(f"Would {plain(job.what)} into {folder}; nothing was sent or written.")
    for sentence in job.terms:
        typer.echo(plain(sentence))
    typer.echo(f"First requests: {plain(', '.join(first))}")
    for name, value in config.items():
        typer.echo(f"  {name} = {plain(json.dumps(value, ensure_ascii=False), 400)}")
    return 0


#: The terminal was closed; Windows has no such signal.
_HANGUP = getattr(signal, "SIGHUP", None)
#: On Windows, what reaches a process that was begun apart from its terminal, as pages begin runs.
_BREAK = getattr(signal, "SIGBREAK", None)


def _signals() -> list[int]:
    """Return the signals that end a run; who started it by nohup wants it to go on."""
    ends: list[int] = [signal.SIGINT, signal.SIGTERM]
    if _BREAK is not None:
        ends.append(_BREAK)
    heard = _HANGUP is not None and signal.getsignal(_HANGUP) is not signal.SIG_IGN
    return [*ends, _HANGUP] if _HANGUP is not None and heard else [*ends]


def _leave(screens: Sequence[int]) -> None:
    """Write no more to a terminal that is gone: it would be an error."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for screen in screens:
        os.dup2(nowhere, screen)
    os.close(nowhere)


@contextlib.contextmanager
def interruptible(halt: asyncio.Event, say: Callable[[str], None]) -> Iterator[None]:
    """Set `halt` at the first signal; within a running event loop of the main thread."""
    loop = asyncio.get_running_loop()
    screens = [number for number in (1, 2) if os.isatty(number)]
    signals = 0

    def stop() -> None:
        say("Stopping: what is in flight may still come in. Once more ends at once.")
        halt.set()

    def handle(signum: int, _frame: FrameType | None) -> None:
        nonlocal signals
        if signum == _HANGUP:
            _leave(screens)
            if signals:
                return  # a terminal that is closed says so more than once
        signals += 1
        if signals > 1:
            # Nothing to tidy up: what is acknowledged is on disk already.
            os._exit(INTERRUPTED)
        # The handler may have cut into a write to the terminal: the loop speaks in its turn.
        loop.call_soon_threadsafe(stop)

    before = {signum: signal.signal(signum, handle) for signum in _signals()}
    try:
        yield
    finally:
        for signum, handler in before.items():
            signal.signal(signum, handler)


#: Elsewhere, a log grows by a line so often.
PLAIN_EVERY_S = 5.0
#: And by lines of the parts of a whole so often.
PARTS_EVERY_S = 30.0
#: By no more than this: the report has all.
PARTS_LOGGED = 10
#: What stands between the parts of a state.
_BETWEEN = " · "
_CLEAR, _CLEAR_BELOW = "\r\x1b[K", "\r\x1b[J"


class Line:
    """Shows a state, the newest only; without a stream it is quiet."""

    def __init__(self, stream: TextIO | None) -> None:
        self.quiet = stream is None
        is_terminal = stream is not None and stream.isatty()
        self.live = is_terminal and os.environ.get("TERM") != "dumb"
        self._stream = stream
        self._rows = 1  # that were drawn last
        self._shown_s = self._parts_s = time.monotonic()

    def show(self, text: Callable[[], str | list[str]]) -> None:
        """Show a line or some, which are made only if the last were long enough ago."""
        now_s = time.monotonic()
        if now_s - self._shown_s < (LIVE_EVERY_S if self.live else PLAIN_EVERY_S):
            return
        self._shown_s = now_s
        made = text()
        lines = [plain(line) for line in ([made] if isinstance(made, str) else made)]
        if self.live:
            self._draw(lines)
        else:
            rare = now_s - self._parts_s >= PARTS_EVERY_S
            self._parts_s = now_s if rare else self._parts_s
            self._write("".join(f"{line}\n" for line in lines[: PARTS_LOGGED if rare else 1]))

    def _draw(self, lines: list[str]) -> None:
        """Draw over what was drawn before, and leave the cursor at its beginning."""
        size = self._size()
        # A line as wide as the screen would wrap, and could not be drawn over.
        cut = [_fitted(line, size.columns - 1) for line in lines[: max(1, size.lines - 2)]]
        below = f"\x1b[{len(cut) - 1}A" if len(cut) > 1 else ""
        start = "\r" if self._rows == len(cut) == 1 else _CLEAR_BELOW
        self._rows = len(cut)
        self._write(start + "\n".join(cut) + below)

    def say(self, sentence: str) -> None:
        """Write a line that stays."""
        self.clear()
        self._write(f"{plain(sentence)}\n")

    def clear(self) -> None:
        """Take the live line away: what follows is the result."""
        if self.live:
            self._write(_CLEAR if self._rows == 1 else _CLEAR_BELOW)
            self._rows = 1

    def _size(self) -> os.terminal_size:
        """Return columns and lines of the screen."""
        usual = os.terminal_size((80, 24))
        if self._stream is None:
            return usual
        try:
            found = os.get_terminal_size(self._stream.fileno())
        except (OSError, ValueError):
            return usual
        return os.terminal_size((found.columns or 80, found.lines or 24))

    def _write(self, text: str) -> None:
        if self._stream is None:
            return
        with contextlib.suppress(OSError, ValueError):
            self._stream.write(text)
            self._stream.flush()


def _fitted(line: str, width: int) -> str:
    """Return the parts of a line that fit; half a number would be another one."""
    while cell_len(line) > width and _BETWEEN in line:
        line = line.rpartition(_BETWEEN)[0]
    return set_cell_size(line, width)
