"""Words of a text, as keyword search services see them.

The one tokeniser of queries: what is asked for, what the built-in search engine finds, and what a
service is expected to hold are compared in these words. Classifiers have their own
(learn/rank/vectors.py): a model goes with the tokens that it was trained on.
"""

import re
import unicodedata

_WORD = re.compile(r"[^\W_]+")
#: Words that most services leave out of a query, in the languages that tables come in most often.
STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a an and are as at be by for from in is it of on or that the to was were will with "
        "de der die das und la le les et en el los las del y des du un une von zur zum im",
    )
)


def words(text: str) -> list[str]:
    """Return the words of a text in order, in small letters and without accents.

    >>> words("The État-major's 2nd São_Paulo, naïve")
    ['the', 'etat', 'major', 's', '2nd', 'sao', 'paulo', 'naive']
    """
    if not text.isascii():
        parts = unicodedata.normalize("NFKD", text)
        text = "".join(part for part in parts if not unicodedata.combining(part))
    return _WORD.findall(text.casefold())


def keywords(text: str) -> list[str]:
    """Return the different words that a query can be made of, in order: no stop words.

    >>> keywords("The art of the art of war")
    ['art', 'war']
    """
    return list(dict.fromkeys(word for word in words(text) if word not in STOP_WORDS))
