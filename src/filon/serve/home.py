"""The folder that is served: its runs, and whatever else the pages keep there."""

from dataclasses import dataclass
from pathlib import Path

from aiohttp import web

from filon.run import readonly
from filon.run.listing import Entry, runs


@dataclass(frozen=True, slots=True)
class Home:
    """A folder of runs; it need not exist before the first of them.

    at_once: how many runs may be at work at the same time; 0: as many as the machine has cores.
    """

    folder: Path
    at_once: int = 0

    def runs(self) -> list[Entry]:
        """Return the runs, the last at work first."""
        return runs(self.folder) if self.folder.is_dir() else []

    def run(self, name: str) -> Path:
        """Return the folder of a run by its name; 404 where there is none.

        The name comes from an address: it is compared with the names that are there, so that it
        leads nowhere else.
        """
        if self.folder.is_dir():
            for path in self.folder.iterdir():
                if path.name == name and (path / readonly.CONFIG).is_file():
                    return path
        raise web.HTTPNotFound


#: Where a handler finds it: `request.app[HOME]`.
HOME = web.AppKey("home", Home)
