"""Which files the user wants, as the user says it, and what is never worth a download."""

import re
from dataclasses import dataclass
from typing import Self

from filon.core import UserError
from filon.core.suggest import nearest
from filon.page import formats
from filon.page.url import extension

#: The 38 media types of the reference implementation of the paper.
PAPER = frozenset(
    {
        *formats.DATA["csv"],
        *formats.OTHER["pdf"],
        *formats.OTHER["yaml"],
        "application/octet-stream",
        "application/vnd.ms-excel",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "application/vnd.ms-excel.sheet.macroenabled.12",
        "application/vnd.oasis.opendocument.spreadsheet",
        "application/vnd.oasis.opendocument.text",
        "application/vnd.oasis.opendocument.presentation",
        "application/zip",
        "application/x-zip-compressed",
        "application/zip-compressed",
        "application/x-tar",
        "application/x-gtar",
        "application/x-gzip",
        "application/x-7z-compressed",
        "application/vnd.rar",
        "application/x-rar-compressed",
        "application/xml",
        "application/rdf+xml",
        "application/rss+xml",
        "application/json",
        "text/json",
        "application/msword",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.template",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "text/plain",
    }
)

#: Media types, or prefixes of them that end with "/", of what makes pages pretty, not data.
UNWANTED: tuple[str, ...] = (
    "image/",
    "audio/",
    "video/",
    "font/",
    "application/font-woff",
    "application/font-woff2",
    "application/x-font-ttf",
    "application/vnd.ms-fontobject",
    "text/css",
    "text/javascript",
    "application/javascript",
    "application/x-javascript",
    "application/ecmascript",
    "application/ogg",
    "application/vnd.apple.mpegurl",
    "application/x-mpegurl",
    "application/x-shockwave-flash",
)

# Pictures; drawings of machines and houses; sound; moving pictures and lists of them; and what
# pages are dressed with.
_BLOCKED = """
    jpg jpeg jpe jfif pjpeg png apng gif svg svgz webp avif heic heif bmp dib tif tiff ico cur
    psd psb xcf ai eps raw cr2 cr3 nef arw dng orf rw2 raf sr2 jp2 j2k jpx jxl tga pcx ppm pgm
    pbm pnm xbm xpm emf wmf djvu djv indd cdr sketch
    dwg dxf stl obj fbx 3ds blend skp step stp iges igs glb gltf
    mp3 mp2 mpga wav wave ogg oga opus flac aac m4a m4b wma aif aiff aifc au ra ram mid midi amr
    ape ac3 weba
    mp4 m4v mov qt avi mkv webm mpg mpeg mpe m2v wmv flv f4v swf 3gp 3g2 ogv ogx asf vob ts mts
    m2ts rm rmvb divx m3u m3u8 pls mpd vtt srt
    css scss less js mjs cjs jsx tsx map woff woff2 ttf otf eot
"""
_BLOCKED_EXTENSIONS = frozenset(_BLOCKED.split())

# Files in the data formats by which a site serves itself, not its readers.
_HOUSEKEEPING = re.compile(
    r"sitemap[^/]*\.(xml|txt)(\.gz)?$"
    r"|/(rss|atom|feeds?|index\.rdf)\d*(\.(xml|json))?/?$"
    r"|/(opensearch|osd|browserconfig|crossdomain|clientaccesspolicy|wlwmanifest)[^/]*\.xml$"
    r"|/((site|web|app)?[._-]?manifest|package(-lock)?|composer|bower|tsconfig|asset-manifest)\.json$"
    r"|\.min\.json$"
    r"|/wp-json(/|$)|/_next/|/page-data/"
    r"|/(swagger|openapi)[^/]*\.(json|xml)$"
    r"|oembed|/favicon"
    r"|/\.well-known/",
    re.IGNORECASE,
)
# A file that a query names, or its format; a whole address in there is one that is shared.
_ASKED_FOR = re.compile(
    r"[?&](?:format|output|outputformat|export|file|filename)=(?:[^&/%]*\.)?(\w+)(?=&|$)", re.I
)
_DRESSING = re.compile(r"/(assets|static)/", re.IGNORECASE)
_HOLDS_DATA = re.compile(r"/(data|datas?ets?|downloads?|files)/", re.IGNORECASE)
_SELF_SERVING = frozenset(
    {*formats.DATA["json"], *formats.DATA["xml"], *formats.DATA["gz"], *formats.DATA["jsonld"]}
)


def blocked_extension(url: str) -> bool:
    """Say whether a URL names multimedia or dressing by its extension; the query says nothing.

    >>> blocked_extension("http://example.org/a.JPG?x=1"), blocked_extension("http://a.org/?b.jpg")
    (True, False)
    """
    return extension(url) in _BLOCKED_EXTENSIONS


@dataclass(frozen=True, slots=True)
class Types:
    """The media types that count as finds.

    words: as the user named them: formats, media types, "data", "paper".

    >>> types = Types.parse("data, PDF")
    >>> str(types), types.wants("text/csv"), types.wants("text/html")
    ('data,pdf', True, False)
    """

    words: tuple[str, ...]
    media: frozenset[str]

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `data`, `data,pdf`, `csv,excel`, `tables`, `text/csv`, `image/*` or `paper`."""
        words = dict.fromkeys(word for part in text.split(",") if (word := _word(part)))
        if not words:
            raise UserError("No file type is named: write for example data, or csv,xlsx.")
        return cls(tuple(words), frozenset().union(*(_media(word) for word in words)))

    def __str__(self) -> str:
        return ",".join(self.words)

    def wants(self, mime: str, url: str = "", claimed: str = "") -> bool:
        """Say whether a file of that type is a find.

        url: tells sitemaps, feeds, manifests and their like from data.
        claimed: what the server called it; "paper" judges by that unless it is a page.
        """
        if "paper" in self.words and claimed in PAPER and "html" not in mime:
            return True
        if mime not in self.media and f"{mime.partition('/')[0]}/*" not in self.media:
            return False
        return not (mime in _SELF_SERVING and self._only_as_data(mime) and housekeeping(url))

    def _only_as_data(self, mime: str) -> bool:
        """Nobody named this format: it counts because data was asked for."""
        return "data" in self.words and not any(
            mime in _media(word) for word in self.words if word != "data"
        )

    def blocks(self, url: str) -> bool:
        """Say whether a URL's extension is multimedia that nobody asked for."""
        ending = extension(url)
        return ending in _BLOCKED_EXTENSIONS and not self.wants(formats.mime_of(ending))

    def names(self, url: str) -> bool:
        """Say whether a URL looks like that of a find, by its extension or its query.

        >>> types = Types.parse("data")
        >>> types.names("http://a.org/b.CSV?v=2"), types.names("http://a.org/get?file=b.csv")
        (True, True)
        >>> types.names("http://a.org/csv"), types.names("http://a.org/share?u=http://b.org/c.csv")
        (False, False)
        """
        asked = _ASKED_FOR.search(url)
        endings = (extension(url), asked[1].lower() if asked else "")
        media = [mime for mime in map(formats.mime_of, endings) if mime and "html" not in mime]
        return any(self.wants(mime, url) for mime in media)

    @property
    def unwanted(self) -> tuple[str, ...]:
        """The media types whose download is cut after the headers, for `Request.unwanted`."""
        wanted = tuple(sorted(self.media))
        return tuple(
            media
            for media in UNWANTED
            if not any(want == media or want.startswith(media) for want in wanted)
        )


def housekeeping(url: str) -> bool:
    """Say whether a URL in a data format serves the site itself: a sitemap, feed or manifest.

    >>> housekeeping("http://example.org/sitemap-3.xml"), housekeeping("http://example.org/gdp.xml")
    (True, False)
    """
    path = url.partition("#")[0]
    path, _, query = path.partition("?")
    if _HOUSEKEEPING.search(path) or "oembed" in query or query.startswith(("feed=", "rsd")):
        return True
    dressing = path.lower().endswith(".json") and _DRESSING.search(path)
    return bool(dressing) and not _HOLDS_DATA.search(path)


def _word(part: str) -> str:
    word = part.strip().lower().removeprefix(".")
    if not word or word in ("data", "paper") or "/" in word:
        return word
    name = formats.canonical(word)
    if name:
        return name
    known = [*formats.FORMATS, *formats.GROUPS, "data", "paper"]
    near = nearest(word, known, 3)
    hint = f"did you mean {' or '.join(near)}?" if near else "name one like csv, xlsx or text/csv."
    raise UserError(f"The file type {part.strip()!r} is not known: {hint}")


def _media(word: str) -> frozenset[str]:
    if word == "data":
        return _DATA
    if word == "paper":
        return PAPER
    return frozenset({word}) if "/" in word else formats.media_of(word)


_DATA = frozenset(media for types in formats.DATA.values() for media in types)
