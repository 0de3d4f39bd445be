"""What the reconciliation API demands of answers, as JSON schemas of our own.

They are written from the facts of the specification of the W3C Entity Reconciliation Community
Group (https://reconciliation-api.github.io/specs/): version 0.2, and the draft of 1.0.
They hold every field, type, pattern and obligation of the public schemas that concerns an answer of
ours, and are stricter where these allow anything: no field that the specification does not name.
"""

from typing import Any

from jsonschema import Draft202012Validator

Schema = dict[str, Any]
TEXT: Schema = {"type": "string"}
FLAG: Schema = {"type": "boolean"}
WHOLE: Schema = {"type": "integer"}


def thing(must: dict[str, Any], may: dict[str, Any] | None = None) -> Schema:
    """An object with these fields, and no others."""
    known = must | (may or {})
    return {
        "type": "object",
        "properties": known,
        "required": list(must),
        "additionalProperties": False,
    }


def many(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def template(pattern: str) -> Schema:
    return {"type": "string", "pattern": pattern}


_ID = {"id": TEXT, "name": TEXT}
#: Of 1.0: all that has text may say its language and direction.
_SPOKEN = {"lang": TEXT, "dir": {"enum": ["ltr", "rtl", "auto"]}}
_TYPE = thing(_ID, {"description": TEXT, "broader": {"type": "array"}})
_VALUE: Schema = {
    "oneOf": [
        thing({}),
        thing(_ID, {"description": TEXT}),
        thing({"str": TEXT}),
        thing({"float": {"type": "number"}}),
        thing({"int": WHOLE}),
        thing({"date": template(r"^-?\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$")}),
    ]
}
_SERVICE = {"service_url": TEXT, "service_path": TEXT}
_FLYOUT = {"flyout_service_url": TEXT, "flyout_service_path": template(r".*\$\{id\}.*")}
_SETTING = thing({"type": TEXT, "label": TEXT, "name": TEXT}, {"help_text": TEXT, "default": {}})
_ABOUT = {"documentation": TEXT, "serviceVersion": TEXT, "logo": TEXT}
_KINDS = ("entity", "property", "type")


def _versions(version: str) -> Schema:
    return many(TEXT) | {"contains": {"const": version}}


def _candidate(must: dict[str, Any], may: dict[str, Any], feature: Schema) -> Schema:
    types = many({"oneOf": [_TYPE, TEXT]})
    said = {"description": TEXT, "features": many(feature), "match": FLAG, "type": types}
    return thing(must, said | may)


_SCORE = {"type": "number", "minimum": 0, "maximum": 100}
_FEATURE = {"id": TEXT, "value": {"type": ["number", "boolean"]}}
_OLD_BATCH = {
    "type": "object",
    "additionalProperties": thing(
        {"result": many(_candidate(_ID | {"score": _SCORE}, {}, thing(_FEATURE, {"name": TEXT})))}
    ),
}
_NEW_CANDIDATE = _candidate(_ID, {"score": _SCORE, **_SPOKEN}, thing(_FEATURE | {"name": TEXT}))
_SUGGESTED = thing(_ID, {"description": TEXT, "notable": many({"oneOf": [_TYPE, TEXT]})})
_META = many(thing(_ID, {"type": _TYPE, "service": template("^https?://")}))
_PROPOSED = thing(
    {"properties": many(thing(_ID, {"description": TEXT}))},
    {"type": TEXT, "limit": {"type": "number"}},
)

SCHEMAS: dict[tuple[str, str], Schema] = {
    ("0.2", "manifest"): thing(
        {"versions": _versions("0.2"), "name": TEXT, "identifierSpace": TEXT, "schemaSpace": TEXT},
        {
            **_ABOUT,
            "view": thing({"url": template(r".*\{\{id\}\}.*")}),
            "defaultTypes": many(_TYPE) | {"uniqueItems": True},
            "suggest": thing({}, dict.fromkeys(_KINDS, thing({}, _SERVICE | _FLYOUT))),
            "preview": thing({"url": template(r".*\{\{id\}\}.*"), "width": WHOLE, "height": WHOLE}),
            "extend": thing(
                {}, {"propose_properties": thing({}, _SERVICE), "property_settings": many(_SETTING)}
            ),
        },
    ),
    ("0.2", "results"): _OLD_BATCH,
    ("0.2", "suggest"): thing({"result": many(_SUGGESTED)}),
    ("0.2", "flyout"): thing({"id": TEXT, "html": TEXT}),
    ("0.2", "properties"): _PROPOSED,
    ("0.2", "extend"): thing(
        {
            "meta": _META,
            "rows": {
                "type": "object",
                "additionalProperties": {"type": "object", "additionalProperties": many(_VALUE)},
            },
        }
    ),
    ("1.0-draft", "manifest"): thing(
        {
            "versions": _versions("1.0-draft"),
            "name": TEXT,
            "view": thing({"url": template(r".*\{.*id.*\}.*")}),
        },
        {
            **_ABOUT,
            **_SPOKEN,
            "defaultTypes": many(_TYPE) | {"uniqueItems": True},
            "suggest": thing(dict.fromkeys(_KINDS, FLAG)),
            "preview": thing({"width": WHOLE, "height": WHOLE}),
            "extend": thing({}, {"proposeProperties": FLAG, "propertySettings": {"type": "array"}}),
            "standardizedScore": FLAG,
            "batchSize": WHOLE,
        },
    ),
    ("1.0-draft", "results"): thing({"results": many(thing({"candidates": many(_NEW_CANDIDATE)}))}),
    ("1.0-draft", "suggest"): thing({"result": many(_SUGGESTED)}),
    ("1.0-draft", "properties"): _PROPOSED,
    ("1.0-draft", "extend"): thing(
        {
            "meta": _META,
            "rows": many(
                thing(
                    {
                        "id": TEXT,
                        "properties": many(thing({"id": TEXT, "values": many(_VALUE)})),
                    }
                )
            ),
        }
    ),
}


def check(version: str, what: str, answer: Any) -> None:
    """Hold an answer against what a version demands of it."""
    Draft202012Validator(SCHEMAS[version, what]).validate(answer)
