"""Tables that did not exist: unions and joins of found ones."""

from pathlib import Path

import pytest

from filon.catalog.combine import join, union
from filon.catalog.store import CatalogStore
from filon.core import UserError
from filon.run.folder import RunFolder
from unit.catalog.conftest import record


def id_of(catalog: CatalogStore, name: str) -> str:
    row = catalog.db.execute(
        "SELECT id FROM sightings JOIN files USING (file) WHERE name = ?", (name,)
    ).fetchone()
    return str(row["id"])


def test_a_union_has_all_rows_with_their_source(catalog: CatalogStore) -> None:
    ids = [id_of(catalog, "a.csv"), id_of(catalog, "z.csv")]
    made = union(catalog, ids)
    assert made.schema.names == [
        *("Region", "Year", "Unemployment rate (%)", "filon_file", "filon_source")
    ]
    assert made.num_rows == 10
    assert set(made["filon_source"].to_pylist()) == {
        "http://one.test/a.csv",
        "http://two.test/z.csv",
    }
    assert sum(made["Unemployment rate (%)"].to_pylist()) == 5 * 1 + 10 + 5 * 50 + 10


def test_a_union_of_other_columns_has_gaps(catalog: CatalogStore) -> None:
    made = union(catalog, [id_of(catalog, "a.csv"), id_of(catalog, "c.csv")])
    assert made["Cattle"].to_pylist()[:5] == [None] * 5
    assert made["Region"].null_count == 0


def test_a_join_finds_its_columns_by_itself(catalog: CatalogStore) -> None:
    made = join(catalog, id_of(catalog, "a.csv"), id_of(catalog, "c.csv"), ["Region"])
    assert made.num_rows == 5
    assert "Year (2)" in made.schema.names
    by_itself = join(catalog, id_of(catalog, "a.csv"), id_of(catalog, "c.csv"))
    assert by_itself.sort_by("Year").equals(made.sort_by("Year"))


def test_what_cannot_be_put_together_is_told(catalog: CatalogStore) -> None:
    one, alone = id_of(catalog, "a.csv"), id_of(catalog, "d.csv")
    with pytest.raises(UserError, match="two files or more"):
        union(catalog, [one])
    with pytest.raises(UserError, match="name them with --on"):
        join(catalog, one, alone)
    with pytest.raises(UserError, match="no column 'Nothing'"):
        join(catalog, one, alone, ["Nothing"])
    with pytest.raises(UserError, match=r"cannot be read|has no table"):
        union(catalog, [one, id_of(catalog, "e.pdf")])


def test_columns_of_two_years_are_not_put_together(tmp_path: Path) -> None:
    bodies = {
        "a.csv": b"Region,Population in 2019\nNorth,1\nSouth,2\n",
        "b.csv": b"region,Population in 2020\nNorth,3\nSouth,4\n",
    }
    with RunFolder.create(tmp_path / "run", {}) as store:
        for name, body in bodies.items():
            record(store, f"http://one.test/{name}", body, {})
    with CatalogStore(tmp_path) as catalog:
        catalog.update()
        made = union(catalog, [id_of(catalog, name) for name in bodies])
    assert made["Population in 2019"].to_pylist() == [1, 2, None, None]
    assert made["Population in 2020"].to_pylist() == [None, None, 3, 4]
