"""What a dump or an endpoint has told already: its URIs need not be asked for one by one.

A subject counts as told where its folder is at home in the dump: several documents of it are
described, and by more than a mention. Where only the beginning of a dump was read, the folder
counts as told; where the catalogue names the prefix, that does. A vocabulary that is one document
is a dump too: that shows when its terms redirect to it, one after the other.
"""

from collections import Counter
from collections.abc import Iterable

import mmh3
import pyoxigraph as ox

from filon.core.forms import pairs
from filon.core.state import Stateful, stored
from filon.learn.arrays import LISTED, NUMBERS

#: Documents of a folder, and triples for each, from which on a dump is at home there.
DOCUMENTS, TRIPLES = 5, 2.0
#: So many terms that redirect to a document show that it tells the others of their folder.
REDIRECTS = 2
#: Subjects, prefixes, and subjects of documents that may turn out to be dumps: all are bounded.
MOST, MOST_PREFIXES, MOST_OFFERS = 2_000_000, 1_000, 500_000


class Coverage(Stateful):
    """Subjects and prefixes that are told."""

    STATE = (
        "prefixes",
        stored("_subjects", NUMBERS),
        stored("_offers", pairs(LISTED)),
        "_redirects",
    )

    def __init__(self) -> None:
        self.prefixes: tuple[str, ...] = ()
        self._subjects: set[int] = set()
        self._offers: dict[str, list[int]] = {}  # by document and folder: subjects
        self._offered = 0
        self._redirects: Counter[str] = Counter()

    def learn(
        self, triples: Iterable[ox.Triple], spaces: tuple[str, ...] = (), *, whole: bool = True
    ) -> None:
        """Take note of what a dump says; spaces: prefixes that its catalogue names."""
        documents = _described(triples)
        for space in spaces:
            if any(document.startswith(space.partition("#")[0]) for document in documents):
                self._add(space)
        for name, members in _homes(documents).items():
            self._subjects.update(members[: max(0, MOST - len(self._subjects))])
            if not whole:
                self._add(name)

    def offer(self, url: str, triples: Iterable[ox.Triple]) -> None:
        """Take note of a document that may turn out to be a dump."""
        for name, members in _homes(_described(triples)).items():
            if self._offered + len(members) <= MOST_OFFERS:
                self._offered += len(members)
                self._offers[f"{url} {name}"] = members

    def redirected(self, url: str, goal: str) -> None:
        """Take note that a URL leads to a document that was read; often enough, it is a dump."""
        key = f"{goal} {folder(url)}"
        if key in self._offers and _number(url) in self._offers[key]:
            self._redirects[key] += 1
            if self._redirects[key] >= REDIRECTS:
                members = self._offers.pop(key)
                self._offered -= len(members)
                self._subjects.update(members[: max(0, MOST - len(self._subjects))])

    def _add(self, prefix: str) -> None:
        if prefix not in self.prefixes and len(self.prefixes) < MOST_PREFIXES:
            self.prefixes += (prefix,)

    def __contains__(self, url: str) -> bool:
        if self.prefixes and url.startswith(self.prefixes):
            return True
        return bool(self._subjects) and _number(url) in self._subjects

    def __len__(self) -> int:
        return len(self._subjects)

    def restored(self) -> None:
        """Count what is offered."""
        self._offered = sum(map(len, self._offers.values()))


def folder(url: str) -> str:
    """Return a URL up to its last slash; "" where that is the host's own.

    >>> folder("http://a.org/id/x"), folder("http://a.org")
    ('http://a.org/id/', '')
    """
    name = url.rpartition("/")[0]
    return f"{name}/" if name.count("/") >= 2 else ""


def _described(triples: Iterable[ox.Triple]) -> dict[str, int]:
    """Return the documents that subjects have, with how many triples tell of them."""
    documents: dict[str, int] = {}
    for triple in triples:
        if isinstance(triple.subject, ox.NamedNode):
            document = triple.subject.value.partition("#")[0]
            documents[document] = documents.get(document, 0) + 1
    return documents


def _homes(documents: dict[str, int]) -> dict[str, list[int]]:
    """Return the folders that are told, each with the numbers of its documents."""
    folders: dict[str, list[str]] = {}
    if len(documents) >= DOCUMENTS:
        for document in documents:
            folders.setdefault(folder(document), []).append(document)
    return {
        name: [_number(one) for one in members]
        for name, members in folders.items()
        if name
        and len(members) >= DOCUMENTS
        and sum(documents[one] for one in members) >= TRIPLES * len(members)
    }


def _number(url: str) -> int:
    return mmh3.hash64(url.encode("utf-8", "surrogatepass"), signed=False)[0]
