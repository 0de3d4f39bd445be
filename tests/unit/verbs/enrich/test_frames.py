"""Data frames in, data frames out: a real search service on loopback fills them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas
import polars
import pyarrow
import pytest

import filon
from filon.core import UserError
from searchbox import SearchBox, books, serving

BOOKS = books(80)
#: Titles of which the service has all but one, and years that are partly there.
ROWS = {
    "title": [*(row["title"] for row in BOOKS[:5]), "Nothing like volume one"],
    "shelf": [5, 4, 3, 2, 1, 0],
    "year": ["1871", *[None] * 5],
}
YEARS = ["1871", *(row["year"] for row in BOOKS[1:5]), None]


@pytest.fixture(scope="module")
def box() -> Iterator[SearchBox]:
    with serving(BOOKS) as running:
        yield running


def how(box: SearchBox, folder: Path) -> Any:
    return {
        "source": box.source(folder),
        "match": "title",
        "add": "year,isbn",
        "budget": 40,
        "strategy": "simple",
        "delay": 0,
        "out": folder / "run",
        "cache": folder / "answers.sqlite",
    }


def test_a_frame_of_pandas_keeps_its_index_its_columns_and_their_types(
    box: SearchBox, tmp_path: Path
) -> None:
    mine = pandas.DataFrame(ROWS, index=[10, 20, 30, 40, 50, 60])
    before = mine.copy()
    filled = filon.enrich(mine, **how(box, tmp_path))
    assert isinstance(filled, pandas.DataFrame)
    assert list(filled.index) == [10, 20, 30, 40, 50, 60]
    assert filled["shelf"].dtype == before["shelf"].dtype
    assert [None if pandas.isna(year) else year for year in filled["year"]] == YEARS
    assert list(filled["isbn"][:5]) == [row["isbn"] for row in BOOKS[:5]]
    assert pandas.isna(filled["isbn"][60])
    assert "filon_source" in filled.columns
    run = filon.open_run(filled.attrs["filon_run"])
    assert run.path == tmp_path / "run"
    assert (run.path / "input.parquet").is_file()
    pandas.testing.assert_frame_equal(mine, before)


def test_columns_may_be_called_by_numbers(box: SearchBox, tmp_path: Path) -> None:
    mine = pandas.DataFrame({0: ROWS["title"], 1: ROWS["year"]})
    said = how(box, tmp_path) | {"match": "0=title", "add": "1=year"}
    filled = filon.enrich(mine, **said)
    assert [*map(type, filled.columns)].count(int) == 2
    assert all(name.startswith("filon_") for name in filled.columns[2:])
    assert [None if pandas.isna(year) else year for year in filled[1]] == YEARS


def test_a_frame_of_polars_is_one_again(box: SearchBox, tmp_path: Path) -> None:
    filled = filon.enrich(polars.DataFrame(ROWS), **how(box, tmp_path))
    assert isinstance(filled, polars.DataFrame)
    assert filled["shelf"].to_list() == ROWS["shelf"]
    assert filled["year"].to_list() == YEARS


def test_a_table_of_arrow_is_one_again_and_tells_its_run(box: SearchBox, tmp_path: Path) -> None:
    filled = filon.enrich(pyarrow.table(ROWS), **how(box, tmp_path))
    assert isinstance(filled, pyarrow.Table)
    assert filled.column("year").to_pylist() == YEARS
    assert filled.schema.metadata[b"filon_run"].decode() == str(tmp_path / "run")


@pytest.mark.parametrize(
    "years",
    [
        pandas.Series(["1871", "", " ", None, "", None], dtype=object),
        pandas.Series(pandas.Categorical(["1871", *[None] * 5])),
        pandas.Series([1871, *[None] * 5], dtype="Int64"),
        pandas.Series(["1871", *[None] * 5], dtype="string"),
    ],
    ids=lambda years: str(years.dtype),
)
def test_the_empty_cells_of_a_column_of_pandas_are_filled_whatever_its_type(
    years: pandas.Series, box: SearchBox, tmp_path: Path
) -> None:
    mine = pandas.DataFrame({"title": ROWS["title"], "year": years})
    filled = filon.enrich(mine, **how(box, tmp_path))
    assert [str(year) for year in filled["year"][:5]] == YEARS[:5]
    assert pandas.isna(filled["year"][5])
    assert filled["year"].dtype.name == years.dtype.name


@pytest.mark.parametrize("library", [pandas.DataFrame, polars.DataFrame, pyarrow.table])
def test_a_column_without_any_value_is_filled(library: Any, box: SearchBox, tmp_path: Path) -> None:
    mine = library({"title": ROWS["title"], "year": [None] * 6})
    filled = filon.enrich(mine, **how(box, tmp_path))["year"]
    found = filled.to_pylist() if isinstance(filled, pyarrow.ChunkedArray) else filled.to_list()
    assert found[:5] == ["1958", *YEARS[1:5]]


class Kind(pandas.DataFrame):
    """A kind of frame that another library makes of those of pandas."""

    @property
    def _constructor(self) -> type:
        return Kind


def test_a_kind_of_frame_of_pandas_is_one_again(box: SearchBox, tmp_path: Path) -> None:
    filled = filon.enrich(Kind(ROWS), **how(box, tmp_path))
    assert isinstance(filled, Kind)
    assert filled["shelf"].tolist() == ROWS["shelf"]


def test_categories_of_polars_are_taken_and_kept(box: SearchBox, tmp_path: Path) -> None:
    mine = polars.DataFrame(ROWS, schema_overrides={"title": polars.Categorical})
    filled = filon.enrich(mine, **how(box, tmp_path))
    assert filled["title"].dtype == polars.Categorical
    assert filled["year"].to_list() == YEARS


@pytest.mark.parametrize(
    ("frame", "said"),
    [
        (pandas.DataFrame({"title": []}), "no rows"),
        (pandas.DataFrame([["a", "b"]], columns=["title", "title"]), "same name"),
        (pyarrow.table([["a"], ["b"]], names=["title", "title"]), "same name"),
        (pandas.DataFrame({"title": ["a", 1, {}]}), "cannot be read as a table.*column title"),
        (pandas.DataFrame({"name": ["a"]}), "^The data frame has no column 'title': it has name"),
        (pandas.Series(["a"], name="title"), "A column alone is no table"),
        (polars.LazyFrame(ROWS), "LazyFrame is neither. Collect it first."),
        ([ROWS], "list is neither."),
    ],
)
def test_what_is_no_table_is_told_in_a_sentence_and_asks_nobody(
    frame: Any, said: str, box: SearchBox, tmp_path: Path
) -> None:
    asked = box.calls
    with pytest.raises(UserError, match=said):
        filon.enrich(frame, **how(box, tmp_path))
    assert box.calls == asked
    assert not (tmp_path / "run").exists()


def test_a_file_is_still_a_run(box: SearchBox, tmp_path: Path) -> None:
    pandas.DataFrame(ROWS).to_csv(tmp_path / "t.csv", index=False)
    run = filon.enrich(tmp_path / "t.csv", **how(box, tmp_path))
    assert isinstance(run, filon.Run)
