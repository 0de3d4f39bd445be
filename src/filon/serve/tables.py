"""What is dropped on the page: kept in the home, and shown as columns with a sample.

A file keeps the name that it was dropped with, made harmless, below a folder named by its content,
so that the same file is there once and another of the same name takes nobody's place.
"""

import hashlib
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import IO, Any, Self

from filon.core import MachineError, UserError
from filon.dispatch.dispatcher import OWN_FOLDER
from filon.run.disk import replacing
from filon.run.export.folder import safe_name
from filon.run.text import size
from filon.serve.words import t
from filon.services.describe import find, shipped
from filon.services.shape import Description
from filon.verbs.enrich.table import Table, open_table
from filon.verbs.enrich.table.delimited import Delimited
from filon.verbs.enrich.table.sheet import Sheet
from filon.verbs.job import secrets_of

#: Larger tables are enriched from a shell, where no browser has to send them.
MOST_BYTES = 100 << 20
#: What all that was dropped may take of the disk.
MOST_KEPT_BYTES = 4 << 30
#: Rows and columns that are shown of a table, and characters of a cell.
_ROWS, _COLUMNS, _CELL = 5, 40, 60
_PIECE = 1 << 20
#: What names no column: a number with a sign, a point or more digits than a year, and a date.
_FIGURE = re.compile(r"[-+]\d+|[-+]?\d+[.,]\d+([eE][-+]?\d+)?|\d{5,}|\d{1,3}")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}([ T].*)?|\d{1,2}[./]\d{1,2}[./]\d{2,4}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of a dropped table, and what is in its first rows."""

    name: str
    sample: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How a file is read as a table; the names are those of the settings.

    part: the name of a table or a sheet, in a file that holds several.
    """

    part: str = ""
    header_row: bool = True
    encoding: str = ""

    @classmethod
    def of(cls, typed: Mapping[str, Any]) -> Self:
        """Return what was typed, by the names of `filon.verbs.option.name_of`."""
        return cls(
            part=str(typed.get("part_", "")),
            header_row=not typed.get("header_row_"),
            encoding=str(typed.get("encoding_", "")),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """A table that was dropped.

    has_header_row: its file does not tell whether the first row names the columns.
    is_doubtful: the first row was taken for names, and looks like one of the others.
    """

    name: str
    rows: int
    columns: tuple[Column, ...]
    more_columns: int
    notes: tuple[str, ...]
    has_header_row: bool
    is_doubtful: bool


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
    raise UserError(t("start.gone"))


def table(path: Path, manner: Manner) -> Table:
    """Return a table that was dropped, opened; the last few are remembered."""
    return _table(path, manner, path.stat().st_mtime_ns)


@lru_cache(4)
def _table(path: Path, manner: Manner, stamp: int) -> Table:
    return open_table(path, name=manner.part, header=manner.header_row, encoding=manner.encoding)


def dropped(path: Path, manner: Manner | None = None) -> Dropped:
    """Return the columns of a table with a sample."""
    manner = manner or Manner()
    opened = table(path, manner)
    names = opened.names[:_COLUMNS]
    cells = opened.read(names)
    columns = tuple(
        Column(name=name, sample=tuple(cell[:_CELL] for cell in cells[name][:_ROWS]))
        for name in names
    )
    has_header_row = isinstance(opened, Delimited | Sheet)
    return Dropped(
        name=f"{path.name}: {manner.part}" if manner.part else path.name,
        rows=opened.size,
        columns=columns,
        more_columns=len(opened.names) - len(names),
        notes=tuple(opened.notes),
        has_header_row=has_header_row,
        is_doubtful=has_header_row and manner.header_row and any(map(_is_like_its_rows, columns)),
    )


def _is_like_its_rows(column: Column) -> bool:
    """Say whether the name of a column may be one of its values: a figure or a day among others.

    A year above figures may be a name, as in a table of years; so may one of no more than digits.

    >>> _is_like_its_rows(Column(name="12.5", sample=("13.1", "9.8")))
    True
    >>> _is_like_its_rows(Column(name="2024", sample=("13.1", "9.8")))
    False
    """
    alike = [one for one in (_FIGURE, _DAY) if one.fullmatch(column.name.strip())]
    return any(one.fullmatch(cell.strip()) for one in alike for cell in column.sample)


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
