"""Tables that go together."""

from filon.catalog.similar import joinable, unionable
from filon.catalog.store import CatalogStore


def file(catalog: CatalogStore, name: str) -> tuple[int, str]:
    row = catalog.db.execute(
        "SELECT file, id FROM sightings JOIN files USING (file) WHERE name = ?", (name,)
    ).fetchone()
    return row["file"], row["id"]


def test_the_same_columns_are_a_union(catalog: CatalogStore) -> None:
    number, _ = file(catalog, "a.csv")
    best = unionable(catalog, number)[0]
    assert best.id == file(catalog, "z.csv")[1]
    assert best.shared == 1.0


def test_the_same_values_are_a_join_with_their_share(catalog: CatalogStore) -> None:
    number, _ = file(catalog, "a.csv")
    joins = joinable(catalog, number)
    by_region = {one.id for one in joins if (one.column, one.other) == ("Region", "Region")}
    assert by_region == {file(catalog, name)[1] for name in ("b.csv", "c.csv", "z.csv")}
    assert {one.overlap for one in joins} == {1.0}


def test_a_table_that_stands_alone_goes_with_none(catalog: CatalogStore) -> None:
    number, _ = file(catalog, "d.csv")
    assert (joinable(catalog, number), unionable(catalog, number)) == ([], [])
