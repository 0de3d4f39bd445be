"""What an agent may do at the most: a file of the user's, and where there is none, next to nothing.

folder = "~/filon-agents"               # where runs are kept, and which an agent may look into
hosts = ["www.example.org", "*.example.com", "data.test:8080"]
services = ["datacite", "openalex"]     # that discover, acquire and enrich may ask
folders = ["~/tables"]                  # with tables that may be enriched

[budget]
run = "200req,200MB,10min"              # a run, from its beginning to its end
day = "1000req,1GB,1h"                  # all runs of an agent, in any 24 hours

[settings]                              # of every run; an agent cannot change them
contact = "mailto:me@example.org"
"""

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from filon.core import Budget, UserError
from filon.core.suggest import unknown
from filon.dispatch.plan import BEGINS
from filon.mcp.services import places, whole
from filon.verbs.job import live_options
from filon.verbs.option import name_of, table_in, ways
from filon.verbs.registry import VERBS
from filon.verbs.settings import Settings
from filon.web.fence import Fence
from filon.web.live import Live

#: Budgets where the user has set none: enough to see how it works.
RUN, DAY = "100req,100MB,10min", "500req,500MB,1h"
FOLDER = "~/filon-agents"
#: Settings that the user may fix for all runs.
FIXED = (
    "contact",
    "user_agent",
    "delay",
    "parallel",
    "timeout",
    "retries",
    "ca_file",
    "connect_to",
    "proxy",
)
_TABLES = ("budget", "settings")


class LimitError(UserError):
    """Something lies beyond the limits: the sentence is ours alone, and has no word of the web."""


def place() -> Path:
    """Return where the user's file is."""
    base = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(base) / "filon" / "mcp.toml"


@dataclass(frozen=True, kw_only=True)
class Limits:
    """The limits of one user. file: where they stand; it need not exist.

    run, day: budgets, of a run and of all runs within 24 hours.
    at_once: how many runs may be at work at the same time; 0: as many as the machine has cores.

    >>> Limits().verbs, str(Limits().run)
    (('harvest', 'discover', 'follow', 'enrich', 'acquire'), '100req,100MB,10min')
    """

    file: Path = field(default_factory=place)
    folder: Path = field(default_factory=lambda: Path(FOLDER).expanduser())
    hosts: tuple[str, ...] = ()
    services: tuple[str, ...] = ()
    folders: tuple[Path, ...] = ()
    verbs: tuple[str, ...] = BEGINS
    at_once: int = 0
    run: Budget = field(default_factory=lambda: Budget.parse(RUN))
    day: Budget = field(default_factory=lambda: Budget.parse(DAY))
    settings: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def load(cls, file: Path | None = None) -> Self:
        """Return what a file says; by default the user's own, or next to nothing without one."""
        path = file or place()
        if file is None and not path.exists():
            return cls(file=path)
        said = table_in(path)
        try:
            return cls.read(said, path)
        except UserError as error:
            raise UserError(f"{path}: {error}") from error

    @classmethod
    def read(cls, said: Mapping[str, Any], file: Path) -> Self:
        """Return the limits that a table tells; a UserError where it is not understood.

        A word that is misspelt would leave a limit where it was not meant to be: it is refused.
        """
        known = [one.name for one in fields(cls) if one.name not in ("file", "run", "day")]
        _check_names("limit", said, [*known, "budget"])
        budget, settings = (_table(said, name) for name in _TABLES)
        _check_names("budget", budget, ("run", "day"))
        _check_names("setting", settings, FIXED)
        verbs = _texts(said, "verbs") or BEGINS
        for verb in verbs:
            if verb not in BEGINS:
                raise unknown("verb", verb, BEGINS)
        return cls(
            file=file,
            folder=_folder(_text(said, "folder", FOLDER), file),
            hosts=_texts(said, "hosts"),
            services=tuple(whole(one, file.absolute().parent) for one in _texts(said, "services")),
            folders=tuple(_folder(one, file) for one in _texts(said, "folders")),
            verbs=verbs,
            at_once=_number(said, "at_once"),
            run=Budget.parse(_text(budget, "run", RUN)),
            day=Budget.parse(_text(budget, "day", DAY)),
            settings=_settings(settings, file),
        )

    def __post_init__(self) -> None:
        _ = self.fence  # or an error that says which host is none

    # Hosts.

    @cached_property
    def fence(self) -> Fence:
        """The hosts that may be asked, those of services included."""
        return Fence.of(self._places)

    @cached_property
    def fenced(self) -> str:
        """The same as a process is told."""
        return " ".join(self._places)

    @cached_property
    def _places(self) -> list[str]:
        return [*self.hosts, *(host for one in self.services for host in places(one))]

    def check_url(self, url: str) -> str:
        """Return an address that a run may begin at; a LimitError where it may not."""
        if not url.lower().startswith(("http://", "https://")):
            raise LimitError("An address must be written in full: it begins with https:// here.")
        if not self.fence.lets_url(url):
            raise LimitError(
                f"The host of that address is not allowed. {self._allowed('hosts', self.hosts)}"
            )
        return url

    def check_service(self, name: str) -> str:
        """Return a service that may be asked; a LimitError where it may not."""
        if name not in self.services:
            raise LimitError(
                f"That service is not allowed. {self._allowed('services', self.services)}"
            )
        return name

    def check_verb(self, name: str) -> str:
        """Return a verb that may be begun; a LimitError where it may not."""
        if name not in self.verbs:
            raise LimitError(f"That verb is not allowed. {self._allowed('verbs', self.verbs)}")
        return name

    # Folders.

    def check_table(self, text: str) -> Path:
        """Return a file in one of the folders, without links on its way; else a LimitError.

        What is within is decided of the place to which links and dots lead; who hears a refusal
        does not hear whether there is such a file.
        """
        refusal = LimitError(
            "There is no such file in the folders that are allowed. "
            + self._allowed("folders", tuple(map(str, self.folders)))
        )
        for folder in self.folders:
            try:
                found, home = (folder / Path(text).expanduser()).resolve(), folder.resolve()
                if found.is_relative_to(home) and found.is_file():
                    return found
            except (OSError, RuntimeError, ValueError):  # no name that can be, or links in a circle
                continue
        raise refusal

    def _allowed(self, what: str, those: tuple[str, ...]) -> str:
        named = f"Allowed are: {', '.join(those)}." if those else f"No {what} are allowed yet."
        return f"{named} Only the user can allow more, by {what} in {self.file}."

    # What is the same for all runs.

    def fixed(self, verb: str) -> dict[str, Any]:
        """Return the settings that the user has fixed, by the names of `filon.verbs.option`."""
        known = {entry.name for entry, _, _ in ways(VERBS.find(verb).settings)}
        names = {e.name: name_of(e, n) for e, n, _ in ways(VERBS.find(verb).settings) if not n}
        return {names[name]: value for name, value in self.settings.items() if name in known}

    def rows(self) -> list[str]:
        """Return the limits, a line each."""
        lines = {
            "hosts": ", ".join(self.hosts) or "none",
            "services": ", ".join(self.services) or "none",
            "folders of tables": ", ".join(map(_seen, self.folders)) or "none",
            "folder of runs": str(self.folder),
            "verbs": ", ".join(self.verbs),
            "budget of a run": str(self.run),
            "budget of 24 hours": str(self.day),
        }
        there = "" if self.file.exists() else ", a file that is not there yet"
        return [
            *(f"{name}: {value}" for name, value in lines.items()),
            f"Only the user can change this, in {self.file}{there}.",
        ]

    @property
    def stamp(self) -> str:
        """By which it is known that the limits have changed."""
        said = [self.fenced, self.folders, self.verbs, self.run, self.day, self.settings]
        return hashlib.sha256(repr(said).encode()).hexdigest()[:12]


def _check_names(what: str, said: Mapping[str, Any], known: Any) -> None:
    for name in said:
        if name not in known:
            raise unknown(what, name, known)


def _table(said: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = said.get(name, {})
    if not isinstance(value, Mapping):
        raise UserError(f"{name} must be a table: write [{name}] above its lines.")
    return value


def _settings(said: Mapping[str, Any], file: Path) -> Mapping[str, Any]:
    """Return the settings of all runs, looked at as a run does when it begins."""
    if "ca_file" in said:
        said = {**said, "ca_file": str(_folder(_text(said, "ca_file", ""), file))}
    _texts(said, "connect_to")
    Live(live_options(Settings.from_words(said), "", Path()))
    return said


def _seen(folder: Path) -> str:
    return str(folder) if folder.is_dir() else f"{folder} (which is no folder)"


def _text(said: Mapping[str, Any], name: str, usual: str) -> str:
    value = said.get(name, usual)
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)  # a budget of 300 is one of requests
    if not isinstance(value, str) or not value:
        raise UserError(f"{name} must be a text.")
    return value


def _texts(said: Mapping[str, Any], name: str) -> tuple[str, ...]:
    value = said.get(name, [])
    if not isinstance(value, list) or not all(isinstance(one, str) and one for one in value):
        raise UserError(f"{name} must be a list of texts.")
    return tuple(value)


def _number(said: Mapping[str, Any], name: str) -> int:
    value = said.get(name, 0)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise UserError(f"{name} must be a whole number.")
    return value


def _folder(text: str, file: Path) -> Path:
    """Return a path as the file names it: from where the file lies, where it is no whole one."""
    return file.absolute().parent / Path(text).expanduser()
