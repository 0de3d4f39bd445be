"""What is handed on: datasets with what is known of them."""

from pathlib import Path

from filon.catalog.handon.dataset import Collection, Dataset
from filon.catalog.handon.rows import of_run
from filon.catalog.store import CatalogStore


def by_name(collection: Collection) -> dict[str, Dataset]:
    return {dataset.files[0].name: dataset for dataset in collection.datasets()}


def test_formats_of_the_same_are_one_dataset(collection: Collection) -> None:
    dataset = by_name(collection)["prices.csv"]
    assert [file.format for file in dataset.files] == ["csv", "xlsx"]
    assert dataset.title == "Prices in towns"
    assert "the page “Prices – “open” </script> data”" in dataset.description
    assert dataset.licence == "https://creativecommons.org/licenses/by/4.0/"
    assert len(collection) == 8
    assert len(by_name(collection)) == 7


def test_a_file_found_twice_is_one_with_two_addresses(collection: Collection) -> None:
    urls = by_name(collection)["prices.csv"].files[0].urls
    assert urls == ("http://one.test/prices.csv", "http://zwei.test/same.csv")


def test_what_is_known_of_a_table_is_told(collection: Collection) -> None:
    dataset = by_name(collection)["cattle 2019.csv"]
    assert dataset.covers == ("2018", "2020")
    assert dataset.places == ("North", "South", "East")
    assert [column.kind for column in dataset.columns] == ["text", "integer", "integer"]
    assert (dataset.site, dataset.modified) == ("one.test", "2021-03-04T05:06:07Z")
    assert dataset.page == "http://one.test/data?page=1&x=%C3%BC"
    assert dataset.files[0].url == "http://one.test/years/cattle%202019.csv"
    assert "\x1b" not in dataset.title


def test_what_is_not_known_is_empty(collection: Collection) -> None:
    dataset = by_name(collection)["broken.xlsx"]
    assert (dataset.licence, dataset.modified, dataset.covers) == ("", "", ("", ""))
    assert (dataset.files[0].ending, dataset.files[0].media) == ("bin", "application/octet-stream")
    assert len(dataset.description) > 50


def test_the_letters_of_an_id_that_tell_files_apart_are_twelve(collection: Collection) -> None:
    assert {len(file.short) for _, file in collection.files()} == {12}


def test_a_run_is_a_catalog_of_one_run(folder: Path) -> None:
    with of_run(folder / "zwei").open() as collection:
        assert sorted(by_name(collection)) == ["nothing.csv", "same.csv", "wide.csv"]
        assert collection.name == "zwei"


def test_files_that_are_gone_are_told_without_bytes(folder: Path, catalog: CatalogStore) -> None:
    (file,) = catalog.db.execute("SELECT file FROM files WHERE format = 'pdf'").fetchone()
    path = catalog.path(file)
    away = path.rename(path.with_name("away"))
    try:
        assert by_name(Collection(catalog, "x"))["report.pdf"].files[0].path is None
    finally:
        away.rename(path)
