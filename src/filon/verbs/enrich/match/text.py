"""Text as a matcher sees it: no case, no accents, no punctuation, in any script.

Two spellings of one thing must fall together, so it folds more than a query may (page/words.py):
strokes and ligatures go, and scripts without spaces come as pairs of characters, which no service
could be asked for.
"""

import re
import unicodedata
from functools import lru_cache

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
