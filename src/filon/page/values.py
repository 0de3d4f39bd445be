"""Values as strangers write them: JSON and numbers, read so that nothing later can stumble on them.

What comes out is text that can be encoded, nesting that can be walked by recursion, and numbers
that fit into 64 bits. What cannot be read is a ValueError, and no other.
"""

import json
import math
import re
from email.utils import parsedate_to_datetime
from itertools import accumulate
from typing import Any
from unicodedata import category

#: No honest answer is nested deeper; recursion, ours and that of libraries, has room for it.
MAX_DEPTH = 100
#: Digits that fit into 63 bits, whatever they are.
MAX_DIGITS = 18
#: The year 9000: a time of any zone can be added to what is before.
LAST_S = 221_845_392_000.0
#: Python refuses to make a number of more digits than some 4,300.
_LONGEST_NUMBER = 1_000
_HALF = re.compile("[\ud800-\udfff]")
_WRITTEN_HALF = re.compile(r"\\u[dD][89a-fA-F]")
_BRACKETS = bytes.maketrans(b"[{]}", b"\1\1\0\0")
_OTHERS = bytes(set(range(256)) - set(b"[{]}"))


def clean(text: str) -> str:
    """Return a text without halves of surrogate pairs, which no file and no database takes.

    >>> clean("a\\ud800b")
    'a\ufffdb'
    """
    return text if text.isascii() else _HALF.sub("\ufffd", text)


def one_line(text: str, longest: int) -> str:
    """Return a text as one line of so many characters, without any that are not to be seen.

    >>> one_line("  A\\x00b \\u202e c\\ud800\\n", 20)
    'Ab c\ufffd'
    """
    # What is cut off is not looked at: some pages hide whole dictionaries in a title.
    text = " ".join(clean(text[: 4 * longest]).split())
    if not text.isprintable():
        text = " ".join("".join(map(_visible, text)).split())
    return text if len(text) <= longest else f"{text[: longest - 1].rstrip()}…"


def _visible(char: str) -> str:
    # Joiners are needed by Persian, the scripts of India and emoji.
    return "" if category(char) in ("Cc", "Cf") and char not in "\u200c\u200d" else char


def whole(text: str) -> int | None:
    """Return the number that a text of digits is; None where it is none, or beyond all use.

    >>> whole("0042"), whole("-1"), whole("9" * 5000)
    (42, None, None)
    """
    digits = text.strip().lstrip("0") or text.strip()[-1:]
    if digits.isdecimal() and len(digits) <= MAX_DIGITS:
        return int(digits)
    return None


def moment_s(text: str) -> float | None:
    """Return the Unix time of a date as HTTP writes it; None where it is none of our times.

    >>> moment_s("Sun, 06 Nov 1994 08:49:37 GMT"), moment_s("soon")
    (784111777.0, None)
    """
    try:
        time_s = parsedate_to_datetime(text).timestamp()
    except (ValueError, TypeError, OverflowError, OSError):
        return None
    return time_s if 0 <= time_s < LAST_S else None


def read_json(data: bytes | str, *, strict: bool = True) -> Any:
    """Return what JSON holds; ValueError where it is none, or nested too deeply.

    strict: as in `json.loads`: line breaks in a text are an error.
    NaN and infinity, which are no JSON, are null, as is what is too large for a number; a whole
    number of a thousand digits is a text.

    >>> read_json(b'{"a": "\\\\ud800", "b": NaN}')
    {'a': '\ufffd', 'b': None}
    """
    text = data if isinstance(data, str) else _decoded(data)
    try:
        value = (_STRICT if strict else _LENIENT).decode(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if _WRITTEN_HALF.search(text) or (not text.isascii() and _HALF.search(text)):
        return checked(value)
    if _is_deep(text):
        checked(value)
    return value


def _decoded(data: bytes) -> str:
    # As json.loads does it: a mark at the beginning tells UTF-16 and UTF-32.
    text = data.decode(json.detect_encoding(data), "surrogatepass")
    return text.removeprefix("\ufeff")


def _integer(digits: str) -> int | str:
    return int(digits) if len(digits) < _LONGEST_NUMBER else digits


def _real(digits: str) -> float | None:
    number = float(digits)
    return number if math.isfinite(number) else None


def _nothing(name: str) -> None:
    return None


_STRICT = json.JSONDecoder(parse_int=_integer, parse_float=_real, parse_constant=_nothing)
_LENIENT = json.JSONDecoder(
    parse_int=_integer, parse_float=_real, parse_constant=_nothing, strict=False
)


def _is_deep(text: str) -> bool:
    """Say whether brackets may be nested too deeply; those in texts count, so it may be wrong."""
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return False
    brackets = text.encode("utf-8", "replace").translate(_BRACKETS, _OTHERS)
    return max(accumulate(2 * bracket - 1 for bracket in brackets)) > MAX_DEPTH


def checked(value: Any, depth: int = 0) -> Any:
    """Return a value that was read by others with clean texts; ValueError where it is too deep."""
    if depth > MAX_DEPTH:
        raise ValueError("nested too deeply")
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [checked(one, depth + 1) for one in value]
    if isinstance(value, dict):
        return {clean(name): checked(one, depth + 1) for name, one in value.items()}
    return value
