"""One session of `filon fleet run`: the fleet is there, workers are started, and it is watched."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from filon.core import UserError
from filon.fleet.blobs import blobs_at
from filon.fleet.locations import NOTE, STORE, note_store
from filon.fleet.settings import FleetSettings
from filon.fleet.site_list import read_sites
from filon.fleet.store import opened
from filon.verbs.session import RUNS, numbered

#: What a fleet has in its folder, where it is told nothing else.
BLOBS, WORKERS = "blobs", "workers"


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Where a fleet is: its store and blobs, and the folder of the workers of this machine."""

    store: str
    blobs: str
    folder: Path

    @classmethod
    def of(cls, out: Path | None, store: str = "", blobs: str = "") -> "Places":
        """Return the places of a fleet in a folder, which may be there; None: in a new one."""
        folder = out or numbered(RUNS, "fleet", claim=False)
        local = str(folder / STORE)
        if folder.exists() and not folder.is_dir():
            raise UserError(f"{folder} is a file: name a folder with --out.")
        known = {STORE, NOTE, BLOBS, WORKERS}
        strange = folder.is_dir() and not any((folder / name).exists() for name in known)
        if strange and any(folder.iterdir()):
            raise UserError(f"The folder {folder} holds no fleet: choose another with --out.")
        return cls(store=store or local, blobs=blobs or str(folder / BLOBS), folder=folder)

    @property
    def is_local(self) -> bool:
        """All of it is in its folder."""
        return self.store == str(self.folder / STORE) and self.blobs == str(self.folder / BLOBS)

    def worker(self, number: int) -> Path:
        """Return the folder of a worker of this machine."""
        return self.folder / WORKERS / str(number)


class Session:
    """A fleet that is begun or gone on with. told: hears sentences on what happens."""

    def __init__(
        self,
        places: Places,
        settings: FleetSettings,
        *,
        told: Callable[[str], None] = lambda sentence: None,
    ) -> None:
        self.places, self._settings, self._tell = places, settings, told

    def check(self, number: int, on: str) -> None:
        """Refuse workers at a place that is not understood, before anything is written."""
        from filon.fleet.workers import workers_on

        workers_on(on, self.places, number)

    async def begin(self, sites: Path | None) -> None:
        """Have the fleet in the store, with the sites of a list."""
        if not (sites or self._is_there()):
            raise UserError("Which sites? Name a file with the address of one a line.")
        listed = list(read_sites(sites)) if sites else []
        await blobs_at(self.places.blobs).close()  # it refuses what it does not understand
        async with opened(self.places.store) as store:
            if not listed:
                await store.settings()  # which tells where there is no fleet to go on with
            is_new = await store.create(self._settings.config(), self._settings.bound())
            note_store(self.places.folder, self.places.store)
            added = await store.add(listed)
            if not is_new:
                asked = self._settings
                kept = FleetSettings.of(await store.settings())
                if kept.changed(budget=asked.budget) != asked:
                    self._tell("The fleet goes on with the settings that it was begun with.")
                self._tell(f"It goes on, with {added} sites more.")

    def _is_there(self) -> bool:
        return "://" in self.places.store or Path(self.places.store).is_file()

    async def see_through(self, number: int, on: str, halt: asyncio.Event) -> str:
        """Start workers, and wait until there is nothing left to do; return why."""
        from filon.fleet.workers import workers_on

        workers = workers_on(on, self.places, number, told=self._tell)
        await workers.start(number)
        watched = asyncio.ensure_future(workers.watch())
        halted = asyncio.ensure_future(halt.wait())
        try:
            await asyncio.wait({watched, halted}, return_when=asyncio.FIRST_COMPLETED)
            if not watched.done():
                await workers.stop()
            return await watched
        finally:
            halted.cancel()
