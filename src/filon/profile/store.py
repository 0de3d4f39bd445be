"""profiles.sqlite in a run folder: what each found file holds, by its hash."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from filon.profile.shape import Profile
from filon.profile.worker import NOT_INSTALLED, Worker
from filon.run import readonly
from filon.run.disk import write_ahead, writing

FILE = "profiles.sqlite"
#: What profiles look like; those of another version are made anew.
VERSION = 6
_SCHEMA = """
CREATE TABLE IF NOT EXISTS profiles (
    sha256 TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    format TEXT NOT NULL,
    problem TEXT NOT NULL,
    tables INTEGER NOT NULL,
    profile TEXT NOT NULL -- JSON
) WITHOUT ROWID
"""


class Found(NamedTuple):
    """A file that a run found."""

    sha256: str
    name: str
    url: str


class Profiles(AbstractContextManager["Profiles"]):
    """The profiles of a run."""

    def __init__(self, run: Path) -> None:
        self.run = readonly.find_run(run)
        with writing(self.run, self.run / FILE):
            self._db = sqlite3.connect(self.run / FILE, isolation_level=None, timeout=60)
            write_ahead(self._db)
            self._db.execute(_SCHEMA)

    def missing(self) -> list[Found]:
        """Return the files of the run that have no profile yet."""
        known = {
            sha256
            for (sha256,) in self._db.execute(
                "SELECT sha256 FROM profiles WHERE version = ? AND problem != ?",
                (VERSION, NOT_INSTALLED),
            )
        }
        return [found for found in self.files() if found.sha256 not in known]

    def files(self) -> list[Found]:
        """Return the different files of the run, in the order in which they came."""
        with readonly.reading(self.run) as ledger:
            rows = ledger.execute(
                "SELECT sha256, name, url FROM finds WHERE kind = 'file' AND sha256 != ''"
                " GROUP BY sha256 ORDER BY min(find)"
            ).fetchall()
        return [Found(*row) for row in rows]

    def make(
        self,
        watch: Callable[[Found, Profile], None] | None = None,
        *,
        worker: Worker | None = None,
        known: Callable[[str], Profile | None] = lambda sha256: None,
        halted: Callable[[], bool] = lambda: False,
    ) -> int:
        """Profile what has no profile yet; return how many files that were.

        worker: one that others use too, which stays open. known: returns the profile of a hash
            that was made elsewhere. halted: when it says so, no more profiles are made, and one
            that was under way is not kept.
        """
        missing = self.missing()
        with nullcontext(worker) if worker else Worker() as reader:
            for found in missing:
                path = readonly.stored(self.run, found.sha256)
                profile = known(found.sha256) or reader.profile(path, found.name or found.url)
                if halted():
                    break
                profile = replace(profile, sha256=found.sha256)
                with writing(self.run, self.run / FILE):
                    self._put(profile)
                if watch:
                    watch(found, profile)
        return len(missing)

    def _put(self, profile: Profile) -> None:
        self._db.execute(
            "INSERT OR REPLACE INTO profiles VALUES (?, ?, ?, ?, ?, ?)",
            (
                profile.sha256,
                VERSION,
                profile.format,
                profile.problem,
                len(profile.tables),
                json.dumps(profile.plain(), ensure_ascii=False),
            ),
        )

    def get(self, sha256: str) -> Profile | None:
        """Return one profile; None where there is none."""
        row = self._db.execute(
            "SELECT profile FROM profiles WHERE sha256 = ?", (sha256,)
        ).fetchone()
        return Profile.read(json.loads(row[0])) if row else None

    def forget(self, sha256: str) -> None:
        """Forget a profile, which has values of the file; it is made anew if the file is there."""
        with writing(self.run, self.run / FILE):
            self._db.execute("DELETE FROM profiles WHERE sha256 = ?", (sha256,))

    def __iter__(self) -> Iterator[tuple[Found, Profile]]:
        for found in self.files():
            if profile := self.get(found.sha256):
                yield found, profile

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def __exit__(self, *_: object) -> None:
        self.close()
