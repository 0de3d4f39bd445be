"""The records that all pretended services hold, and a keyword search over them."""

from dataclasses import dataclass

THINGS = ("river", "lantern", "harbour", "meadow", "compass", "orchard", "quarry")
KINDS = ("atlas", "history", "survey", "letters", "grammar")


@dataclass(frozen=True)
class Row:
    number: int
    title: str
    author: str
    year: int

    @property
    def words(self) -> set[str]:
        return set(self.title.lower().split())


#: "river" is in all but 20 rows: two pages of a hundred. "lantern" is in few, "zebra" in none.
ROWS = [
    Row(
        n,
        f"{'River' if n % 10 else 'Mountain'} {THINGS[n % 7]} {KINDS[n % 5]} v{n}",
        f"Ada {THINGS[n % 7].title()}",
        1900 + n,
    )
    for n in range(1, 201)
]


def search(query: str, joins: str = "and") -> list[Row]:
    """Return the rows that hold all words, or any."""
    words = query.lower().split()
    if not words:
        return []
    test = all if joins == "and" else any
    return [row for row in ROWS if test(word in row.words for word in words)]
