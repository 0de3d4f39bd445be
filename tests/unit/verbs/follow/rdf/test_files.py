"""RDF in every encoding."""

import gzip
import io

import pytest

from filon.verbs.follow.rdf.dump import Dump
from filon.verbs.follow.rdf.files import to_utf8
from filon.verbs.follow.rdf.reader import read

URL = "http://a.example/x"
NAME = "Gr\xfc\xdfe"
XML = (
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:v="http://v.example/">'
    f'<rdf:Description rdf:about="http://a.example/"><v:p>{NAME}</v:p></rdf:Description></rdf:RDF>'
)
#: Label and codec: what documents call it, and what they are in.
CODECS = {
    "utf-8": "utf-8",
    "iso-8859-1": "latin-1",
    "ISO-8859-15": "iso8859-15",
    "windows-1252": "cp1252",
    "utf-16": "utf-16",
    "utf-16le": "utf-16-le",
    "utf-16be": "utf-16-be",
    "utf-32": "utf-32",
    "ibm037": "cp037",
    "us-ascii": "latin-1",
    "no-such-charset": "latin-1",
}


def names(body: bytes, content_type: str) -> list[str]:
    document = read(body, URL, content_type)
    assert not document.broken
    return [triple.object.value for triple in document.triples]  # type: ignore[union-attr]


@pytest.mark.parametrize(("label", "codec"), CODECS.items())
def test_rdf_xml_is_read_in_the_encoding_that_it_declares(label: str, codec: str) -> None:
    body = f'<?xml version="1.0" encoding="{label}"?>\n{XML}'.encode(codec)
    assert names(body, "application/rdf+xml") == [NAME]


@pytest.mark.parametrize(("label", "codec"), CODECS.items())
def test_a_packed_dump_is_read_in_the_encoding_that_it_declares(label: str, codec: str) -> None:
    body = f'<?xml version="1.0" encoding="{label}"?>\n{XML}'.encode(codec)
    dump = Dump(io.BytesIO(gzip.compress(body)), f"{URL}.rdf.gz", "application/gzip")
    assert [triple.object.value for triple in dump] == [NAME]  # type: ignore[union-attr]
    assert not dump.broken


def test_the_header_tells_where_the_document_does_not() -> None:
    assert names(XML.encode("latin-1"), "application/rdf+xml; charset=iso-8859-1") == [NAME]
    assert names(XML.encode("cp1251", "xmlcharrefreplace"), "text/xml; charset=cp1251") == [NAME]


def test_what_is_in_utf_8_is_that_whatever_is_said_of_it() -> None:
    assert names(XML.encode(), "application/rdf+xml; charset=iso-8859-1") == [NAME]


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "latin-1"])
@pytest.mark.parametrize(
    ("body", "mime"),
    [
        (f'<http://a.example/> <http://v.example/p> "{NAME}" .', "text/turtle"),
        (f'{{"@id": "{URL}", "http://v.example/p": "{NAME}"}}', "application/ld+json"),
        (f'<!doctype html><p property="http://v.example/p">{NAME}</p>', "text/html"),
    ],
)
def test_the_other_syntaxes_are_read_in_any_encoding_too(body: str, mime: str, codec: str) -> None:
    assert names(body.encode(codec), f"{mime}; charset={codec}") == [NAME]


def test_the_last_character_of_a_part_may_be_cut() -> None:
    whole = "ü" * 10
    assert to_utf8(whole.encode()[:-1]) == whole.encode()[:-1]
