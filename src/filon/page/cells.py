"""What a cell holds: a number in somebody's notation, a date, a word for "nothing", or text."""

import json
import re
from collections.abc import Callable, Collection, Iterable
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
#: Thousands, then lakhs and crores of two digits.
_INDIAN = re.compile(rf"{_SIGN}[1-9]\d?(?:,\d\d)+,\d{{3}}(\.\d+)?")
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
_MONTH = re.compile(_MONTHS, re.IGNORECASE)
#: What the names of the months begin with; of two that fit, the first.
_STARTS = (
    *(("jan", 1), ("ene", 1), ("feb", 2), ("fév", 2), ("mar", 3), ("mär", 3), ("apr", 4)),
    *(("avr", 4), ("may", 5), ("mai", 5), ("juil", 7), ("jul", 7), ("ju", 6), ("aug", 8)),
    *(("aoû", 8), ("ago", 8), ("sep", 9), ("o", 10), ("nov", 11), ("d", 12)),
)
_QUARTER = re.compile(r"[QT][1-4]", re.IGNORECASE)
_NUMERIC = re.compile(r"(\d{1,2})[-/.](\d{1,2})[-/.]\d")
_HALVES = re.compile(r"[ap]\.?m", re.IGNORECASE)
#: A year of four digits, as statistics have them.
YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_NO_DIGIT = str.maketrans("", "", "  \u00a0\u202f'’")
_DIGIT = re.compile(r"\d")
_TWO_CAPITALS = re.compile(r"[A-Z]{2}")
#: Of numbers that may have thousands, one in so many has none.
_SMALL_ONE_IN = 10
#: Fewer tell nothing of a column.
_FEW_CODES = 3
#: What is longer is text: a pattern does not look at it.
_LONGEST = 40


def is_missing(cell: str) -> bool:
    """Say whether a cell stands for no value.

    >>> is_missing(" N/A "), is_missing("0")
    (True, False)
    """
    return len(cell) < 12 and cell.strip().lower() in MISSING


def missing_in(cells: Collection[str]) -> Callable[[str], bool]:
    """Return what tells which cells of a column stand for no value.

    Among codes of two capitals NA is one of them: Namibia.

    >>> codes = ["DE", "FR", "IT", "NA", ""]
    >>> [cell for cell in codes if missing_in(codes)(cell)], missing_in(["12", "NA"])("NA")
    ([''], True)
    """
    if "NA" not in cells:
        return is_missing
    others = [cell for cell in cells if not is_missing(cell)]
    if len(others) < _FEW_CODES or not all(map(_TWO_CAPITALS.fullmatch, others)):
        return is_missing
    return lambda cell: cell != "NA" and is_missing(cell)


def kind_of(cell: str, decimal: str = ".") -> str:
    """Return the kind of a value that is there.

    decimal: what stands before the fraction where it cannot be told: 1.234 and 1,234 may be both.

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
    if first == "(" and last == ")" and _number_kind(cell[1:-1], decimal):
        return "number"  # as accountants write what is below 0
    if first.isdigit() or last.isdigit() or last in "%‰.€$£¥" or first in "$€£¥₹₦₱₩₽+-−.,":
        if number := _number_kind(cell, decimal):
            return number
        return next((kind for kind, test in _OTHERS if test(cell)), "text")
    if cell.lower() in _TRUE_OR_FALSE:
        return "boolean"
    return (
        next((kind for kind, test in _OTHERS if test(cell)), "text")
        if _DIGIT.search(cell)
        else "text"
    )


def _number_kind(cell: str, decimal: str) -> str:
    if _PLAIN.fullmatch(cell):
        return "integer"
    if grouped := _GROUPED.fullmatch(cell):
        return "number" if grouped[1] == decimal and cell.count(decimal) == 1 else "integer"
    if _POINT.fullmatch(cell) or _COMMA.fullmatch(cell):
        return "number"
    if indian := _INDIAN.fullmatch(cell):
        return "number" if indian[1] else "integer"
    amount = _AMOUNT.fullmatch(cell)
    if amount and (amount["before"] or amount["after"]) and not _is_date(cell):  # "DEC 2012"
        inner = _number_kind(amount["number"].strip(), decimal)
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


def number_of(cell: str, decimal: str = ".") -> float | None:
    """Return the number that a cell stands for, in whose notation it may be.

    decimal: what stands before the fraction where the cell does not tell, as in 1.234.

    >>> number_of("1.234,5"), number_of("1,234"), number_of("−3 %"), number_of("x")
    (1234.5, 1234.0, -3.0, None)
    >>> number_of("12,34,567.5"), kind_of("12,34,567")
    (1234567.5, 'integer')
    >>> number_of("(12.5)"), number_of("48.137"), number_of("48.137", decimal=",")
    (-12.5, 48.137, 48137.0)
    """
    cell = cell.strip()
    if cell[:1] == "(" and cell[-1:] == ")":
        cell = f"-{cell[1:-1].strip()}"
    amount = _AMOUNT.fullmatch(cell)
    text = amount["number"] if amount else cell
    text = text.translate(_NO_DIGIT).replace("−", "-")
    if grouped := _GROUPED.fullmatch(text):
        is_fraction = grouped[1] == decimal and text.count(decimal) == 1
        text = text.replace(grouped[1], "." if is_fraction else "")
    elif _INDIAN.fullmatch(text):
        text = text.replace(",", "")
    elif "," in text:
        point = text.rfind(".") > text.rfind(",")
        text = text.replace(",", "") if point else text.replace(".", "").replace(",", ".")
    try:
        return float(text)
    except ValueError:
        return None


def decimal_sign(cells: Iterable[str]) -> str:
    """Return what stands before the fraction of some numbers; "" where they do not tell.

    >>> decimal_sign(["1.234", "0.5"]), decimal_sign(["1.234", "0,5"]), decimal_sign(["1.234"])
    ('.', ',', '')
    >>> decimal_sign(["1.234.567"]), decimal_sign(["1,234.5"])
    (',', '.')
    """
    points = commas = 0
    for cell in cells:
        if len(cell) > _LONGEST or not ("." in cell or "," in cell):
            continue
        amount = _AMOUNT.fullmatch(cell.strip(" ()"))
        text = amount["number"].strip() if amount else cell.strip()
        if grouped := _GROUPED.fullmatch(text):
            if text.count(grouped[1]) > 1:  # several are no fraction
                points += grouped[1] == ","
                commas += grouped[1] == "."
        elif _POINT.fullmatch(text) or _INDIAN.fullmatch(text):
            points += 1
        elif _COMMA.fullmatch(text):
            commas += 1
    return "" if points == commas else "." if points > commas else ","


def are_grouped(cells: Iterable[str]) -> bool:
    """Say whether points part thousands, where each has three digits behind it: 567 and 1.234.

    A fraction of three digits would stand behind the small ones, too, or be shorter here and there.

    >>> are_grouped(["567", "1.234"]), are_grouped(["1.234"]), are_grouped(["5670", "1.234"])
    (True, False, False)
    >>> are_grouped([*(f"{n}.123" for n in range(1, 99)), "2"])  # a last line that is cut
    False
    """
    texts = [cell.strip() for cell in cells]
    whole = [text for text in texts if _PLAIN.fullmatch(text)]
    pointed = sum("." in text and bool(_GROUPED.fullmatch(text)) for text in texts)
    small = all(len(text.lstrip("+-−")) <= 3 for text in whole)
    return small and 0 < pointed <= _SMALL_ONE_IN * len(whole)


def moment_of(cell: str, *, day_first: bool = True) -> tuple[int, int, int, float] | None:
    """Return year, month, day and second of the day of a date, a moment or a time; 0: not said.

    day_first: in 1/2/2020 the first number is the day, where both could be.

    >>> moment_of("31.12.2020"), moment_of("4 March 2021"), moment_of("Q3 2021")
    ((2020, 12, 31, 0.0), (2021, 3, 4, 0.0), (2021, 7, 0, 0.0))
    >>> moment_of("1/2/2020 9:30 pm", day_first=False), moment_of("Kenya")
    ((2020, 1, 2, 77400.0), None)
    """
    cell = cell.strip()
    if len(cell) > _LONGEST:
        return None
    if _TIME.fullmatch(cell):
        return 0, 0, 0, _second_of(cell)
    moment = _MOMENT.fullmatch(cell)
    day, clock = (moment[1], moment[2]) if moment else (cell, "")
    if not _is_date(day):
        return None
    return *_day_of(day, day_first), _second_of(clock) if clock else 0.0


def is_day_first(cells: Iterable[str]) -> bool:
    """Say whether dates such as 1/2/2020 have the day first, by those that can only be one.

    >>> is_day_first(["1/2/2020", "1/31/2020"]), is_day_first(["1/2/2020"])
    (False, True)
    """
    found = filter(None, (_NUMERIC.match(cell.strip()) for cell in cells))
    return not any(int(match[2]) > 12 for match in found)


def _day_of(text: str, day_first: bool) -> tuple[int, int, int]:
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    if name := _MONTH.search(text):
        return _year(numbers[-1]), _month_of(name[0]), numbers[0] if len(numbers) > 1 else 0
    if _QUARTER.search(text):
        return max(numbers), 3 * min(numbers) - 2, 0
    if len(numbers) == 2:
        return numbers[0], numbers[1], 0
    if re.match(r"\d{4}", text):
        return numbers[0], numbers[1], numbers[2]
    day, month = numbers[:2] if day_first or numbers[0] > 12 else numbers[1::-1]
    return _year(numbers[2]), month, day


def _month_of(name: str) -> int:
    low = name.lower()
    return next((number for start, number in _STARTS if low.startswith(start)), 0)


def _year(number: int) -> int:
    """Return a year; one of two digits is of this century, or late in the last."""
    return number if number > 99 else number + (2000 if number < 70 else 1900)


def _second_of(clock: str) -> float:
    numbers = [float(number.replace(",", ".")) for number in re.findall(r"\d+(?:[.,]\d+)?", clock)]
    hour = numbers[0] % 12 if _HALVES.search(clock) else numbers[0]
    hour += 12 if "p" in clock.lower() else 0
    return hour * 3600 + numbers[1] * 60 + (numbers[2] if len(numbers) > 2 else 0.0)


def year_of(cell: str) -> int | None:
    """Return the year that a cell names.

    >>> year_of("2021"), year_of("4 March 2021"), year_of("2019/20"), year_of("12.5")
    (2021, 2021, 2019, None)
    """
    match = _IN_CELL.search(cell) if len(cell) <= _LONGEST else None
    return int(match[0]) if match else None


_IN_CELL = re.compile(rf"(?<![\d.,]){YEAR.pattern}(?![\d]|[.,]\d)")


def shown(value: object) -> str:
    """Return a value of a workbook, of Parquet or of JSON as a cell.

    >>> shown(3.0), shown(None), shown(datetime(2020, 1, 2)), shown(True)
    ('3', '', '2020-01-02', 'true')
    >>> shown([{"x": 1, "since": date(2020, 1, 2)}]), shown(b"\\x01\\xff")
    ('[{"x": 1, "since": "2020-01-02"}]', '01ff')
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
        case bytes():
            return value.hex()
        case list() | tuple() | dict():
            return json.dumps(value, ensure_ascii=False, default=shown)
    return str(value)
