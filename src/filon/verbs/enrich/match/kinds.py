"""What a column holds: text, names of people, numbers, dates or codes; and its values, made alike.

Text has no case, no accents and no punctuation, in any script. Two spellings of one thing must fall
together, so it folds more than a query may (page/words.py): strokes and ligatures go, and scripts
without spaces come as pairs of characters, which no service could be asked for.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice

from filon.verbs.enrich.match.identifiers import are_identifiers, identifiers, without_prefix

#: Letters that Unicode does not take apart, but people type without their stroke.
_STROKES = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"}
)
_ASCII_WORD = re.compile(r"[a-z0-9]+")
#: Scripts written without spaces: Thai, Lao, Burmese, Khmer, kana, Han.
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    r"\uf900-\ufaff\U00020000-\U0003ffff]+"
)


def words(text: str) -> list[str]:
    """Return the words of a text; what is written without spaces comes as pairs of characters.

    >>> words("L'Œuvre d'Émile Zola, 2nd ed.")
    ['l', 'oeuvre', 'd', 'emile', 'zola', '2nd', 'ed']
    >>> words("東京大学 2019")
    ['東京', '京大', '大学', '2019']
    """
    if text.isascii():
        return _ASCII_WORD.findall(text.lower())
    found: list[str] = []
    for word in _fold(text).split():
        found.extend([word] if word.isascii() else _pieces(word))
    return found


def _fold(text: str) -> str:
    bare = "".join(_letter(sign) for sign in unicodedata.normalize("NFKD", text.casefold()))
    return unicodedata.normalize("NFC", bare.translate(_STROKES))


@lru_cache(maxsize=8192)
def _letter(sign: str) -> str:
    """Accents go; the vowel signs of other scripts, which are marks too, stay."""
    if "\u0300" <= sign <= "\u036f":
        return ""
    return sign if unicodedata.category(sign)[0] in "LNM" else " "


def _pieces(word: str) -> list[str]:
    found: list[str] = []
    at = 0
    for run in _UNSPACED.finditer(word):
        found.extend([word[at : run.start()]] if run.start() > at else [])
        signs = run.group()
        found.extend([signs[i : i + 2] for i in range(len(signs) - 1)] or [signs])
        at = run.end()
    return found + ([word[at:]] if at < len(word) else [])


KINDS = ("text", "names", "number", "date", "code")
#: What most values of a column must look like for its kind.
MOST = 0.8
#: Values looked at: the kind of a column shows in its first few hundred.
LOOK_AT = 400

_NUMBER = re.compile(
    r"[^\w.,+-]*([+-]?\d{1,3}(?:[, ]\d{3})+(?:\.\d+)?|[+-]?\d*[.,]?\d+)\s*([^\W\d]{0,4}|%)\W*"
)
#: Text may follow a whole date, as a time does; "1998 Open" is a name.
_ISO = re.compile(r"\s*(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2})(?:[T ].*)?)?)?\s*$")
_DAY_FIRST = re.compile(r"\s*(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})\s*$")
_YEAR = re.compile(r"(?<!\d)(1[4-9]\d\d|20\d\d)(?!\d)")
_CODE = re.compile(r"(?=.*\d)[\w./:()#+-]{3,}$")
_SEPARATOR = re.compile(r"\s*(?:;|\||&|\band\b|\bund\b|\bet\b(?!\s+al)|、|，)\s*", re.IGNORECASE)
_ET_AL = re.compile(r"\bet\.?\s*al\b\.?|\band others\b|…|\.\.\.", re.IGNORECASE)
_BRACKETS = re.compile(r"(?:\s*[(\[][^()\[\]]{1,40}[)\]]){1,4}\s*\Z")
_ARTICLES = frozenset(
    words(
        "the a an der die das ein eine le la les l un une el los las lo il i gli uno una o os as "
        "um uma de het een den det en ett"
    )
)
_PEOPLE = frozenset(
    words(
        "author authors creator creators contributor contributors editor editors "
        "director directors writer writers artist artists actor actors inventor inventors "
        "person people surname lastname auteur auteurs autor autoren autores"
    )
)
#: Words that no list of people holds.
_NOT_NAMES = frozenset(words("the of for in on with to is from by at der die das les"))


@dataclass(frozen=True, slots=True)
class Person:
    """A family name, and the first letters of the given names: all that two sources share."""

    family: str
    initials: str


@dataclass(frozen=True, slots=True)
class Text:
    """A text as its words in order. Only these are held: a table may have a million of them.

    tail: how many of the words stand in brackets at the end: "(1968)", "(TV)".
    """

    line: str
    tail: int = field(default=0, compare=False)

    @property
    def words(self) -> list[str]:
        """The words in order."""
        return self.line.split(" ")

    @property
    def bare(self) -> str:
        """The words without those in brackets at the end, and without an article at either end.

        >>> normalise("text", "Matrix, The (1999)").bare, normalise("text", "The Matrix").bare
        ('matrix', 'matrix')
        """
        held = self.words
        held = held[: len(held) - self.tail]
        if len(held) > 1 and held[-1] in _ARTICLES:
            held.pop()
        elif len(held) > 1 and held[0] in _ARTICLES:
            del held[0]
        return " ".join(held)


Value = Text | tuple[Person, ...] | float | tuple[int, int, int] | str


def guess(values: Iterable[str], name: str = "") -> str:
    """Return the kind of a column.

    >>> guess(["1997", "2003", ""]), guess(["12.50", "8"]), guess(["DCS-1100", "RK 4"])
    ('date', 'number', 'code')
    >>> guess(["A. Gray, J. Ullman", "Codd, E. F.; Gray, J."]), guess(["9780306406157"])
    ('names', 'code')
    """
    seen = list(islice((value for value in values if value.strip()), LOOK_AT))
    if not seen:
        return "text"
    if are_identifiers(seen, name, MOST):
        return "code"
    for kind, looks in _LOOKS:
        if sum(map(looks, seen)) >= MOST * len(seen):
            return kind
    return "names" if _are_people(seen, name) else "text"


def normalise(kind: str, text: str) -> Value | None:
    """Return a value in the form that values of its kind are compared in; None: there is none.

    >>> normalise("number", "$1,299.00"), normalise("code", "dcs 1100"), normalise("date", "5/2003")
    (1299.0, 'dcs1100', (2003, 0, 0))
    >>> normalise("names", "Codd, E. F. & Jim Gray")
    (Person(family='codd', initials='ef'), Person(family='gray', initials='j'))
    """
    return _NORMALISE[kind](text) if text and not text.isspace() else None


def _text(text: str) -> Text | None:
    found = words(text)
    return Text(" ".join(found), _tail(text, len(found))) if found else None


def _tail(text: str, size: int) -> int:
    """How many words stand in brackets at the end; none where nothing stands before them."""
    if not text.rstrip().endswith((")", "]")):
        return 0
    brackets = _BRACKETS.search(text)
    tail = len(words(brackets[0])) if brackets else 0
    return tail if tail < size else 0


def _number(text: str) -> float | None:
    found = _NUMBER.fullmatch(text.strip())
    if not found:
        return None
    digits = found[1].replace(" ", "")
    if "." not in digits and re.fullmatch(r"[+-]?\d*,\d{1,2}", digits):
        digits = digits.replace(",", ".")  # a decimal comma
    return float(digits.replace(",", ""))


def _date(text: str) -> tuple[int, int, int] | None:
    if found := _ISO.match(text):
        return int(found[1]), int(found[2] or 0), int(found[3] or 0)
    if found := _DAY_FIRST.match(text):
        first, second = int(found[1]), int(found[2])
        # 25/12 can only be December; 3/4 is the third of April to most of the world.
        day, month = (second, first) if second > 12 else (first, second)
        return int(found[3]), month, day
    year = _YEAR.search(text)
    return (int(year[1]), 0, 0) if year else None


def _code(text: str) -> str | None:
    """A code without punctuation; identifiers in their one form, parted by a space."""
    if found := identifiers(text):
        return " ".join(sorted(found))
    bare = without_prefix(text)
    whole = bare.removesuffix(".0")  # what a spreadsheet makes of a number
    return "".join(words(whole if whole.isdigit() else bare)) or None


def people(text: str) -> tuple[Person, ...]:
    """Return the people that a list names, whichever way it writes and parts them.

    >>> people("r humborstad , m sabaratnam et al.")
    (Person(family='humborstad', initials='r'), Person(family='sabaratnam', initials='m'))
    >>> people("García Márquez, Gabriel")
    (Person(family='marquez', initials='gg'),)
    """
    text = _ET_AL.sub("", text)
    parts = [part for part in _SEPARATOR.split(text) if part.strip(" ,.")]
    return tuple(person for part in parts for person in _of_part(part))


def _of_part(part: str) -> list[Person]:
    """Commas part people ("A Gray, J Ullman"), or family from given names ("Gray, Jim")."""
    pieces = [piece for piece in (words(piece) for piece in part.split(",")) if piece]
    if len(pieces) == 2 and _family_first(*pieces):
        return [_person(pieces[1] + pieces[0])]
    if len(pieces) > 2 and len(pieces) % 2 == 0 and _alternate(pieces):
        return [_person(given + family) for family, given in zip(*[iter(pieces)] * 2, strict=True)]
    return [_person(piece) for piece in pieces]


def _family_first(family: list[str], given: list[str]) -> bool:
    if _is_initials(given):
        return not _is_initials(family)
    # "García Márquez, Gabriel" and "Gray, James Nicholas", but not "Jim Gray, Jeff Ullman".
    return len(given) == 1 or len(family) == 1


def _alternate(pieces: list[list[str]]) -> bool:
    """Codd, E. F., Gray, J.: every second piece is nothing but initials."""
    return all(_is_initials(given) for given in pieces[1::2]) and not any(
        _is_initials(family) for family in pieces[::2]
    )


def _is_initials(piece: list[str]) -> bool:
    return all(len(word) == 1 for word in piece) or (len(piece) == 1 and len(piece[0]) <= 2)


def _person(name: list[str]) -> Person:
    """The last word that is not an initial is the family name: "Ullman J D" has it first."""
    long = [i for i, word in enumerate(name) if len(word) > 1] or [len(name) - 1]
    family = long[-1]
    given = [word[0] for i, word in enumerate(name) if i != family]
    return Person(name[family], "".join(given))


def _is_year(text: str) -> bool:
    return bool(
        (_ISO.match(text) and 1400 <= int(text.strip()[:4]) <= 2100) or _DAY_FIRST.match(text)
    )


def _is_code(text: str) -> bool:
    return len(text) <= 60 and bool(_CODE.match("".join(text.split()))) and len(text.split()) <= 2


def _are_people(values: list[str], name: str) -> bool:
    if _PEOPLE & set(words(name.replace("_", " "))):
        return True
    lists = [people(value) for value in values if not _NOT_NAMES & set(words(value))]
    parted = [value for value in values if _SEPARATOR.search(value) or "," in value]
    if len(parted) < 0.3 * len(values) or len(lists) < 0.95 * len(values):
        return False
    found = [person for listed in lists for person in listed]
    named = sum(1 for person in found if 1 <= len(person.initials) <= 3)
    return named >= MOST * len(found) and not _hold_digits(values)


def _hold_digits(values: list[str]) -> bool:
    return sum(any(sign.isdigit() for sign in value) for value in values) > 0.05 * len(values)


_LOOKS: tuple[tuple[str, Callable[[str], bool]], ...] = (
    ("date", _is_year),
    ("number", lambda text: _number(text) is not None),
    ("code", _is_code),
)
_NORMALISE: dict[str, Callable[[str], Value | None]] = {
    "text": _text,
    "names": lambda text: people(text) or None,
    "number": _number,
    "date": _date,
    "code": _code,
}
