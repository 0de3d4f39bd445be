"""When runs are looked at again: watch.toml of the home, the file that `filon watch` reads.

The page writes it whole; what somebody has written there by hand besides runs (a hook, a title)
stays. Each entry names a run of the home by its folder.
"""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filon.core import UserError
from filon.run.disk import replace_text
from filon.run.folder import as_toml
from filon.run.text import begun
from filon.serve.words import t
from filon.verbs.refresh.schedule import Schedule, Watched

FILE, FEED = "watch.toml", "new.atom"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One run and when it is looked at again, in the words of the file."""

    run: str
    interval: str = "1d"
    budget: str = ""
    quiet: str = ""
    zone: str = ""

    def words(self) -> dict[str, str]:
        """Return what stands in the file of it."""
        named = ("run", "interval", "budget", "quiet", "zone")
        return {name: value for name in named if (value := getattr(self, name))}


@dataclass(frozen=True, slots=True)
class Timetable:
    """The file of a home."""

    home: Path

    @property
    def path(self) -> Path:
        """Where the file lies."""
        return self.home / FILE

    @property
    def feed(self) -> Path:
        """Where the feed of what is new lies, once there was something."""
        schedule = self.schedule()
        return (schedule.feed if schedule else None) or self.home / FEED

    def schedule(self) -> Schedule | None:
        """Return what is watched; None where nothing is."""
        return Schedule.read(self.path) if self._table().get("site") else None

    def sites(self) -> Sequence[Watched]:
        """Return what is watched, entry by entry."""
        found = self.schedule()
        return found.sites if found else ()

    def put(self, entry: Entry) -> None:
        """Add an entry, or change that of its run; a UserError says what is wrong with it."""
        table = self._table()
        others = [site for site in _listed(table) if site.get("run") != entry.run]
        self._write({**table, "site": [*others, entry.words()]})

    def drop(self, run: str) -> None:
        """Look at a run no more."""
        table = self._table()
        self._write({**table, "site": [site for site in _listed(table) if site.get("run") != run]})

    def _table(self) -> dict[str, Any]:
        try:
            return tomllib.loads(self.path.read_text("utf-8"))
        except FileNotFoundError:
            return {"feed": FEED}
        except (OSError, ValueError) as error:
            raise UserError(t("schedules.unread", file=self.path, why=error)) from error

    def _write(self, table: dict[str, Any]) -> None:
        if table["site"]:
            try:
                Schedule.of(table, self.home)  # or an error, before anything is lost
            except UserError as error:  # elsewhere it follows the name of the file
                sentence = str(error)
                raise UserError(begun(sentence)) from error
        replace_text(self.path, as_toml(table))


def _listed(table: dict[str, Any]) -> list[dict[str, Any]]:
    return [site for site in table.get("site") or () if isinstance(site, dict)]
