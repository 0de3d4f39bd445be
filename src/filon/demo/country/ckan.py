"""What CKAN's action API says of a body's datasets, as its documentation has it."""

import json
from typing import Any

from filon.demo.answer import Answer, Query, text
from filon.demo.choice import draw, token
from filon.demo.country.bodies import Body
from filon.demo.country.datasets import Dataset, datasets, describe

_ACTION = "/api/3/action/"


def answer(body: Body, path: str, query: Query) -> Answer | None:
    """Answer to an action; None: that is none."""
    if not path.startswith(_ACTION):
        return None
    match path.removeprefix(_ACTION):
        case "status_show":
            return _said({"site_title": body.name, "ckan_version": "2.10.4", "extensions": []})
        case "package_search":
            return _search(body, query)
    return text("application/json", json.dumps({"success": False}), 400)


def _search(body: Body, query: Query) -> Answer:
    found = sorted(datasets(body), key=lambda one: one.name)
    start, rows = _number(query, "start", 0), _number(query, "rows", 10)
    shown = [_package(one) for one in found[start : start + rows]]
    return _said({"count": len(found), "results": shown})


def _number(query: Query, name: str, default: int) -> int:
    value = query.get(name, "")
    return int(value) if value.isdecimal() else default


def _package(one: Dataset) -> dict[str, Any]:
    return {
        "id": token(one.body.host, one.name),
        "name": one.name,
        "title": f"{one.title} {one.year}",
        "notes": describe(one),
        "license_title": "Creative Commons Attribution",
        "metadata_modified": f"{one.year}-0{1 + draw(9, one.name)}-15T08:00:00",
        "organization": {"title": one.body.name},
        "tags": [{"name": one.body.subject}],
        "resources": [
            {"url": one.file(kind), "name": f"{one.title} ({kind})", "format": kind.upper()}
            for kind in one.kinds
        ],
    }


def _said(result: dict[str, Any]) -> Answer:
    return text("application/json; charset=utf-8", json.dumps({"success": True, "result": result}))
