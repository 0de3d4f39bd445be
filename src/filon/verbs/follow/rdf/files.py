"""Files of RDF: their characters, and the parser of each syntax."""

import codecs
import json
import re
from collections.abc import Iterator

import pyoxigraph as ox

from filon.page.charset import charset

#: What a parser says to a document that it cannot read: MemoryError where a single literal or
#: name is longer than its own buffer of 16 MiB.
FAULTS = (SyntaxError, ValueError, MemoryError)
FORMATS = {
    "turtle": ox.RdfFormat.TURTLE,
    "trig": ox.RdfFormat.TRIG,
    "nt": ox.RdfFormat.N_TRIPLES,
    "nquads": ox.RdfFormat.N_QUADS,
    "n3": ox.RdfFormat.N3,
    "rdfxml": ox.RdfFormat.RDF_XML,
}
#: How the parser complains of a statement that is N3 but not RDF; it goes on after it.
_VARIABLES = "variables are not allowed"
_DECLARED = re.compile(rb"(<\?xml[^>]{0,200}?\bencoding\s*=\s*[\"'])([\w.:-]+)")
#: "<?xm" in the codes of mainframes; which of them, the declaration says.
_EBCDIC = b"\x4c\x6f\xa7\x94"


def to_utf8(body: bytes, content_type: str = "") -> bytes:
    """Return a document in UTF-8, without a byte order mark, whatever it is in.

    >>> to_utf8('<?xml version="1.0" encoding="latin1"?><a>ü</a>'.encode("latin1")).decode()
    '<?xml version="1.0" encoding="utf-8"?><a>ü</a>'
    """
    return b"".join(recoded(iter((body,)), content_type))


def recoded(pieces: Iterator[bytes], content_type: str = "") -> Iterator[bytes]:
    """Return the pieces of a document in UTF-8; its beginning tells what it is in."""
    first = next(pieces, b"")
    codec = _codec(first, content_type)
    if codec != "utf-8":
        decoder = codecs.getincrementaldecoder(codec)("replace")
        first = decoder.decode(first).encode("utf-8", "replace")
    yield _DECLARED.sub(rb"\1utf-8", first.removeprefix(b"\xef\xbb\xbf"), count=1)
    if codec == "utf-8":
        yield from pieces
        return
    for piece in pieces:
        yield decoder.decode(piece).encode("utf-8", "replace")
    yield decoder.decode(b"", final=True).encode("utf-8", "replace")


def _codec(beginning: bytes, content_type: str) -> str:
    """Return the codec that a document is in.

    What is in UTF-8 and not in ASCII alone is meant so, whatever is said of it.
    """
    wide = json.detect_encoding(beginning[:4])
    if not wide.startswith("utf-8"):
        return wide.removesuffix("-sig")
    if beginning.startswith(_EBCDIC):
        text = beginning[:200].decode("cp037")
        declared = _DECLARED.search(text.encode())
        named = f"text/xml; charset={declared[2].decode()}" if declared else ""
        codec = charset(b"", named)
        return codec if codec.startswith("cp") else "cp037"
    if not beginning.isascii():
        try:
            codecs.utf_8_decode(beginning, "strict", False)  # its last character may be cut
            return "utf-8"
        except UnicodeDecodeError:
            pass
    codec = charset(beginning, content_type)
    return "utf-8" if codec.startswith(("utf-16", "utf-32")) else codec


def asserted(quads: Iterator[ox.Quad]) -> Iterator[ox.Quad]:
    """Yield the statements of N3 that are made: rules and quoted formulas are no triples."""
    while True:
        try:
            quad = next(quads)
        except StopIteration:
            return
        except SyntaxError as error:
            if _VARIABLES not in str(error):
                raise
            continue
        if isinstance(quad.graph_name, ox.DefaultGraph):
            yield quad
