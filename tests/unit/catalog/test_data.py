"""SQL over the catalog and over its files, and nothing else."""

from pathlib import Path

import pytest

from filon.catalog.data import arrow, sql
from filon.catalog.store import CatalogStore
from filon.core import UserError


def id_of(catalog: CatalogStore, name: str) -> str:
    row = catalog.db.execute(
        "SELECT id FROM sightings JOIN files USING (file) WHERE name = ?", (name,)
    ).fetchone()
    return str(row["id"])


def test_the_catalog_is_asked(catalog: CatalogStore) -> None:
    answer = sql(catalog, "SELECT format, COUNT(*) AS n FROM files GROUP BY 1 ORDER BY 1")
    assert answer.to_pylist() == [{"format": "csv", "n": 5}, {"format": "pdf", "n": 1}]


def test_a_file_is_asked_by_its_id_and_joined_with_another(catalog: CatalogStore) -> None:
    one, other = (f"f_{id_of(catalog, name)[:8]}" for name in ("a.csv", "c.csv"))
    query = (
        f"SELECT SUM(a.Year) AS y, SUM(b.Cattle) AS c FROM {one} a JOIN {other} b USING (Region)"
    )
    assert sql(catalog, query).to_pylist() == [{"y": 2018 * 5 + 10, "c": 7 * 5 + 10}]


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * FROM read_csv('/etc/passwd')",
        "COPY (SELECT 1) TO '/tmp/x.csv'",
        "INSTALL httpfs",
        "ATTACH '/tmp/x.db'",
        "SET enable_external_access = true",
        "SELEC",
        "SELECT * FROM f_ffffffffffff",
    ],
)
def test_what_is_not_the_catalogs_is_refused(catalog: CatalogStore, query: str) -> None:
    with pytest.raises(UserError):
        sql(catalog, query)


def test_numbers_are_numbers_and_gaps_are_null(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text('name,count,price\nx,"1,200",1.5\ny,n/a,2\n')
    assert arrow(path, "a.csv").to_pylist() == [
        {"name": "x", "count": 1200, "price": 1.5},
        {"name": "y", "count": None, "price": 2.0},
    ]
    with pytest.raises(UserError, match="has no table 2"):
        arrow(path, "a.csv", 1)
