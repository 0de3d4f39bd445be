"""The catalog in a program or a notebook."""

from pathlib import Path

import pytest

import filon
from filon.core import UserError
from filon.run.folder import RunFolder
from unit.catalog.conftest import archive, filled, id_of, record, table


def test_what_is_found_is_a_table(folder: Path) -> None:
    catalog = filon.Catalog(folder)
    assert len(catalog) == len(list(catalog)) == 6
    assert repr(catalog).endswith(": 6 files>")
    found = catalog.search("unemployment", year=2020)
    assert [row["site"] for row in found] == ["one.test", "two.test"]
    assert list(found.to_pandas().columns)[:2] == ["id", "title"]
    assert "<table" in found._repr_html_()


def test_a_file_is_a_data_frame(folder: Path) -> None:
    catalog = filon.Catalog(folder)
    (row,) = catalog.search("cattle")
    file = catalog[row["id"]]
    assert (file.title, file.format, file.name) == ("Farming", "csv", "c.csv")
    assert file.tables == (("", ("Region", "Year", "Cattle")),)
    assert file.df()["Cattle"].sum() == 7 * 5 + 10
    assert file.to_polars()["Year"].max() == 2022
    assert "North" in file._repr_html_()
    with pytest.raises(UserError, match="has no table 2"):
        file.df(1)


def test_sql_and_unions_are_tables(folder: Path) -> None:
    catalog = filon.Catalog(folder)
    one = catalog.search("cattle").to_pandas()["id"][0]
    answer = catalog.sql(f"SELECT sum(Cattle) AS n, sum(Cattle) FROM f_{one}")
    assert [list(row.values()) for row in answer] == [[45, 45]]
    ids = [row["id"] for row in catalog.search("unemployment", format="csv")]
    assert len(catalog.union(ids)) == 10
    assert len(catalog.join(one, ids[0], ["Region"])) == 5


def test_a_folder_that_is_none_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="There is no folder"):
        filon.Catalog(tmp_path / "nowhere")


def test_what_goes_with_a_file_is_a_table(folder: Path) -> None:
    catalog = filon.Catalog(folder)
    one = catalog.search("jobless older").to_pandas()["id"][0]
    found = catalog.similar(one)
    assert {row["how"] for row in found} == {"union", "join"}
    assert all(0.5 <= row["share"] <= 1 for row in found)


def test_a_notebook_shows_text_as_text(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>"
    with RunFolder.create(tmp_path / "run", {}) as store:
        context = {"link_text": f"Cattle {evil}"}
        body = f"{evil},n\n{evil},1\nx,2\n".encode()
        record(store, "http://one.test/a.csv", body, context)
    catalog = filon.Catalog(tmp_path)
    (row,) = catalog.files()
    file = catalog[row["id"]]
    for shown in (catalog, catalog.search("cattle"), file):
        page = shown._repr_html_()
        assert "<script" not in page
        assert "&lt;script" in page
    file.path.unlink()
    assert "Cattle" in file._repr_html_()


def test_a_table_of_a_file_with_several_is_meant_by_its_number_or_name(tmp_path: Path) -> None:
    bodies = {
        "both.zip": archive(table("Cattle"), table("Sheep", values=7)),
        "a.csv": table("Sheep", values=9),
    }
    with filled(tmp_path, bodies) as store:
        both, alone = (id_of(store, name) for name in bodies)
    catalog = filon.Catalog(tmp_path)
    for file in (catalog[f"{both[:12]}#2"], catalog[f"{both}:t2.csv"]):
        assert list(file.df().columns) == ["Region", "Year", "Sheep"]
        assert list(file.df(0).columns) == ["Region", "Year", "Cattle"]
        assert "Sheep" in file._repr_html_()
        assert repr(file).startswith(f"<CatalogFile {both[:12]}#2 ")
    assert list(catalog[both].df().columns) == ["Region", "Year", "Cattle"]
    assert [row["id"] for row in catalog.similar(f"{both}#2") if row["how"] == "union"] == [
        alone[:12]
    ]
    found = [row["id"] for row in catalog.similar(alone)]
    assert f"{both[:12]}#2" in found
    assert catalog[found[0]].df() is not None
    with pytest.raises(UserError, match="2 tables: no #3"):
        catalog[f"{both}#3"]
    with pytest.raises(UserError, match="is a table; what is asked here is of a whole file"):
        catalog.export("csv", tmp_path / "list.csv", ids=[f"{both[:12]}#2"])
