"""One process at a time writes to a run."""

import os
import sys
from pathlib import Path

from filon.core import UserError

if sys.platform == "win32":
    import msvcrt

    #: Windows opens no folder, so that a file in it is held; it stays behind, empty.
    _HELD = "lock"

    def _hold(folder: Path) -> int:
        descriptor = os.open(folder / _HELD, os.O_RDWR | os.O_CREAT)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:  # EACCES, which says so of nothing else: it could be opened
            os.close(descriptor)
            raise BlockingIOError from None
        return descriptor

    def _let_go(descriptor: int) -> None:
        # Closing would do, but at a time of the system's choice.
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)
        os.close(descriptor)

else:
    import fcntl

    def _hold(folder: Path) -> int:
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(descriptor)
            raise
        return descriptor

    def _let_go(descriptor: int) -> None:
        os.close(descriptor)


class Lock:
    """Held on the run's folder itself, where a system can: it ends with its process."""

    def __init__(self, folder: Path) -> None:
        try:
            self._descriptor = _hold(folder)
        except BlockingIOError:
            raise UserError(f"{folder} is in use by another process: let it end first.") from None

    def release(self) -> None:
        """Let others have the run; does nothing the second time."""
        if self._descriptor >= 0:
            _let_go(self._descriptor)
            self._descriptor = -1
