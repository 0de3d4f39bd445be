"""Files that are the same, or nearly: told, and one of them shown."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from filon.catalog.duplicates import apply, duplicates, like, undo
from filon.catalog.search import search
from filon.catalog.store import FILE, CatalogStore
from filon.run.folder import RunFolder
from unit.catalog.conftest import record

ROWS = [(region, str(2000 + year), str(3 * year + len(region))) for region in
        ("North", "South", "East") for year in range(20)]  # fmt: skip


def as_csv(
    rows: Sequence[tuple[str, ...]], header: str = "Region,Year,Cattle", by: str = ","
) -> bytes:
    return "\n".join([header.replace(",", by), *(by.join(row) for row in rows)]).encode()


def as_json() -> bytes:
    names = ("Region", "Year", "Cattle")
    return json.dumps([dict(zip(names, row, strict=True)) for row in ROWS]).encode()


BODIES = {
    "cattle.csv": as_csv(ROWS),
    "turned.csv": as_csv(ROWS[::-1], by=";"),
    "longer.csv": as_csv([*ROWS, ("West", "2001", "77")]),
    "cattle.json": as_json(),
    "ganado.csv": as_csv(ROWS, "Comarca,Año,Ganado"),
    "other.csv": as_csv([(r, y, str(int(n) + 9000)) for r, y, n in ROWS]),
    "half.csv": as_csv(ROWS[:30]),
    "tiny.csv": b"a,b\n1,2\n",
    "twin.csv": b"a,b\n2,1\n",
}
SAME = {"cattle.csv", "turned.csv", "longer.csv", "cattle.json"}


@pytest.fixture
def herd(tmp_path: Path) -> Iterator[CatalogStore]:
    with RunFolder.create(tmp_path / "run", {}) as store:
        for name, body in BODIES.items():
            record(store, f"http://one.test/{name}", body, {"link_text": f"Cattle {name}"})
        record(store, "http://one.test/twice.csv", BODIES["cattle.csv"], {})
    with CatalogStore(tmp_path) as catalog:
        assert catalog.update() == []
        yield catalog


def found(catalog: CatalogStore) -> set[str]:
    return {hit.url.rpartition("/")[2] for hit in search(catalog, "cattle", most=20).hits}


def test_the_same_values_are_a_group_whatever_order_and_format(herd: CatalogStore) -> None:
    (group,) = duplicates(herd).groups
    assert {member.url.rpartition("/")[2] for member in group} == SAME
    assert [member.kept for member in group] == [True, False, False, False]
    assert group[0].url.endswith("cattle.csv"), "it stands at two addresses"
    assert all(member.alike >= 0.9 for member in group)


def test_doubles_are_found_beside_tables_of_the_same_values_that_are_none(tmp_path: Path) -> None:
    header = "Comarca,Año,Ganado"
    bodies = {  # the first two are alike by their values and no doubles of the others
        "cattle.csv": as_csv(ROWS),
        "often.csv": as_csv(ROWS * 2, header),
        "ganado.csv": as_csv(ROWS, header),
        "ganado2.csv": as_csv(ROWS[::-1], header, by=";"),
    }
    with RunFolder.create(tmp_path / "run", {}) as store:
        for name, body in bodies.items():
            record(store, f"http://one.test/{name}", body, {})
    with CatalogStore(tmp_path) as catalog:
        assert catalog.update() == []
        (group,) = duplicates(catalog).groups
    assert {one.url.rpartition("/")[2] for one in group} == {"ganado.csv", "ganado2.csv"}


def test_the_same_bytes_at_two_addresses_are_told(herd: CatalogStore) -> None:
    ((_, _, urls),) = duplicates(herd).copies
    assert urls == ["http://one.test/cattle.csv", "http://one.test/twice.csv"]


def test_one_of_a_group_is_shown_also_by_a_catalog_that_is_made_anew(herd: CatalogStore) -> None:
    everything = found(herd)
    assert apply(herd, duplicates(herd)) == 3
    shown = everything - SAME | {"cattle.csv"}
    assert found(herd) == shown
    (herd.folder / FILE).unlink()
    with CatalogStore(herd.folder) as anew:
        anew.update()
        assert found(anew) == shown
        assert len(anew.db.execute("SELECT * FROM files").fetchall()) == len(BODIES)
        assert undo(anew) == 3
        assert found(anew) == everything


def test_a_file_knows_those_that_are_like_it(herd: CatalogStore) -> None:
    row = herd.db.execute("SELECT file FROM sightings WHERE name = 'turned.csv'").fetchone()
    names = {member.url.rpartition("/")[2] for member in like(herd, row["file"])}
    assert names == SAME - {"turned.csv"}
    tiny = herd.db.execute("SELECT file FROM sightings WHERE name = 'tiny.csv'").fetchone()
    assert like(herd, tiny["file"]) == []


def test_doubles_are_known_among_many_files_of_the_same_length(
    herd: CatalogStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("filon.catalog.duplicates._NEAR", 2)
    row = herd.db.execute("SELECT file FROM sightings WHERE name = 'cattle.json'").fetchone()
    names = {member.url.rpartition("/")[2] for member in like(herd, row["file"])}
    assert names == SAME - {"cattle.json"}
