"""One process at a time writes to a run."""

import fcntl
import os
from pathlib import Path

from filon.core import UserError


class Lock:
    """Held on the run's folder itself: it leaves no file and ends with its process."""

    def __init__(self, folder: Path) -> None:
        self._descriptor = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.release()
            raise UserError(f"{folder} is in use by another process: let it end first.") from None

    def release(self) -> None:
        """Let others have the run; does nothing the second time."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
