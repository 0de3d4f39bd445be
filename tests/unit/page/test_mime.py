import gzip
import io
import zipfile

import pytest

from filon.page.mime import file_name, sniff
from filon.page.types import PAPER, Types

HTML = b"<!DOCTYPE html>\n<html><head><title>404</title></head><body>Not found</body></html>"
CSV = b"year,country,gdp\n2019,FR,1.5\n2020,FR,-7.9\n2021,FR,6.8\n"
JSON = b'{"name": "gdp", "values": [1, 2]}'
XML = b'<?xml version="1.0"?><data><row a="1"/></data>'
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def zipped(*names: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in names:
            archive.writestr(name, "x")
    return buffer.getvalue()


@pytest.mark.parametrize(
    "claimed",
    [
        "text/csv",
        "application/octet-stream",
        "application/zip",
        "text/plain",
        "",
        "application/json",
    ],
)
@pytest.mark.parametrize(
    "body",
    [
        HTML,
        b"\xef\xbb\xbf \n" + HTML,
        b"<!-- made by x -->\n<html>",
        b"<HTML><BODY>",
        b"<head><meta charset=utf-8>",
        b"<script>location='/login'</script>",
    ],
)
def test_an_error_page_is_a_page_whatever_it_is_called(body: bytes, claimed: str) -> None:
    assert sniff(body, claimed, "http://a.org/gdp.csv") == "text/html"


@pytest.mark.parametrize(
    ("body", "mime"),
    [
        (CSV, "text/csv"),
        (JSON, "application/json"),
        (b"%PDF-1.4\n", "application/pdf"),
        (zipped("a.txt"), "application/zip"),
        (zipped("[Content_Types].xml", "xl/workbook.xml"), XLSX),
        (gzip.compress(b"x"), "application/gzip"),
        (b"PAR1" + bytes(9), "application/vnd.apache.parquet"),
        (b"SQLite format 3\0", "application/vnd.sqlite3"),
    ],
)
@pytest.mark.parametrize("claimed", ["text/html", "", "application/octet-stream", "text/plain"])
def test_a_file_is_what_it_is_whatever_it_is_called(body: bytes, mime: str, claimed: str) -> None:
    assert sniff(body, claimed, "http://a.org/download") == mime


@pytest.mark.parametrize(
    "body",
    [
        b"<p>One, two\n<p>three, four\n<p>five, six\n<p>seven, eight",
        b"Just some words, that are\na page, because the server\nsays, and why not",
        b"Name, <a href=x>link</a>\nOther, <a href=y>link</a>\nThird, <b>x</b>\nFour, <i>y</i>",
        b"{{ template }}",
        b"",
        b"   ",
    ],
)
def test_fragments_without_a_doctype_stay_pages(body: bytes) -> None:
    assert sniff(body, "text/html; charset=utf-8", "http://a.org/") == "text/html"


@pytest.mark.parametrize(
    ("body", "claimed", "url", "mime"),
    [
        (CSV, "text/csv; charset=utf-8", "x", "text/csv"),
        (CSV, "TEXT/CSV", "x", "text/csv"),
        (CSV, "application/x-csv", "x", "application/x-csv"),
        (JSON, "text/csv", "x", "application/json"),
        (XML, "text/csv", "x", "application/xml"),
        (CSV, "application/vnd.ms-excel", "x.csv", "text/csv"),
        (CSV, "application/vnd.ms-excel", "x.xls", "text/csv"),
        (b"a\tb\n1\t2\n3\t4\n", "text/plain", "x.txt", "text/tab-separated-values"),
        (b"one column\n1\n2\n", "text/plain", "x.csv", "text/csv"),
        (b"one column\n1\n2\n", "application/octet-stream", "x.CSV?y=1", "text/csv"),
        (b"plain words", "text/plain", "x.txt", "text/plain"),
        (b"plain words", "", "x", "text/plain"),
        (b"plain words", "application/octet-stream", "x", "application/octet-stream"),
        (b"plain words", "application/pdf", "x.pdf", "application/pdf"),
        (b"\x00\x01\x02", "application/octet-stream", "x", "application/octet-stream"),
        (b"\x00\x01\x02", "", "x", "application/octet-stream"),
        (b"\x72\x00\x01\x02", "application/octet-stream", "x.dta", "application/x-stata-dta"),
        (b"\x03\x00\x01\x02", "", "x.dbf", "application/dbf"),
        (b"\x00\x01\x02", "application/octet-stream", "x.xlsx", "application/octet-stream"),
        (b"\x00\x01\x02", "application/octet-stream", "x.csv", "application/octet-stream"),
        (JSON, "text/plain", "x.geojson", "application/geo+json"),
        (JSON, "application/geo+json", "x", "application/geo+json"),
        (b'{"a":1}\n{"a":2}\n', "text/plain", "x", "application/x-ndjson"),
        (b"@prefix a: <b> .\n", "text/plain", "x", "text/turtle"),
        (
            b"<?xml version='1.0'?><rss version='2.0'>",
            "application/xml",
            "x",
            "application/rss+xml",
        ),
        (b"<?xml version='1.0'?><kml>", "text/plain", "x", "application/vnd.google-earth.kml+xml"),
        (XML, "text/xml", "x", "text/xml"),
        (XML, "text/html", "x", "application/xml"),
        (gzip.compress(CSV), "application/x-gzip", "x", "application/x-gzip"),
        (gzip.compress(CSV), "text/csv", "x.csv.gz", "application/gzip"),
        (zipped("xl/workbook.xml"), "application/zip", "x", XLSX),
        (zipped("xl/workbook.xml"), "application/vnd.ms-excel", "x.xls", XLSX),
        (zipped("a.csv"), "application/x-zip-compressed", "x", "application/x-zip-compressed"),
        (zipped("a"), "application/octet-stream", "x.kmz", "application/vnd.google-earth.kmz"),
        (OLE, "application/octet-stream", "x.xls", "application/vnd.ms-excel"),
        (OLE, "application/octet-stream", "x.doc", "application/msword"),
        (OLE, "application/msword", "x", "application/msword"),
        (b"%PDF-1.4", "application/x-pdf", "x", "application/x-pdf"),
        (b"%PDF-1.4", "application/zip", "x.zip", "application/pdf"),
        (b"", "text/csv", "x", "text/csv"),
        (b"", "application/octet-stream", "x.csv", "application/octet-stream"),
        (b"", "", "x.csv", "text/csv"),
        (b"\x89PNG\r\n\x1a\n", "text/csv", "x.csv", "image/png"),
        ("a,b\n1,2\n3,4\n".encode("utf-16"), "text/plain", "x", "text/csv"),
    ],
)
def test_claims_are_checked_against_bytes_and_names(
    body: bytes, claimed: str, url: str, mime: str
) -> None:
    assert sniff(body, claimed, f"http://a.org/{url}") == mime


def test_the_name_in_the_header_wins_over_the_url() -> None:
    given = 'attachment; filename="x.csv"'
    assert (
        sniff(b"one\n1\n", "application/octet-stream", "http://a.org/y.json", given) == "text/csv"
    )


def test_tables_that_excel_opens_are_files_and_login_pages_are_not() -> None:
    table = b"<html><body><table><tr><td>1</td></tr></table></body></html>"
    login = b"<html><body><a href=/>Home</a><form>Log in</form></body></html>"
    assert sniff(table, "application/vnd.ms-excel") == "application/vnd.ms-excel"
    assert sniff(login, "application/vnd.ms-excel") == "text/html"


@pytest.mark.parametrize("body", [CSV, JSON, XML, b"words", b"\x00\x01", gzip.compress(b"x"), OLE])
def test_a_target_of_the_paper_stays_one_unless_it_is_a_page(body: bytes) -> None:
    paper = Types.parse("paper")
    assert [each for each in PAPER if not paper.wants(sniff(body, each), claimed=each)] == []
    assert [each for each in PAPER if paper.wants(sniff(HTML, each), claimed=each)] == []


@pytest.mark.parametrize(
    ("url", "disposition", "name"),
    [
        ("http://a.org/d/x.csv?y=z", "", "x.csv"),
        ("http://a.org/d/x%20y.csv", "", "x y.csv"),
        ("http://a.org/d/", "", "d"),
        ("http://a.org/", "", "a.org"),
        ("http://a.org/get?file=b.xlsx", "", "b.xlsx"),
        ("http://a.org/get.php?f=b.csv&v=1.5", "", "b.csv"),
        ("http://a.org/x", "attachment; filename=b.csv", "b.csv"),
        ("http://a.org/x", 'inline; filename="b c.csv"; size=1', "b c.csv"),
        ("http://a.org/x", "attachment; filename=\"a.csv\"; filename*=UTF-8''%C3%A9.csv", "é.csv"),
        ("http://a.org/x", "attachment", "x"),
        ("http://a.org/x", 'attachment; filename="../../etc/passwd"', "passwd"),
        ("http://a.org/x", 'attachment; filename="C:\\\\x\\\\b.csv"', "b.csv"),
        ("http://a.org/x", 'attachment; filename="..\\\\"', "x"),
        ("http://a.org/..%2F..%2Fb.csv", "", "b.csv"),
        ("http://a.org/a%00b%1b%5B31m.csv", "", "a_b_[31m.csv"),
        ("http://a.org/%E2%80%AEvsc.exe", "", "_vsc.exe"),
        ("http://a.org/%2e%2e", "", "a.org"),
    ],
)
def test_a_file_has_a_name_that_is_never_a_path(url: str, disposition: str, name: str) -> None:
    assert file_name(url, disposition) == name


def test_a_long_name_keeps_its_extension() -> None:
    name = file_name(f"http://a.org/{'é' * 300}.csv")
    assert name.endswith("é.csv")
    assert len(name.encode()) <= 200
