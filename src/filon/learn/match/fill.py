"""The new columns: what the matched records say, never over what the user has."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rapidfuzz import process
from rapidfuzz.distance import JaroWinkler

from filon.core.errors import UserError
from filon.learn.match.kinds import guess, normalise
from filon.learn.match.matcher import Match, Matches


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """A cell where the user's value (`ours`) stayed, and what the source says instead."""

    row: int
    column: str
    theirs: str
    ours: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """The columns that were asked for, whole; how many cells are new; and where sources differ."""

    columns: Mapping[str, list[str]]
    cells: int
    conflicts: tuple[Conflict, ...]


def fill(columns: Mapping[str, Sequence[str]], matches: Matches, add: Sequence[str]) -> Filled:
    """Fill columns from the records of the matched rows.

    add: names of fields, which name the columns too; or "column=field".
    """
    wishes = [wish.partition("=") for wish in add]
    asked = {column.strip(): (field or column).strip() for column, _, field in wishes}
    matched = [match for match in matches if match.fate == "matched"]
    fields = {name for record in matches.candidates.pool for name in record.fields}
    whole: dict[str, list[str]] = {}
    conflicts: list[Conflict] = []
    cells = 0
    for column, wish in asked.items():
        field = _field(wish, fields, matches)
        whole[column] = list(columns.get(column, [""] * matches.size))
        new, differing = _fill(column, field, whole[column], matched)
        cells += new
        conflicts += differing
    return Filled(columns=whole, cells=cells, conflicts=tuple(conflicts))


def _field(wish: str, fields: set[str], matches: Matches) -> str:
    """The field of that name, or the one that the column of that name is paired with."""
    if wish in fields or not fields:
        return wish
    for pairing in matches.candidates.table.lens.pairings:
        if pairing.column == wish:
            return pairing.field
    near = process.extractOne(wish, sorted(fields), scorer=JaroWinkler.similarity)
    raise UserError(f"the source has no field {wish!r}; did you mean {near[0]!r}?")


def _fill(
    column: str, field: str, cells: list[str], matched: Sequence[Match]
) -> tuple[int, list[Conflict]]:
    kind = guess(cells, column)
    new, conflicts = 0, []
    for match in matched:
        theirs = match.record.fields.get(field, "") if match.record else ""
        ours = cells[match.row]
        if theirs and not ours.strip():
            cells[match.row] = theirs
            new += 1
        elif theirs and not _same(kind, theirs, ours):
            conflicts.append(Conflict(row=match.row, column=column, theirs=theirs, ours=ours))
    return new, conflicts


def _same(kind: str, a: str, b: str) -> bool:
    """Case, accents and punctuation make no conflict; nor does a value that cannot be read."""
    first, second = normalise(kind, a), normalise(kind, b)
    return a == b or (first is not None and first == second)
