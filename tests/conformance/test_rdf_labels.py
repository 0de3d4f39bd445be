"""The labels of real documents: is there RDF in it, and was it meant?"""

import json
import sqlite3
import zlib
from pathlib import Path

from filon.verbs.follow.rdf.reader import read


def test_labels_agree_on_at_least_99_percent_of_real_documents(shared: Path) -> None:
    folder = shared / "data/follow"
    context = json.loads((folder / "schemaorg/schemaorgcontext.jsonld").read_text())["@context"]
    uri = f"file:{folder / 'documents.sqlite'}?mode=ro&immutable=1"
    documents = sqlite3.connect(uri, uri=True)
    rows = documents.execute("SELECT url, mime, body, has_rdf_strict, has_rdf_any FROM documents")
    all_of_them, not_strict, not_any = 0, [], []
    for url, mime, body, strict, some in rows:
        document = read(zlib.decompress(body), url, mime, contexts={"schema.org": context})
        all_of_them += 1
        if document.strict != bool(strict):
            not_strict.append(url)
        if document.any != bool(some):
            not_any.append(url)
    documents.close()
    assert all_of_them == 2374
    assert len(not_strict) <= 0.01 * all_of_them, not_strict
    # Looked at: six pages whose only triples are ARIA roles, which we do not read, and five JSON
    # files that PyLD gave up on.
    assert len(not_any) <= 0.01 * all_of_them, not_any
