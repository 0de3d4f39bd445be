"""Tables that did not exist: unions and joins of found ones."""

from pathlib import Path

import pytest

from filon.catalog import combine
from filon.catalog.combine import join, stacked, union
from filon.catalog.store import CatalogStore
from filon.core import UserError
from unit.catalog.conftest import filled, id_of


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
    with pytest.raises(UserError, match=f"{one[:12]} is named 2 times"):
        union(catalog, [one, alone, one[:9]])
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
    with filled(tmp_path, bodies) as catalog:
        made = union(catalog, [id_of(catalog, name) for name in bodies])
    assert made["Population in 2019"].to_pylist() == [1, 2, None, None]
    assert made["Population in 2020"].to_pylist() == [None, None, 3, 4]


def test_columns_with_names_that_are_only_alike_stay_apart_and_spellings_are_told(
    tmp_path: Path,
) -> None:
    bodies = {
        "a.csv": b"Region,population_male,Rates,Rate\nNorth,1,5,6\nSouth,2,5,6\n",
        "b.csv": b"region,population_female,Rate\nNorth,3,7\nSouth,4,7\n",
    }
    with filled(tmp_path, bodies) as catalog:
        made = stacked(catalog, [id_of(catalog, name) for name in bodies])
    assert made.table["population_male"].to_pylist() == [1, 2, None, None]
    assert made.table["population_female"].to_pylist() == [None, None, 3, 4]
    assert made.table["Rate"].to_pylist() == [6, 6, 7, 7]
    assert made.notes == (
        "2 of 5 columns stand in all files.",
        "Put together by their names: Region, region.",
    )


def test_a_column_that_is_called_as_ours_gets_another_name(tmp_path: Path) -> None:
    with filled(
        tmp_path,
        {"a.csv": b"n,filon_file\n1,old\n2,old\n", "b.csv": b"n,FILON_FILE\n3,older\n4,older\n"},
    ) as catalog:
        ids = [id_of(catalog, name) for name in ("a.csv", "b.csv")]
        made = union(catalog, ids)
    assert made["filon_file (2)"].to_pylist() == ["old", "old", "older", "older"]
    assert made["filon_file"].to_pylist() == [id[:12] for id in ids for _ in range(2)]


def test_the_join_that_multiplies_least_is_chosen_and_a_huge_one_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = [f"place {number}" for number in range(40)]
    first = "\n".join(["Year,Place,a", *(f"{2000 + n % 4},{p},{n}" for n, p in enumerate(places))])
    other = "\n".join(["Year,Place,b", *(f"{2000 + n % 4},{p},{n}" for n, p in enumerate(places))])
    with filled(tmp_path, {"a.csv": first.encode(), "b.csv": other.encode()}) as catalog:
        one, two = (id_of(catalog, name) for name in ("a.csv", "b.csv"))
        made = join(catalog, one, two)
        assert made.num_rows == 40, "by the place, not by the year"
        assert made["a"].to_pylist() == made["b"].to_pylist()
        assert join(catalog, one, two, ["Year"]).num_rows == 400
        monkeypatch.setattr(combine, "_MOST_ROWS", 100)
        monkeypatch.setattr(combine, "_MOST_TIMES", 2)
        with pytest.raises(UserError, match="it would be 400 rows"):
            join(catalog, one, two, ["Year"])


def test_whole_numbers_and_fractions_are_joined_as_numbers(tmp_path: Path) -> None:
    with filled(
        tmp_path, {"a.csv": b"n,x\n1,a\n2,b\n3,c\n", "b.csv": b"n,y\n1.0,d\n2.5,e\n3.0,f\n"}
    ) as catalog:
        made = join(catalog, id_of(catalog, "a.csv"), id_of(catalog, "b.csv"), ["n"])
    assert dict(zip(made["x"].to_pylist(), made["y"].to_pylist(), strict=True)) == {
        "a": "d",
        "b": None,
        "c": "f",
    }


def test_whole_numbers_that_a_float_does_not_tell_apart_are_told_apart(tmp_path: Path) -> None:
    big = 2**53
    bodies = {
        "a.csv": f"id,x\n{big + 1},a\n{big + 3},b\n-{2**63},c\n",
        "b.csv": f"id,y\n{big},d\n{big + 3},e\n{big + 5},f\n",
        "c.csv": "id,z\n1.5,g\n9007199254740992.0,h\n3.0,i\n",
    }
    with filled(tmp_path, {name: body.encode() for name, body in bodies.items()}) as catalog:
        one, other, third = (id_of(catalog, name) for name in bodies)
        made = join(catalog, one, other, ["id"])
        assert dict(zip(made["x"].to_pylist(), made["y"].to_pylist(), strict=True)) == {
            "a": None,
            "b": "e",
            "c": None,
        }
        for id in (one, other):
            assert join(catalog, id, third, ["id"])["z"].null_count == 3
        ids = union(catalog, [one, third])["id"].to_pylist()
        assert ids[:4] == [str(big + 1), str(big + 3), str(-(2**63)), "1.5"]


def test_columns_whose_names_differ_in_capitals_alone_are_joined_by_their_values(
    tmp_path: Path,
) -> None:
    one = "\n".join(["Place,place,x", *(f"p{n},q{n},{n}" for n in range(20))])
    other = "\n".join(["PLACE,place,y", *(f"z{n},q{n},{n}" for n in range(20))])
    with filled(tmp_path, {"a.csv": one.encode(), "b.csv": other.encode()}) as catalog:
        made = join(catalog, id_of(catalog, "a.csv"), id_of(catalog, "b.csv"))
    assert made["PLACE"].to_pylist() == [f"z{n}" for n in made["x"].to_pylist()]


def test_a_join_is_by_as_many_pairs_of_columns_as_are_named(tmp_path: Path) -> None:
    bodies = {
        "a.csv": b"Place,Year,x,a=b\np,2000,1,k\np,2001,2,l\nq,2000,3,m\n",
        "b.csv": b"Place,year of it,y,a=b\np,2000,7,k\np,2001,8,l\nq,2001,9,m\n",
        "c.csv": b"Place,Year,z\nq,2000,5\np,2001,6\n",
    }
    with filled(tmp_path, bodies) as catalog:
        one, other, third = (id_of(catalog, name) for name in bodies)
        made = join(catalog, one, other, ["Place", "Year=year of it"])
        assert dict(zip(made["x"].to_pylist(), made["y"].to_pylist(), strict=True)) == {
            1: 7,
            2: 8,
            3: None,
        }
        both = join(catalog, one, third, ["Place", "Year"])
        assert dict(zip(both["x"].to_pylist(), both["z"].to_pylist(), strict=True)) == {
            1: None,
            2: 6,
            3: 5,
        }
        assert join(catalog, one, other, ["Year", "year of it"]).num_rows == 4, "one of each"
        assert join(catalog, one, other, ["a=b"])["y"].to_pylist() == [7, 8, 9]
        for wrong, name in (("Year=nothing", "nothing"), ("no=Place", "no"), ("Year", "Year")):
            with pytest.raises(UserError, match=f"no column '{name}'"):
                join(catalog, one, other, ["Place", wrong])
