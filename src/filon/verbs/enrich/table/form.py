"""What every kind of table can do, and how its cells are read as text."""

import datetime as dt
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from filon.core import UserError
from filon.core.extras import extra
from filon.run.text import cell

_NUMBER = re.compile(r"[+-]?(\d+([.,]\d+)*|\.\d+)([eE][+-]?\d+)?%?")


@dataclass(frozen=True, slots=True, kw_only=True)
class New:
    """What is written beside the user's own cells.

    added: whole columns by name, a text a row; they stand behind the table's own.
    filled: texts by row for columns that the table has, where its cell is empty.
    """

    added: Mapping[str, Sequence[str]] = field(default_factory=dict)
    filled: Mapping[str, Mapping[int, str]] = field(default_factory=dict)


class Table(Protocol):
    """A table in a file. Rows are counted from 0, the header is none of them.

    names: the columns; where two have the same name, the later one is called "name (2)".
    notes: sentences on what a person should know about how it was read.
    """

    names: tuple[str, ...]
    size: int
    notes: list[str]

    @property
    def ending(self) -> str:
        """How the name of such a file ends."""

    def read(self, names: Iterable[str]) -> dict[str, list[str]]:
        """Return columns as text; nothing in a cell is the empty text."""

    def save(self, out: Path) -> None:
        """Write a copy that opens by itself as the same table."""

    def write(self, out: Path, new: New) -> list[str]:
        """Write the table with what is new; return sentences on what did not fit."""


def text(value: object) -> str:
    """Return a cell's value as people write it.

    >>> text(None), text(2005.0), text(True), text(dt.datetime(2024, 5, 1))
    ('', '2005', 'true', '2024-05-01')
    """
    match value:
        case None:
            return ""
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case float() if value.is_integer() and abs(value) < 1e15:
            return str(int(value))
        case dt.datetime() if value.time() == dt.time():
            return value.date().isoformat()
        case dt.date() | dt.time():
            return value.isoformat()
        case bytes():
            return value.decode("utf-8", "replace")
    return str(value)


def harmless(value: str) -> str:
    """Return text that a spreadsheet shows and does not compute; a number stays one.

    >>> harmless("-12.5"), harmless("=1+1")
    ('-12.5', "'=1+1")
    """
    if not value or value[0].isalnum():
        return value  # nearly every cell of a million
    return value if _NUMBER.fullmatch(value) else cell(value)


def distinct(header: Sequence[str]) -> tuple[str, ...]:
    """Return names by which each column can be told from the others.

    >>> distinct(["id", "name", "name", ""])
    ('id', 'name', 'name (2)', 'column 4')
    """
    names: dict[str, None] = {}
    for number, name in enumerate(header, start=1):
        name = name.strip() or f"column {number}"
        copy, chosen = 2, name
        while chosen in names:
            chosen, copy = f"{name} ({copy})", copy + 1
        names[chosen] = None
    return tuple(names)


def choose(path: Path, what: str, known: Sequence[str], wanted: str) -> str:
    """Return which of several tables is meant; a UserError that lists them where none is."""
    if wanted in known:
        return wanted
    if not wanted and len(known) == 1:
        return known[0]
    listed = ", ".join(known[:10]) + (" …" if len(known) > 10 else "")
    if not known:
        raise UserError(f"{path} holds no {what}.")
    if not wanted:
        raise UserError(f"{path} holds several {what}s: name one as {path}:NAME of {listed}.")
    raise UserError(f"{path} has no {what} {wanted!r}: there are {listed}.")


def library(path: Path, *modules: str) -> Any:
    """Return the module that reads a kind of table; the extra may not be installed."""
    return extra("tables", f"{path} needs {' and '.join(modules)}", *modules)
