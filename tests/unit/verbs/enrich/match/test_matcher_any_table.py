"""Any table and any records: the matcher never fails, and what is equal always matches."""

import math
from collections.abc import Mapping, Sequence

from hypothesis import given
from hypothesis import strategies as st

from filon.core import Record
from filon.verbs.enrich.match import Alignment, Matches, Pairing, Prefilter, align
from filon.verbs.enrich.match.kinds import KINDS, normalise
from filon.verbs.enrich.match.review import Review
from fuzzing import examples

NAMES = ("title", "authors", "year", "isbn")
WORDS = st.sampled_from(["the", "owl", "river", "of", "Jena", "Œuvre", "東京", "(1968)", "X-350"])
CELLS = st.one_of(
    st.just(""),
    st.lists(WORDS, max_size=5).map(" ".join),
    st.text(max_size=12),
    st.sampled_from(["9780306406157", "0-306-40615-2", "10.1000/A;b", "PMID: 7", "0" * 9, "00"]),
    st.integers(0, 10**15).map(str),
    st.floats().map(str),
    st.sampled_from(
        ["9" * 400, "1/1/1968", "1968-13-45", "12,5", "Gray, J.; Codd, E. F.", "et al"]
    ),
    st.dates().map(str),
)


@st.composite
def tables(draw: st.DrawFn) -> tuple[dict[str, list[str]], list[Record], Alignment]:
    """Draw a table, records of which a part says what a row says, and kinds for the columns."""
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=3, unique=True))
    rows = draw(st.lists(st.tuples(*[CELLS] * len(names)), max_size=25))
    others = draw(st.lists(st.tuples(*[CELLS] * len(names)), max_size=15))
    equal = draw(st.lists(st.sampled_from(rows), max_size=25)) if rows else []
    records = [
        Record(id=str(at), fields=dict(zip(names, cells, strict=True)))
        for at, cells in enumerate([*others, *equal])
    ]
    columns = {name: [cells[at] for cells in rows] for at, name in enumerate(names)}
    if draw(st.booleans()):
        return columns, records, align(columns, records, {name: name for name in names})
    kinds = draw(st.tuples(*[st.sampled_from(KINDS)] * len(names)))
    pairings = zip(names, kinds, strict=True)
    told = tuple(Pairing(column=name, field=name, kind=kind) for name, kind in pairings)
    return columns, records, Alignment(pairings=told)


def cells_of(columns: Mapping[str, Sequence[str]], row: int) -> tuple[str, ...]:
    return tuple(column[row] for column in columns.values())


def rows_with_an_equal_record(
    columns: Mapping[str, Sequence[str]], records: Sequence[Record], alignment: Alignment
) -> list[int]:
    """Return those that say something; where only numbers are compared, none must match."""
    if all(pairing.kind in ("number", "date") for pairing in alignment.pairings):
        return []
    said = {tuple(record.fields[name] for name in columns) for record in records}
    kinds = {pairing.column: pairing.kind for pairing in alignment.pairings}
    size = len(next(iter(columns.values())))
    return [
        row
        for row in range(size)
        if cells_of(columns, row) in said
        and any(normalise(kinds[name], columns[name][row]) is not None for name in columns)
    ]


@examples(120)
@given(tables(), st.booleans())
def test_equal_rows_always_match(
    drawn: tuple[dict[str, list[str]], list[Record], Alignment], one_to_one: bool
) -> None:
    columns, records, alignment = drawn
    matches = Matches(columns, records, alignment, one_to_one=one_to_one)
    assert [match.row for match in matches] == list(range(matches.size))
    assert all(0 <= match.score <= 1 and not math.isnan(match.score) for match in matches)
    if not one_to_one:
        for row in rows_with_an_equal_record(columns, records, alignment):
            assert matches.rows[row].fate == "matched"


@examples(60)
@given(tables())
def test_the_quick_decision_knows_an_equal_row(
    drawn: tuple[dict[str, list[str]], list[Record], Alignment],
) -> None:
    columns, records, alignment = drawn
    quick = Prefilter(columns, alignment)
    found = {row for record in records for row in quick.rows(record)}
    assert found >= set(rows_with_an_equal_record(columns, records, alignment))


@examples(60)
@given(tables(), st.lists(st.sampled_from([True, False, None]), max_size=8))
def test_any_answers_are_taken(
    drawn: tuple[dict[str, list[str]], list[Record], Alignment], answers: list[bool | None]
) -> None:
    matches = Matches(*drawn)
    asking = Review(matches, 20)
    for answer in answers:
        pair = asking.next()
        if pair is None:
            break
        asking.answer(pair, answer)
        if answer is not None:
            assert (matches.rows[pair.row].fate == "matched") or not answer
    assert len(matches.rows) == matches.size
