"""A reader's own list of books: hurried spelling, and a third that the library does not have."""

import csv
import io

from filon.demo.choice import draw, pick, shuffled
from filon.demo.library.books import BOOKS, KINDS, people
from filon.demo.words import REGIONS

HEADER = ("no", "title", "authors", "year", "shelf")
KNOWN, UNKNOWN = 84, 36
_STRANGE = (
    "lighthouse keepers", "sunken bells", "travelling circuses", "forgotten recipes", "ferry boats",
    "clock towers", "wandering dunes", "herring songs", "village feuds",
)  # fmt: skip


def reading_list() -> str:
    """Return the list as CSV; the same every time."""
    rows = [_known(number) for number in range(KNOWN)] + [_strange(n) for n in range(UNKNOWN)]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEADER)
    for number, row in enumerate(shuffled(rows, "shelf"), start=1):
        writer.writerow([number, *row, f"{'ABCDEF'[number % 6]}{number % 9 + 1}"])
    return out.getvalue()


def _known(number: int) -> tuple[str, str, str]:
    # Any book, not only those that are borrowed most: these would be on the first pages.
    book = BOOKS[(number * 769 + 31) % len(BOOKS)]
    short = "; ".join(f"{last}, {first[0]}." for first, last in book.authors)
    authors = short if number % 2 else book.record()["authors"]
    year = int(book.record()["year"]) + (number % 36 == 0)  # a few are wrong
    return _hurried(book.title, number), authors, str(year) if number % 12 == 0 else ""


def _hurried(title: str, number: int) -> str:
    """Return a title as somebody types it: every third has a slip."""
    if number % 3:
        return title
    words = title.split()
    place = 1 + draw(len(words) - 1, "slip", number)
    word = words[place]
    if len(word) > 4:  # two letters change places
        at = 1 + draw(len(word) - 3, "letter", number)
        words[place] = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    else:
        del words[place]
    return " ".join(words)


def _strange(number: int) -> tuple[str, str, str]:
    kind, what = pick(KINDS, "kind", number), _STRANGE[number % len(_STRANGE)]
    region = REGIONS[number // len(_STRANGE) % len(REGIONS)]
    authors = "; ".join(" ".join(names) for names in people("strange", number))
    return f"{kind} {what} in the {region.en}", authors, ""
