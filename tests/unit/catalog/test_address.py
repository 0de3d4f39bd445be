"""A table of a file is called by its number or its name, everywhere."""

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from filon.catalog.address import find_table, named_in_sql
from filon.catalog.combine import combined, join, union
from filon.catalog.query import sql
from filon.catalog.store import CatalogStore
from filon.catalog.views import View
from filon.cli.catalog_show import shown
from filon.core import UserError
from unit.catalog.conftest import filled, id_of


def packed(**members: str) -> bytes:
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w") as archive:
        for name, text in members.items():
            archive.writestr(f"{name}.csv", text)
    return body.getvalue()


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[CatalogStore]:
    places = [f"place {number}" for number in range(12)]
    one = "Place,Rate\n" + "".join(f"{place},{n}.5\n" for n, place in enumerate(places))
    other = "Place,Count\n" + "".join(f"{place},{n}\n" for n, place in enumerate(places))
    with filled(tmp_path, {"both.zip": packed(rates=one, Counts=other)}) as catalog:
        yield catalog


def test_an_address_is_an_id_with_a_number_or_a_name(catalog: CatalogStore) -> None:
    id = id_of(catalog, "both.zip")
    for text, number in (
        (id[:6], 1),
        (f"{id[:8].upper()}#1", 1),
        (f"{id}#2", 2),
        (f"{id[:6]}:counts.csv", 2),
        (f"{id[:6]}: Rates.CSV", 1),
    ):
        found = find_table(catalog, text)
        assert (found.id, found.number) == (id, number)
    assert find_table(catalog, f"{id}#2").whole == f"{id}#2"
    assert find_table(catalog, id).whole == id


@pytest.mark.parametrize(
    ("end", "message"),
    [
        ("#3", "has 2 tables: no #3"),
        ("#0", "no #0"),
        (":nothing", r"no table 'nothing' in the file: known are rates\.csv, Counts\.csv"),
        ("#x", "is no id"),
        ("#", "is no id"),
    ],
)
def test_what_is_not_there_is_told(catalog: CatalogStore, end: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        find_table(catalog, id_of(catalog, "both.zip")[:8] + end)


def test_a_query_calls_a_table_by_its_number_or_its_name(catalog: CatalogStore) -> None:
    id = id_of(catalog, "both.zip")
    for name in (f"f_{id[:8]}_2", f'"{id[:8]}#2"', f'"{id[:8]}:Counts.csv"'):
        answer = sql(catalog, f"SELECT sum(Count) AS n FROM {name}").to_pylist()
        assert answer == [{"n": 66}]
    joined = f'SELECT count(*) AS n FROM "{id[:8]}:Rates.csv" JOIN "{id[:8]}#2" USING (Place)'
    assert sql(catalog, joined).to_pylist() == [{"n": 12}]
    assert named_in_sql(catalog, "abcdef") is None
    with pytest.raises(UserError, match="no table 'x'"):
        sql(catalog, f'SELECT * FROM "{id[:8]}:x"')


def test_tables_of_one_file_are_put_together(catalog: CatalogStore) -> None:
    id = id_of(catalog, "both.zip")
    made = union(catalog, [id, f"{id[:8]}:counts.csv"])
    assert made.num_rows == 24
    assert set(made["filon_file"].to_pylist()) == {id[:12], f"{id[:12]}#2"}
    beside = join(catalog, f"{id[:8]}#2", id[:8])
    assert beside.num_rows == 12
    assert [float(n) + 0.5 for n in beside["Count"].to_pylist()] == beside["Rate"].to_pylist()
    with pytest.raises(UserError, match=f"{id[:12]}#2 is named 2 times"):
        union(catalog, [f"{id}#2", f"{id}:Counts.csv"])
    assert combined(catalog, View("union", (id, f"{id}#2"))).table.num_rows == 24


def test_a_table_is_shown_alone(catalog: CatalogStore) -> None:
    id = id_of(catalog, "both.zip")
    assert [table["name"] for table, _ in shown(catalog, id).tables] == ["rates.csv", "Counts.csv"]
    one = shown(catalog, f"{id[:8]}#2")
    assert [table["name"] for table, _ in one.tables] == ["Counts.csv"]
    assert one.sample[0] == ["Place", "Count"]
