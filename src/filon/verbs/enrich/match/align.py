"""Which column of the table is which field of the source: by name and content, or as told."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from rapidfuzz.distance import JaroWinkler

from filon.core.errors import UserError
from filon.core.service import Record
from filon.core.suggest import nearest
from filon.verbs.enrich.match.kinds import guess, words

#: Names that sources and tables use for the same thing; a word stands in one line only.
_SYNONYMS = (
    "title name label headline heading caption titel titre titulo",
    "author authors creator creators contributor contributors writer byline autor auteur autoren",
    "year date published publication issued released created pubdate jahr annee ano",
    "venue journal container booktitle conference publication_venue series zeitschrift revue",
    "publisher imprint verlag editeur",
    "brand manufacturer maker vendor make",
    "model modelno model_number mpn sku part partno part_number",
    "price cost amount preis prix",
    "address street location adresse",
    "city town place municipality stadt ville",
    "country nation land pays",
    "phone telephone tel mobile",
    "url link website homepage web",
    "description summary abstract text beschreibung resume",
    "language lang sprache langue",
    "weight shipweight mass gewicht",
    "isbn isbn13 isbn10",
)
_MEANING = {word: line for line, names in enumerate(_SYNONYMS) for word in names.split()}
#: Kinds that can be compared as the first of them.
_COMMON = {
    frozenset({"date", "number"}): "date",
    frozenset({"date", "text"}): "date",
    frozenset({"code", "number"}): "code",
    frozenset({"code", "date"}): "code",
    frozenset({"code", "text"}): "text",
    frozenset({"names", "text"}): "names",
}
#: By these every table counts its own rows: equal ones mean nothing, unless the user says so.
_OWN = frozenset({"id", "_id", "key", "index", "nr", "no", "row", "rowid", "uuid"})
#: Evidence below which a column and a field are not taken for the same thing.
ENOUGH = 0.5
#: Values of a side that are looked at.
LOOK_AT = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """A column and the field that holds the same thing, the kind of it, and how that is known.

    by_name, by_content: from 0 to 1; given: by the user.
    """

    column: str
    field: str
    kind: str
    by_name: float = 0.0
    by_content: float = 0.0
    given: bool = False

    def __str__(self) -> str:
        why = "as told" if self.given else f"name {self.by_name:.2f}, content {self.by_content:.2f}"
        return f"{self.column} = {self.field} ({self.kind}; {why})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Alignment:
    """All pairings, in the order of the table's columns."""

    pairings: tuple[Pairing, ...]


class _Side(NamedTuple):
    """What a column or a field holds: its kind, and how often each word occurs."""

    kind: str
    counts: Mapping[str, int]


def align(
    columns: Mapping[str, Sequence[str]],
    records: Sequence[Record],
    wanted: Mapping[str, str],
    fields: Iterable[str] = (),
) -> Alignment:
    """Pair columns with fields.

    wanted: column -> field, as the user says; "" where the field is to be found. Columns that are
        not named are left alone. Empty: any column may be paired.
    fields: what the source is known to have, before any record has come.
    """
    held = _held(records, fields)
    for column, field in wanted.items():
        _must_know(column, columns, "column", "table")
        if field and held:
            _must_know(field, held, "field", "source")
    named = {column: field for column, field in wanted.items() if field}
    sought = [
        name for name in wanted or columns if name not in named and (wanted or not _own(name))
    ]
    free = [name for name in held if name not in named.values() and not _own(name)]
    ours = {name: _side(name, columns[name]) for name in (wanted or columns)}
    theirs = {name: _side(name, values) for name, values in held.items()}
    found = _best_pairs(sought, free, ours, theirs)
    for column in sought:
        if wanted and held and column not in found:
            raise UserError(
                f"no field of the source looks like the column {column!r}; "
                f"say which with {column}=FIELD: it has {', '.join(sorted(held))}"
            )
    if held and columns and not found and not named:
        raise UserError(
            "no column of the table looks like a field of the source; "
            f"say which with COLUMN=FIELD: it has {', '.join(sorted(held))}"
        )
    for column, field in named.items():
        kind = _common(ours[column], theirs.get(field, _Side("text", {}))) or "text"
        found[column] = Pairing(column=column, field=field, kind=kind, given=True)
    return Alignment(pairings=tuple(found[name] for name in columns if name in found))


def _held(records: Sequence[Record], fields: Iterable[str]) -> dict[str, list[str]]:
    held: dict[str, list[str]] = {name: [] for name in fields}
    for record in records[:LOOK_AT]:
        for name, value in record.fields.items():
            held.setdefault(name, []).append(value)
    return held


def _must_know(name: str, known: Iterable[str], what: str, whose: str) -> None:
    names = list(known)
    if name in names:
        return
    near = nearest(name, names)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise UserError(f"the {whose} has no {what} {name!r}{hint}")


def _best_pairs(
    sought: list[str], free: list[str], ours: Mapping[str, _Side], theirs: Mapping[str, _Side]
) -> dict[str, Pairing]:
    """The most certain pair first; each column and each field once."""
    pairs = [
        _pair(column, ours[column], field, theirs[field]) for column in sought for field in free
    ]
    pairs.sort(key=lambda pair: -_certainty(pair))
    found: dict[str, Pairing] = {}
    taken: set[str] = set()
    for pair in pairs:
        if _certainty(pair) >= ENOUGH and pair.column not in found and pair.field not in taken:
            found[pair.column] = pair
            taken.add(pair.field)
    return found


def _own(name: str) -> bool:
    return name.casefold() in _OWN


def _certainty(pair: Pairing) -> float:
    """Either will do, a name that is the same or values that are; but all numbers look alike."""
    content = 0.0 if pair.kind in ("number", "date") else 0.8 * pair.by_content
    return max(pair.by_name, 0.6 * pair.by_name + 0.4 * content, content)


def _pair(column: str, ours: _Side, field: str, theirs: _Side) -> Pairing:
    kind = _common(ours, theirs)
    return Pairing(
        column=column,
        field=field,
        kind=kind or "text",
        by_name=_alike(column, field) if kind else 0.0,
        by_content=_overlap(ours.counts, theirs.counts) if kind else 0.0,
    )


def _common(ours: _Side, theirs: _Side) -> str:
    """The kind to compare both as; "" where they cannot hold the same thing."""
    if ours.kind == theirs.kind or not theirs.counts:
        return ours.kind
    return _COMMON.get(frozenset({ours.kind, theirs.kind}), "")


def _alike(column: str, field: str) -> float:
    """1 for the same name, 0.8 for another name of the same thing."""
    ours, theirs = words(column.replace("_", " ")), words(field.replace("_", " "))
    if ours == theirs:
        return 1.0
    meant = (
        {_MEANING.get(word, word) for word in ours},
        {_MEANING.get(word, word) for word in theirs},
    )
    if meant[0] == meant[1]:
        return 0.8
    if meant[0] & meant[1]:
        return 0.6
    close = JaroWinkler.similarity("".join(ours), "".join(theirs), score_cutoff=0.88)
    return 0.6 * float(close)


def _overlap(a: Mapping[str, int], b: Mapping[str, int]) -> float:
    """How much of the words of the smaller side the other has too, each as often as it occurs."""
    if not a or not b:
        return 0.0
    # Counts are whole numbers, so the order of the words does not matter.
    shared = sum(min(a[word], b[word]) for word in a.keys() & b.keys())
    return shared / min(sum(a.values()), sum(b.values()))


def _side(name: str, values: Iterable[str]) -> _Side:
    seen = list(islice(values, LOOK_AT))
    return _Side(guess(seen, name), Counter(word for value in seen for word in words(value)))
