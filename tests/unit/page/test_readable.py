import pytest
from hypothesis import given
from hypothesis import strategies as st

from filon.page.readable import (
    MAX_STEM,
    original_name,
    readable_name,
    readable_names,
    speaks,
    with_extension,
)
from filon.run.export.folder import safe_name
from fuzzing import examples

CSV = "text/csv"


@pytest.mark.parametrize(
    "name",
    [
        *("2-2-1", "12345", "T0203", "Q3", "tab12", "sheet1", "table_14.3", "B2b3", "v2"),
        *("download", "export", "file", "index.php", "fichier", "Datei", "data", "a"),
        *("9f86d081884c", "550e8400-e29b-41d4-a716-446655440000", "dQw4w9WgXcQ"),
    ],
)
def test_a_name_for_machines_gives_way_to_what_the_page_says(name: str) -> None:
    assert not speaks(name)
    assert readable_name(f"{name}.csv", CSV, text="Births by year") == "births-by-year.csv"


@pytest.mark.parametrize("name", ["gdp-2020", "population", "KEN_pop", "人口", "covid19", "größe"])
def test_a_name_that_says_something_stays(name: str) -> None:
    assert readable_name(f"{name}.csv", CSV, text="Births by year") == f"{name}.csv"


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ({"text": "Download: Population by region (CSV, 1.3 MB)"}, "population-by-region.csv"),
        ({"text": "CSV", "around": "Population by region"}, "population-by-region.csv"),
        ({"text": "Download", "headings": "Home > Births > 2020"}, "births.csv"),
        ({"text": "2019", "headings": "Home > Births"}, "births-2019.csv"),
        ({"text": "Births 2019", "headings": "Births"}, "births-2019.csv"),
        ({"text": "here", "title": "2020 - Road deaths | Office"}, "road-deaths.csv"),
        ({"text": "人口统计"}, "人口统计.csv"),
        ({"text": "here"}, "7.csv"),
        ({}, "7.csv"),
    ],
)
def test_the_nearest_words_that_say_something_are_the_name(said: dict[str, str], name: str) -> None:
    assert readable_name("7", CSV, **said) == name


def test_where_others_are_called_so_a_name_says_more_and_at_last_its_own() -> None:
    said = {"text": "Headline data", "around": "", "headings": "Births > Parts > Here", "title": ""}
    assert readable_names("8-2-1.csv", CSV, **said) == [
        *("headline.csv", "parts-headline.csv", "births-headline.csv", "headline-8-2-1.csv")
    ]
    assert readable_names("gdp.csv", CSV, **said) == ["gdp.csv"]


def test_what_tells_two_files_of_one_heading_apart_is_not_cut_off() -> None:
    said = {"around": "", "headings": "births " * 40 + "> x", "title": ""}
    pair = [readable_names("7", CSV, text=text, **said)[1] for text in ("Headline", "Whole series")]
    assert [name.partition("births-" * 9)[2] for name in pair] == [
        *("births-headline.csv", "whole-series.csv")
    ]


def test_a_long_text_is_cut_between_words() -> None:
    name = readable_name("7", CSV, text="population " * 50)
    assert name == f"{'-'.join(['population'] * 7)}.csv"


@pytest.mark.parametrize(
    ("name", "mime", "right"),
    [
        ("download", CSV, "download.csv"),
        ("get.php", CSV, "get.csv"),
        ("table.html", CSV, "table.csv"),
        ("a.xls", CSV, "a.csv"),
        ("a.csv.gz", CSV, "a.csv"),
        ("report.v2", CSV, "report.v2.csv"),
        ("a.xlsx", "application/vnd.ms-excel", "a.xlsx"),
        ("a.TAB", "text/tab-separated-values", "a.TAB"),
        ("a.geojson", "application/json", "a.geojson"),
        ("a.csv.gz", "application/gzip", "a.csv.gz"),
        ("a.shp.zip", "application/zip", "a.shp.zip"),
        ("a.bin", "application/octet-stream", "a.bin"),
        ("a", "application/x-own", "a"),
    ],
)
def test_the_ending_is_that_of_the_real_format(name: str, mime: str, right: str) -> None:
    assert with_extension(name, mime) == right


def test_a_double_ending_is_kept() -> None:
    name = readable_name("12.csv.gz", "application/gzip", text="All trips")
    assert name == "trips.csv.gz"


def test_an_original_name_keeps_the_ending_it_has() -> None:
    assert original_name("12", CSV) == "12.csv"
    assert original_name("a.dat", CSV) == "a.dat"
    assert original_name("2.2.1", CSV) == "2.2.1.csv"
    assert original_name("get.php", CSV) == "get.csv"


@examples(100)
@given(st.text(max_size=40), st.text(max_size=300), st.text(max_size=300))
def test_any_words_make_a_short_name_without_separators(name: str, text: str, title: str) -> None:
    made = readable_name(f"{name}.csv", CSV, text=text, headings=text, title=title)
    assert made == readable_name(f"{name}.csv", CSV, text=text, headings=text, title=title)
    if made != f"{name}.csv":
        assert len(made) <= MAX_STEM + len(".csv")
        assert safe_name(made).endswith(".csv")
        assert not {*"/\\\0\n<>:|?*"} & {*made}
