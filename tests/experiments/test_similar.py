"""What is known of tables that are cut from others."""

import random

from experiments.similar import Cut, Truth, apart, cuts, unions

ROWS = [
    ["Year", "Place", "n", "m"],
    *([str(2000 + n), f"p{n % 7}", str(n), "x"] for n in range(60)),
]


def test_cuts_have_rows_of_the_table_under_names_that_are_known() -> None:
    made = list(cuts(ROWS, 3, 10, random.Random(1)))
    assert len({frozenset(cut.names) for cut in made}) <= 2, "two choices of columns"
    for cut in made:
        assert (cut.base, len(cut.names)) == (3, len(cut.rows[0]))
        places = [["year", "place", "n", "m"].index(name) for name in cut.names]
        whole = {tuple(row[place] for place in places) for row in ROWS[1:]}
        assert {tuple(row) for row in cut.rows[1:]} <= whole


def test_only_cuts_of_the_same_table_with_the_same_columns_are_unions() -> None:
    def cut(base: int, *names: str) -> Cut:
        return Cut(base=base, names=names, rows=[list(names)])

    tables = [cut(0, "a", "b"), cut(0, "b", "a"), cut(1, "a", "b"), cut(0, "a", "c")]
    assert unions(tables, 0) == ({1}, {2})


def test_joins_are_those_of_which_half_the_values_are_there() -> None:
    def cut(values: str) -> Cut:
        return Cut(base=0, names=("a",), rows=[["a"], *([value] for value in values)])

    tables = [cut("abcd"), cut("abxyz"), cut("axyzw"), cut("ab")]
    truth = Truth(tables, [["text"]] * 4)
    assert truth.joins(0) == {(0, 1, 0)}, "the last has too few values"
    assert truth.joins(1) == {(0, 2, 0)}


def test_tables_that_have_much_in_common_are_left_out() -> None:
    kept = apart([[["a", "b", "c"]], [["a", "b", "d"]], [["a", "y", "z"]]])
    assert kept == [[["a", "b", "c"]], [["a", "y", "z"]]]
