"""What was seen of a site's data: the evidence that it is a repository."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from filon.core.forms import KEYS, pairs, record
from filon.core.portal import Dataset, Listing
from filon.page.datafile import format_of

#: "a threshold of 10 was effective" (DSDD, section 4.5): files, or datasets that an API lists.
ENOUGH = 10
#: What is kept of a catalogue of a hundred thousand.
MOST_FILES, MOST_TITLES, MOST_WORDS = 200, 200, 4_000


@dataclass(slots=True)
class Haul:
    """Files, datasets, and what the portal or its pages say of them.

    listed: files that an API named, however many. total: datasets, as the portal counts them.
    software: whose API answered.
    """

    files: dict[str, None] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    formats: dict[str, int] = field(default_factory=dict)
    licences: dict[str, int] = field(default_factory=dict)
    modified: str = ""
    markup: list[str] = field(default_factory=list)
    software: str = ""
    words: str = ""
    listed: int = 0
    total: int = 0

    @property
    def enough(self) -> bool:
        """It is a repository: ten files (Definition 2), or ten datasets of a portal's own list."""
        files = self.listed or len(self.files)
        return files >= ENOUGH or bool(self.software and self.total >= ENOUGH)

    def see(self, files: Iterable[str], url: str, title: str) -> int:
        """Take in the files that a page links to; return how many are new."""
        new = [file for file in files if file not in self.files]
        for file in new:
            if len(self.files) < MOST_FILES:
                self.files[file] = None
            _count(self.formats, format_of(file))
        if new and len(self.titles) < MOST_TITLES:
            self.titles[url] = title
        return len(new)

    def read(self, listing: Listing, software: str) -> None:
        """Take in a list of the portal's API."""
        for dataset in listing.datasets:
            self._dataset(dataset)
            self._files(dataset)
        if listing.datasets:
            self.software = software
        seen = listing.total if listing.total is not None else len(listing.datasets)
        self.total = max(self.total, seen)

    def mark(self, listing: Listing, name: str) -> None:
        """Take in what a page says of its datasets for machines: evidence, no proof."""
        if listing.datasets and name not in self.markup:
            self.markup.append(name)
        for dataset in listing.datasets:
            self._dataset(dataset)

    def _dataset(self, dataset: Dataset) -> None:
        if len(self.titles) < MOST_TITLES:
            self.titles[dataset.url or dataset.title] = dataset.title
        if len(self.words) < MOST_WORDS:
            self.words += f" {dataset.title} {' '.join(dataset.keywords)}"
        _count(self.licences, dataset.licence)
        self.modified = max(self.modified, dataset.modified)

    def _files(self, dataset: Dataset) -> None:
        for file in dataset.files:
            self.listed += not file.again
            if len(self.files) < MOST_FILES:
                self.files[file.url] = None
            _count(self.formats, file.format.lower() or format_of(file.url))

    def told(self) -> dict[str, Any]:
        """Return what is told of it in a result."""
        return {
            "files": self.listed or len(self.files),
            "datasets": max(self.total, len(self.titles)),
            "formats": tuple(name for name, _ in Counter(self.formats).most_common()),
            "software": self.software,
            "licence": max(self.licences, key=lambda one: self.licences[one], default=""),
            "modified": self.modified,
            "markup": tuple(self.markup),
        }


#: A haul in a declared state.
HAUL = record(Haul, files=KEYS, titles=pairs())


def _count(counts: dict[str, int], name: str) -> None:
    if name and (name in counts or len(counts) < MOST_TITLES):
        counts[name] = counts.get(name, 0) + 1
