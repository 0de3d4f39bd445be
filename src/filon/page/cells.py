"""What a cell holds: a number in somebody's notation, a date, a word for "nothing", or text."""

import re
from collections.abc import Callable
from datetime import date, datetime
from typing import Any

#: Words for a value that is not there, in lower letters.
MISSING = frozenset(
    {"", "-", "--", "–", "—", "..", "...", "…", ":", ".", "*", "na", "n/a", "n.a.", "#n/a", "nan"}
    | {"null", "none", "nil", "\\n", "(null)", "<na>", "missing", "no data", "n.d.", "s/d", "k. a."}
)
_TRUE_OR_FALSE = frozenset({"true", "false", "yes", "no", "t", "f", "y", "n", "ja", "nein", "oui"})
_SIGN = r"[+\-−]?"
#: A code such as 007 is no number, whatever it looks like.
_PLAIN = re.compile(rf"{_SIGN}(?:0|[1-9]\d*)")
_GROUPED = re.compile(rf"{_SIGN}[1-9]\d{{0,2}}(?:([,.'’\u00a0\u202f ])\d{{3}})(?:\1\d{{3}})*")
_POINT = re.compile(
    rf"{_SIGN}(?:\d+|[1-9]\d{{0,2}}(?:[,'’\u00a0\u202f ]\d{{3}})+)?\.\d+(?:[eE][+-]?\d+)?"
    rf"|{_SIGN}\d+[eE][+-]?\d+|{_SIGN}\d+\."
)
_COMMA = re.compile(rf"{_SIGN}(?:\d+|[1-9]\d{{0,2}}(?:[.'’\u00a0\u202f ]\d{{3}})+)?,\d+")
_AMOUNT = re.compile(
    r"(?P<before>[$€£¥₹₦₱₩₽]|[A-Z]{3} )?\s?(?P<number>[+\-−]?[\d.,'’\u00a0\u202f ]*\d)\s?"
    r"(?P<after>%|‰|[$€£¥₹₦₱₩₽]| [A-Z]{3})?"
)
_MONTHS = (
    "jan(?:uary|vier|uar)?|feb(?:ruary|ruar)?|févr(?:ier)?|mar(?:ch|s|zo)?|märz|apr(?:il)?|avril"
    "|may|mai|mayo|june?|juin|juni|july?|juillet|juli|aug(?:ust)?|août|agosto|sept?(?:ember|embre)?"
    "|o[ck]t(?:ober|obre)?|nov(?:ember|embre)?|de[cz](?:ember|embre)?|déc(?:embre)?|ene(?:ro)?"
)
_DATES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(\d{4})[-/.](0?[1-9]|1[0-2])[-/.](0?[1-9]|[12]\d|3[01])",
        r"(0?[1-9]|[12]\d|3[01])[-/.](0?[1-9]|[12]\d|3[01])[-/.](\d{4}|\d\d)",
        rf"(\d{{1,2}})[-. ](?:{_MONTHS})\.?[-, ]+(\d{{4}}|\d\d)",
        rf"(?:{_MONTHS})\.? \d{{1,2}},? (\d{{4}})",
        r"(\d{4})-(0[1-9]|1[0-2])",
        rf"(?:{_MONTHS})\.?[- ](\d{{4}})",
        r"(\d{4})[- ]?(?:Q|T)[1-4]|(?:Q|T)[1-4][- /](\d{4})",
    )
)
_CLOCK = r"(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d+)?)?(?:\s?[ap]\.?m\.?)?"
_TIME = re.compile(_CLOCK, re.IGNORECASE)
_MOMENT = re.compile(rf"(\S.*?\d)[T ]({_CLOCK})\s?(?:Z|UTC|GMT|[+-]\d\d:?\d\d)?", re.IGNORECASE)
#: A year of four digits, as statistics have them.
YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_NO_DIGIT = str.maketrans("", "", "  \u00a0\u202f'’")
_DIGIT = re.compile(r"\d")
#: What is longer is text: a pattern does not look at it.
_LONGEST = 40


def is_missing(cell: str) -> bool:
    """Say whether a cell stands for no value.

    >>> is_missing(" N/A "), is_missing("0")
    (True, False)
    """
    return len(cell) < 12 and cell.strip().lower() in MISSING


def kind_of(cell: str) -> str:
    """Return the kind of a value that is there.

    >>> [kind_of(cell) for cell in ("12", "1,234.5", "1.234,5", "12 %", "007", "Q3 2021")]
    ['integer', 'number', 'number', 'number', 'text', 'date']
    >>> [kind_of(cell) for cell in ("2021-03-04T10:00Z", "4 March 2021", "9:30", "yes", "Kenya")]
    ['datetime', 'date', 'time', 'boolean', 'text']
    >>> kind_of("USD 2012"), kind_of("DEC 2012")
    ('number', 'date')
    """
    cell = cell.strip()
    if not cell or len(cell) > _LONGEST:
        return "text"
    first, last = cell[0], cell[-1]
    if first == "(" and last == ")" and _number_kind(cell[1:-1]):
        return "number"  # as accountants write what is below 0
    if first.isdigit() or last.isdigit() or last in "%‰.€$£¥" or first in "$€£¥₹₦₱₩₽+-−.,":
        if number := _number_kind(cell):
            return number
        return next((kind for kind, test in _OTHERS if test(cell)), "text")
    if cell.lower() in _TRUE_OR_FALSE:
        return "boolean"
    return (
        next((kind for kind, test in _OTHERS if test(cell)), "text")
        if _DIGIT.search(cell)
        else "text"
    )


def _number_kind(cell: str) -> str:
    if _PLAIN.fullmatch(cell) or _GROUPED.fullmatch(cell):
        return "integer"
    if _POINT.fullmatch(cell) or _COMMA.fullmatch(cell):
        return "number"
    amount = _AMOUNT.fullmatch(cell)
    if amount and (amount["before"] or amount["after"]) and not _is_date(cell):  # "DEC 2012"
        inner = _number_kind(amount["number"].strip())
        return "number" if inner else ""
    return ""


def _is_date(cell: str) -> bool:
    return any(pattern.fullmatch(cell) for pattern in _DATES)


def _is_moment(cell: str) -> bool:
    match = _MOMENT.fullmatch(cell)
    return bool(match) and _is_date(match[1])  # type: ignore[index]


_OTHERS: tuple[tuple[str, Callable[[str], Any]], ...] = (
    ("date", _is_date),
    ("datetime", _is_moment),
    ("time", _TIME.fullmatch),
)


def unit_of(cell: str) -> str:
    """Return what a number in a cell counts, where the cell says it.

    >>> unit_of("12 %"), unit_of("€ 4,50"), unit_of("12")
    ('%', '€', '')
    """
    amount = _AMOUNT.fullmatch(cell.strip())
    return (amount["before"] or amount["after"] or "").strip() if amount else ""


def number_of(cell: str) -> float | None:
    """Return the number that a cell stands for, in whose notation it may be.

    >>> number_of("1.234,5"), number_of("1,234"), number_of("−3 %"), number_of("x")
    (1234.5, 1234.0, -3.0, None)
    >>> number_of("(12.5)")
    -12.5
    """
    cell = cell.strip()
    if cell[:1] == "(" and cell[-1:] == ")":
        cell = f"-{cell[1:-1].strip()}"
    amount = _AMOUNT.fullmatch(cell)
    text = amount["number"] if amount else cell
    text = text.translate(_NO_DIGIT).replace("−", "-")
    if _GROUPED.fullmatch(text):
        text = text.replace(",", "").replace(".", "")
    elif "," in text:
        point = text.rfind(".") > text.rfind(",")
        text = text.replace(",", "") if point else text.replace(".", "").replace(",", ".")
    try:
        return float(text)
    except ValueError:
        return None


def year_of(cell: str) -> int | None:
    """Return the year that a cell names.

    >>> year_of("2021"), year_of("4 March 2021"), year_of("2019/20"), year_of("12.5")
    (2021, 2021, 2019, None)
    """
    match = _IN_CELL.search(cell) if len(cell) <= _LONGEST else None
    return int(match[0]) if match else None


_IN_CELL = re.compile(rf"(?<![\d.,]){YEAR.pattern}(?![\d]|[.,]\d)")


def shown(value: object) -> str:
    """Return a value of a workbook or of JSON as a cell.

    >>> shown(3.0), shown(None), shown(datetime(2020, 1, 2)), shown(True)
    ('3', '', '2020-01-02', 'true')
    """
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case float():
            return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
        case datetime():
            return value.isoformat(" ").removesuffix(" 00:00:00")
        case date():
            return value.isoformat()
    return str(value)
