"""The index of hashes, by which columns with the same values are found."""

import sqlite3

import pytest

from filon.catalog.overlap import SCHEMA, add, drop, key, parted, sharing
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
