import sqlite3
import zlib
from pathlib import Path

import pytest

from experiments.follow.reading import measure, pages_with_rdf
from filon.core import UserError

PAGE = b'<html><body><p about="http://a.org/1" property="http://v.org/name">A</p></body></html>'


def collection(folder: Path) -> None:
    documents = sqlite3.connect(folder / "documents.sqlite")
    documents.execute("CREATE TABLE documents (url, mime, body, has_rdf_strict)")
    rows = [("http://a.org/1", "text/html", 1), ("http://a.org/2", "text/html", 0)]
    rows.append(("http://a.org/3", "text/turtle", 1))
    for url, mime, strict in rows:
        told = (url, mime, zlib.compress(PAGE), strict)
        documents.execute("INSERT INTO documents VALUES (?, ?, ?, ?)", told)
    documents.commit()
    documents.close()


def test_only_pages_with_rdf_are_read_and_again_until_there_are_enough(tmp_path: Path) -> None:
    collection(tmp_path)
    pages = pages_with_rdf(tmp_path)
    assert [url for url, _, _ in pages] == ["http://a.org/1"]
    pace = measure(pages, 3)
    assert (pace.pages, pace.different, pace.triples) == (3, 1, 3)
    assert "pages a second" in str(pace)


def test_a_folder_without_documents_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"holds no documents\.sqlite"):
        pages_with_rdf(tmp_path)
