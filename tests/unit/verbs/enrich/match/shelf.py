"""A small library and a catalogue: made up, with every trouble that real ones have."""

import random

from filon.core import Record

_SUBJECTS = [
    "rivers",
    "owls",
    "bridges",
    "clocks",
    "lanterns",
    "comets",
    "gardens",
    "harbours",
    "mirrors",
    "tunnels",
]
_MANNERS = [
    "quiet",
    "hidden",
    "broken",
    "golden",
    "distant",
    "early",
    "frozen",
    "silent",
    "western",
    "narrow",
]
_FAMILIES = [
    "Abel",
    "Brandt",
    "Castillo",
    "Dufour",
    "Eriksen",
    "Fontana",
    "Grgić",
    "Horvat",
    "Ito",
    "Jansen",
]
_PLACES = [
    "Alps",
    "Bergen",
    "Crete",
    "Delhi",
    "Evora",
    "Florence",
    "Ghent",
    "Hanoi",
    "Izmir",
    "Jena",
]


def library(rows: int = 60, seed: int = 0) -> dict[str, list[str]]:
    """Return different books: title, authors and year."""
    dice = random.Random(seed)
    books: dict[tuple[str, str, str], tuple[str, str]] = {}
    while len(books) < rows:
        title = dice.choice(_MANNERS), dice.choice(_SUBJECTS), dice.choice(_PLACES)
        author = f"{dice.choice('ABCDEF')}. {dice.choice(_FAMILIES)}"
        books.setdefault(title, (author, str(dice.randrange(1950, 2020))))
    return {
        "title": [f"The {manner} {what} of {place}" for manner, what, place in books],
        "authors": [author for author, _ in books.values()],
        "year": [year for _, year in books.values()],
    }


def record(columns: dict[str, list[str]], row: int, **other: str) -> Record:
    """Return a row as the catalogue writes it."""
    initial, family = columns["authors"][row].split(". ")
    fields = {
        "name": columns["title"][row].upper().replace("THE ", ""),
        "creator": f"{family}, {initial}.",
        "issued": columns["year"][row],
        "doi": f"10.1/{row}",
    }
    return Record(id=f"r{row}", fields=fields | other)
