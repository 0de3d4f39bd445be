"""Tables that go together."""

import random
from pathlib import Path

import pytest

from filon.catalog.combine import stacked
from filon.catalog.similar import advised, joinable, unionable
from filon.catalog.store import CatalogStore
from unit.catalog.conftest import archive, filled, id_of


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


def rows(names: str, *columns: list[object]) -> bytes:
    lines = [names, *(",".join(map(str, cells)) for cells in zip(*columns, strict=True))]
    return "\n".join(lines).encode()


PLACES: list[object] = [f"place {number}" for number in range(30)]
YEARS: list[object] = [2000 + number % 6 for number in range(30)]
NUMBERS: list[object] = [1.5 * number for number in range(30)]


@pytest.mark.parametrize(
    ("names", "shared"),
    [
        ("place,YEAR,Rates", ("place", "YEAR", "Rates")),
        ("X1,Year,V7", ("X1", "Year", "V7")),
        ("Destination,Year,Rate", ()),
        ("Place,Year,Rats", ()),
        ("Year,year,Rate", ()),
    ],
)
def test_what_similar_advises_is_what_union_puts_together(
    tmp_path: Path, names: str, shared: tuple[str, ...]
) -> None:
    bodies = {
        "a.csv": rows("Place,Year,Rate", PLACES, YEARS, NUMBERS),
        "b.csv": rows(names, PLACES, YEARS, NUMBERS[::-1]),
    }
    with filled(tmp_path, bodies) as catalog:
        one, other = (id_of(catalog, name) for name in bodies)
        told = unionable(catalog, catalog.find(one)["file"])
        made = stacked(catalog, [one, other]).table
    assert [found.columns for found in told] == ([shared] if shared else [])
    whole = [name for name in made.schema.names[:-2] if not made[name].null_count]
    assert len(whole) == (len(shared) or 2)


def test_they_agree_on_tables_of_any_names(tmp_path: Path) -> None:
    rng = random.Random(14)
    names = ["Place", "place", "Places", "PLACE ", "X1", "X2", "GEO", "Unit", "Units", "column 2"]
    bodies = {}
    for number in range(12):
        chosen = rng.sample(names, 4)
        cells: list[list[object]] = [
            [f"{name.strip()[:1]}{n}" for n in range(20)] for name in chosen
        ]
        bodies[f"{number}.csv"] = rows(",".join(chosen), *rng.sample(cells, 4))
    with filled(tmp_path, bodies) as catalog:
        advised = 0
        for name in bodies:
            one = id_of(catalog, name)
            for found in unionable(catalog, catalog.find(one)["file"], None, 0.3):
                advised += 1
                made = stacked(catalog, [one, found.id]).table
                assert made.num_columns - 2 == 4 + 4 - len(found.columns)
    assert advised > 20


def test_a_table_is_found_among_many_with_the_same_common_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("filon.catalog.similar._COMPARED_TABLES", 5)
    some: list[object] = list(range(30))
    bodies = {
        f"{number}.csv": rows(f"Year,X1,n{number}", YEARS, some, [f"{number} {n}" for n in some])
        for number in range(20)
    }
    bodies["a.csv"] = rows("Year,Place,X1", YEARS, PLACES, NUMBERS)
    bodies["b.csv"] = rows("X7,Place,Rate", YEARS, PLACES, NUMBERS)
    with filled(tmp_path, bodies) as catalog:
        found = unionable(catalog, catalog.find(id_of(catalog, "a.csv"))["file"])
        assert [one.id for one in found] == [id_of(catalog, "b.csv")]


def test_what_is_near_comes_first_and_no_double_is_advised(tmp_path: Path) -> None:
    names = "Place,Year,Rate"
    other_places: list[object] = [f"town {number}" for number in range(30)]
    nitrate = rows(names, PLACES, YEARS, NUMBERS)
    elsewhere = rows(names, other_places, YEARS, [3.5 * number for number in range(30)])
    bodies = {
        "nitrate-2020.csv": nitrate,
        "nitrate-2020-copy.csv": nitrate.replace(b",", b";"),
        "nitrate-2021.csv": elsewhere,
        "nitrate-2021-copy.csv": elsewhere.replace(b",", b";"),
        **{
            f"{what}.csv": rows(names, PLACES, YEARS, [factor * n for n in range(7, 37)])
            for factor, what in enumerate(("heat", "rain", "snow", "wind", "salt"), start=20)
        },
    }
    with filled(tmp_path, bodies) as catalog:
        number, _ = file(catalog, "nitrate-2020.csv")
        unions, joins = advised(catalog, number)
        double = file(catalog, "nitrate-2020-copy.csv")[1]
        near = {file(catalog, f"nitrate-2021{end}.csv")[1] for end in ("", "-copy")}
    assert unions[0].id in near
    assert len(near & {one.id for one in unions}) == 1
    assert len(unions) == 6
    assert joins
    assert double not in {one.id for one in unions} | {one.id for one in joins}


def with_several() -> dict[str, bytes]:
    """A file with two tables, and one that goes with the first of them."""
    rates = rows("Place,Year,Rate", PLACES, YEARS, NUMBERS)
    codes = rows("Code,Colour", [f"c{n}" for n in range(30)], [f"shade {n}" for n in range(30)])
    alone = rows("Place,Year,Rate", PLACES, YEARS, NUMBERS[::-1])
    return {"both.zip": archive(rates, codes), "rates.csv": alone}


def test_of_a_file_with_several_tables_one_can_be_meant(tmp_path: Path) -> None:
    bodies = with_several() | {
        "codes.csv": rows("Code,Colour", [f"c{n}" for n in range(30)], [f"{n}" for n in PLACES]),
    }
    with filled(tmp_path, bodies) as catalog:
        number = catalog.find(id_of(catalog, "both.zip"))["file"]
        found = {
            table: [one.id for one in advised(catalog, number, table=table)[0]]
            for table in (None, 1, 2)
        }
        joins = {one.of for one in advised(catalog, number, table=2)[1]}
        rates_of, codes_of = (id_of(catalog, name) for name in ("rates.csv", "codes.csv"))
        back = unionable(catalog, catalog.find(codes_of)["file"])
    assert found == {None: sorted([rates_of, codes_of]), 1: [rates_of], 2: [codes_of]}
    assert joins == {2}
    assert [(one.address, one.tables) for one in back] == [(f"{back[0].id[:12]}#2", 2)]


def test_the_first_table_of_several_is_named_by_its_number_too(tmp_path: Path) -> None:
    bodies = with_several()
    with filled(tmp_path, bodies) as catalog:
        both, alone = (id_of(catalog, name) for name in bodies)
        unions, joins = advised(catalog, catalog.find(alone)["file"])
        there = unionable(catalog, catalog.find(both)["file"])
    assert {one.address for one in unions} == {one.address for one in joins} == {f"{both[:12]}#1"}
    assert [one.address for one in there] == [alone[:12]]
