"""Tables made from the ACL's papers whose rows all have an equal record: each must be filled.

They are hard for a matcher that learns: identifiers are no words, in a small vocabulary no word is
rare, and with a suffix no title is equal.
"""

import hashlib
import re
from collections.abc import Callable
from pathlib import Path

from experiments.enrich.golden import Cells, Golden, papers
from filon.core import Record

_ARTICLE = re.compile(r"(The|A|An) (.+)")
#: Words that stand for all others.
_WORDS = ("amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heath", "inlet", "larch")
#: Rows, records, and rows that are among the records.
_ROWS, _HIDDEN, _SHARED = 1500, 4000, 1000


def identified(data: Path, seed: int) -> Golden:
    """Rows with nothing but a number: plain digits, a tenth of them with hyphens there."""
    return _made(data, seed, "number", _number, _written)


def plain(data: Path, seed: int) -> Golden:
    """Titles of five words out of ten: each is in hundreds of rows."""
    return _made(data, seed, "title", _few_words, lambda paper: _few_words(paper).upper())


def suffixed(data: Path, seed: int) -> Golden:
    """Titles with the year behind, and the article last."""
    return _made(data, seed, "title", _sorted, lambda paper: paper["title"])


def _made(
    data: Path,
    seed: int,
    column: str,
    here: Callable[[Cells], str],
    there: Callable[[Cells], str],
) -> Golden:
    """Make rows and records of papers whose text is nobody else's."""
    drawn = papers(data, _ROWS + _HIDDEN, seed)
    different = list({there(paper).casefold(): paper for paper in drawn}.values())
    rows = different[:_ROWS]
    hidden = different[_ROWS - _SHARED : _ROWS - _SHARED + _HIDDEN]
    ids = {paper["id"] for paper in hidden}
    return Golden(
        name=f"{column}s of ACL's papers",
        columns={column: [here(paper) for paper in rows]},
        records=[Record(id=paper["id"], fields={column: there(paper)}) for paper in hidden],
        gold=[frozenset({paper["id"]} & ids) for paper in rows],
        known=[True] * len(rows),
    )


def _digest(paper: Cells) -> int:
    return int.from_bytes(hashlib.blake2b(paper["id"].encode(), digest_size=8).digest())


def _number(paper: Cells) -> str:
    return f"978{_digest(paper) % 10**10:010}"


def _written(paper: Cells) -> str:
    number = _number(paper)
    if _digest(paper) % 10:
        return number
    return "-".join((number[:3], number[3], number[4:8], number[8:12], number[12]))


def _few_words(paper: Cells) -> str:
    digest = _digest(paper)
    return " ".join(_WORDS[digest // 10**at % 10] for at in range(5))


def _sorted(paper: Cells) -> str:
    article = _ARTICLE.fullmatch(paper["title"])
    title = f"{article[2]}, {article[1]}" if article else paper["title"]
    return f"{title} ({paper['year']})"
