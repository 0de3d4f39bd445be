"""The index of hashes, by which columns with the same values are found."""

import sqlite3

import pytest

from filon.catalog.overlap import SCHEMA, add, alike, drop, key, parted, sharing
from filon.profile.columns import sketch


@pytest.fixture
def db() -> sqlite3.Connection:
    db = sqlite3.connect(":memory:")
    for statement in SCHEMA:
        db.execute(statement)
    return db


def test_columns_that_share_values_are_found_until_they_are_dropped(db: sqlite3.Connection) -> None:
    some, others = sketch(["a", "b", "c"]), sketch(["b", "C ", "d"])
    add(db, key(1, 0), some)
    add(db, key(2, 5), others)
    assert sharing(db, some) == {key(1, 0): 3, key(2, 5): 2}
    assert parted(key(2, 5)) == (2, 5)
    drop(db, [(key(1, 0), some)])
    assert sharing(db, some) == {key(2, 5): 2}
    assert sharing(db, sketch(["x"])) == {}


@pytest.mark.parametrize(
    ("name", "other", "same"),
    [
        ("Region", "region ", True),
        ("Année", "annee", True),
        ("Unit measure", "Unit  Measures", True),
        ("Population in 2019", "Population in 2020", False),
        ("column 1", "column 2", False),
        ("Births", "Deaths", False),
    ],
)
def test_names_are_alike_but_for_small_things(name: str, other: str, same: bool) -> None:
    assert bool(alike(name, other)) is bool(alike(other, name)) is same
