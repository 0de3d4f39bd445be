"""The books of the library, in the order in which they are borrowed most."""

from dataclasses import dataclass
from itertools import product

from filon.demo.choice import draw, pick, shuffled
from filon.demo.subjects import TOPICS
from filon.demo.words import FIRST_NAMES, LAST_NAMES, REGIONS, Both

COUNT = 900
KINDS = ("An atlas of", "A survey of", "Handbook:", "Yearbook of", "A short history of")
PUBLISHERS = ("Harbour Press", "Orvania University Press", "Lantern Books", "Saltmarsh & Sons")


@dataclass(frozen=True, slots=True)
class Book:
    """A book; no two have the same kind, subject and region."""

    kind: str
    subject: Both
    region: Both

    @property
    def title(self) -> str:
        """What stands on its cover."""
        return f"{self.kind} {self.subject.en.lower()} in the {self.region.en}"

    @property
    def authors(self) -> list[tuple[str, str]]:
        """The first and the last names of the two who wrote it."""
        return people("book", self.title)

    def record(self) -> dict[str, str]:
        """Return what the library says of it."""
        number = draw(90_000_000, "isbn", self.title) + 10_000_000
        return {
            "signature": f"L{draw(1 << 24, 'signature', self.title):06X}",
            "title": self.title,
            "authors": "; ".join(" ".join(names) for names in self.authors),
            "year": str(1975 + draw(50, "year", self.title)),
            "publisher": pick(PUBLISHERS, "publisher", self.title),
            "isbn": f"978-0-{number // 10_000:04}-{number % 10_000:04}-{number % 7}",
        }


def people(*what: object) -> list[tuple[str, str]]:
    """Return the two people who belong to a name."""
    return [
        (pick(FIRST_NAMES, "first", n, *what), pick(LAST_NAMES, "last", n, *what)) for n in "ab"
    ]


def _every() -> list[Book]:
    subjects = [subject for topic in TOPICS for subject in topic.subjects]
    return [Book(*parts) for parts in product(KINDS, subjects, REGIONS)]


BOOKS = tuple(shuffled(_every(), "books")[:COUNT])
