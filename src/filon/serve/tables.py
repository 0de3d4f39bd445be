"""What is dropped on the page: kept in the home, and shown as columns with a sample.

A file keeps the name that it was dropped with, made harmless, below a folder named by its content,
so that the same file is there once and another of the same name takes nobody's place.
"""

import hashlib
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import IO

from filon.core import MachineError, UserError
from filon.run.disk import replacing
from filon.run.export.folder import safe_name
from filon.run.text import size
from filon.serve.dispatch import OWN_FOLDER
from filon.serve.words import t
from filon.services.describe import find, shipped
from filon.services.shape import Description
from filon.verbs.enrich.table import Table, open_table
from filon.verbs.job import secrets_of

#: Larger tables are enriched from a shell, where no browser has to send them.
MOST_BYTES = 100 << 20
#: What all that was dropped may take of the disk.
MOST_KEPT_BYTES = 4 << 30
#: Rows and columns that are shown of a table, and characters of a cell.
_ROWS, _COLUMNS, _CELL = 5, 40, 60
_PIECE = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of a dropped table, and what is in its first rows."""

    name: str
    sample: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """A table that was dropped."""

    name: str
    rows: int
    columns: tuple[Column, ...]
    more_columns: int
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceChoice:
    """A service that a table can be enriched from.

    fields: that can be added; () where only its answers tell. asks: parameters it must be told.
    needs_key: it answers nobody without, and none is known here.
    """

    name: str
    about: str
    terms: str
    fields: tuple[str, ...]
    asks: Mapping[str, str]
    price: float
    currency: str
    rate: str
    quota: str
    needs_key: bool


def keep(folder: Path, name: str, file: IO[bytes]) -> str:
    """Keep a dropped file; return by what it is found again, as `12ab/papers.csv`."""
    digest = hashlib.sha256()
    while piece := file.read(_PIECE):
        digest.update(piece)
    size_bytes = file.tell()
    file.seek(0)
    place = f"{digest.hexdigest()[:16]}/{safe_name(Path(name).name or 'table')}"
    path = folder / OWN_FOLDER / "dropped" / place
    if path.is_file():
        return place
    held = sum(each.stat().st_size for each in path.parents[1].glob("*/*"))
    if held + size_bytes > MOST_KEPT_BYTES:
        raise UserError(t("start.full", folder=path.parents[1], size=size(MOST_KEPT_BYTES)))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as part, part.open("wb") as out:
            shutil.copyfileobj(file, out, _PIECE)
    except OSError as error:
        raise MachineError(t("start.unkept", folder=folder, why=error.strerror)) from error
    return place


def kept(folder: Path, place: str) -> Path:
    """Return the path of a dropped file; a UserError where there is none.

    What comes from an address is compared with what is there, so that it leads nowhere else.
    """
    dropped = folder / OWN_FOLDER / "dropped"
    for path in dropped.glob("*/*") if dropped.is_dir() else ():
        if f"{path.parent.name}/{path.name}" == place:
            return path
    raise UserError("That file is no longer here: drop it again.")


def table(path: Path, part: str = "") -> Table:
    """Return a table that was dropped, opened; the last few are remembered.

    part: its name, in a file that holds several.
    """
    return _table(path, part, path.stat().st_mtime_ns)


@lru_cache(4)
def _table(path: Path, part: str, stamp: int) -> Table:
    return open_table(path, name=part)


def dropped(path: Path, part: str = "") -> Dropped:
    """Return the columns of a table with a sample."""
    opened = table(path, part)
    names = opened.names[:_COLUMNS]
    cells = opened.read(names)
    columns = (
        Column(name=name, sample=tuple(cell[:_CELL] for cell in cells[name][:_ROWS]))
        for name in names
    )
    return Dropped(
        name=f"{path.name}: {part}" if part else path.name,
        rows=opened.size,
        columns=tuple(columns),
        more_columns=len(opened.names) - len(names),
        notes=tuple(opened.notes),
    )


def sources() -> list[SourceChoice]:
    """Return the services that come with Filon or with installed packages, and may be asked."""
    return [_choice(find(name)) for name in shipped() if not find(name).forbidden]


def own_source(path: str) -> SourceChoice | None:
    """Return a service that a file of the user's describes; None where it is no such file."""
    try:
        return _choice(find(path)) if path.endswith(".toml") else None
    except UserError:  # it is told where the settings are checked
        return None


def _choice(described: Description) -> SourceChoice:
    fields, limits = described.answer.fields, described.limits
    asks = described.parameters.items()
    return SourceChoice(
        name=described.name,
        about=described.about,
        terms=described.terms,
        fields=tuple(fields) if isinstance(fields, Mapping) else (),
        asks={name: one.about for name, one in asks if one.required and not one.default},
        price=limits.price,
        currency=limits.currency,
        rate=limits.rate,
        quota=limits.quota,
        needs_key=_lacks_key(described),
    )


def _lacks_key(described: Description) -> bool:
    if described.key.how == "none" or not described.key.required:
        return False
    try:
        return not secrets_of(_Locked(described))
    except UserError:
        return True


class _Locked:
    """A service as far as its key goes."""

    def __init__(self, described: Description) -> None:
        self.name, self.key = described.name, described.key
        self.origin = described.request.url


def listed(names: list[str]) -> str:
    """Return names as --match and --add take them: with commas, in quotes where need be.

    >>> listed(["title", "name, full"])
    'title,"name, full"'
    """
    return ",".join(f'"{name}"' if set(name) & set(',="') else name for name in names)
