"""Names of RDFa: terms, compact IRIs and the prefixes that every document may use."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from filon.page.url import resolve

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFA = "http://www.w3.org/ns/rdfa#"
XHV = "http://www.w3.org/1999/xhtml/vocab#"
XSD = "http://www.w3.org/2001/XMLSchema#"
#: The prefixes of the RDFa 1.1 initial context.
PREFIXES: Mapping[str, str] = {
    "as": "https://www.w3.org/ns/activitystreams#",
    "cc": "http://creativecommons.org/ns#",
    "csvw": "http://www.w3.org/ns/csvw#",
    "ctag": "http://commontag.org/ns#",
    "dc": "http://purl.org/dc/terms/",
    "dc11": "http://purl.org/dc/elements/1.1/",
    "dcat": "http://www.w3.org/ns/dcat#",
    "dcterms": "http://purl.org/dc/terms/",
    "dqv": "http://www.w3.org/ns/dqv#",
    "duv": "https://www.w3.org/ns/duv#",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "gr": "http://purl.org/goodrelations/v1#",
    "grddl": "http://www.w3.org/2003/g/data-view#",
    "ical": "http://www.w3.org/2002/12/cal/icaltzd#",
    "jsonld": "http://www.w3.org/ns/json-ld#",
    "ldp": "http://www.w3.org/ns/ldp#",
    "ma": "http://www.w3.org/ns/ma-ont#",
    "oa": "http://www.w3.org/ns/oa#",
    "odrl": "http://www.w3.org/ns/odrl/2/",
    "og": "http://ogp.me/ns#",
    "org": "http://www.w3.org/ns/org#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "prov": "http://www.w3.org/ns/prov#",
    "qb": "http://purl.org/linked-data/cube#",
    "rdf": RDF,
    "rdfa": RDFA,
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "rev": "http://purl.org/stuff/rev#",
    "rif": "http://www.w3.org/2007/rif#",
    "rr": "http://www.w3.org/ns/r2rml#",
    "schema": "http://schema.org/",
    "sd": "http://www.w3.org/ns/sparql-service-description#",
    "sioc": "http://rdfs.org/sioc/ns#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "skosxl": "http://www.w3.org/2008/05/skos-xl#",
    "sosa": "http://www.w3.org/ns/sosa/",
    "ssn": "http://www.w3.org/ns/ssn/",
    "time": "http://www.w3.org/2006/time#",
    "v": "http://rdf.data-vocabulary.org/#",
    "vcard": "http://www.w3.org/2006/vcard/ns#",
    "void": "http://rdfs.org/ns/void#",
    "wdr": "http://www.w3.org/2007/05/powder#",
    "wdrs": "http://www.w3.org/2007/05/powder-s#",
    "xhv": XHV,
    "xml": "http://www.w3.org/XML/1998/namespace",
    "xsd": XSD,
}
#: Words that are names by themselves.
TERMS: Mapping[str, str] = {
    "describedby": "http://www.w3.org/2007/05/powder-s#describedby",
    "license": f"{XHV}license",
    "role": f"{XHV}role",
}
#: Prefixes that hold at one place of a document.
MOST_PREFIXES = 500
_TERM = re.compile(r"[^\W\d][\w\-./]*")
_PREFIX = re.compile(r"[^\W\d][\w\-.]*")
_PAIR = re.compile(r"([^\s:]+):\s+(\S+)")


@dataclass(frozen=True, slots=True)
class Names:
    """How names are read at one place of a document.

    A name that is a blank node is returned as "_:" and its label; what is none as "".
    """

    base: str
    prefixes: Mapping[str, str] = field(default_factory=lambda: PREFIXES)
    vocabulary: str = ""

    def declaring(self, text: str, namespaces: Mapping[str, str]) -> Self:
        """Return names with the prefixes of a `prefix` attribute and of xmlns attributes."""
        declared = {prefix.lower(): iri for prefix, iri in namespaces.items()}
        for prefix, iri in _PAIR.findall(text):
            if prefix != "_" and _PREFIX.fullmatch(prefix):
                declared[prefix.lower()] = iri
        if len(self.prefixes) > MOST_PREFIXES:
            return self  # each place has its own table
        return replace(self, prefixes={**self.prefixes, **declared})

    def resource(self, text: str) -> str:
        """Read a value of `about` or `resource`: a safe compact IRI, a compact IRI or an IRI."""
        text = text.strip()
        if text.startswith("[") and text.endswith("]"):
            return self._compact(text[1:-1])
        return self._compact(text) or self.iri(text)

    def iri(self, text: str) -> str:
        """Read a value of `href` or `src`: an IRI, maybe a relative one."""
        text = text.strip()
        if _is_absolute(text):
            return text  # joining would drop an empty fragment
        return resolve(self.base, text)

    def term(self, text: str) -> str:
        """Read a value of `property`, `typeof`, `rel`, `rev` or `datatype`."""
        if _TERM.fullmatch(text):
            if self.vocabulary:
                return self.vocabulary + text
            return TERMS.get(text, "") or TERMS.get(text.lower(), "")
        return self._compact(text) or (text if _is_absolute(text) else "")

    def _compact(self, text: str) -> str:
        prefix, colon, reference = text.partition(":")
        if not colon or reference.startswith("//"):
            return ""
        if prefix == "_":
            return f"_:{reference or 'empty'}"
        if not prefix:
            return XHV + reference
        iri = self.prefixes.get(prefix.lower())
        return iri + reference if iri is not None else ""


def _is_absolute(text: str) -> bool:
    scheme, colon, _ = text.partition(":")
    return bool(colon) and re.fullmatch(r"[A-Za-z][A-Za-z0-9+.-]*", scheme) is not None
