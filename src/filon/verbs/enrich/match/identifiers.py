"""Identifiers: ISBN, DOI, PMID and other long numbers. They are the same or not, and never alike.

Two spellings of one fall together: hyphens, a name before it, the address of a resolver, the ten
digits of an old ISBN, and what spreadsheets do to numbers (a lost zero in front, ".0" behind).
"""

import re
from collections.abc import Iterable
from urllib.parse import unquote

#: Digits of a number that is an identifier, and no measure, at least.
LONG = 7
#: Of amounts of money and people so many end in two zeros; of identifiers one in a hundred.
ROUND = 0.2
#: Columns with such a name hold identifiers, however short.
_NAMES = frozenset(
    re.findall(
        r"\w+",
        "isbn isbn10 isbn13 issn eissn doi pmid pubmed pmcid pmc oclc lccn orcid isni viaf arxiv "
        "ean ean13 gtin upc barcode asin imdb tmdb wikidata qid openalex",
    )
)
_BEFORE = re.compile(
    r"^\s*(?:(?:urn:)?(?:e?issn|isbn(?:[- ]?1[03])?|doi|pmid|pmcid|oclc|lccn|orcid|isni|viaf|arxiv"
    r"|ean(?:-?13)?|gtin|upc|asin)\s*(?:(?:no\.?|number)?[:#=\s]+|(?=\d))"
    r"|https?://(?:www\.)?(?:dx\.)?(?:doi\.org|orcid\.org|openalex\.org|viaf\.org/viaf|isni\.org/isni"
    r"|pubmed\.ncbi\.nlm\.nih\.gov|(?:www\.)?ncbi\.nlm\.nih\.gov/pubmed|arxiv\.org/abs"
    r"|wikidata\.org/(?:wiki|entity)|imdb\.com/(?:title|name))/)",
    re.IGNORECASE,
)
_DOI = re.compile(r"(?:^|(?<=[/:\s=]))10\.[0-9]{4,9}(?:\.[0-9]+)*/\S+")
_DIGITS = re.compile(rf"[0-9]{{{LONG},}}(?:\.0)?")
_ISBN = re.compile(r"(?:97[89][- ]?)?[0-9]{1,5}[- ]?[0-9]{1,7}[- ]?[0-9]{1,7}[- ]?[0-9Xx]")
#: Library catalogues say of an ISBN which binding it is: "0306406152 (pbk.)".
_BINDING = re.compile(r"\s*\([^()]*\)$")
_APART = re.compile(r"\s*\|\s*|[;,]\s+")


def are_identifiers(values: Iterable[str], name: str, most: float) -> bool:
    """Say whether a column holds identifiers: by its values, or by its name and short values.

    >>> are_identifiers(["31452104", "080442957X"], "", 0.8), are_identifiers(["512"], "PMID", 0.8)
    (True, True)
    >>> are_identifiers(["1968", "1972"], "", 0.8), are_identifiers(["2500000"], "people", 0.8)
    (False, False)
    """
    held = list(values)
    if any(word in _NAMES for word in re.split(r"[\W_]+", name.casefold())):
        short = [text for text in held if any(sign.isdigit() for sign in text)]
        return len(short) >= most * len(held)
    looks = sum(bool(identifiers(text)) for text in held)
    return looks >= most * len(held) and sum(map(_is_round, held)) <= ROUND * len(held)


def identifiers(text: str) -> tuple[str, ...]:
    """Return the identifiers that a text consists of; none where it says anything else.

    >>> identifiers("0-306-40615-2"), identifiers("9780306406157")
    (('9780306406157',), ('9780306406157',))
    >>> identifiers("https://doi.org/10.1000/ABC"), identifiers("PMID: 31452104; 0306406152")
    (('10.1000/abc',), ('31452104', '9780306406157'))
    """
    parts = [part for part in _APART.split(text.strip()) if part]
    found = tuple(_identifier(part) for part in parts)
    return tuple(dict.fromkeys(found)) if all(found) else ()


def without_prefix(text: str) -> str:
    """Return a text without the name of an identifier before it, or the address of a resolver.

    >>> without_prefix("https://www.wikidata.org/wiki/Q42"), without_prefix("ISSN: 0028-0836")
    ('Q42', '0028-0836')
    """
    return _BEFORE.sub("", text, count=1).strip()


def is_whole(code: str) -> bool:
    """Say whether a normalised code is an identifier: another one is another thing."""
    return (code.isdigit() and len(code) >= LONG) or (code.startswith("10.") and "/" in code)


def _identifier(text: str) -> str:
    bare = without_prefix(text)
    if not bare.isascii():  # digits of other scripts
        bare = "".join(str(int(sign)) if sign.isdecimal() else sign for sign in bare)
    if doi := _DOI.search(unquote(bare)):
        return doi[0].lower().rstrip(".,;")
    if isbn := _isbn(_BINDING.sub("", bare)):
        return isbn
    return bare.removesuffix(".0").lstrip("0") if _DIGITS.fullmatch(bare) else ""


def _isbn(text: str) -> str:
    """Return the thirteen digits of an ISBN; "" where it is none."""
    if not _ISBN.fullmatch(text):
        return ""
    signs = text.replace("-", "").replace(" ", "").upper()
    if signs.isdigit() and len(signs) == 13 and signs.startswith(("978", "979")):
        return signs  # a wrong check digit is a slip of both sides, or of one
    if text.isdigit() and len(text) == 9:
        signs = f"0{text}"  # a spreadsheet takes the zero for nothing
    if len(signs) != 10:
        return ""
    total = sum((10 - at) * int(sign) for at, sign in enumerate(signs[:9]))
    if "0123456789X"[-total % 11] != signs[9]:
        return ""
    return f"978{signs[:9]}{_check13('978' + signs[:9])}"


def _check13(twelve: str) -> str:
    return str(-sum(int(sign) * (1, 3)[at % 2] for at, sign in enumerate(twelve)) % 10)


def _is_round(text: str) -> bool:
    return text.strip().removesuffix(".0").endswith("00")
