"""Which characters the bytes of a page mean: byte order mark, header, meta element, or a guess.

Labels mean what browsers take them for (the WHATWG's table): "iso-8859-1" is windows-1252.
"""

import codecs
import re
from functools import lru_cache

_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xfe\xff", "utf-16-be"), (b"\xff\xfe", "utf-16-le"))
_HEADER = re.compile(r"charset\s*=(?:\"((?:[^\"\\]|\\.)*)\"?|([^;,]*))", re.IGNORECASE)
_META = re.compile(
    rb"<meta[^>]{0,300}?charset\s*=\s*[\"']?\s*([a-z0-9_:.-]{1,40})"
    rb"|<\?xml[^>]{0,100}?encoding\s*=\s*[\"']([a-z0-9_:.-]{1,40})",
    re.IGNORECASE,
)
# How far browsers look for a meta element; older pages have long comments first.
_PRESCAN = 4096
# Where Python's codec of that name is narrower than what browsers read.
_WIDER = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "big5": "big5hkscs",
}
# Codecs of Python that pages are written in. The others are no charsets: "idna", "undefined" and
# "punycode" raise on most bytes, and "utf-7" and "unicode_escape" bring halves of surrogate pairs.
_CHARSET = re.compile(
    r"ascii|utf-(?:8|16|32)(?:-sig|-[bl]e)?|(?:cp|iso8859-|gb|kz|ptcp)\d+|(?:koi8|mac)-\w+|tis-620"
    r"|hp-roman8|gbk|hz|johab|big5\w*|(?:euc|iso2022|shift)_\w+"
)
#: No label is longer; Python would remember every one that it was asked for.
_LONGEST = 40
# Labels that Python does not know.
_LABELS = {
    "x-sjis": "cp932",
    "windows-31j": "cp932",
    "ks_c_5601-1987": "cp949",
    "windows-949": "cp949",
    "x-gbk": "gb18030",
    "gb_2312-80": "gb18030",
    "windows-874": "cp874",
    "dos-874": "cp874",
    "x-cp1250": "cp1250",
    "x-cp1251": "cp1251",
    "x-cp1252": "cp1252",
    "iso-8859-8-i": "iso8859-8",
    "x-mac-cyrillic": "mac_cyrillic",
    "x-mac-roman": "mac_roman",
    "macintosh": "mac_roman",
    "x-euc-jp": "euc_jp",
    "x-x-big5": "big5hkscs",
    "big5-hkscs": "big5hkscs",
    "koi": "koi8-r",
    "utf-8": "utf-8",
    "unicode-1-1-utf-8": "utf-8",
    "x-unicode20utf8": "utf-8",
}


def charset(body: bytes, content_type: str = "") -> str:
    """Return the Python codec for a page.

    >>> charset(b"<meta charset=latin1>")
    'cp1252'
    """
    for mark, codec in _BOMS:
        if body.startswith(mark):
            return codec
    declared = _declared(content_type) if content_type else ""
    if not declared:
        found = _META.search(body, 0, _PRESCAN)
        declared = _codec((found[1] or found[2]).decode("ascii")) if found else ""
        # A meta element that can be read byte by byte is not in UTF-16.
        declared = "utf-8" if declared.startswith("utf-16") else declared
    return declared or _guess(body)


@lru_cache(maxsize=256)
def _declared(content_type: str) -> str:
    """Return what the header says: the first charset that means something."""
    labels = (quoted or plain for quoted, plain in _HEADER.findall(content_type))
    return next((codec for label in labels if (codec := _codec(label))), "")


def _codec(label: str) -> str:
    label = label.replace("\\", "").strip(" \t\r\n\"'").lower()
    name = _LABELS.get(label)
    if name is None:
        try:
            name = codecs.lookup(label[:_LONGEST]).name
        except (LookupError, ValueError):
            return ""
        if not _CHARSET.fullmatch(name):
            return ""
    return _WIDER.get(name, name)


def _guess(body: bytes) -> str:
    """UTF-8 if it is that (its last character may be cut), else what most old pages are in."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(body)
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


def to_utf8(body: bytes, content_type: str = "") -> bytes:
    """Return a page in UTF-8; what cannot be read becomes a replacement character.

    >>> to_utf8(b"<p>caf\\xe9", "text/html; charset=iso-8859-1").decode()
    '<p>café'
    """
    codec = charset(body, content_type)
    if codec == "utf-8":
        return body
    return body.decode(codec, "replace").encode("utf-8", "replace")
