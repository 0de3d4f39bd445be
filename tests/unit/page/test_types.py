import pytest

from filon.core import UserError
from filon.page.formats import FORMATS, title
from filon.page.types import PAPER, UNWANTED, Types, blocked_extension

DATA = Types.parse("data")


@pytest.mark.parametrize(
    "mime",
    [
        "text/csv",
        "application/vnd.ms-excel",
        "application/zip",
        "application/x-gzip",
        "application/json",
        "text/xml",
        "application/vnd.apache.parquet",
        "application/geo+json",
        "application/x-stata-dta",
        "text/tab-separated-values",
    ],
)
def test_tables_statistics_maps_and_archives_are_data(mime: str) -> None:
    assert DATA.wants(mime, "http://a.org/x")


@pytest.mark.parametrize(
    "mime",
    [
        "text/html",
        "application/pdf",
        "text/plain",
        "application/octet-stream",
        "application/msword",
        "application/rss+xml",
        "image/tiff",
        "",
    ],
)
def test_pages_documents_and_pictures_are_not(mime: str) -> None:
    assert not DATA.wants(mime)


@pytest.mark.parametrize(
    "path",
    [
        "sitemap.xml",
        "sitemap_index.xml",
        "wp-sitemap-posts-post-1.xml",
        "sitemap.xml.gz",
        "feed.xml",
        "rss",
        "blog/feed/",
        "atom.xml",
        "opensearch.xml",
        "manifest.json",
        "site-manifest.json",
        "package.json",
        "x.min.json",
        "wp-json/wp/v2/posts",
        "api/swagger.json",
        "openapi.json",
        "browserconfig.xml",
        "assets/i18n/en.json",
        "static/strings.json",
        "oembed?url=x",
        "?feed=rss2",
    ],
)
def test_what_a_site_serves_itself_is_no_data(path: str) -> None:
    mime = "application/json" if "json" in path else "application/xml"
    if path.endswith(".gz"):
        mime = "application/gzip"
    assert not DATA.wants(mime, f"http://a.org/{path}")
    assert DATA.wants(mime, "http://a.org/gdp")
    assert Types.parse("paper").wants("application/xml", f"http://a.org/{path}")


@pytest.mark.parametrize(
    "path", ["feedstock-prices.xml", "assets/data/gdp.json", "manifesto.json", "package-tours.json"]
)
def test_names_that_only_resemble_those_are_data(path: str) -> None:
    mime = "application/json" if path.endswith("json") else "application/xml"
    assert DATA.wants(mime, f"http://a.org/{path}")


def test_a_format_that_is_named_counts_wherever_it_is() -> None:
    assert Types.parse("data,xml").wants("application/xml", "http://a.org/sitemap.xml")
    assert Types.parse("json").wants("application/json", "http://a.org/manifest.json")


def test_the_paper_has_38_types_matched_exactly() -> None:
    paper = Types.parse("paper")
    assert len(PAPER) == 38
    assert all(paper.wants(mime) for mime in PAPER)
    assert not paper.wants("application/gzip")
    assert not paper.wants("text/html")


def test_the_paper_believes_the_server_unless_it_is_a_page() -> None:
    paper = Types.parse("paper")
    assert paper.wants("image/png", claimed="application/octet-stream")
    assert not paper.wants("text/html", claimed="text/csv")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("data", "data"),
        ("Data, PDF ,.csv", "data,pdf,csv"),
        ("htm", "html"),
        ("text/CSV", "text/csv"),
        ("csv,csv", "csv"),
        ("image/*", "image/*"),
    ],
)
def test_types_are_shown_as_they_can_be_read_again(text: str, shown: str) -> None:
    types = Types.parse(text)
    assert str(types) == shown
    assert Types.parse(str(types)) == types


@pytest.mark.parametrize(
    ("text", "hint"),
    [("xslx", "xlsx"), ("cvs", "csv"), ("data,paprika", "paper"), ("qqqqq", "like csv")],
)
def test_an_unknown_name_is_answered_with_its_neighbours(text: str, hint: str) -> None:
    with pytest.raises(UserError, match=hint) as error:
        Types.parse(text)
    assert str(error.value).count("\n") == 0


@pytest.mark.parametrize("text", ["", " , "])
def test_no_type_at_all_is_a_mistake(text: str) -> None:
    with pytest.raises(UserError):
        Types.parse(text)


@pytest.mark.parametrize(
    ("word", "media"),
    [
        ("excel", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        ("spreadsheets", "application/vnd.oasis.opendocument.spreadsheet"),
        ("tables", "text/csv"),
        ("tables", "application/vnd.ms-excel"),
        ("geo", "application/geo+json"),
        ("RDF", "text/turtle"),
        ("OpenDocument table", "application/vnd.oasis.opendocument.spreadsheet"),
    ],
)
def test_several_formats_have_one_word(word: str, media: str) -> None:
    types = Types.parse(word)
    assert types.wants(media)
    assert not types.wants("application/pdf")
    assert Types.parse(str(types)) == types


def test_what_the_summary_calls_a_file_is_a_type_that_finds_it_again() -> None:
    known = {mime for media in FORMATS.values() for mime in media}
    assert [mime for mime in known if not Types.parse(title(mime)).wants(mime)] == []


def test_a_type_that_nobody_named_is_called_as_the_server_did() -> None:
    assert Types.parse(title("application/x-own")).wants("application/x-own")


def test_names_and_media_types_select_exactly() -> None:
    types = Types.parse("csv,application/x-own")
    assert types.wants("text/x-csv")
    assert types.wants("application/x-own")
    assert not types.wants("application/vnd.ms-excel")
    assert Types.parse("image/*").wants("image/png")


@pytest.mark.parametrize(
    "url",
    [
        "http://a.org/a.jpg",
        "http://a.org/a.JPG?x=1",
        "http://a.org/a.mp4",
        "http://a.org/style.css",
        "http://a.org/a.ts",
        "http://a.org/a.woff2",
        "http://a.org/map.tif",
    ],
)
def test_multimedia_and_dressing_are_blocked(url: str) -> None:
    assert blocked_extension(url)


@pytest.mark.parametrize(
    "url",
    [
        "http://a.org/a.csv",
        "http://a.org/?a.jpg",
        "http://jpg/",
        "http://a.org/a.html",
        "http://a.mp4/",
    ],
)
def test_other_urls_are_not_blocked(url: str) -> None:
    assert not blocked_extension(url)


def test_what_is_asked_for_is_neither_blocked_nor_cut() -> None:
    assert DATA.blocks("http://a.org/map.tif")
    assert DATA.unwanted == UNWANTED
    maps = Types.parse("data,tif")
    assert not maps.blocks("http://a.org/map.TIFF")
    assert maps.blocks("http://a.org/a.jpg")
    assert "image/" not in maps.unwanted
    assert "video/" in maps.unwanted
