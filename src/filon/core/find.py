"""What a run brings home."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Find:
    """Something worth keeping: a file, later also a dataset, site, graph or record.

    kind: "file" where the body of the answer is what was found.
    name: what a person would call it: the file name that the server or the URL gives.
    mime: the type found, which may differ from the one claimed.
    parent: the URL of the page that led to it.
    link_text, around: the words of the link, and of the row or item that holds it.
    page_title, headings: of the page; the headings above the link, " > " between them.
    licence, modified: what is told of them: an address or a name; a time as it was written.

    What is empty of these, the run's store takes from the page and the answer.

    >>> Find(kind="file", url="http://example.org/a.csv", name="a.csv", mime="text/csv").parent
    ''
    """

    kind: str
    url: str
    name: str = ""
    mime: str = ""
    parent: str = ""
    link_text: str = ""
    around: str = ""
    page_title: str = ""
    headings: str = ""
    licence: str = ""
    modified: str = ""
