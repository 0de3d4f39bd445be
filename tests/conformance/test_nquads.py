"""What is written of real documents is N-Quads that a strict reader takes, to the last line."""

import sqlite3
import zlib
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pyoxigraph as ox

from filon.verbs.follow.graph.terms import Terms, iri
from filon.verbs.follow.rdf.reader import read


def documents(folder: Path) -> Iterator[tuple[str, str, bytes]]:
    """Yield URL, type and body of every document of the folder, broken ones too."""
    replica = sqlite3.connect(f"file:{folder / 'documents.sqlite'}?mode=ro&immutable=1", uri=True)
    for url, mime, body in replica.execute("SELECT url, mime, body FROM documents ORDER BY url"):
        yield url, mime, zlib.decompress(body)
    replica.close()
    for name in ("sweet", "vocabularies"):
        with ZipFile(folder / f"{name}.zip") as packed:
            for entry in packed.namelist():
                yield f"http://{name}.example/{entry}", "", packed.read(entry)
    for path in sorted((folder / "schemaorg").iterdir()):
        yield f"http://schema.example/{path.name}", "", path.read_bytes()


def test_no_line_of_all_real_documents_is_invalid(shared: Path) -> None:
    written = 0
    for number, (url, mime, body) in enumerate(documents(shared / "data/follow")):
        terms, graph = Terms(f"d{number}"), iri(url)
        triples = (terms.triple(triple) for triple in read(body, url, mime).triples)
        lines = [f"{triple} {graph} .\n" for triple in triples if triple]
        back = ox.parse(input="".join(lines), format=ox.RdfFormat.N_QUADS)
        assert sum(1 for _ in back) == len(lines), url
        written += len(lines)
    assert written > 350_000
