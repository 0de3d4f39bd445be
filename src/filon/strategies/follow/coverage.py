"""What a dump or an endpoint has told already: its URIs need not be asked for one by one.

A subject counts as told where its folder is at home in the dump: several documents of it are
described, and by more than a mention. Where only the beginning of a dump was read, the folder
counts as told; where the catalogue names the prefix, that does.
"""

from collections.abc import Iterable
from typing import Any

import mmh3
import numpy as np
import pyoxigraph as ox

#: Documents of a folder, and triples for each, from which on a dump is at home there.
DOCUMENTS, TRIPLES = 5, 2.0
#: Subjects, and prefixes, that are remembered.
MOST, MOST_PREFIXES = 2_000_000, 1_000


class Coverage:
    """Subjects and prefixes that are told."""

    def __init__(self) -> None:
        self.prefixes: tuple[str, ...] = ()
        self._subjects: set[int] = set()

    def learn(
        self, triples: Iterable[ox.Triple], spaces: tuple[str, ...] = (), *, whole: bool = True
    ) -> None:
        """Take note of what a dump says; spaces: prefixes that its catalogue names."""
        documents: dict[str, int] = {}
        for triple in triples:
            if isinstance(triple.subject, ox.NamedNode):
                document = triple.subject.value.partition("#")[0]
                documents[document] = documents.get(document, 0) + 1
        for space in spaces:
            if any(document.startswith(space.partition("#")[0]) for document in documents):
                self._add(space)
        folders: dict[str, list[str]] = {}
        for document in documents:
            folders.setdefault(folder(document), []).append(document)
        for name, members in folders.items():
            said = sum(documents[one] for one in members)
            if name and len(members) >= DOCUMENTS and said >= TRIPLES * len(members):
                self._subjects.update(map(_number, members[: MOST - len(self._subjects)]))
                if not whole:
                    self._add(name)

    def _add(self, prefix: str) -> None:
        if prefix not in self.prefixes and len(self.prefixes) < MOST_PREFIXES:
            self.prefixes += (prefix,)

    def __contains__(self, url: str) -> bool:
        if self.prefixes and url.startswith(self.prefixes):
            return True
        return bool(self._subjects) and _number(url) in self._subjects

    def __len__(self) -> int:
        return len(self._subjects)

    def state(self) -> dict[str, Any]:
        """Return plain data."""
        subjects = np.array(sorted(self._subjects), dtype=np.uint64)
        return {"prefixes": list(self.prefixes), "subjects": subjects}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        self.prefixes = tuple(state["prefixes"])
        self._subjects = {int(number) for number in state["subjects"]}


def folder(url: str) -> str:
    """Return a URL up to its last slash; "" where that is the host's own.

    >>> folder("http://a.org/id/x"), folder("http://a.org")
    ('http://a.org/id/', '')
    """
    name = url.rpartition("/")[0]
    return f"{name}/" if name.count("/") >= 2 else ""


def _number(url: str) -> int:
    return mmh3.hash64(url.encode("utf-8", "surrogatepass"), signed=False)[0]
