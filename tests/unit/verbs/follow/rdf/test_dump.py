"""Dumps as streams: packed or not, whole or broken off."""

import bz2
import gzip
import io
import zipfile
from collections.abc import Callable

import pytest

from filon.verbs.follow.rdf.dump import Dump, read_packed

COUNT = 5_000
NT = b"".join(
    b'<http://a.example/%d> <http://v.example/p> "%d" .\n' % (n, n * n) for n in range(COUNT)
)
TURTLE = b"@prefix v: <http://v.example/> .\n" + b"".join(
    b"<http://a.example/%d> v:p %d .\n" % (n, n) for n in range(COUNT)
)
XML = (
    b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:v="http://v.example/">'
    + b"".join(
        b'<rdf:Description rdf:about="http://a.example/%d"><v:p>%d</v:p></rdf:Description>' % (n, n)
        for n in range(COUNT)
    )
    + b"</rdf:RDF>"
)


def zipped(**files: bytes) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in files.items():
            archive.writestr(name.replace("_", "."), body)
    return made.getvalue()


def same(body: bytes) -> bytes:
    return body


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "": same,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
}


@pytest.mark.parametrize("packing", PACKERS)
@pytest.mark.parametrize(("ending", "body"), [("nt", NT), ("ttl", TURTLE), ("rdf", XML)])
def test_every_packing_of_every_syntax_is_read(packing: str, ending: str, body: bytes) -> None:
    dump = Dump(io.BytesIO(PACKERS[packing](body)), f"http://a.example/x.{ending}{packing}")
    assert len(list(dump)) == COUNT
    assert (dump.broken, dump.full, dump.decoded_bytes) == ("", False, len(body))


def test_a_zip_brings_its_files_with_rdf_and_passes_over_others() -> None:
    body = zipped(readme_txt=b"words", a_nt=NT, b_ttl=b"<#a> a <#b> .")
    assert len(list(Dump(io.BytesIO(body), "http://a.example/x.zip"))) == COUNT + 1


def test_a_zip_that_was_written_as_a_stream_is_read_too() -> None:
    class Pipe(io.RawIOBase):
        written = b""

        def writable(self) -> bool:
            return True

        def write(self, data: bytes) -> int:  # type: ignore[override]
            Pipe.written += bytes(data)
            return len(data)

    with zipfile.ZipFile(Pipe(), "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.nt", NT)
        archive.writestr("b.nt", b'<http://b.example/> <http://v.example/p> "b" .')
    assert len(list(Dump(io.BytesIO(Pipe.written), "http://a.example/x.zip"))) == COUNT + 1


def test_members_one_after_the_other_are_one_file() -> None:
    body = gzip.compress(NT) + gzip.compress(NT)
    assert len(list(Dump(io.BytesIO(body), "http://a.example/x.nt.gz"))) == 2 * COUNT


@pytest.mark.parametrize("body", [gzip.compress(NT), bz2.compress(NT, 1), zipped(a_nt=NT)])
def test_what_came_before_the_end_of_a_torn_file_is_kept(body: bytes) -> None:
    dump = Dump(io.BytesIO(body[: len(body) * 3 // 4]), "http://a.example/x.nt")
    assert 100 < len(list(dump)) < COUNT
    assert dump.broken


def test_what_came_before_a_mistake_is_kept() -> None:
    dump = Dump(io.BytesIO(gzip.compress(NT + b"oops\n" + NT)), "http://a.example/x.nt.gz")
    assert len(list(dump)) >= COUNT
    assert dump.broken


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress])
def test_a_bomb_is_unpacked_up_to_the_bound(pack: Callable[[bytes], bytes]) -> None:
    line = b'<http://a.example/x> <http://v.example/p> "x" .\n'
    body = pack(line * 100_000)
    dump = Dump(io.BytesIO(body), "http://a.example/x.nt", most_bytes=1_000_000)
    assert len(list(dump)) == 1_000_000 // len(line)
    assert dump.decoded_bytes == 1_000_000
    assert dump.full


def test_triples_are_bounded() -> None:
    dump = Dump(io.BytesIO(NT), "http://a.example/x.nt", most=10)
    assert len(list(dump)) == 10
    assert dump.full


def test_entities_that_explode_are_not_read() -> None:
    body = b'<!DOCTYPE r [<!ENTITY a "%s"><!ENTITY b "%s">]>' % (b"x" * 9_000, b"&a;" * 100) + XML
    dump = Dump(io.BytesIO(gzip.compress(body)), "http://a.example/x.rdf.gz")
    assert list(dump) == []
    assert "entities" in dump.broken


def test_a_packed_page_of_json_ld_is_read_whole() -> None:
    body = b'{"@context": {"p": "http://v.example/p"}, "@id": "http://a.example/", "p": 1}'
    document = read_packed(
        gzip.compress(body), "http://a.example/x.jsonld.gz", most_bytes=10_000, most=100
    )
    assert len(document.triples) == 1
    assert document.strict


def test_a_packed_file_without_rdf_has_none() -> None:
    body = gzip.compress(b"a,b\n1,2\n")
    document = read_packed(body, "http://a.example/x.csv.gz", most_bytes=10_000, most=100)
    assert not document.any
