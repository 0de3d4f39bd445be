"""Delimited texts: the encoding, the delimiter, the rows; and columns of fixed width."""

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from filon.page.cells import kind_of

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
#: Of a text whose letters beyond ASCII are few, the old western encoding is as good as any.
_FEW_BYTES = 12
_DELIMITERS = (",", ";", "\t", "|", "^", "~", ":")
_QUOTES = ('"', "'")
#: Lines that the dialect is told by.
_LOOK = 100
HEAD = 1 << 18
_LONGEST_CELL = 1 << 20
#: Rows that must be as wide as each other: of a file that is named a table, and of any text, which
#: may be prose with a comma in many a line.
_EVEN_NAMED, _EVEN = 0.3, 0.9


#: Encodings that a guess takes for each other.
_WESTERN = frozenset({"latin_1", "cp1252", "iso8859_15", "cp1250", "cp1254", "iso8859_2"})
_CENTRAL = ("cp1252", "cp1250")
#: Words of other scripts are of nothing but letters beyond ASCII: most of these stand together.
_NOT_LATIN = re.compile(rb"[\x80-\xff]{3,}")
#: Letters of Turkish; those of them that are Icelandic in the western encoding.
_TURKISH = frozenset("çğıöşüâîûÇĞİÖŞÜ".encode("cp1254"))
_ONLY_TURKISH = frozenset("ğışĞİŞ".encode("cp1254"))
#: Letters of which two in one text are Czech, Slovak or of the southern Slavs: ř is ø in the
#: western encoding, ě ì, č è, and no language there has both.
_CZECH = tuple(
    (frozenset(one.encode("cp1250")), frozenset(other.encode("cp1250")))
    for one, other in (("ř", "ěůďň"), ("ě", "áýšžŠŽ"), ("č", "šžŠŽ"))
)
#: What stands in no word, and does if the encoding is wrong.
_IN_WORD = re.compile(r"[^\W\d_][¡-¿×÷\ufffd\x80-\x9f](?=[^\W\d_])|[£¼¾³¹][^\W\d_]")


@dataclass(frozen=True, slots=True)
class Dialect:
    """How cells are told apart; a width of 0 ends where a line does, "": one column."""

    delimiter: str
    quote: str = '"'
    fixed: tuple[int, ...] = ()


def encoding(body: bytes) -> str:
    """Return the encoding of a text; body: its beginning suffices.

    >>> encoding("Zürich".encode()), encoding("Zürich".encode("latin-1")), encoding(b"a")
    ('utf-8', 'cp1252', 'ascii')
    """
    for mark, name in _BOMS:
        if body.startswith(mark):
            return name
    head = body[:HEAD]
    if head.isascii():
        return _wide(head) or "ascii"
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return _old(head)
    return "utf-8"


def _wide(head: bytes) -> str:
    """Return UTF-16 without a mark: every other byte of a western text is 0."""
    if head.count(0) * 3 < len(head) or len(head) < 4:
        return ""
    return "utf-16-le" if head[1::2].count(0) > head[::2].count(0) else "utf-16-be"


def _old(head: bytes) -> str:
    if wide := _wide(head):
        return wide
    letters = bytes(byte for byte in head if byte > 127)
    is_latin = sum(map(len, _NOT_LATIN.findall(head))) * 2 < len(letters)
    if is_latin and (told := _by_letters(frozenset(letters))):
        return told
    if len(letters) < _FEW_BYTES:
        return _western(head, "cp1252")
    try:
        from charset_normalizer import from_bytes  # slow to load, and seldom needed
    except ImportError:  # it comes with an extra
        return _western(head, "cp1252")
    best = from_bytes(head[: 1 << 15]).best()
    name = str(best.encoding) if best else "cp1252"
    if name == "mac_cyrillic" and not _is_mac(letters):
        return "cp1251"
    return _western(head, name) if name in _WESTERN else name


def _by_letters(letters: frozenset[int]) -> str:
    """Return the encoding of languages whose letters tell it; "" where they do not.

    >>> _by_letters(frozenset("ğıŞ".encode("cp1254"))), _by_letters(frozenset(b"\\xfc"))
    ('cp1254', '')
    >>> _by_letters(frozenset("říě".encode("cp1250")))
    'cp1250'
    """
    if letters <= _TURKISH and len(letters & _ONLY_TURKISH) > 1:
        return "cp1254"
    return "cp1250" if any(one & letters and other & letters for one, other in _CZECH) else ""


def _is_mac(letters: bytes) -> bool:
    """Say whether Cyrillic letters are of a Mac: small ones are the same in Windows, capitals not.

    >>> _is_mac("Москва".encode("mac_cyrillic")), _is_mac("Москва".encode("cp1251"))
    (True, False)
    """
    return sum(b < 0xA0 for b in letters) > sum(0xC0 <= b < 0xDF for b in letters)


def _western(head: bytes, name: str) -> str:
    """Return which of the encodings it is that differ in few letters, by what they make of words.

    >>> [_western("Łódź, Wartość".encode("cp1250"), "cp1250"), _western(b"Z\\xfcrich", "latin_1")]
    ['cp1250', 'cp1252']
    """
    if name == "cp1254" and any(byte in head for byte in b"\xf0\xfd\xfe"):
        return name  # letters of Turkish, which are those of Icelandic elsewhere
    found = "cp1252" if name in ("latin_1", "iso8859_15", "cp1254") else name
    symbols = {each: len(_IN_WORD.findall(head.decode(each, "replace"))) for each in _CENTRAL}
    if found in _CENTRAL and symbols["cp1250"] < symbols["cp1252"]:
        return "cp1250"
    return "cp1252"


def without_nul(body: bytes) -> bytes:
    """Return a text in which 0 is no byte: UTF-16 without its mark as UTF-8, stray ones left out.

    >>> without_nul("a;b".encode("utf-16-le")), without_nul(b"a" * 200 + b"\\0")[-2:]
    (b'a;b', b'aa')
    """
    if codec := _wide(body):
        return body.decode(codec, "replace").encode("utf-8", "replace")
    return body.replace(b"\0", b"") if body.count(0) * 100 <= len(body) else body


def rows_of(text: str, dialect: Dialect) -> Iterator[list[str]]:
    """Yield the rows of a text, empty lines among them."""
    if dialect.fixed:
        for line in text.splitlines():
            yield [line[a:b].strip() for a, b in _spans(dialect.fixed)]
        return
    if csv.field_size_limit() < _LONGEST_CELL:  # of the whole process: others may need longer ones
        csv.field_size_limit(_LONGEST_CELL)
    if not dialect.delimiter:
        yield from ([line] for line in text.splitlines())
        return
    yield from csv.reader(
        io.StringIO(text, newline=""),
        delimiter=dialect.delimiter,
        quotechar=dialect.quote or None,
        quoting=csv.QUOTE_MINIMAL if dialect.quote else csv.QUOTE_NONE,
        skipinitialspace=True,
    )


def _spans(starts: Sequence[int]) -> list[tuple[int, int | None]]:
    return list(zip(starts, [*starts[1:], None], strict=True))


def dialect(head: str, name: str = "") -> Dialect | None:
    """Return how a text is cut into cells; None where it is no table.

    The dialect whose cells make most sense: rows as wide as each other, cells of known kinds
    (the idea of van den Burg, Nazábal and Sutton, "Wrangling messy CSV files", 2019).

    >>> dialect("a;b\\n1,5;2\\n3,5;4\\n")
    Dialect(delimiter=';', quote='"', fixed=())
    """
    lines = head.splitlines(keepends=True)[: _LOOK + 1]
    if len(lines) > 2 and len(head) >= HEAD:
        lines = lines[:-1]
    sample = "".join(lines[:_LOOK])
    named = {".tsv": "\t", ".tab": "\t", ".csv": ","}.get(name[-4:].lower(), "")
    best, most = None, 0.0
    least = _EVEN_NAMED if named else _EVEN
    for delimiter in _DELIMITERS:
        if delimiter not in sample or (not named and _is_prose(sample, delimiter)):
            continue
        for quote in _QUOTES if "'" in sample and '"' not in sample else _QUOTES[:1]:
            found = Dialect(delimiter, quote)
            score = _score(sample, found, least) * (1.05 if delimiter == named else 1.0)
            if score > most:
                best, most = found, score
    fixed = _fixed(sample)
    if fixed and _score(sample, fixed, _EVEN) > most:
        return fixed
    if best is None and not named and (spaced := _spaced(sample)):
        return spaced
    if best is None and '"' in sample:  # one that is not closed
        whole = (Dialect(each, "") for each in _DELIMITERS if each in sample)
        best = max(whole, key=lambda one: _score(sample, one, _EVEN), default=None)
        best = best if best and _score(sample, best, _EVEN) else None
    if best is None and named and len([line for line in lines if line.strip()]) > 1:
        return Dialect("", "")  # one column, and the file says it is a table
    return best


def _spaced(sample: str) -> Dialect | None:
    """Return cells by blanks, where most of them are numbers: else it is prose."""
    found = Dialect(" ")
    if not _score(sample, found, _EVEN):
        return None
    cells = [cell for row in rows_of(sample, found) for cell in row]
    values = sum(kind_of(cell) not in ("text", "boolean") for cell in cells)
    return found if values * 2 > len(cells) else None


def _score(sample: str, found: Dialect, least: float) -> float:
    """Return how much like a table a text is, cut this way.

    least: the share of rows that must be as wide as each other.
    """
    try:
        rows = [row for row in rows_of(sample, found) if any(cell.strip() for cell in row)]
    except csv.Error:
        return 0.0
    widths = Counter(len(row) for row in rows if len(row) > 1)
    if not widths or len(rows) < 2:
        return 0.0
    width, times = max(widths.items(), key=lambda pair: (pair[1] * (pair[0] - 1), pair[0]))
    even = times / len(rows)
    if times < 2 or even < least:
        return 0.0
    cells = [cell for row in rows if len(row) == width for cell in row]
    known = sum(_known(cell) for cell in cells) / len(cells)
    return even * (1 - 1 / width) * (0.2 + known)


def _is_prose(sample: str, delimiter: str) -> bool:
    """Say whether a mark is one of sentences: most often a blank follows it."""
    return sample.count(f"{delimiter} ") * 2 >= sample.count(delimiter) and delimiter in ",;:"


def _known(cell: str) -> float:
    """Say how much sense a cell makes by itself: a number or a date much, a long text little."""
    cell = cell.strip()
    if not cell:
        return 0.5
    if kind_of(cell) != "text":
        return 1.0
    if cell[0] in "\"'" or cell[-1] in "\"'":
        return 0.0
    return 0.7 if len(cell) < 50 else 0.4


def _fixed(sample: str) -> Dialect | None:
    """Return columns of fixed width: places where every line has two blanks before a cell."""
    lines = [line.rstrip("\r\n") for line in sample.splitlines() if line.strip()]
    if len(lines) < 3 or "\t" in sample or sum("  " in line for line in lines) < len(lines) - 1:
        return None
    length = max(map(len, lines))
    if length > 2000:
        return None
    blank = [all(line[n : n + 1] in ("", " ") for line in lines) for n in range(length)]
    starts = [n for n in range(length) if not blank[n] and (n == 0 or blank[n - 1])]
    return Dialect("", "", tuple(starts)) if len(starts) > 1 else None
