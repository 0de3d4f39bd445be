import pytest

from filon.page.refusal import MAX_REFUSAL, is_refusal

OGC = b"""<?xml version="1.0"?><!-- x --><ServiceExceptionReport version="1.2.0"
 xmlns="http://www.opengis.net/ogc"><ServiceException>layer unknown</ServiceException>
</ServiceExceptionReport>"""


@pytest.mark.parametrize(
    ("body", "mime"),
    [
        (b"File not found.", "text/csv"),
        ("Fichier non trouvé\r\n".encode("cp1252"), "text/csv"),
        (b"\xef\xbb\xbfNo such file\n", "text/tab-separated-values"),
        (b'{"error": "not found"}', "text/csv"),
        (b'{"error": {"code": 404, "message": "x"}, "success": false}', "application/json"),
        (b'{"detail": "Not found."}', "application/json"),
        (b'{"statusCode": 404, "message": "x", "data": null, "rows": []}', "application/json"),
        (b' {"errors": [{"title": "x"}]}', "application/vnd.api+json"),
        (OGC, "application/xml"),
        (b'<ows:ExceptionReport xmlns:ows="x"/>', "text/xml"),
        (b"<Error><Code>NoSuchKey</Code></Error>", "application/xml"),
    ],
)
def test_what_says_that_there_is_no_file_is_none(body: bytes, mime: str) -> None:
    assert is_refusal(body, mime)


@pytest.mark.parametrize(
    ("body", "mime"),
    [
        (b"", "text/csv"),
        (b"total", "text/csv"),
        (b"year;gdp per head", "text/csv"),
        (b"country name\nNew Zealand", "text/csv"),
        (b"File not found.", "text/plain"),
        (b"File not found.", "application/zip"),
        (b'{"error": "none", "rows": [1]}', "application/json"),
        (b'{"title": "Rain", "data": [1]}', "application/json"),
        (b'{"data": [1]}', "application/json"),
        (b'[{"error": 0.2}]', "application/json"),
        (b'{"error": ', "application/json"),
        (b'{"a":' * 600, "application/json"),
        (b"<errata><error/></errata>", "application/xml"),
        (b"<a><Error/></a>", "application/xml"),
        (b"\xff\xfe\xfd\x00", "application/json"),
        (b"No such file " + b"x" * MAX_REFUSAL, "text/csv"),
    ],
)
def test_what_may_be_a_file_is_one(body: bytes, mime: str) -> None:
    assert not is_refusal(body, mime)


@pytest.mark.timeout(20)
@pytest.mark.parametrize("piece", [b"<!--", b" ", b"<?xml", b"a ", b"<!DOCTYPE"])
def test_what_is_made_to_last_is_read_in_no_time(piece: bytes) -> None:
    body = (piece * MAX_REFUSAL)[:MAX_REFUSAL]
    for mime in ("text/csv", "application/json", "application/xml"):
        assert not is_refusal(body, mime) or piece == b"a "
