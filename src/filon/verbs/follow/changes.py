"""How two versions of a document differ: triples added and removed."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import pyoxigraph as ox

from filon.run import readonly
from filon.run.archive import Answers
from filon.run.text import counted
from filon.verbs.compared import Version
from filon.verbs.follow.rdf.reader import read

#: Triples of each kind that are told.
EXAMPLES = 5
#: Of longer documents, names of blank nodes are taken as they are: canonical ones cost too much.
MOST_CANONICAL = 20_000


def documents(pairs: Iterable[tuple[Version, Version]]) -> Iterator[dict[str, Any]]:
    """Yield how documents differ, the older one first in each pair: plain data, with a line."""
    for old, new in pairs:
        yield difference(_triples(old), _triples(new))


def difference(old: Counter[str], new: Counter[str]) -> dict[str, Any]:
    """Return how two sets of triples differ.

    >>> difference(Counter(["a"]), Counter(["a", "b"]))["text"]
    '1 triple added'
    """
    added, removed = sorted(new.keys() - old.keys()), sorted(old.keys() - new.keys())
    parts = [
        f"{counted(len(found), 'triple')} {what}"
        for found, what in ((added, "added"), (removed, "removed"))
        if found
    ]
    return {
        "text": ", ".join(parts) or "the same triples, written otherwise",
        "is_change": bool(parts),
        "triples_added": len(added),
        "triples_removed": len(removed),
        "added": added[:EXAMPLES],
        "removed": removed[:EXAMPLES],
    }


def _triples(version: Version) -> Counter[str]:
    """Return the triples of a document as text, blank nodes under canonical names."""
    with readonly.reading(version.folder) as ledger:
        row = ledger.execute("SELECT * FROM steps WHERE step = ?", (version.step,)).fetchone()
        response = Answers(version.folder).read(row, row["url"])
    found = read(response.body, response.url, response.header("content-type")).triples
    whole = ox.Dataset(ox.Quad(one.subject, one.predicate, one.object) for one in found)
    if len(whole) <= MOST_CANONICAL:
        whole.canonicalize(ox.CanonicalizationAlgorithm.RDFC_1_0)
    return Counter(str(quad.triple) for quad in whole)
