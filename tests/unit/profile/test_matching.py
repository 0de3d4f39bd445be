import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from filon.profile.matching import Lines, match_columns, match_rows
from fuzzing import examples

NAMES = ("Region", "Year", "Value", "Note")


def table(regions: int = 4, years: int = 5) -> list[tuple[str, ...]]:
    rng = random.Random(regions)
    return [
        (f"R{region}", str(2020 + year), f"{rng.random() * 9:.3f}", "x" if region % 2 else "")
        for region in range(regions)
        for year in range(years)
    ]


def lines(rows: Sequence[tuple[str, ...]], names: tuple[str, ...] = NAMES) -> Lines:
    return Lines(names=names, rows=rows)


def edited(row: tuple[str, ...], place: int, cell: str) -> tuple[str, ...]:
    return (*row[:place], cell, *row[place + 1 :])


def test_a_key_of_two_columns_finds_rows_whose_value_changed() -> None:
    rows = table()
    new = [edited(row, 2, "99.5") if n in (3, 7) else row for n, row in enumerate(rows)]
    found = match_rows(lines(rows), lines(new))
    assert found.key == (0, 1)
    assert [pair.key for pair in found.changed] == [("R0", "2023"), ("R1", "2022")]
    assert [pair.places for pair in found.changed] == [[2], [2]]
    assert not found.added
    assert not found.removed


def test_a_number_of_rows_that_counts_on_is_not_taken_for_the_key() -> None:
    names = ("No", "Town", "People", "Area")
    towns = [(f"Town {n}", str(n * 37), str(n * 7 % 90)) for n in range(30)]
    old = [(str(n), *town) for n, town in enumerate(towns)]
    new = [(str(n), *town) for n, town in enumerate([("Aa", "1", "5"), *towns])]
    found = match_rows(lines(old, names), lines(new, names))
    assert found.key == (1,)
    assert found.added == [new[0]]
    assert len(found.changed) == 30  # their number, and nothing else
    assert all(pair.places == [0] for pair in found.changed)


def test_without_a_key_rows_are_told_as_removed_and_added() -> None:
    rows = [("a", "b")] * 5 + [("a", "c")] * 2
    new = [("a", "b")] * 4 + [("a", "c")] * 3
    names = ("One", "Other")
    found = match_rows(lines(rows, names), lines(new, names))
    assert (found.key, found.removed, found.added) == ((), [("a", "b")], [("a", "c")])


def test_a_key_that_is_hardly_shared_is_none() -> None:
    old = [(f"a{n}", str(n)) for n in range(20)]
    new = [(f"a{n}" if n < 3 else f"b{n}", str(n + 50)) for n in range(20)]
    names = ("Name", "Value")
    found = match_rows(lines(old, names), lines(new, names))
    assert found.key == ()
    assert len(found.added) == len(found.removed) == 20


def test_numbers_that_are_written_otherwise_are_no_change() -> None:
    rows = [("a", "1.50", "007"), ("b", "2", "008"), ("c", "3", "009")]
    new = [("a", "1.5", "007"), ("b", "2.0", "8"), ("c", "3", "009")]
    names = ("Name", "Value", "Code")
    found = match_rows(lines(rows, names), lines(new, names))
    assert found.rewritten == 1
    assert [pair.places for pair in found.changed] == [[2]]  # a code is no number


def test_columns_are_the_same_in_other_letters_and_another_order() -> None:
    old, new = (
        lines([("1", "2", "3")], ("a", "B b", "c")),
        lines([("2", "1", "3")], ("b_b", "a", "c")),
    )
    found = match_columns(old, new)
    assert (found.old, found.new, found.is_reordered) == ([1, 0, 2], [0, 1, 2], True)
    assert not found.renamed


def test_a_column_that_holds_the_same_is_renamed_and_another_is_not() -> None:
    rows = [(f"k{n}", str(n % 2), str(n % 3)) for n in range(12)]
    new = [(key, three, two) for key, two, three in rows]
    found = match_columns(lines(rows, ("Key", "two", "gone")), lines(new, ("Key", "three", "2")))
    assert found.renamed == [(1, 2), (2, 1)]
    other = [(key, str(int(two) + 5), three) for key, two, three in rows]
    found = match_columns(lines(rows, ("Key", "two", "z")), lines(other, ("Key", "new", "z")))
    assert (found.renamed, found.removed, found.added) == ([], [1], [1])


def test_columns_without_names_are_the_same_by_what_they_hold() -> None:
    rows = [(f"k{n}", str(n), str(n * n)) for n in range(5)]
    wide = [(key, "new", one, two) for key, one, two in rows]
    old = Lines(names=("column 1", "column 2", "column 3"), rows=rows, is_named=False)
    new = Lines(names=(*old.names, "column 4"), rows=wide, is_named=False)
    found = match_columns(old, new)
    assert (found.old, found.new, found.added, found.renamed) == ([0, 1, 2], [0, 2, 3], [1], [])


@pytest.mark.parametrize("rows", [[], [("", "", "", "")], table(1, 1)])
def test_small_tables_are_no_trouble(rows: list[tuple[str, ...]]) -> None:
    assert match_rows(lines(rows), lines(rows)).cost(4) == 0
    assert len(match_rows(lines([]), lines(rows)).added) == len(rows)
    assert match_columns(lines(rows), lines([], ())).removed == [0, 1, 2, 3]


@examples(100)
@given(st.data())
def test_what_was_done_to_a_table_is_told(data: st.DataObject) -> None:
    rows = table(6, 6)
    rng = data.draw(st.randoms(use_true_random=False))
    removed = set(rng.sample(range(len(rows)), rng.randrange(6)))
    left = [n for n in range(len(rows)) if n not in removed]
    changed = set(rng.sample(left, rng.randrange(6)))
    added = [(f"New {n}", "2030", "1", "") for n in range(rng.randrange(6))]
    new = [edited(rows[n], 2, f"{50 + n}.25") if n in changed else rows[n] for n in left] + added
    if data.draw(st.booleans()):
        rng.shuffle(new)
    found = match_rows(lines(rows), lines(new))
    assert len(found.removed) == len(removed)
    assert sorted(found.added) == sorted(added)
    assert {pair.key for pair in found.changed} == {rows[n][:2] for n in changed}


@examples(200)
@given(
    st.lists(st.tuples(*[st.sampled_from("ab1")] * 3), max_size=8),
    st.lists(st.tuples(*[st.sampled_from("ab1")] * 3), max_size=8),
)
def test_rows_add_up_whatever_the_tables(
    old: list[tuple[str, ...]], new: list[tuple[str, ...]]
) -> None:
    names = ("a", "b", "c")
    found = match_rows(lines(old, names), lines(new, names))
    assert len(old) - len(found.removed) + len(found.added) == len(new)
    assert (found.cost(3) == 0) == (sorted(old) == sorted(new))
    assert match_rows(lines(old, names), lines(old[::-1], names)).cost(3) == 0
