"""How fast pages with embedded RDF are read, on one core.

    python -m experiments.follow.reading ../shared/data/follow

The pages are the real ones that hold RDF, in turn, until there are a thousand; what is measured
is the whole reading, as a run does it: sniffing, the page, its RDFa, JSON-LD and microdata.
"""

import sqlite3
import sys
import time
import zlib
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path

from filon.core import UserError
from filon.verbs.follow.rdf.reader import read

PAGES = 1_000


@dataclass(frozen=True, slots=True)
class Pace:
    """Pages that were read, of how many different ones, with their bytes, triples and time."""

    pages: int
    different: int
    size_bytes: int
    triples: int
    cpu_s: float

    def __str__(self) -> str:
        kilobytes = self.size_bytes / 1000 / self.pages
        return (
            f"{self.pages:,} pages ({self.different:,} different ones, {kilobytes:.0f} kB each) "
            f"with {self.triples:,} triples in {self.cpu_s:.2f} s of CPU: "
            f"{self.pages / self.cpu_s:,.0f} pages a second"
        )


def pages_with_rdf(folder: Path) -> list[tuple[str, str, bytes]]:
    """Return address, type and body of the real pages in which RDF is embedded."""
    path = folder / "documents.sqlite"
    if not path.is_file():
        raise UserError(f"{folder} holds no documents.sqlite.")
    documents = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    try:
        rows = documents.execute(
            "SELECT url, mime, body FROM documents WHERE mime IN "
            "('text/html', 'application/xhtml+xml') AND has_rdf_strict ORDER BY url"
        ).fetchall()
    finally:
        documents.close()
    return [(url, mime, zlib.decompress(body)) for url, mime, body in rows]


def measure(pages: list[tuple[str, str, bytes]], count: int = PAGES) -> Pace:
    """Read so many pages, the given ones again and again."""
    triples = size_bytes = 0
    began = time.process_time()
    for url, mime, body in islice(cycle(pages), count):
        triples += len(read(body, url, mime).triples)
        size_bytes += len(body)
    cpu_s = time.process_time() - began
    return Pace(count, min(count, len(pages)), size_bytes, triples, cpu_s)


if __name__ == "__main__":
    print(measure(pages_with_rdf(Path(sys.argv[1]))))
