"""What is in the files of sites, as the worker that has found them sees it.

A process beside the worker reads them, one after the other. No request waits for it: only the
store is told of a find when its file was read.
"""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from filon.profile.worker import NOT_INSTALLED
from filon.profile.worker import Worker as Reader


class Profiling:
    """Reads files; to be used within one event loop."""

    def __init__(self) -> None:
        self._reader = Reader()
        # A thread of its own: who no longer waits for a file does not end the reading of it.
        self._thread = ThreadPoolExecutor(1)

    async def profile(self, path: Path, name: str) -> str | None:
        """Return what is in a file, as JSON; None where it is gone, or nothing here reads it."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, self._profile, path, name)

    def _profile(self, path: Path, name: str) -> str | None:
        if not path.is_file():
            return None
        profile = self._reader.profile(path, name)
        if profile.problem == NOT_INSTALLED:
            return None
        value = profile.plain()
        for table in value["tables"]:
            for column in table["columns"]:
                column["sketch"] = ""  # for joins within a catalog: kilobytes that nobody reads
        return json.dumps(value, ensure_ascii=False)

    def close(self) -> None:
        """End the process; a file that is being read is left."""
        self._reader.cut_short()
        self._thread.shutdown(cancel_futures=True)
        self._reader.close()
