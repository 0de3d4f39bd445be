"""What descriptions in DCAT share: names, and what becomes of a licence."""

from filon.page.url import parse

PREFIXES = {
    "dcat": "http://www.w3.org/ns/dcat#",
    "dct": "http://purl.org/dc/terms/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
#: Our own words and names, as in the provenance of Linked Data.
OWN = "urn:filon:"


def licence(text: str) -> tuple[str, str]:
    """Return the property that tells a licence, and its address, or the words where it has none.

    >>> licence("https://creativecommons.org/licenses/by/4.0/")
    ('dct:license', 'https://creativecommons.org/licenses/by/4.0/')
    >>> licence("CC BY 4.0")
    ('dct:rights', 'CC BY 4.0')
    """
    address = parse(text) if text.startswith(("http://", "https://")) else ""
    return ("dct:license", address) if address else ("dct:rights", text)
