"""Which columns and rows of two versions of a table are the same ones.

Columns are the same by their names, else by what stands in them beside the columns that are. Rows
are the same where all cells are; of the others those with the same key, by the key that leaves
least to be told. Where there is no key, such rows are removed and added.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

Row = tuple[str, ...]
#: Cells that must agree in rows that are otherwise the same, for a column to be renamed.
_AGREES = 0.9
#: Rows of the smaller version that a key must find again in the other.
_SHARED = 0.5
#: Columns a key is made of, those that are tried, and keys that are compared in the end.
_KEY_WIDTH, _KEY_COLUMNS, _MOST_KEYS = 3, 8, 12
#: Rows that tell quickly that columns are no key.
_SAMPLE = 2_000
#: Rows without an equal on either side; beyond, keys are not looked for, and rows are counted.
MOST_UNEQUAL = 200_000
#: Comparisons of cells that are made for renamed columns.
_MOST_COMPARED = 20_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """The cells of a table, each row as wide as the names. is_named: by a header of its own."""

    names: tuple[str, ...]
    rows: Sequence[Row]
    is_named: bool = True

    def only(self, places: Sequence[int]) -> "Lines":
        """Return some columns, in that order."""
        names = tuple(self.names[place] for place in places)
        if list(places) == list(range(len(self.names))):
            return self
        rows = [tuple([row[place] for place in places]) for row in self.rows]
        return Lines(names=names, rows=rows, is_named=self.is_named)


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """old, new: places of columns that are the same, side by side, in the order of the new."""

    old: list[int]
    new: list[int]
    removed: list[int]
    added: list[int]
    renamed: list[tuple[int, int]]

    @property
    def is_reordered(self) -> bool:
        """Say whether columns changed places, beyond those that were removed and added."""
        return self.old != sorted(self.old)


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """A row that is there in both versions. places: of cells that are not the same."""

    key: Row
    old: Row
    new: Row
    places: list[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Matched:
    """What became of rows. key: places of the columns by which changed ones were found."""

    key: tuple[int, ...] = ()
    added: list[Row] = field(default_factory=list)
    removed: list[Row] = field(default_factory=list)
    changed: list[Changed] = field(default_factory=list)
    rewritten: int = 0
    is_reordered: bool = False

    def cost(self, width: int) -> int:
        """Return how many cells tell the change."""
        rows = len(self.added) + len(self.removed)
        return rows * width + sum(len(pair.places) for pair in self.changed)


# Columns.


def match_columns(old: Lines, new: Lines) -> Columns:
    """Return which columns are the same, by name or by what stands in them."""
    pairs = dict(_same_names(old, new))
    left = [place for place in range(len(old.names)) if place not in pairs]
    taken = set(pairs.values())
    right = [place for place in range(len(new.names)) if place not in taken]
    renamed = list(_renamed(old, new, pairs, left, right)) if left and right else []
    gone, come = {one for one, _ in renamed}, {other for _, other in renamed}
    both = sorted([*pairs.items(), *renamed], key=lambda pair: pair[1])
    return Columns(
        old=[one for one, _ in both],
        new=[other for _, other in both],
        removed=[place for place in left if place not in gone],
        added=[place for place in right if place not in come],
        renamed=renamed if old.is_named or new.is_named else [],
    )


def _same_names(old: Lines, new: Lines) -> Iterator[tuple[int, int]]:
    """Yield columns of the same name, written in whatever letters.

    Columns without names are called by their number: such a name says nothing where there are
    more or fewer of them now.
    """
    if not (old.is_named or new.is_named) and len(old.names) != len(new.names):
        return
    exact = {name: place for place, name in enumerate(new.names)}
    found = {place: exact[name] for place, name in enumerate(old.names) if name in exact}
    yield from found.items()
    taken = set(found.values())
    folded: dict[str, int] = {}
    for place, name in enumerate(new.names):
        if place not in taken:
            folded.setdefault(_folded(name), place)
    for place, name in enumerate(old.names):
        if place not in found and (other := folded.pop(_folded(name), None)) is not None:
            yield place, other


def _folded(name: str) -> str:
    return "".join(filter(str.isalnum, name.casefold()))


def _renamed(
    old: Lines, new: Lines, pairs: dict[int, int], left: Sequence[int], right: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """Yield columns that hold the same under another name, the surest first."""
    beside = list(_beside(old, new, pairs))
    if not beside or len(left) * len(right) * len(beside) > _MOST_COMPARED:
        return
    scores: list[tuple[float, int, int, int]] = []
    for one in left:
        for other in right:
            agreeing = sum(before[one] == after[other] for before, after in beside)
            if agreeing >= _AGREES * len(beside):
                scores.append((-agreeing, abs(one - other), one, other))
    gone: set[int] = set()
    come: set[int] = set()
    for _, _, one, other in sorted(scores):
        if one not in gone and other not in come:
            gone.add(one)
            come.add(other)
            yield one, other


def _beside(old: Lines, new: Lines, pairs: dict[int, int]) -> Iterator[tuple[Row, Row]]:
    """Yield rows that are surely the same, by the columns that are; else one after the other."""
    if not pairs:
        if len(old.rows) == len(new.rows):
            yield from zip(old.rows, new.rows, strict=True)
        return
    before, after = _once(old.rows, list(pairs)), _once(new.rows, list(pairs.values()))
    matched = [(row, after[key]) for key, row in before.items() if key in after]
    if matched or len(old.rows) != len(new.rows):
        yield from matched
    else:
        yield from zip(old.rows, new.rows, strict=True)


def _once(rows: Sequence[Row], places: Sequence[int]) -> dict[Row, Row]:
    """Return rows by some of their cells, as far as these are there only once."""
    found: dict[Row, Row | None] = {}
    for row in rows:
        key = tuple([row[place] for place in places])
        found[key] = None if key in found else row
    return {key: row for key, row in found.items() if row is not None}


# Rows.


def match_rows(old: Lines, new: Lines) -> Matched:
    """Return what became of the rows of a table, both versions with the same columns."""
    removed, added = _unequal(old.rows, new.rows)
    is_reordered = _is_reordered(old.rows, new.rows, {*removed, *added})
    removed, added, rewritten = _without_rewritten(removed, added)
    plain = Matched(removed=removed, added=added, rewritten=rewritten, is_reordered=is_reordered)
    if not removed or not added or max(len(removed), len(added)) > MOST_UNEQUAL:
        return plain
    least = min(len(old.rows), len(new.rows))
    best = plain
    best_rank: tuple[int, int, tuple[int, ...]] = (plain.cost(len(new.names)), 0, ())
    for key in _keys(old, new):
        found = _by_key(key, plain)
        shared = len(old.rows) - len(found.removed)
        rank = (found.cost(len(new.names)), len(key), key)
        if shared >= _SHARED * least and rank < best_rank:
            best, best_rank = found, rank
    return best


def _unequal(old: Sequence[Row], new: Sequence[Row]) -> tuple[list[Row], list[Row]]:
    """Return the rows of each side that have no equal on the other, each as often as that is so."""
    before, after = Counter(old), Counter(new)
    return list((before - after).elements()), list((after - before).elements())


def _is_reordered(old: Sequence[Row], new: Sequence[Row], unequal: set[Row]) -> bool:
    if not unequal:
        return list(old) != list(new)
    stayed = [row for row in old if row not in unequal]
    return stayed != [row for row in new if row not in unequal]


def _without_rewritten(removed: list[Row], added: list[Row]) -> tuple[list[Row], list[Row], int]:
    """Take out rows whose numbers are only written otherwise; say how many those are."""
    if not removed or not added:
        return removed, added, 0
    waiting: dict[Row, list[int]] = {}
    for number, row in enumerate(added):
        waiting.setdefault(tuple(map(_value, row)), []).append(number)
    left: list[Row] = []
    taken: set[int] = set()
    for row in removed:
        same = waiting.get(tuple(map(_value, row)))
        if same:
            taken.add(same.pop())
        else:
            left.append(row)
    return left, [row for number, row in enumerate(added) if number not in taken], len(taken)


def _value(cell: str) -> str:
    """Return a number as Python writes it; codes such as 007, and all else, as they are."""
    head = cell[:1]
    if not (head.isdecimal() or (head in "-+." and head)) or not cell.isascii():
        return cell
    if head == "0" and cell[1:2].isdecimal():
        return cell
    try:
        return repr(float(cell)) if "_" not in cell and len(cell) <= 15 else cell
    except ValueError:
        return cell


def _by_key(key: tuple[int, ...], rows: Matched) -> Matched:
    """Return rows with the same key as changed ones."""

    def named(row: Row) -> Row:
        return tuple([row[place] for place in key])

    before = {named(row): row for row in rows.removed}
    changed: list[Changed] = []
    added: list[Row] = []
    rewritten = rows.rewritten
    for row in rows.added:
        name = named(row)
        was = before.pop(name, None)
        if was is None:
            added.append(row)
            continue
        places = [
            place
            for place, (one, other) in enumerate(zip(was, row, strict=True))
            if one != other and _value(one) != _value(other)
        ]
        if places:
            changed.append(Changed(key=name, old=was, new=row, places=places))
        rewritten += not places
    return Matched(
        key=key,
        added=added,
        removed=list(before.values()),
        changed=changed,
        rewritten=rewritten,
        is_reordered=rows.is_reordered,
    )


def _keys(old: Lines, new: Lines) -> Iterator[tuple[int, ...]]:
    """Yield sets of columns that tell all rows apart in both versions, the smallest first."""
    width = len(old.names)
    found: list[tuple[int, ...]] = []
    singles = [(place,) for place in range(width)]
    likely = sorted(range(width), key=lambda place: (_is_measure(new, place), place))
    several = sorted(likely[:_KEY_COLUMNS])
    sets = [key for size in range(2, _KEY_WIDTH + 1) for key in combinations(several, size)]
    for key in [*singles, *sets, *_widest(old, new)]:
        if len(found) >= _MOST_KEYS:
            return
        if any(set(known) <= set(key) for known in found):
            continue
        if _tells_apart(key, old) and _tells_apart(key, new):
            found.append(key)
            yield key


def _widest(old: Lines, new: Lines) -> Iterator[tuple[int, ...]]:
    """Yield a key of many columns: all that measure nothing, without those it does not need."""
    key = [place for place in range(len(new.names)) if not _is_measure(new, place)]
    if len(key) <= _KEY_WIDTH or not (_tells_apart(key, old) and _tells_apart(key, new)):
        return
    for place in reversed(key[:]):
        fewer = [one for one in key if one != place]
        if _tells_apart(fewer, old) and _tells_apart(fewer, new):
            key = fewer
    yield tuple(key)


def _tells_apart(key: Sequence[int], lines: Lines) -> bool:
    for rows in (lines.rows[:_SAMPLE], lines.rows):
        names = {tuple([row[place] for place in key]) for row in rows}
        if len(names) < len(rows):
            return False
    return True


def _is_measure(lines: Lines, place: int) -> bool:
    """Say whether a column holds numbers with fractions: a key seldom does."""
    cells = [row[place] for row in lines.rows[:100] if row[place]]
    fractions = sum(_is_fraction(cell) for cell in cells)
    return 2 * fractions > len(cells)


def _is_fraction(cell: str) -> bool:
    whole, point, part = cell.partition(".")
    return bool(point) and part.isdecimal() and (whole.lstrip("-+") or "0").isdecimal()
