"""What is known of a URI before it is asked for: by its extension, or by its content type.

What neither tells is hard (Definition 5 of LDCOC): HTML, plain text, JSON and XML may hold RDF.
"""

from filon.page.types import blocked_extension
from filon.page.url import extension
from filon.verbs.follow.rdf.catalogue import names_rdf
from filon.verbs.follow.rdf.syntaxes import EXTENSIONS, TYPES

#: Types of which nobody knows whether there is RDF within.
_HARD = frozenset(
    {
        "",
        "application/json",
        "application/octet-stream",
        "application/xhtml+xml",
        "application/xml",
        "text/html",
        "text/plain",
        "text/xml",
    }
)
_OTHER = frozenset(
    {
        *("pdf", "ps", "eps", "doc", "docx", "odt", "ppt", "pptx", "xls", "xlsx", "ods"),
        *("csv", "tsv", "zip", "gz", "bz2", "7z", "rar", "exe", "dmg", "jar", "war", "apk"),
        *("bin", "iso"),
    }
)


def by_name(url: str) -> str:
    """Return "rdf", "other", or "" where the extension does not tell.

    >>> by_name("http://a.org/x.ttl"), by_name("http://a.org/x.png"), by_name("http://a.org/x")
    ('rdf', 'other', '')
    """
    name = extension(url)
    if name in EXTENSIONS or names_rdf(url):
        return "rdf"
    return "other" if name in _OTHER or blocked_extension(url) else ""


def by_type(mime: str) -> str:
    """Return "rdf", "other", or "" where the content type does not tell.

    >>> by_type("text/turtle"), by_type("image/png"), by_type("text/html")
    ('rdf', 'other', '')
    """
    if mime in _HARD:
        return ""
    return "rdf" if mime in TYPES else "other"
