"""Text from the web made harmless to look at; figures as people write them.

A name or a URL may hold terminal escape codes, line breaks or marks that turn the direction of
the text round: on a terminal or a page such a character is shown as its number instead.
"""

import unicodedata

#: Joiners that Persian, the scripts of India and emoji need; they hide nothing.
_KEPT = frozenset("\u200c\u200d")
#: Controls, format marks (bidi overrides, invisible letters), surrogates, line separators.
_HARMFUL = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
#: A spreadsheet takes a cell that starts so for a formula (the wide forms too, in some locales).
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def plain(text: str, longest: int = 0) -> str:
    r"""Return text without characters that act instead of being seen.

    longest: shorten in the middle to so many characters; 0: never.

    >>> plain("a\x1b[31mb\u202ec")
    'a\\x1b[31mb\\u202ec'
    >>> plain("abcdefghij", 7)
    'abc…hij'
    """
    if longest and len(text) > longest:
        text = f"{text[: longest // 2]}…{text[len(text) - (longest - 1) // 2 :]}"
    if text.isprintable():
        return text
    return "".join(map(_seen, text))


def _seen(char: str) -> str:
    if char in _KEPT or unicodedata.category(char) not in _HARMFUL:
        return char
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def cell(text: str) -> str:
    """Return text that a spreadsheet shows and does not compute.

    >>> cell("=1+1"), cell("2024.csv")
    ("'=1+1", '2024.csv')
    """
    return f"'{text}" if text.startswith(_FORMULA) else text


def count(number: float) -> str:
    """Return a whole number with its thousands apart.

    >>> count(1234567)
    '1,234,567'
    """
    return f"{number:,.0f}"


def counted(number: int, noun: str) -> str:
    """Return a number and its noun.

    >>> counted(1, "find"), counted(1200, "request"), counted(2, "repository")
    ('1 find', '1,200 requests', '2 repositories')
    """
    many = f"{noun[:-1]}ies" if noun.endswith("ory") else f"{noun}s"
    return f"{count(number)} {noun if number == 1 else many}"


def begun(text: str) -> str:
    """Return a text as it stands at the beginning of a sentence.

    >>> begun("find"), begun("RDF document")
    ('Find', 'RDF document')
    """
    return text[:1].upper() + text[1:]


def span(first: str, last: str) -> str:
    """Return from when to when, where both are one only that.

    >>> span("2019", "2021"), span("2020", "2020")
    ('2019 to 2021', '2020')
    """
    return first if first == last else f"{first} to {last}"


def size(number_bytes: float) -> str:
    """Return a number of bytes in the unit that suits it.

    >>> size(0), size(999), size(15_300), size(2_000_000), size(73_449_000_000)
    ('0 B', '999 B', '15.3 kB', '2 MB', '73.4 GB')
    """
    for unit in ("B", "kB", "MB", "GB"):
        if number_bytes < 999.5:
            return f"{number_bytes:.3g} {unit}"
        number_bytes /= 1000
    return f"{number_bytes:,.3g} TB" if number_bytes < 999.5 else f"{number_bytes:,.0f} TB"


def duration(seconds: float) -> str:
    """Return a time that passed, in at most two units.

    >>> duration(0.42), duration(75), duration(7260), duration(200_000)
    ('0.4 s', '1 min 15 s', '2 h 1 min', '2 d 7 h')
    """
    if seconds < 59.95:
        return f"{seconds:.1f} s" if seconds < 9.95 else f"{seconds:.0f} s"
    parts: list[tuple[int, str]] = []
    rest = round(seconds)
    for unit, length in (("d", 86400), ("h", 3600), ("min", 60), ("s", 1)):
        amount, rest = divmod(rest, length)
        if amount or parts:
            parts.append((amount, unit))
    return " ".join(f"{amount} {unit}" for amount, unit in parts[:2] if amount)
