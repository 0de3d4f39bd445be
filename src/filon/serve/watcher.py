"""Sees to it that what the timetable says is done: one `filon watch` for the whole home.

It is a process of its own, so that a round does not hold up a page. It is begun anew when the
timetable changes. One that a killed server has left behind is known again by its number, told to
end as by Ctrl-C, and followed by a new one: no site is looked at by two.
"""

import asyncio
import contextlib
import secrets
from collections.abc import Callable, Sequence
from pathlib import Path

from filon.core import UserError
from filon.dispatch import child
from filon.dispatch.child import Child
from filon.dispatch.dispatcher import OWN_FOLDER
from filon.run.disk import replace_text
from filon.serve.timetable import Timetable

#: How often the timetable is looked at.
EVERY_S = 1.0
#: After a watch that ended by itself the next waits so long: something is wrong with it.
AFTER_END_S = 30.0


class Watcher:
    """Keeps the watch of a home going, as its timetable says.

    begin: begins a process; for tests.
    """

    def __init__(
        self,
        timetable: Timetable,
        begin: Callable[[Sequence[str], Path], Child] = child.begin,
    ) -> None:
        self.timetable = timetable
        own = timetable.home / OWN_FOLDER
        self._log, self._number = own / "watch.log", own / "watch.pid"
        self._secret = own / "feed.key"
        self._begin = begin
        self._child: Child | None = None
        self._turn = asyncio.Lock()
        self._as_of = 0.0  # when the timetable that it goes by was written

    @property
    def running(self) -> bool:
        """A watch is at work."""
        return self._child is not None and self._child.poll() is None

    @property
    def said(self) -> str:
        """What a watch said was wrong, where it has ended by itself."""
        ended = self._child is not None and self._child.poll() not in (None, child.INTERRUPTED)
        return child.last_sentence(self._log) if ended else ""

    def secret(self) -> str:
        """Return the word in the address of the feed; it is made once, and outlives the server."""
        try:
            return self._secret.read_text("ascii")
        except OSError:
            self._secret.parent.mkdir(parents=True, exist_ok=True)
            replace_text(self._secret, secrets.token_urlsafe(16))
            return self._secret.read_text("ascii")

    async def always(self) -> None:
        """Look after it until it is cancelled."""
        await self._end_former()
        while True:
            await self.tick()
            pause_s = AFTER_END_S if self.said and not self._changed() else EVERY_S
            for _ in range(int(pause_s / EVERY_S)):
                await asyncio.sleep(EVERY_S)
                if self._changed():
                    break

    async def tick(self) -> None:
        """Begin a watch where there should be one, and end one where there should not."""
        async with self._turn:
            await self._tick()

    async def _tick(self) -> None:
        if self.running and self._changed():
            await self.end()
        if not self.running and self._is_wanted():
            self._as_of = self._written_s()
            self._number.parent.mkdir(parents=True, exist_ok=True)
            self._child = self._begin(["watch", str(self.timetable.path)], self._log)
            replace_text(self._number, f"{self._child.pid}\n")

    async def end(self) -> None:
        """Let the watch save itself and end; wait for it."""
        while self._child is not None and self.running:
            with contextlib.suppress(ProcessLookupError):
                child.interrupt(self._child.pid, own=True)
            # It tells nobody that it ends; and one that has just begun may not have heard.
            for _ in range(20):
                await asyncio.sleep(0.05)
                if not self.running:
                    break
        self._number.unlink(missing_ok=True)

    async def _end_former(self) -> None:
        """End the watch of a server that was killed."""
        try:
            pid = int(self._number.read_text("ascii"))
        except (OSError, ValueError):
            return
        while child.is_alive(pid, self.timetable.path):
            with contextlib.suppress(ProcessLookupError):
                child.interrupt(pid, own=False)
            await asyncio.sleep(0.2)

    def _is_wanted(self) -> bool:
        try:
            return bool(self.timetable.sites())
        except UserError:  # a file that somebody is at: the page tells what is wrong with it
            return False

    def _changed(self) -> bool:
        return self._written_s() != self._as_of

    def _written_s(self) -> float:
        try:
            return self.timetable.path.stat().st_mtime
        except OSError:
            return 0.0
