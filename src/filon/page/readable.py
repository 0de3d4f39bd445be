"""A file name that a person can read, where the file's own name says nothing.

`2-2-1.csv`, `download`, `9f86d081.xlsx` are names for machines. What the page says of such a file
says more: the words of the link, else of its row, else the heading above it, else the title.
"""

import re
import unicodedata

from filon.page import formats
from filon.page.name import extension_of
from filon.page.signature import family

#: Of a name made of words: what a listing shows whole.
MAX_STEM = 80
#: Longer ones are words behind a full stop.
MAX_ENDING = 8
#: Words that stand at links to anything, and between words that say something.
_EMPTY_WORDS = """
    a all an and archivo as ashx asp aspx asset assets at attachment attachments baixar bajar
    bestand bitstream blob by bytes cgi click content contents csvfile dados data database
    dataset datasets datei dateien daten datos de default der des descargar die doc document
    documents donnees données download downloads du el en et export exports fetch fichier
    fichiers file fileadmin files for from full gb get here herunterladen hier htm html ici id
    image in index into item items jsp kb kib la las le les link main mb media mib more name new
    node now object of off on online open or our output page php please print public query raw
    render report resource resources result results save scarica scaricare see sheet sheets show
    static stream tab tabelle table tableau tables telecharger the this to télécharger und
    upload uploads use version view with www xlsfile y your
"""
_EMPTY = frozenset(_EMPTY_WORDS.split())
_LANGUAGES = frozenset(
    [
        "arabic",
        "deutsch",
        "english",
        "español",
        "espanol",
        "français",
        "french",
        "german",
        "spanish",
    ]
)
_SCRIPT_ENDINGS = "php php3 php5 asp aspx ashx cgi do jsp jspx pl py cfm dll exe htm html"
_SCRIPTS = frozenset(_SCRIPT_ENDINGS.split())
#: Between what a page is about and whose it is.
_TITLE_ENDS = re.compile(r"\s[|–—·»:-]+\s")
_WORD = re.compile(r"[^\W_]+(?:[.,](?=\d)\d+)*")
_RUN = re.compile(r"[^\W\d_]+")
_SIZE = re.compile(r"\(?\b\d+(?:[.,]\d+)?\s?(?:[kmg]i?b|bytes|octets|[kmg]o)\b\)?", re.IGNORECASE)
#: Letters and digits by turns are a number of some kind, not a word.
_MIXED = re.compile(r"\d[a-z]+\d|[a-z]\d+[a-z]", re.IGNORECASE)
_HEX = re.compile(r"[0-9a-f]{8,}", re.IGNORECASE)
#: Formats that hold others: an ending that says more is right.
_HOLDERS = frozenset(
    {"", "application/octet-stream", "text/plain", "application/json", "application/xml"}
    | {formats.mime_of(name) for name in ("zip", "gz", "bz2", "xz", "zst", "tar", "sqlite", "h5")}
)


def speaks(text: str) -> bool:
    """Say whether a text has a word that tells one file from another.

    >>> [speaks(text) for text in ("Population 2020", "2-2-1", "Download CSV (12 kB)", "9f86d081")]
    [True, False, False, False]
    """
    return any(map(_tells, _WORD.findall(_SIZE.sub(" ", text))))


def _tells(word: str) -> bool:
    word = word.lower()
    if word.rstrip("0123456789") in _EMPTY or _is_format(word) or _is_code(word):
        return False
    longest = max(map(len, _RUN.findall(word)), default=0)
    return longest >= (3 if word.isascii() else 2)


def _is_code(word: str) -> bool:
    """Say whether letters and digits are mixed as in a hash or a key."""
    if _HEX.fullmatch(word) and any(map(str.isdigit, word)):
        return True
    return len(word) >= 6 and _MIXED.search(word) is not None


def original_name(name: str, mime: str) -> str:
    """Return the name that a server or a URL gives a file, with an ending where it has none.

    >>> original_name("download", "text/csv"), original_name("table.dat", "text/csv")
    ('download.csv', 'table.dat')
    """
    ending = extension_of(name)
    has_one = ending.isalnum() and not ending.isdigit() and len(ending) <= MAX_ENDING
    return name if has_one and ending not in _SCRIPTS else with_extension(name, mime)


def with_extension(name: str, mime: str) -> str:
    """Return a name with an ending that fits what the file is.

    >>> with_extension("download", "text/csv"), with_extension("get.php", "text/csv")
    ('download.csv', 'get.csv')
    >>> with_extension("a.xls", "text/csv"), with_extension("a.geojson", "application/json")
    ('a.csv', 'a.geojson')
    """
    names = formats.names_of(mime)
    ending = extension_of(name)
    known = formats.mime_of(ending)
    if not names or mime == "application/octet-stream":
        return name
    if ending in _SCRIPTS and "html" not in mime:
        return f"{name.rpartition('.')[0]}.{names[0]}"
    if not known:
        return f"{name}.{names[0]}"
    if mime in _HOLDERS or known == "text/plain" or _alike(known, mime):
        return name
    stem = name.rpartition(".")[0]
    inner = formats.mime_of(extension_of(stem))  # of what was packed, and came unpacked
    return stem if inner and _alike(inner, mime) else f"{stem}.{names[0]}"


def _alike(one: str, other: str) -> bool:
    return family(one) == family(other) or formats.title(one) == formats.title(other)


def readable_name(
    name: str,
    mime: str = "",
    *,
    text: str = "",
    around: str = "",
    headings: str = "",
    title: str = "",
) -> str:
    """Return what a person would call a file: its own name if that says something.

    text: of the link. around: of the row that holds it. headings: above it, " > " between them.
    title: of the page.

    >>> readable_name("2-2-1.csv", "text/csv", text="Population by region (CSV, 3 kB)")
    'population-by-region.csv'
    >>> readable_name("download", "text/csv", text="2020", headings="Figures > Births, deaths")
    'births-deaths-2020.csv'
    >>> readable_name("gdp_2020.csv", "text/csv", text="Gross domestic product")
    'gdp_2020.csv'
    """
    return readable_names(name, mime, text=text, around=around, headings=headings, title=title)[0]


def readable_names(
    name: str, mime: str, *, text: str, around: str, headings: str, title: str
) -> list[str]:
    """Return names for a file, each longer than the one before, for where others are called so.

    "Download all" may stand at a file of every page: then the headings tell more, one by one, and
    at last the file's own name.

    >>> readable_names("8-2-1.csv", "text/csv", text="Headline data", around="",
    ...                headings="Employment > Sub-categories", title="")[::2]
    ['headline.csv', 'employment-headline.csv']
    """
    name = with_extension(name, mime)
    stem, ending = _parted(name)
    if speaks(stem):
        return [name]
    told = called(text=text, around=around, headings=headings, title=title)
    spoken = [_words(part) for part in told]
    if not spoken:
        return [name]
    first, *more = spoken
    if not speaks(text):  # a year, perhaps
        first = [*first, *(w for w in _words(text) if any(map(str.isdigit, w)) and w not in first)]
    names = [_joined(first, [], ending)]
    names += [_joined(words, [w for w in first if w not in words], ending) for words in more]
    return [*dict.fromkeys(names), _joined(first, _WORD.findall(stem.lower()), ending)]


def called(*, text: str, around: str, headings: str, title: str) -> list[str]:
    """Return what a page calls a file, the nearest to the link first: texts that say something.

    >>> called(text="Download (3 kB)", around="", headings="Work > Hours worked", title="A | ABC")
    ['Hours worked', 'Work', 'ABC']
    """
    above = [around, *reversed(headings.split(" > ")), *_TITLE_ENDS.split(title)]
    parts = map(_without_format, (text, *above))
    return list(dict.fromkeys(part for part in parts if speaks(part)))


def _without_format(text: str) -> str:
    """Return a text without the size and format of the file at its end; "" where it is a language.

    >>> _without_format("Population by region (CSV, 3 kB)"), _without_format("English PDF 1.6MB")
    ('Population by region', '')
    """
    text = " ".join(_SIZE.sub(" ", text).split())
    words = list(_WORD.finditer(text))
    if all(word[0].lower() in _LANGUAGES or _is_trim(word[0].lower()) for word in words):
        return ""
    kept = len(words)
    while _is_format(words[kept - 1][0].lower()):
        kept -= 1
    return text[: words[kept - 1].end()] if kept < len(words) else text


def _parted(name: str) -> tuple[str, str]:
    """Return a name and its ending, which may be a double one: .csv.gz"""
    stem, dot, ending = name.rpartition(".")
    if not dot or not formats.mime_of(ending.lower()):
        return name, ""
    before, dot, inner = stem.rpartition(".")
    if dot and formats.mime_of(inner.lower()) and formats.mime_of(ending.lower()) in _HOLDERS:
        return before, f".{inner}.{ending}".lower()
    return stem, f".{ending}".lower()


def _words(text: str) -> list[str]:
    """Return the words of a text without its size, its format and what invites to click."""
    words = [
        word.lower() for word in _WORD.findall(_SIZE.sub(" ", unicodedata.normalize("NFC", text)))
    ]
    while words and _is_trim(words[-1]):
        words.pop()
    while words and _is_trim(words[0]):
        words.pop(0)
    return words


def _is_trim(word: str) -> bool:
    return word in _EMPTY or _is_format(word)


def _is_format(word: str) -> bool:
    return word == "excel" or bool(formats.mime_of(word))


def _joined(words: list[str], last: list[str], ending: str) -> str:
    """Return words as a name; where they are too many, those before the last are left out."""
    tail = "-".join(last)[: MAX_STEM // 2].rstrip("-")
    room = MAX_STEM - len(tail)
    stem = ""
    for word in words:
        if stem and len(stem) + len(word) >= room:
            break
        stem = f"{stem}-{word}" if stem else word[:room]
    return (f"{stem}-{tail}" if tail else stem) + ending
