"""Searching the catalog: the right file first, and why it is there."""

from dataclasses import replace

import pytest

from filon.catalog.index import ORDERS
from filon.catalog.search import search
from filon.catalog.store import CatalogStore
from filon.core import UserError


def names(catalog: CatalogStore, words: str, **facets: str) -> list[str]:
    results = search(catalog, words, facets)
    return [hit.url.rpartition("/")[2] for hit in results.hits]


def test_all_words_come_before_some_and_titles_before_values(catalog: CatalogStore) -> None:
    assert names(catalog, "unemployment region")[0] == "a.csv"
    assert set(names(catalog, "unemployment")) == {"a.csv", "e.pdf", "z.csv"}


@pytest.mark.parametrize("words", ["Unemployment", "unemploymnet", "UNEMPLOIMENT", "household"])
def test_case_endings_and_typos_are_forgiven(catalog: CatalogStore, words: str) -> None:
    assert names(catalog, words)


def test_a_corrected_word_is_told(catalog: CatalogStore) -> None:
    assert search(catalog, "catle").corrected == {"catle": "cattle"}
    assert search(catalog, "cattle").corrected == {}


def test_why_says_which_word_stands_where(catalog: CatalogStore) -> None:
    (hit,) = search(catalog, "farming cattle").hits
    assert hit.why["context"] == ["farming"]
    assert hit.why["columns"] == ["cattle"]


def test_the_address_is_named_where_it_says_more(catalog: CatalogStore) -> None:
    (hit,) = search(catalog, "farming cattle").hits
    where = {"title": ["farming"], "columns": ["cattle"]}
    more = replace(hit, why={**where, "address": ["farming", "2020"]})
    assert more.reason.endswith("; farming 2020 in its address")
    same = replace(hit, why={**where, "address": ["cattle", "farming"]})
    assert same.reason == "farming in its title; cattle in its columns"
    assert replace(hit, why={"address": ["cattle"]}).reason == "cattle in its address"


@pytest.mark.parametrize(
    ("facet", "value", "left"),
    [
        ("site", "two.test", {"z.csv"}),
        ("format", "pdf", {"e.pdf"}),
        ("year", "2020", {"a.csv", "z.csv"}),
        ("year", "1990", set()),
        ("place", "centre", {"a.csv", "z.csv"}),
        ("licence", "CC BY 4.0", {"a.csv"}),
    ],
)
def test_facets_narrow_it(catalog: CatalogStore, facet: str, value: str, left: set[str]) -> None:
    assert set(names(catalog, "unemployment", **{facet: value})) == left


def test_facets_are_counted(catalog: CatalogStore) -> None:
    results = search(catalog, "unemployment", most=1)
    assert (len(results.hits), results.total) == (1, 3)
    assert dict(results.facets["format"]) == {"csv": 2, "pdf": 1}


@pytest.mark.parametrize("words", ["", "   ", "zzzzqqq", '"', "*", "(", "-"])
def test_nonsense_finds_nothing(catalog: CatalogStore, words: str) -> None:
    results = search(catalog, words)
    assert (results.hits, results.total) == ([], 0)


@pytest.mark.parametrize(
    "words", ["cattle*", '"cattle', "-cattle", "(cattle)", "^cattle", "cattle:"]
)
def test_signs_of_the_index_mean_nothing(catalog: CatalogStore, words: str) -> None:
    assert names(catalog, words) == names(catalog, "cattle") == ["c.csv"]


def test_a_link_that_says_download_is_titled_by_the_heading_above(catalog: CatalogStore) -> None:
    (hit,) = search(catalog, "cattle").hits
    assert hit.title == "Farming"


@pytest.mark.parametrize(
    ("facet", "value", "sentence"),
    [
        ("format", "xyz", "No file has the format 'xyz': there are csv, pdf"),
        ("site", "nowhere.test", "there are one.test, two.test"),
        ("year", "soon", "is no year"),
        ("colour", "red", "There is no facet colour"),
    ],
)
def test_a_facet_that_no_file_has_is_told(
    catalog: CatalogStore, facet: str, value: str, sentence: str
) -> None:
    with pytest.raises(UserError, match=sentence):
        search(catalog, "unemployment", {facet: value})


def test_a_word_that_nobody_has_does_not_hide_the_others(catalog: CatalogStore) -> None:
    results = search(catalog, "cattle zzzzqqq")
    assert [hit.url for hit in results.hits] == ["http://one.test/c.csv"]
    assert results.unknown == ["zzzzqqq"]


def test_the_beginning_of_a_word_finds_it(catalog: CatalogStore) -> None:
    results = search(catalog, "househ")
    assert results.hits[0].why["columns"] == ["households"]
    assert results.corrected == {"househ": "househ…"}


def test_without_words_an_order_lists_all_files(catalog: CatalogStore) -> None:
    assert search(catalog, "").hits == []
    for sort in ORDERS:
        assert search(catalog, "", sort=sort).total == 6
    by_title = [hit.title.lower() for hit in search(catalog, "", sort="title").hits]
    assert by_title == sorted(by_title)
    by_rows = [hit.rows for hit in search(catalog, "", sort="rows").hits]
    assert by_rows == sorted(by_rows, reverse=True)
    assert search(catalog, "", {"format": "pdf"}, sort="newest").total == 1


def test_words_are_looked_for_in_another_order(catalog: CatalogStore) -> None:
    hits = search(catalog, "unemployment", sort="rows").hits
    assert [hit.rows for hit in hits] == [5, 5, 0]
    assert all(hit.why for hit in hits)


def test_hits_are_turned_over_page_by_page(catalog: CatalogStore) -> None:
    whole = [hit.id for hit in search(catalog, "", sort="size").hits]
    pages = [search(catalog, "", most=2, skip=skip, sort="size") for skip in (0, 2, 4, 6)]
    assert [hit.id for page in pages for hit in page.hits] == whole
    assert {page.total for page in pages} == {6}


def test_a_run_has_its_own_files_only(catalog: CatalogStore) -> None:
    found = search(catalog, "", run="two", sort="title")
    assert {hit.url for hit in found.hits} >= {"http://two.test/z.csv"}
    assert found.total == 2
    assert search(catalog, "unemployment", run="two").total == 1
    assert search(catalog, "", run="tw", sort="title").total == 0


def test_an_order_that_nobody_knows_is_an_error(catalog: CatalogStore) -> None:
    with pytest.raises(UserError, match="no order 'oldest'"):
        search(catalog, "unemployment", sort="oldest")
