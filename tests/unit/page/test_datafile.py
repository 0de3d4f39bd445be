import pytest

from filon.page.datafile import is_data_file


@pytest.mark.parametrize(
    "url",
    [
        "http://a.org/t.csv",
        "http://a.org/T.GeoJSON",
        "http://a.org/t.csv.gz?x=1#top",
        "http://a.org/t%2Ecsv",
        "http://a.org/api/views/ab12-cd34/rows.csv?accessType=DOWNLOAD",
        "http://a.org/wfs?service=WFS&outputFormat=csv",
        "http://a.org/api/explore/v2.1/catalog/datasets/x/exports/parquet",
        "http://a.org/api/access/datafile/12",
        "http://a.org/records/1/files/x?download=1",
        "http://a.org/query?f=geojson&where=1",
    ],
)
def test_addresses_of_data_files_are_known(url: str) -> None:
    assert is_data_file(url)


@pytest.mark.parametrize(
    "url",
    [
        "http://a.org/",
        "http://csv.org",
        "http://a.org/csv",
        "http://a.org/page.html?file=t.csv.html",
        "http://a.org/sitemap_1.xml.gz",
        "http://a.org/feed.xml",
        "http://a.org/static/js/menu.json",
        "http://a.org/manifest.json",
        "http://a.org/wp-json/oembed/1.0",
        "http://a.org/report.pdf",
    ],
)
def test_what_serves_machines_or_people_is_not_taken_for_data(url: str) -> None:
    assert not is_data_file(url)
