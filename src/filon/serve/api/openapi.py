"""The description of the API as OpenAPI 3.1, made from the table of operations alone."""

import types
import typing
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, Literal

from aiohttp import web

from filon.core.version import __version__
from filon.serve.api.operation import Argument, Operation
from filon.serve.words import t

_NAMES = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}
#: Answers that are no success, by why.
_PROBLEMS = {"400": "api.problem.wrong", "401": "api.problem.token", "404": "api.problem.missing"}


def described(operations: Iterable[Operation]) -> dict[str, Any]:
    """Return the document of some operations."""
    schemas: dict[str, Any] = {
        "Problem": {
            "type": "object",
            "properties": {"error": {"type": "string"}},
            "required": ["error"],
        }
    }
    paths: dict[str, dict[str, Any]] = {}
    for each in operations:
        paths.setdefault(each.path, {})[each.method.lower()] = _operation(each, schemas)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Filon", "version": __version__, "description": t("api.about")},
        "servers": [{"url": "/"}],
        "security": [{"token": []}, {"browser": []}],
        "paths": paths,
        "components": {
            "schemas": dict(sorted(schemas.items())),
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "description": t("api.token")},
                "browser": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": "filon-PORT",
                    "description": t("api.cookie"),
                },
            },
        },
    }


def _operation(operation: Operation, schemas: dict[str, Any]) -> dict[str, Any]:
    within = [each for each in operation.arguments if each.place == "body"]
    told: dict[str, Any] = {
        "operationId": operation.name,
        "tags": [operation.tag],
        "summary": operation.summary,
        "description": operation.about,
        "parameters": [
            _parameter(each, schemas) for each in operation.arguments if each.place != "body"
        ],
        "responses": {"200": _success(operation, schemas), **_problems(operation)},
    }
    if within:
        schema = {
            "type": "object",
            "properties": {each.name: _argument(each, schemas) for each in within},
            "additionalProperties": False,
        }
        required = [each.name for each in within if each.is_required]
        schema |= {"required": required} if required else {}
        content = {"application/json": {"schema": schema}}
        told["requestBody"] = {"required": bool(required), "content": content}
    return told


def _success(operation: Operation, schemas: dict[str, Any]) -> dict[str, Any]:
    if operation.media:
        content: dict[str, Any] = {kind: {} for kind in operation.media}
    else:
        content = {"application/json": {"schema": schema_of(operation.gives, schemas)}}
    return {"description": operation.summary, "content": content}


def _problems(operation: Operation) -> Mapping[str, Any]:
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {
        status: {"description": t(key), "content": content}
        for status, key in _PROBLEMS.items()
        if status != "404" or any(each.place == "path" for each in operation.arguments)
    }


def _parameter(argument: Argument, schemas: dict[str, Any]) -> dict[str, Any]:
    schema = _argument(argument, schemas)
    about = schema.pop("description")
    return {
        "name": argument.name,
        "in": argument.place,
        "description": about,
        "required": argument.is_required,
        "schema": schema,
    }


def _argument(argument: Argument, schemas: dict[str, Any]) -> dict[str, Any]:
    schema = {**schema_of(argument.kind, schemas), "description": argument.about}
    if argument.bounds:
        schema |= {"minimum": argument.bounds.least, "maximum": argument.bounds.most}
    if not argument.is_required:
        schema["default"] = argument.default
    return schema


def schema_of(kind: Any, schemas: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a type; what has a name of its own is put into `schemas`.

    >>> schema_of(list[str], {})
    {'type': 'array', 'items': {'type': 'string'}}
    """
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if kind is Any:
        return {}
    if kind in _NAMES:
        return {"type": _NAMES[kind]}
    if origin is Literal:
        return {"type": "string", "enum": list(inner)}
    if origin is types.UnionType:
        return {"anyOf": [schema_of(each, schemas) for each in inner]}
    if origin in (list, tuple, Sequence):
        return {"type": "array", "items": schema_of(inner[0], schemas)}
    if origin is dict:
        return {"type": "object", "additionalProperties": schema_of(inner[1], schemas)}
    if is_dataclass(kind) and isinstance(kind, type):
        return _named(kind, schemas)
    raise TypeError(f"{kind} has no schema: an operation takes and gives plain data.")


def _named(kind: type, schemas: dict[str, Any]) -> dict[str, Any]:
    if kind.__name__ not in schemas:
        schemas[kind.__name__] = {}  # known from here on, should it hold itself
        hints = typing.get_type_hints(kind)
        entries = fields(kind)
        needed = [
            each.name
            for each in entries
            if each.default is MISSING and each.default_factory is MISSING
        ]
        schemas[kind.__name__] = {
            "type": "object",
            "description": (kind.__doc__ or "").strip(),
            "properties": {each.name: schema_of(hints[each.name], schemas) for each in entries},
            **({"required": needed} if needed else {}),
        }
    return {"$ref": f"#/components/schemas/{kind.__name__}"}


def answered(operations: Iterable[Operation]) -> web.Response:
    """Return the document as an answer."""
    return web.json_response(described(operations))
