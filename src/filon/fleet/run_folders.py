"""The run folder of a site, on the disk of the worker that has it: brought there, and removed."""

import asyncio
import contextlib
import shutil
from pathlib import Path

from filon.core import MachineError, Spent
from filon.fleet.blobs import Blobs
from filon.fleet.model import Lease
from filon.fleet.pieces import Mark, Place, last_place, marked, restore
from filon.run import readonly
from filon.run.disk import replace_text
from filon.run.folder import RunFolder


class RunFolders:
    """The run folders of a worker; each with the epoch under which it was written to."""

    def __init__(self, folder: Path, blobs: Blobs) -> None:
        self.folder, self._blobs = folder, blobs

    def path(self, name: str) -> Path:
        """Return where the run of a site is."""
        return self.folder / name

    def _epoch(self, name: str) -> Path:
        return self.folder / f".{name}.epoch"

    async def bring(self, lease: Lease) -> tuple[tuple[Place, Mark] | None, Spent]:
        """Have the run of a site as it stands; return its last piece, and what it has cost.

        A folder that this worker left under the epoch before is the newest there is.
        """
        name = lease.site.name
        after = await self._brought(lease)
        self.folder.mkdir(parents=True, exist_ok=True)
        epoch, number = after[0] if after else (0, 0)
        replace_text(self._epoch(name), f"{lease.epoch} {epoch} {number}")
        return after, await asyncio.to_thread(_spent, self.path(name))

    async def _brought(self, lease: Lease) -> tuple[Place, Mark] | None:
        name, folder = lease.site.name, self.path(lease.site.name)
        place = await last_place(self._blobs, name, lease.epoch) if lease.epoch > 1 else None
        after = await marked(self._blobs, name, place) if place else None
        mark = after[1] if after else Mark()
        if self._is_newest(lease, place) and await asyncio.to_thread(_reaches, folder, mark):
            return after
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
        return await restore(self._blobs, name, place, folder) if place else None

    def _is_newest(self, lease: Lease, place: Place | None) -> bool:
        """Say whether nobody has written since this worker left its folder.

        One that was thought dead may have: a piece that was on its way when its lease ended.
        """
        epoch, *began = read_text(self._epoch(lease.site.name)).split() or [""]
        is_own = place is None or place.epoch == lease.epoch - 1 or not began
        same = place is not None and began == [str(place.epoch), str(place.number)]
        return epoch == str(lease.epoch - 1) and (is_own or same)

    def remove(self, name: str) -> None:
        """Let nothing stay behind of a site."""
        self._epoch(name).unlink(missing_ok=True)
        shutil.rmtree(self.path(name), ignore_errors=True)


def read_text(path: Path) -> str:
    """Return what a small file says; "" where there is none."""
    with contextlib.suppress(OSError, UnicodeDecodeError):
        return path.read_text("utf-8").strip()
    return ""


def _reaches(folder: Path, mark: Mark) -> bool:
    """Say whether a folder has all that pieces have: it has not after a power cut."""
    if not (folder / readonly.CONFIG).is_file():
        return False
    try:
        with readonly.reading(folder) as ledger:
            steps, answers = ledger.execute("SELECT count(*), count(answer) FROM steps").fetchone()
    except MachineError:
        return False
    return bool(steps >= mark.step and answers >= mark.answer)


def _spent(folder: Path) -> Spent:
    if not (folder / readonly.CONFIG).is_file():
        return Spent()
    with RunFolder.open(folder, read_only=True) as run:
        return run.spent
