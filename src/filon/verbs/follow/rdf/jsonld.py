"""JSON-LD: its remote contexts from those at hand, and its common mistakes mended.

A parser that is given a whole context of a thousand terms spends its time on the context, so
only the terms that a document uses are put in its place.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pyoxigraph as ox

from filon.page.url import join

SCHEMA_IRIS = (
    "url sameAs image logo mainEntityOfPage contentUrl embedUrl thumbnailUrl additionalType "
    "codeRepository downloadUrl installUrl license map photo relatedLink serviceUrl "
    "significantLink acquireLicensePage conditionsOfAccess isBasedOn isBasedOnUrl "
    "discussionUrl replyToUrl paymentUrl trackingUrl schemaVersion usageInfo ethicsPolicy "
    "publishingPrinciples correctionsPolicy diversityPolicy unnamedSourcesPolicy hasMap "
    "itemCondition availability businessFunction eventStatus eventAttendanceMode conformsTo"
)


def _vocabulary(namespace: str, iris: str = "", **more: Any) -> dict[str, Any]:
    """A context whose terms live in one namespace; iris: those that hold an IRI."""
    aliases = {"id": "@id", "type": "@type"}
    typed = {term: {"@id": namespace + term, "@type": "@id"} for term in iris.split()}
    return {"@vocab": namespace, **aliases, **typed, **more}


CONTEXTS: dict[str, Any] = {
    "schema.org": _vocabulary("http://schema.org/", SCHEMA_IRIS, schema="http://schema.org/"),
    "w3.org/ns/activitystreams": _vocabulary(
        "https://www.w3.org/ns/activitystreams#",
        "actor object target origin result instrument attributedTo attachment audience cc bcc to "
        "bto context current first last next prev generator icon image inReplyTo location items "
        "oneOf anyOf partOf preview relationship replies tag url href inbox outbox following "
        "followers liked streams endpoints describes subject likes shares",
    ),
    "w3.org/ns/hydra/context.jsonld": _vocabulary(
        "http://www.w3.org/ns/hydra/core#",
        "entrypoint apiDocumentation collection member first last next previous view search "
        "expects returns property domain range subClassOf subPropertyOf seeAlso",
        hydra="http://www.w3.org/ns/hydra/core#",
    ),
    "w3.org/ns/csvw": _vocabulary(
        "http://www.w3.org/ns/csvw#",
        "url",
        csvw="http://www.w3.org/ns/csvw#",
        dc="http://purl.org/dc/terms/",
        dcat="http://www.w3.org/ns/dcat#",
        schema="http://schema.org/",
    ),
    "w3.org/ns/anno.jsonld": _vocabulary(
        "http://www.w3.org/ns/oa#",
        "body target source motivation hasBody hasTarget generator",
        creator={"@id": "http://purl.org/dc/terms/creator", "@type": "@id"},
    ),
    "w3.org/ns/odrl.jsonld": _vocabulary(
        "http://www.w3.org/ns/odrl/2/", "target assigner assignee action uid profile"
    ),
    "w3.org/ns/ldp": _vocabulary("http://www.w3.org/ns/ldp#", "contains member"),
    "json-ld.org/contexts/person.jsonld": _vocabulary(
        "http://xmlns.com/foaf/0.1/", "homepage image knows"
    ),
    "purl.org/geojson/contexts/geojson-base.jsonld": _vocabulary(
        "https://purl.org/geojson/vocab#",
        coordinates={"@id": "https://purl.org/geojson/vocab#coordinates", "@container": "@list"},
    ),
    "project-open-data.cio.gov/v1.1/schema/catalog.jsonld": _vocabulary(
        "http://www.w3.org/ns/dcat#",
        "accessURL downloadURL landingPage conformsTo describedBy",
        title="http://purl.org/dc/terms/title",
        description="http://purl.org/dc/terms/description",
        modified="http://purl.org/dc/terms/modified",
        issued="http://purl.org/dc/terms/issued",
        publisher="http://purl.org/dc/terms/publisher",
        identifier="http://purl.org/dc/terms/identifier",
        spatial="http://purl.org/dc/terms/spatial",
        temporal="http://purl.org/dc/terms/temporal",
        license={"@id": "http://purl.org/dc/terms/license", "@type": "@id"},
    ),
}


Json = Any
KEYWORDS = frozenset({"@id", "@type", "@context", "@graph", "@value"})
#: Contexts within contexts, and the depth of a document, that are followed.
MAX_DEPTH = 200
_COMMENT = re.compile(r'("(?:[^"\\]|\\.)*")|/\*.*?\*/|(?<![:\\])//[^\n"]*$', re.S | re.M)
_COMMA = re.compile(r'("(?:[^"\\]|\\.)*")|,(\s*[}\]])', re.S)
_WRAPPERS = re.compile(
    r"^\s*(?:<!--|<!\[CDATA\[|//\s*<!\[CDATA\[)|(?:-->|\]\]>|//\s*\]\]>)\s*;?\s*$"
)


def load(text: str) -> tuple[Json, bool]:
    """Read JSON, mended where that is safe; return it, and whether it was mended.

    Safe are: wrappers of HTML, control characters, comments, commas too many, a brace too many
    at the end. What stays broken is a ValueError.

    >>> load('{"a": [1, 2, ], /* no */ }')
    ({'a': [1, 2]}, True)
    """
    text = text.removeprefix("\ufeff")
    try:
        return json.loads(text), False
    except ValueError:
        pass
    mended = _WRAPPERS.sub("", text)
    mended = _COMMENT.sub(lambda match: match[1] or "", mended)
    mended = _COMMA.sub(lambda match: match[1] or match[2], mended).strip()
    value, end = json.JSONDecoder(strict=False).raw_decode(mended)
    if mended[end:].strip(" \t\r\n;}]"):
        raise ValueError("text after the end of the JSON")
    return value, True


def beginning(value: Json, most: int) -> Json:
    """Return as many of the things that JSON lists as may say so many triples; others are not read.

    >>> beginning([1, 2, 3], 2), beginning({"@graph": [1, 2, 3], "@id": "x"}, 1)
    ([1, 2], {'@graph': [1], '@id': 'x'})
    """
    if isinstance(value, list):
        return value[:most]
    if isinstance(value, dict) and isinstance(value.get("@graph"), list):
        return {**value, "@graph": value["@graph"][:most]}
    return value


def has_keywords(value: Json) -> bool:
    """Say whether somebody meant JSON to be JSON-LD."""
    return any(key in KEYWORDS for key in _keys(value))


def parse(
    value: Json, url: str, contexts: Mapping[str, Json]
) -> tuple[Iterator[ox.Quad], set[str]]:
    """Return the quads of JSON-LD as they are read, and the remote contexts not at hand."""
    missing: set[str] = set()
    used = _used(value)
    whole = _localised(value, url, contexts, used, missing, 0)
    body = json.dumps(whole, ensure_ascii=False).encode("utf-8", "surrogatepass")
    quads = ox.parse(input=body, format=ox.RdfFormat.JSON_LD, base_iri=url, lenient=True)
    return quads, missing


def _localised(
    value: Json,
    url: str,
    contexts: Mapping[str, Json],
    used: set[str],
    missing: set[str],
    depth: int,
) -> Json:
    """Return a document whose remote contexts stand in it."""
    if depth > MAX_DEPTH:
        raise ValueError("nested too deep")
    if isinstance(value, list):
        return [_localised(one, url, contexts, used, missing, depth + 1) for one in value]
    if not isinstance(value, dict):
        return value
    return {
        key: _context(inner, url, contexts, used, missing)
        if key == "@context"
        else _localised(inner, url, contexts, used, missing, depth + 1)
        for key, inner in value.items()
    }


def _context(
    value: Json, url: str, contexts: Mapping[str, Json], used: set[str], missing: set[str]
) -> Json:
    if isinstance(value, list):
        return [_context(one, url, contexts, used, missing) for one in value]
    if not isinstance(value, str):
        return value
    value = value if "://" in value else join(url, value) or value
    known = contexts.get(name(value))
    if known is None:
        # Its terms are not known, but they are its terms: better than no triples.
        missing.add(value)
        return {"@vocab": value if value.endswith(("/", "#")) else f"{value}#"}
    return _pruned(known, used) if isinstance(known, dict) else known


def terms(body: bytes) -> dict[str, Json]:
    """Return the terms that a remote context defines; what it takes from others is left out.

    >>> terms(b'{"@context": ["http://a.org/", {"name": "http://a.org/name"}]}')
    {'name': 'http://a.org/name'}
    """
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    context = value.get("@context") if isinstance(value, dict) else None
    merged: dict[str, Json] = {}
    for one in context if isinstance(context, list) else [context]:
        if isinstance(one, dict):
            merged.update(one)
    return merged


def name(url: str) -> str:
    """Return the name under which a context is kept: without scheme, "www." and a last slash.

    >>> name("https://schema.org/") == name("http://schema.org")
    True
    """
    return url.partition("://")[2].removeprefix("www.").rstrip("/#").lower()


def _pruned(context: Mapping[str, Json], used: set[str]) -> dict[str, Json]:
    kept = {key: what for key, what in context.items() if key in used or key.startswith("@")}
    # Definitions name others: prefixes, and what "@type" or "@id" refer to.
    pending = list(kept.values())
    while pending:
        for text in _strings(pending.pop()):
            for term in (text, text.partition(":")[0]):
                if term in context and term not in kept:
                    kept[term] = context[term]
                    pending.append(context[term])
    return kept


def _used(value: Json) -> set[str]:
    """Return the terms and prefixes that a document uses."""
    used: set[str] = set()
    for text in _strings(value):
        if len(text) < 200 and " " not in text:
            used.add(text)
            used.add(text.partition(":")[0])
    return used


def _strings(value: Json) -> Iterator[str]:
    pending = [value]
    while pending:
        one = pending.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict):
            yield from (key for key in one if isinstance(key, str))
            pending.extend(one.values())
        elif isinstance(one, list):
            pending.extend(one)


def _keys(value: Json) -> Iterator[str]:
    pending = [value]
    while pending:
        one = pending.pop()
        if isinstance(one, dict):
            yield from one
            pending.extend(one.values())
        elif isinstance(one, list):
            pending.extend(one)
